package kvrank.report.figure;

import static java.util.Comparator.comparingDouble;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.metric.Unit;
import kvrank.report.block.Block;
import kvrank.report.block.Quantities;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.SeriesStyle;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import org.apache.commons.math3.stat.StatUtils;

/** Charts of the shares of acknowledged writes that engines lost when they were crashed. */
public final class LossCharts {

  private static final String TITLE = "Writes lost per ";

  /**
   * The losses of an engine at one factor point.
   *
   * @param shares for each crash the lost share of the acknowledged writes that can be checked,
   *     from 0 to 1; not empty
   * @param lost the number of lost writes as text
   */
  public record Losses(String engine, Group group, List<Double> shares, String lost) {

    private Chart.Measure measure() {
      double[] percent = shares.stream().mapToDouble(share -> 100 * share).toArray();
      return new Chart.Measure(
          StatUtils.percentile(percent, 50), StatUtils.min(percent), StatUtils.max(percent));
    }

    private Chart.Row row(SeriesStyle style) {
      String text = engine + " " + ChartParts.text(Unit.PERCENT, measure());
      return new Chart.Row(engine, lost, List.of(new Chart.Dot(style, measure(), text)));
    }
  }

  private LossCharts() {}

  /**
   * Returns a chart for each factor point: bars of median shares, the smallest first, and whiskers
   * from minimum to maximum.
   *
   * @param crash the name of a crash: a kill or a power cut
   */
  public static List<Block> of(RankingIndex index, String crash, List<Losses> losses) {
    Map<String, SeriesStyle> styles = SeriesStyle.of(index.engines());
    return losses.stream()
        .collect(groupingBy(Losses::group, LinkedHashMap::new, toList()))
        .values()
        .stream()
        .<Block>map(point -> new Block.Figure(() -> Optional.of(chart(point, crash, styles))))
        .toList();
  }

  private static Chart chart(List<Losses> point, String crash, Map<String, SeriesStyle> styles) {
    List<Chart.Row> rows =
        point.stream()
            .sorted(comparingDouble(each -> each.measure().value()))
            .map(each -> each.row(styles.get(each.engine())))
            .toList();
    Group group = point.get(0).group();
    String title = TITLE + crash;
    String values = String.join("; ", rows.stream().map(row -> row.dots().get(0).text()).toList());
    Chart.Caption caption =
        new Chart.Caption(
            ChartParts.fileName(group, List.of("lost", crash)),
            title,
            group.point(),
            "Least first: medians, with minimum and maximum. The numbers are sums.",
            title + group.pointSuffix() + ": " + values);
    double most =
        ChartParts.measuresOf(rows).stream().mapToDouble(Chart.Measure::most).max().orElseThrow();
    Axis axis =
        Axis.linear(
            "lost share of those that can be checked",
            most,
            Axis.Counting.DECIMAL,
            value -> Quantities.tick(Unit.PERCENT, value));
    return new Chart.Rows(caption, axis, true, Double.NaN, List.of(), rows);
  }
}
