package kvrank.report.figure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Svg;
import kvrank.stats.Group;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.Ratio;

/** The parts that the charts of a report share: captions, axes and measures. */
public final class ChartParts {

  /** With a larger ratio of largest to smallest, a linear axis would hide the small ones. */
  private static final double LINEAR_UP_TO = 8;

  /** Intervals are drawn up to this multiple beyond the values. */
  private static final double FARTHEST = 1.5;

  private ChartParts() {}

  static Chart.Caption caption(
      String kind, Group group, String title, String reading, List<String> values) {
    String where = group.phase() + group.pointSuffix();
    String summary = title + ", " + where + ": " + String.join("; ", values);
    List<String> name = new ArrayList<>(List.of(kind, group.phase()));
    group.operation().ifPresent(name::add);
    return new Chart.Caption(fileName(group, name), title, where, reading, summary);
  }

  /** Returns the name of a chart's file: {@code parts}, and the factors that vary. */
  static String fileName(Group group, List<String> parts) {
    List<String> name = new ArrayList<>(parts);
    group
        .varying()
        .forEach(factor -> name.add(factor + "-" + group.factors().getOrDefault(factor, "")));
    return Svg.fileName(name);
  }

  public static Chart.Measure measure(Estimate estimate) {
    return new Chart.Measure(estimate.value(), estimate.low(), estimate.high());
  }

  public static Chart.Measure measure(Ratio ratio) {
    return new Chart.Measure(ratio.value(), ratio.low(), ratio.high());
  }

  /** Returns the median of {@code values}, with minimum and maximum. */
  static Chart.Measure range(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    int n = sorted.length;
    return new Chart.Measure((sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted[0], sorted[n - 1]);
  }

  /** Returns for example {@code 41.2 k/s (39.8–42.1 k/s)}. */
  static String text(Unit unit, Chart.Measure measure) {
    String value = Quantities.of(unit, measure.value());
    return measure.hasInterval()
        ? value + " (" + Quantities.range(unit, measure.low(), measure.high()) + ")"
        : value;
  }

  /** Returns a linear axis from 0, or a logarithmic one if the values are too far apart. */
  static Axis axis(String title, Unit unit, Collection<Chart.Measure> measures) {
    double[] ends = ends(measures);
    return ends[1] / ends[0] > LINEAR_UP_TO
        ? log(title, unit, measures)
        : linear(title, unit, ends[1]);
  }

  static Axis linear(String title, Unit unit, double high) {
    return Axis.linear(title, high, counting(unit), value -> Quantities.tick(unit, value));
  }

  static Axis log(String title, Unit unit, Collection<Chart.Measure> measures) {
    double[] ends = ends(measures);
    return Axis.log(
        title + ", log scale",
        ends[0],
        ends[1],
        counting(unit),
        value -> Quantities.tick(unit, value));
  }

  public static Axis.Counting counting(Unit unit) {
    return unit == Unit.BYTES ? Axis.Counting.BINARY : Axis.Counting.DECIMAL;
  }

  /**
   * Returns the minimum and maximum of an axis: of all values, and of their intervals unless these
   * dwarf the values. An interval of two repetitions can span many powers of ten.
   */
  static double[] ends(Collection<Chart.Measure> measures) {
    double[] values = drawn(measures.stream().mapToDouble(Chart.Measure::value));
    double low = values[0] / FARTHEST;
    double high = values[1] * FARTHEST;
    return drawn(
        measures.stream()
            .flatMapToDouble(
                each -> DoubleStream.of(Math.max(low, each.least()), Math.min(high, each.most()))));
  }

  private static double[] drawn(DoubleStream values) {
    DoubleSummaryStatistics found = values.filter(ChartParts::drawn).summaryStatistics();
    return found.getCount() == 0
        ? new double[] {1, 1}
        : new double[] {found.getMin(), found.getMax()};
  }

  public static boolean drawn(double value) {
    return value > 0 && Double.isFinite(value);
  }

  static List<Chart.Measure> measuresOf(List<Chart.Row> rows) {
    return rows.stream().flatMap(row -> row.dots().stream()).map(Chart.Dot::measure).toList();
  }

  static List<Chart.Measure> measures(List<Chart.Line> lines) {
    return lines.stream().flatMap(line -> line.points().stream()).map(Chart.Point::y).toList();
  }
}
