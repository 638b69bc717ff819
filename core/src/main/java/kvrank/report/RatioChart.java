package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Look;
import kvrank.report.chart.Measure;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import kvrank.stats.Ratio;
import kvrank.stats.Standing;

/** The throughput of each engine as a ratio to the best, a row for each phase and engine. */
final class RatioChart {

  /** With more rows than this, a table says it better. */
  private static final int MOST = 24;

  private RatioChart() {}

  /** The chart of the phases of one factor point. */
  static Optional<Chart> of(RankingIndex index, Map<String, Look> looks, List<Group> wholes) {
    List<Chart.Row> rows = new ArrayList<>();
    for (Group whole : wholes) {
      List<Standing> standings = index.throughput(whole).standings();
      for (Standing standing : standings.subList(Math.min(1, standings.size()), standings.size())) {
        Ratio ratio = standing.ratio();
        if (ratio.value() > 0 && Double.isFinite(ratio.value())) {
          String range = Quantities.ratios(ratio.low(), ratio.high());
          String text = Quantities.ratio(ratio.value());
          text += ratio.hasInterval() ? " (" + range + ")" : "";
          String engine = standing.engine();
          String label = whole.phase() + ": " + engine + " vs. " + standings.get(0).engine();
          Chart.Dot dot = new Chart.Dot(looks.get(engine), Drawing.measure(ratio), text);
          rows.add(new Chart.Row(label, text, List.of(dot)));
        }
      }
    }
    if (rows.isEmpty() || rows.size() > MOST) {
      return Optional.empty();
    }
    List<Measure> measures = rows.stream().map(row -> row.dots().get(0).measure()).toList();
    double low = Drawing.positive(measures).min().orElse(1);
    double high = Math.max(1, Drawing.positive(measures).max().orElse(1));
    Axis axis =
        Axis.log(
            "ratio to the best, log scale", low, high, Axis.Counting.DECIMAL, Quantities::ratio);
    Group group = wholes.get(0);
    List<String> name = new ArrayList<>(List.of("ratio"));
    group.varying().forEach(factor -> name.add(Drawing.setting(factor, group)));
    String title = "Throughput as a ratio to the best";
    Chart.Caption caption =
        new Chart.Caption(
            Drawing.fileName(name),
            title,
            group.point(),
            "With intervals; equal distances are equal ratios. The dashed line is the best.",
            title + group.at() + ". The tables say it.");
    return Optional.of(new Chart.Rows(caption, axis, false, 1, List.of(), rows));
  }
}
