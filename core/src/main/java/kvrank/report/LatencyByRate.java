package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
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
  private final Looks looks;

  LatencyByRate(RankingIndex index, Looks looks) {
    this.index = index;
    this.looks = looks;
  }

  /** One step of one engine: what its repetitions had. */
  private static final class Step {
    private final String engine;
    private final List<Double> asked = new ArrayList<>();
    private final List<Double> achieved = new ArrayList<>();
    private final List<Double> latency = new ArrayList<>();
    private int kept;

    Step(String engine) {
      this.engine = engine;
    }

    boolean unthrottled() {
      return median(asked) == 0;
    }

    boolean saturated() {
      return 2 * kept <= asked.size();
    }

    String rate() {
      return unthrottled() ? "as fast as it goes" : Quantities.of(Unit.PER_SECOND, median(asked));
    }

    /** Where it is in a chart: the rate that was asked, or what was reached without one. */
    double x() {
      return unthrottled() ? median(achieved) : median(asked);
    }

    Measure measure() {
      double[] sorted = latency.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      return new Measure(median(latency), sorted[0], sorted[sorted.length - 1]);
    }
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int n = sorted.length;
    return n == 0 ? Double.NaN : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
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
        blocks.add(
            new Block.Folded(
                "Steps of " + operation,
                List.of(table(metric, engines.stream().flatMap(List::stream).toList()))));
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
    SortedMap<Long, Step> steps = new TreeMap<>();
    for (PhaseRecord phase : index.records(whole, engine)) {
      for (RatePoint point : phase.points()) {
        Latency latency = point.latencyNanos().get(operation);
        OptionalDouble value = latency == null ? OptionalDouble.empty() : metric.value(latency);
        if (value.isPresent()) {
          long key =
              point.asked() > 0
                  ? Math.round(Math.log(point.asked()) / Math.log(SAME))
                  : Long.MAX_VALUE;
          Step step = steps.computeIfAbsent(key, any -> new Step(engine));
          step.asked.add(point.asked());
          step.achieved.add(point.achieved());
          step.latency.add(value.getAsDouble());
          step.kept += point.good() ? 1 : 0;
        }
      }
    }
    return List.copyOf(steps.values());
  }

  private Optional<Chart> chart(Group operation, Metric metric, List<List<Step>> engines) {
    List<Chart.Line> lines = new ArrayList<>();
    for (List<Step> steps : engines) {
      String engine = steps.get(0).engine;
      List<Chart.Point> throttled =
          steps.stream()
              .filter(step -> !step.unthrottled())
              .map(step -> point(step, metric))
              .toList();
      List<Chart.Point> unthrottled =
          steps.stream().filter(Step::unthrottled).map(step -> point(step, metric)).toList();
      if (throttled.size() > 1) {
        lines.add(new Chart.Line(looks.of(engine), engine, throttled));
        lines.add(new Chart.Line(looks.of(engine), "", unthrottled));
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
    if (bound > 0) {
      measures.add(Measure.of(bound));
    }
    String title = "%s %s by rate".formatted(operation.operation().orElseThrow(), metric.title());
    Chart.Lines chart =
        new Chart.Lines(
            Drawing.caption(
                "rates",
                operation,
                RankingTables.capitalized(title),
                "Medians with the range of the repetitions. Hollow: the rate"
                    + (bound > 0 ? " or the bound" : "")
                    + " was not kept. Apart: no rate was asked, at the throughput that was reached.",
                lines.stream()
                    .flatMap(line -> line.points().stream())
                    .map(Chart.Point::text)
                    .toList()),
            x,
            Drawing.log(metric.title() + " latency", Unit.NANOSECONDS, measures),
            lines);
    return Optional.of(
        bound > 0
            ? chart.bounded(bound, "bound " + Quantities.of(Unit.NANOSECONDS, bound))
            : chart);
  }

  private double bound(Group operation) {
    return records(operation.whole()).stream()
        .mapToDouble(phase -> Sample.number(phase.facts(), "search.boundNanos"))
        .filter(Double::isFinite)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static Chart.Point point(Step step, Metric metric) {
    return new Chart.Point(
        step.x(),
        step.measure(),
        "%s, %s: %s %s"
            .formatted(
                step.engine,
                step.rate(),
                metric.title(),
                Quantities.of(metric.unit(), step.measure().value())),
        step.saturated());
  }

  private static Table table(Metric metric, List<Step> steps) {
    return new Columns<>(steps)
        .left("engine", step -> step.engine)
        .number("rate", Step::rate, Step::x)
        .number(
            "achieved",
            step -> Quantities.of(Unit.PER_SECOND, median(step.achieved)),
            step -> median(step.achieved))
        .number(
            metric.title(),
            step -> Quantities.of(metric.unit(), step.measure().value()),
            step -> step.measure().value())
        .right(
            "range",
            step -> Quantities.range(metric.unit(), step.measure().low(), step.measure().high()))
        .right("kept", step -> "%d of %d".formatted(step.kept, step.asked.size()))
        .table();
  }
}
