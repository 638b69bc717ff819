package kvrank.report.html;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Measure;
import kvrank.report.chart.Svg;
import kvrank.stats.Group;
import kvrank.stats.Standing;

/** What a factor with numeric values does to each engine. */
final class SweepCharts {

  private static final String RATE = "rate";
  private static final String NUMBER = "[0-9]+(\\.[0-9]+)?";

  private final Findings findings;

  SweepCharts(Findings findings) {
    this.findings = findings;
  }

  /** The factors that vary over at least two numbers. */
  List<String> factors() {
    return findings.wholes().stream()
        .flatMap(group -> group.varying().stream())
        .distinct()
        .filter(
            factor ->
                findings.wholes().stream()
                        .map(group -> group.factors().getOrDefault(factor, ""))
                        .filter(value -> value.matches(NUMBER))
                        .distinct()
                        .count()
                    >= 2)
        .toList();
  }

  /** The charts of {@code factor}, one for each phase and point of the other factors. */
  List<Chart> of(String factor) {
    Map<List<Object>, List<Group>> sweeps = new LinkedHashMap<>();
    for (Group group : groups(factor)) {
      SortedMap<String, String> others = new TreeMap<>(group.factors());
      others.remove(factor);
      sweeps
          .computeIfAbsent(
              List.of(group.phase(), group.operation(), others), key -> new ArrayList<>())
          .add(group);
    }
    List<Chart> charts = new ArrayList<>();
    sweeps.values().forEach(sweep -> chart(factor, sweep).ifPresent(charts::add));
    return charts;
  }

  /** Latency belongs to an operation, throughput to the phase. */
  private List<Group> groups(String factor) {
    return findings.wholes().stream()
        .flatMap(
            whole ->
                factor.equals(RATE)
                    ? findings.operations(whole).stream()
                    : java.util.stream.Stream.of(whole))
        .filter(group -> group.factors().getOrDefault(factor, "").matches(NUMBER))
        .toList();
  }

  private Optional<Chart> chart(String factor, List<Group> sweep) {
    List<Chart.Line> lines = new ArrayList<>();
    for (String engine : findings.engines()) {
      List<Chart.Point> points = new ArrayList<>();
      for (Group group : sweep) {
        point(factor, group, engine).ifPresent(points::add);
      }
      if (points.size() > 1) {
        lines.add(new Chart.Line(Drawing.look(findings, engine), engine, points));
      }
    }
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    List<Measure> measures =
        lines.stream().flatMap(line -> line.points().stream()).map(Chart.Point::y).toList();
    boolean rate = factor.equals(RATE);
    return Optional.of(
        new Chart.Lines(
            caption(factor, sweep.get(0)),
            rate ? achieved(lines) : values(factor, sweep),
            rate
                ? Drawing.log("p99 latency", Unit.NANOSECONDS, measures)
                : Drawing.axis("OK records per second", Unit.PER_SECOND, measures),
            lines,
            Double.NEGATIVE_INFINITY,
            ""));
  }

  private Optional<Chart.Point> point(String factor, Group group, String engine) {
    Optional<Standing> throughput = findings.standing(group, Metrics.THROUGHPUT, engine);
    String value = group.factors().get(factor);
    if (!factor.equals(RATE)) {
      return throughput.map(
          standing ->
              new Chart.Point(
                  Double.parseDouble(value),
                  Drawing.measure(standing.estimate()),
                  "%s at %s=%s: %s"
                      .formatted(
                          engine,
                          factor,
                          value,
                          Drawing.text(Unit.PER_SECOND, standing.estimate()))));
    }
    return throughput.flatMap(
        achieved ->
            findings
                .standing(group, Metrics.LATENCY_P99, engine)
                .map(
                    standing ->
                        new Chart.Point(
                            achieved.estimate().value(),
                            Drawing.measure(standing.estimate()),
                            "%s at rate=%s: %s"
                                .formatted(
                                    engine,
                                    value,
                                    Drawing.text(Unit.NANOSECONDS, standing.estimate())))));
  }

  private static Axis values(String factor, List<Group> sweep) {
    List<Axis.Tick> ticks =
        sweep.stream()
            .map(group -> group.factors().get(factor))
            .map(value -> new Axis.Tick(Double.parseDouble(value), value))
            .toList();
    double low = ticks.stream().mapToDouble(Axis.Tick::at).min().orElse(1);
    double high = ticks.stream().mapToDouble(Axis.Tick::at).max().orElse(1);
    boolean log = low > 0 && high / low >= 4;
    double margin = log ? Math.pow(high / low, 0.04) : (high - low) * 0.04;
    return log
        ? new Axis(factor + ", log scale", low / margin, high * margin, true, ticks)
        : new Axis(factor, low - margin, high + margin, false, ticks);
  }

  private static Axis achieved(List<Chart.Line> lines) {
    double high =
        lines.stream()
            .flatMap(line -> line.points().stream())
            .mapToDouble(Chart.Point::x)
            .max()
            .orElse(1);
    return Drawing.linear("achieved OK records per second", Unit.PER_SECOND, high);
  }

  private static Chart.Caption caption(String factor, Group group) {
    List<String> parts = new ArrayList<>(List.of("sweep", factor, group.phase()));
    group.operation().ifPresent(parts::add);
    List<String> others = new ArrayList<>();
    for (String other : group.varying()) {
      if (!other.equals(factor)) {
        parts.add(other + "-" + group.factors().getOrDefault(other, ""));
        others.add(other + "=" + group.factors().getOrDefault(other, ""));
      }
    }
    String what = factor.equals(RATE) ? "Latency by throughput" : "Throughput by " + factor;
    String where =
        group.phase()
            + group.operation().map(operation -> " " + operation).orElse("")
            + (others.isEmpty() ? "" : " at " + String.join(", ", others));
    String reading =
        factor.equals(RATE)
            ? "One point for each rate that was asked for; lower and further right is better."
            : "The median with its interval.";
    return new Chart.Caption(
        Svg.fileName(parts.toArray(String[]::new)),
        what,
        where,
        reading,
        what + ", " + where + ". The tables say it.");
  }
}
