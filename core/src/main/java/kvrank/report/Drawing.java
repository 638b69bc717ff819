package kvrank.report;

import java.util.Collection;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
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
    String[] parts =
        Stream.concat(
                Stream.of(kind, group.phase()),
                Stream.concat(
                    group.operation().stream(),
                    group.varying().stream()
                        .map(factor -> factor + "-" + group.factors().getOrDefault(factor, ""))))
            .toArray(String[]::new);
    String where = group.phase() + group.at();
    return new Chart.Caption(
        Svg.fileName(parts),
        title,
        where,
        reading,
        title + ", " + where + ": " + String.join("; ", values));
  }

  static Measure measure(Estimate estimate) {
    return estimate.hasInterval()
        ? new Measure(estimate.value(), estimate.low(), estimate.high())
        : Measure.of(estimate.value());
  }

  static Measure measure(Ratio ratio) {
    return ratio.hasInterval()
        ? new Measure(ratio.value(), ratio.low(), ratio.high())
        : Measure.of(ratio.value());
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
    double low = values(measures).min().orElse(1) / FARTHEST;
    double high = values(measures).max().orElse(1) * FARTHEST;
    return measures.stream()
        .flatMapToDouble(
            measure ->
                DoubleStream.of(Math.max(low, measure.least()), Math.min(high, measure.most())))
        .filter(value -> value > 0 && Double.isFinite(value));
  }

  private static DoubleStream values(Collection<Measure> measures) {
    return measures.stream()
        .mapToDouble(Measure::value)
        .filter(value -> value > 0 && Double.isFinite(value));
  }

  static List<Measure> measures(List<Chart.Line> lines) {
    return lines.stream().flatMap(line -> line.points().stream()).map(Chart.Point::y).toList();
  }

  static Chart.Point last(Chart.Line line) {
    return line.points().get(line.points().size() - 1);
  }
}
