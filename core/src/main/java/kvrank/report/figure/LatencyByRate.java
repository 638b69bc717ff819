package kvrank.report.figure;

import static java.util.Comparator.comparingDouble;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import kvrank.fact.Fact;
import kvrank.metric.Latency;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.block.Block;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.SeriesStyle;
import kvrank.report.ranking.Labels;
import kvrank.results.PhaseRecord;
import kvrank.results.RatePoint;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/** The latency of one operation by rate, in a phase that sweeps rates. */
public final class LatencyByRate {

  /** A search tries other rates in each repetition; rates within this factor are one step. */
  private static final double SAME = 1.1;

  /** One step of one engine, with the points of its repetitions. */
  private record Step(String engine, List<RatePoint> points, Chart.Measure latency) {

    double median(ToDoubleFunction<RatePoint> value) {
      return ChartParts.range(points.stream().mapToDouble(value)).value();
    }

    double asked() {
      return median(RatePoint::asked);
    }

    double achieved() {
      return median(RatePoint::achieved);
    }

    long kept() {
      return points.stream().filter(RatePoint::good).count();
    }

    String evidence() {
      return points.stream()
          .map(RatePoint::evidence)
          .filter(each -> !each.isEmpty())
          .distinct()
          .collect(Collectors.joining("; "));
    }

    String rate() {
      return asked() == 0 ? "as fast as possible" : Quantities.of(Unit.PER_SECOND, asked());
    }

    /** Returns the position in a chart: the requested rate or, without one, the achieved rate. */
    double x() {
      return asked() == 0 ? achieved() : asked();
    }
  }

  private final String operation;
  private final List<PhaseRecord> records = new ArrayList<>();
  private final boolean searched;
  private final Metric metric;
  private final Map<String, SeriesStyle> styles;
  private final List<List<Step>> engines = new ArrayList<>();

  private LatencyByRate(RankingIndex index, Group phaseGroup, String operation) {
    this.operation = operation;
    this.styles = SeriesStyle.of(index.engines());
    Optional<String> search = index.searchBound(phaseGroup);
    this.searched = search.isPresent();
    // The percentile that a search bounds, else the p99.
    this.metric =
        search
            .map(bound -> bound.split("[ .]", 3))
            .filter(words -> words.length > 1 && words[0].equals(operation))
            .flatMap(words -> Metrics.find(words[1]))
            .orElse(Metrics.LATENCY_P99);
    for (String engine : index.engines()) {
      List<PhaseRecord> own = index.records(phaseGroup, engine);
      records.addAll(own);
      List<Step> steps = steps(engine, own);
      if (!steps.isEmpty()) {
        engines.add(steps);
      }
    }
  }

  /** Returns the chart and the table of each operation; none if the phase does not sweep rates. */
  public static List<Block> of(RankingIndex index, Group phaseGroup) {
    SortedSet<String> operations = new TreeSet<>();
    for (String engine : index.engines()) {
      for (PhaseRecord phase : index.records(phaseGroup, engine)) {
        phase.points().forEach(point -> operations.addAll(point.latencyNanos().keySet()));
      }
    }
    List<Block> blocks = new ArrayList<>();
    for (String operation : operations) {
      LatencyByRate found = new LatencyByRate(index, phaseGroup, operation);
      if (!found.engines.isEmpty()) {
        blocks.add(new Block.Figure(() -> found.chart(phaseGroup.forOperation(operation))));
        blocks.add(new Block.Folded("Steps of " + operation, List.of(found.table())));
      }
    }
    return blocks;
  }

  /** Returns the steps for which the sample supports the latency. */
  private List<Step> steps(String engine, List<PhaseRecord> own) {
    SortedMap<Long, List<RatePoint>> steps = new TreeMap<>();
    for (PhaseRecord phase : own) {
      for (int i = 0; i < phase.points().size(); i++) {
        RatePoint point = phase.points().get(i);
        if (latency(point).isPresent()) {
          long step = searched ? Math.round(Math.log(point.asked()) / Math.log(SAME)) : i;
          steps
              .computeIfAbsent(point.asked() > 0 ? step : Long.MAX_VALUE, any -> new ArrayList<>())
              .add(point);
        }
      }
    }
    return steps.values().stream()
        .map(points -> new Step(engine, points, range(points)))
        .sorted(comparingDouble(step -> step.asked() > 0 ? step.asked() : Double.MAX_VALUE))
        .toList();
  }

  private Chart.Measure range(List<RatePoint> points) {
    return ChartParts.range(points.stream().mapToDouble(each -> latency(each).orElseThrow()));
  }

  private OptionalDouble latency(RatePoint point) {
    Latency latency = point.latencyNanos().get(operation);
    return latency == null ? OptionalDouble.empty() : metric.value(latency);
  }

  private Optional<Chart> chart(Group group) {
    List<Chart.Line> lines = new ArrayList<>();
    for (List<Step> steps : engines) {
      String engine = steps.get(0).engine;
      Map<Boolean, List<Chart.Point>> asked =
          steps.stream()
              .collect(partitioningBy(step -> step.asked() > 0, mapping(this::point, toList())));
      if (asked.get(true).size() > 1) {
        lines.add(new Chart.Line(styles.get(engine), engine, asked.get(true)));
        lines.add(new Chart.Line(styles.get(engine), "", asked.get(false)));
      }
    }
    if (lines.stream().noneMatch(line -> line.points().size() >= GroupCharts.FEWEST)) {
      return Optional.empty();
    }
    List<Chart.Point> all = lines.stream().flatMap(line -> line.points().stream()).toList();
    double high = all.stream().mapToDouble(Chart.Point::x).max().orElse(1);
    Axis x = ChartParts.linear("requested operations per second", Unit.PER_SECOND, high);
    List<Chart.Measure> measures = new ArrayList<>(ChartParts.measures(lines));
    double bound =
        records.stream()
            .mapToDouble(phase -> phase.facts().number(Fact.SEARCH_BOUND_NANOS))
            .filter(Double::isFinite)
            .findFirst()
            .orElse(Double.NaN);
    measures.add(Chart.Measure.of(bound));
    Chart.Mark mark = new Chart.Mark(bound, "bound " + Quantities.of(Unit.NANOSECONDS, bound));
    Axis y = ChartParts.log(metric.title() + " latency", Unit.NANOSECONDS, measures);
    Chart.Caption caption =
        ChartParts.caption(
            "rates",
            group,
            Labels.capitalized(operation) + " " + metric.title() + " by rate",
            "Medians with the range of the repetitions. Hollow: the rate"
                + (bound > 0 ? " or the bound" : "")
                + " was not kept. Separate point: without a rate, at the achieved throughput.",
            all.stream().map(Chart.Point::text).toList());
    return Optional.of(new Chart.Lines(caption, x, y, lines, false, Chart.Mark.NONE, mark));
  }

  private Chart.Point point(Step step) {
    String value = Quantities.of(metric.unit(), step.latency.value());
    String text = "%s, %s: %s %s".formatted(step.engine, step.rate(), metric.title(), value);
    return new Chart.Point(step.x(), step.latency, text, 2 * step.kept() <= step.points.size());
  }

  private Table table() {
    Unit unit = metric.unit();
    List<Step> steps = engines.stream().flatMap(List::stream).toList();
    Columns<Step> columns =
        new Columns<>(steps)
            .left("engine", Step::engine)
            .number("rate", Step::rate, Step::x)
            .number(
                "achieved", step -> Quantities.of(Unit.PER_SECOND, step.achieved()), Step::achieved)
            .number(
                metric.title(),
                step -> Quantities.of(unit, step.latency.value()),
                step -> step.latency.value())
            .right("range", step -> Quantities.range(unit, step.latency.low(), step.latency.high()))
            .right("kept", step -> "%d of %d".formatted(step.kept(), step.points.size()));
    boolean evident = steps.stream().anyMatch(step -> !step.evidence().isEmpty());
    return (evident ? columns.left("evidence", Step::evidence) : columns).table();
  }
}
