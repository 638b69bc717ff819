package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Look;
import kvrank.report.chart.Measure;
import kvrank.results.Latency;
import kvrank.results.PhaseRecord;
import kvrank.results.RatePoint;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import kvrank.stats.Sample;

/** Latency by the rate that was asked for, of a phase that sweeps rates. */
final class LatencyByRate {

  /** A search asks each repetition for other rates; those within this factor are one step. */
  private static final double SAME = 1.1;

  private final RankingIndex index;
  private final Map<String, Look> looks;

  LatencyByRate(RankingIndex index, Map<String, Look> looks) {
    this.index = index;
    this.looks = looks;
  }

  /** One step of one engine: what its repetitions had. */
  private record Step(
      String engine, double asked, double achieved, Measure latency, long kept, long all) {

    static Step of(String engine, List<RatePoint> points, ToDoubleFunction<RatePoint> latency) {
      double[] sorted = points.stream().mapToDouble(latency).sorted().toArray();
      return new Step(
          engine,
          median(points, RatePoint::asked),
          median(points, RatePoint::achieved),
          new Measure(median(points, latency), sorted[0], sorted[sorted.length - 1]),
          points.stream().filter(RatePoint::good).count(),
          points.size());
    }

    boolean saturated() {
      return 2 * kept <= all;
    }

    String rate() {
      return asked == 0 ? "as fast as it goes" : Quantities.of(Unit.PER_SECOND, asked);
    }

    /** Where it is in a chart: the rate that was asked, or what was reached without one. */
    double x() {
      return asked == 0 ? achieved : asked;
    }
  }

  private static double median(List<RatePoint> points, ToDoubleFunction<RatePoint> value) {
    double[] sorted = points.stream().mapToDouble(value).sorted().toArray();
    int n = sorted.length;
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }

  /** The chart and the table of each operation; none if the phase sweeps no rates. */
  List<Block> of(Group whole) {
    List<Block> blocks = new ArrayList<>();
    for (String operation : operations(whole)) {
      Metric metric = metric(whole, operation);
      List<List<Step>> engines =
          index.engines().stream()
              .map(engine -> steps(whole, operation, metric, engine))
              .filter(steps -> !steps.isEmpty())
              .toList();
      if (!engines.isEmpty()) {
        blocks.add(new Block.Figure(() -> chart(whole.of(operation), metric, engines)));
        Table table = table(metric, engines.stream().flatMap(List::stream).toList());
        blocks.add(new Block.Folded("Steps of " + operation, List.of(table)));
      }
    }
    return blocks;
  }

  private List<PhaseRecord> records(Group whole) {
    return index.engines().stream()
        .flatMap(engine -> index.records(whole, engine).stream())
        .toList();
  }

  private List<String> operations(Group whole) {
    return records(whole).stream()
        .flatMap(phase -> phase.points().stream())
        .flatMap(point -> point.latencyNanos().keySet().stream())
        .distinct()
        .sorted()
        .toList();
  }

  /** What a search bounds; else the p99. */
  private Metric metric(Group whole, String operation) {
    return index
        .searchBound(whole)
        .map(bound -> bound.split("[ .]", 3))
        .filter(words -> words.length > 1 && words[0].equals(operation))
        .flatMap(words -> Metrics.find(words[1]))
        .orElse(Metrics.LATENCY_P99);
  }

  /** Steps without a latency that the sample supports have no place in a chart. */
  private List<Step> steps(Group whole, String operation, Metric metric, String engine) {
    SortedMap<Long, List<RatePoint>> steps = new TreeMap<>();
    for (PhaseRecord phase : index.records(whole, engine)) {
      for (RatePoint point : phase.points()) {
        if (latency(point, operation, metric).isPresent()) {
          long step = Math.round(Math.log(point.asked()) / Math.log(SAME));
          steps
              .computeIfAbsent(point.asked() > 0 ? step : Long.MAX_VALUE, any -> new ArrayList<>())
              .add(point);
        }
      }
    }
    return steps.values().stream()
        .map(
            points ->
                Step.of(engine, points, point -> latency(point, operation, metric).orElseThrow()))
        .toList();
  }

  private static OptionalDouble latency(RatePoint point, String operation, Metric metric) {
    Latency latency = point.latencyNanos().get(operation);
    return latency == null ? OptionalDouble.empty() : metric.value(latency);
  }

  private Optional<Chart> chart(Group operation, Metric metric, List<List<Step>> engines) {
    List<Chart.Line> lines = new ArrayList<>();
    for (List<Step> steps : engines) {
      String engine = steps.get(0).engine;
      List<Chart.Point> throttled = new ArrayList<>();
      List<Chart.Point> unthrottled = new ArrayList<>();
      for (Step step : steps) {
        (step.asked == 0 ? unthrottled : throttled).add(point(step, metric));
      }
      if (throttled.size() > 1) {
        lines.add(new Chart.Line(looks.get(engine), engine, throttled));
        lines.add(new Chart.Line(looks.get(engine), "", unthrottled));
      }
    }
    long points = lines.stream().mapToLong(line -> line.points().size()).max().orElse(0);
    if (points < GroupCharts.FEWEST) {
      return Optional.empty();
    }
    double high =
        lines.stream()
            .flatMap(line -> line.points().stream())
            .mapToDouble(Chart.Point::x)
            .max()
            .orElse(1);
    Axis x = Drawing.linear("operations per second asked for", Unit.PER_SECOND, high);
    List<Measure> measures = new ArrayList<>(Drawing.measures(lines));
    double bound = bound(operation);
    Chart.Mark mark = Chart.Mark.NONE;
    if (bound > 0) {
      measures.add(Measure.of(bound));
      mark = new Chart.Mark(bound, "bound " + Quantities.of(Unit.NANOSECONDS, bound));
    }
    Axis y = Drawing.log(metric.title() + " latency", Unit.NANOSECONDS, measures);
    String title = "%s %s by rate".formatted(operation.operation().orElseThrow(), metric.title());
    Chart.Caption caption =
        Drawing.caption(
            "rates",
            operation,
            RankingTables.capitalized(title),
            "Medians with the range of the repetitions. Hollow: the rate"
                + (bound > 0 ? " or the bound" : "")
                + " was not kept. Apart: no rate was asked, at the throughput that was reached.",
            lines.stream().flatMap(line -> line.points().stream()).map(Chart.Point::text).toList());
    return Optional.of(new Chart.Lines(caption, x, y, lines, false, Chart.Mark.NONE, mark));
  }

  private double bound(Group operation) {
    return records(operation.whole()).stream()
        .mapToDouble(phase -> Sample.number(phase.facts(), "search.boundNanos"))
        .filter(Double::isFinite)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static Chart.Point point(Step step, Metric metric) {
    String value = Quantities.of(metric.unit(), step.latency.value());
    String text = "%s, %s: %s %s".formatted(step.engine, step.rate(), metric.title(), value);
    return new Chart.Point(step.x(), step.latency, text, step.saturated());
  }

  private static Table table(Metric metric, List<Step> steps) {
    Unit unit = metric.unit();
    return new Columns<>(steps)
        .left("engine", Step::engine)
        .number("rate", Step::rate, Step::x)
        .number("achieved", step -> Quantities.of(Unit.PER_SECOND, step.achieved), Step::achieved)
        .number(
            metric.title(),
            step -> Quantities.of(unit, step.latency.value()),
            step -> step.latency.value())
        .right("range", step -> Quantities.range(unit, step.latency.low(), step.latency.high()))
        .right("kept", step -> "%d of %d".formatted(step.kept, step.all))
        .table();
  }
}
