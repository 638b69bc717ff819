package kvrank.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;
import kvrank.metric.Unit;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Measure;
import kvrank.report.chart.Svg;
import kvrank.stats.Estimate;
import kvrank.stats.Group;
import kvrank.stats.Ratio;

/** What charts have in common. */
final class Drawing {

  /** With a larger ratio of largest to smallest, a linear axis would hide the small ones. */
  private static final double LINEAR_UP_TO = 8;

  /** How far beyond the values an interval is drawn. */
  private static final double FARTHEST = 1.5;

  private Drawing() {}

  /** The caption of a chart of one group. */
  static Chart.Caption caption(
      String kind, Group group, String title, String reading, List<String> values) {
    List<String> name = new ArrayList<>(List.of(kind, group.phase()));
    group.operation().ifPresent(name::add);
    group.varying().forEach(factor -> name.add(setting(factor, group)));
    String where = group.phase() + group.at();
    String summary = title + ", " + where + ": " + String.join("; ", values);
    return new Chart.Caption(fileName(name), title, where, reading, summary);
  }

  static String fileName(List<String> parts) {
    return Svg.fileName(parts.toArray(String[]::new));
  }

  /** What the name of a file says of a factor. */
  static String setting(String factor, Group group) {
    return factor + "-" + group.factors().getOrDefault(factor, "");
  }

  static Measure measure(Estimate estimate) {
    return new Measure(estimate.value(), estimate.low(), estimate.high());
  }

  static Measure measure(Ratio ratio) {
    return new Measure(ratio.value(), ratio.low(), ratio.high());
  }

  /** For example {@code 41.2 k/s (39.8–42.1 k/s)}. */
  static String text(Unit unit, Estimate estimate) {
    String value = Quantities.of(unit, estimate.value());
    return estimate.hasInterval()
        ? value + " (" + Quantities.range(unit, estimate.low(), estimate.high()) + ")"
        : value;
  }

  /** A linear axis from 0, or a logarithmic one where the values are too far apart for that. */
  static Axis axis(String title, Unit unit, Collection<Measure> measures) {
    double high = positive(measures).max().orElse(1);
    double low = positive(measures).min().orElse(1);
    return high / low > LINEAR_UP_TO ? log(title, unit, measures) : linear(title, unit, high);
  }

  /** A linear axis from 0. */
  static Axis linear(String title, Unit unit, double high) {
    return Axis.linear(title, high, counting(unit), value -> Quantities.tick(unit, value));
  }

  /** A logarithmic axis. */
  static Axis log(String title, Unit unit, Collection<Measure> measures) {
    return Axis.log(
        title + ", log scale",
        positive(measures).min().orElse(1),
        positive(measures).max().orElse(1),
        counting(unit),
        value -> Quantities.tick(unit, value));
  }

  static Axis.Counting counting(Unit unit) {
    return unit == Unit.BYTES ? Axis.Counting.BINARY : Axis.Counting.DECIMAL;
  }

  /**
   * What an axis has to show: all values, and their intervals as far as these do not dwarf them. An
   * interval of two repetitions can span many powers of ten.
   */
  static DoubleStream positive(Collection<Measure> measures) {
    DoubleSummaryStatistics values =
        measures.stream().mapToDouble(Measure::value).filter(Drawing::drawn).summaryStatistics();
    double low = (values.getCount() == 0 ? 1 : values.getMin()) / FARTHEST;
    double high = (values.getCount() == 0 ? 1 : values.getMax()) * FARTHEST;
    return measures.stream()
        .flatMapToDouble(
            each -> DoubleStream.of(Math.max(low, each.least()), Math.min(high, each.most())))
        .filter(Drawing::drawn);
  }

  private static boolean drawn(double value) {
    return value > 0 && Double.isFinite(value);
  }

  static List<Measure> measures(List<Chart.Line> lines) {
    return lines.stream().flatMap(line -> line.points().stream()).map(Chart.Point::y).toList();
  }

  static Chart.Point last(Chart.Line line) {
    return line.points().get(line.points().size() - 1);
  }
}
