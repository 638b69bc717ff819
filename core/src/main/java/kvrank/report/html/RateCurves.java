package kvrank.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Unit;
import kvrank.report.Quantities;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Measure;
import kvrank.results.Latency;
import kvrank.results.RatePoint;
import kvrank.results.RunRecord;
import kvrank.stats.Estimate;
import kvrank.stats.Group;

/** Latency over throughput, of a phase that sweeps rates. */
final class RateCurves {

  private final Findings findings;

  RateCurves(Findings findings) {
    this.findings = findings;
  }

  /** The curve of each operation that has one. */
  List<Chart> of(Group whole) {
    List<Chart> charts = new ArrayList<>();
    findings.operations(whole).forEach(operation -> curve(operation).ifPresent(charts::add));
    return charts;
  }

  private Optional<Chart> curve(Group operation) {
    List<Chart.Line> lines = new ArrayList<>();
    for (String engine : findings.engines()) {
      List<Chart.Point> points = points(operation, engine);
      if (!points.isEmpty()) {
        lines.add(new Chart.Line(Drawing.look(findings, engine), engine, points));
      }
    }
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    List<Chart.Point> all = lines.stream().flatMap(line -> line.points().stream()).toList();
    double high = all.stream().mapToDouble(Chart.Point::x).max().orElse(1);
    List<Measure> measures = all.stream().map(Chart.Point::y).toList();
    Axis x = Drawing.linear("achieved OK records per second", Unit.PER_SECOND, high);
    return Optional.of(
        new Chart.Lines(
            GroupCharts.caption(
                "rates",
                operation,
                "Latency of " + operation.operation().orElseThrow() + " by throughput",
                "The p99 at each rate that was asked for, from the intended start where there is"
                    + " one; lower and further right is better.",
                all.stream().map(Chart.Point::text).toList()),
            x,
            Drawing.log("p99 latency", Unit.NANOSECONDS, measures),
            lines,
            Double.NEGATIVE_INFINITY,
            ""));
  }

  private record Step(List<Double> achieved, List<Double> latency) {}

  private List<Chart.Point> points(Group operation, String engine) {
    SortedMap<Double, Step> steps = new TreeMap<>();
    for (RunRecord run : findings.runs(engine, operation.factors())) {
      Findings.completed(run, operation.phase())
          .ifPresent(phase -> phase.points().forEach(point -> add(steps, point, operation)));
    }
    List<Chart.Point> points = new ArrayList<>();
    steps.forEach(
        (asked, step) -> {
          Estimate latency = Estimate.of(step.latency());
          String rate =
              Double.isInfinite(asked)
                  ? "as fast as it goes"
                  : "at " + Quantities.of(Unit.PER_SECOND, asked);
          points.add(
              new Chart.Point(
                  Estimate.of(step.achieved()).value(),
                  Drawing.measure(latency),
                  engine + " " + rate + ": " + Drawing.text(Unit.NANOSECONDS, latency)));
        });
    return points;
  }

  /** A step without a p99 has no place in the chart. The unlimited step comes last. */
  private static void add(SortedMap<Double, Step> steps, RatePoint point, Group operation) {
    Latency latency = point.latencyNanos().get(operation.operation().orElseThrow());
    if (latency != null && latency.p99().isPresent()) {
      double asked = point.asked() > 0 ? point.asked() : Double.POSITIVE_INFINITY;
      Step step =
          steps.computeIfAbsent(asked, key -> new Step(new ArrayList<>(), new ArrayList<>()));
      step.achieved().add(point.achieved());
      step.latency().add((double) latency.p99().getAsLong());
    }
  }
}
