package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Look;
import kvrank.report.chart.Measure;
import kvrank.stats.Estimate;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;

/** The charts of one phase at one factor point. */
final class GroupCharts {

  /** Fewer points than this say less than a table. */
  static final int FEWEST = 4;

  private static final List<Metric> LATENCIES =
      List.of(Metrics.LATENCY_P50, Metrics.LATENCY_P99, Metrics.named("p999"));

  private final RankingIndex index;
  private final RawSeries series;
  private final Looks looks;

  GroupCharts(RankingIndex index, RawSeries series, Looks looks) {
    this.index = index;
    this.series = series;
    this.looks = looks;
  }

  /** The charts that may have something to show, in order. */
  List<Block> of(Group whole) {
    List<Block> figures = new ArrayList<>();
    figures.add(new Block.Figure(() -> throughput(whole)));
    for (Group operation : index.operations(whole)) {
      figures.add(new Block.Figure(() -> latency(operation)));
      figures.add(new Block.Figure(() -> percentiles(operation)));
    }
    figures.add(new Block.Figure(() -> timeline(whole)));
    return figures;
  }

  private Optional<Chart> throughput(Group whole) {
    Ranking ranking = index.throughput(whole);
    if (ranking.standings().isEmpty()) {
      return Optional.empty();
    }
    List<Chart.Bar> bars = new ArrayList<>();
    for (Standing standing : ranking.standings()) {
      String separation = ranking.separation(standing).label();
      bars.add(
          new Chart.Bar(
              looks.of(standing.engine()),
              standing.engine() + (separation.isEmpty() ? "" : " · " + separation),
              Drawing.text(Unit.PER_SECOND, standing.estimate()),
              Drawing.measure(standing.estimate())));
    }
    double most = Drawing.positive(bars.stream().map(Chart.Bar::measure).toList()).max().orElse(1);
    return Optional.of(
        new Chart.Bars(
            Drawing.caption(
                "throughput",
                whole,
                "Throughput",
                "Successful operations per second; the whisker is the interval of the median.",
                bars.stream().map(bar -> bar.label() + " " + bar.note()).toList()),
            Drawing.linear("", Unit.PER_SECOND, most),
            bars));
  }

  private Optional<Chart> latency(Group operation) {
    List<Chart.Row> rows = new ArrayList<>();
    for (Standing standing : index.throughput(operation).standings()) {
      row(operation, standing).ifPresent(rows::add);
    }
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    List<Chart.Key> keys = new ArrayList<>();
    for (int i = 0; i < LATENCIES.size(); i++) {
      keys.add(new Chart.Key(Look.neutral(i), LATENCIES.get(i).title()));
    }
    List<Measure> measures =
        rows.stream().flatMap(row -> row.dots().stream()).map(Chart.Dot::measure).toList();
    return Optional.of(
        new Chart.Dots(
            Drawing.caption(
                "latency",
                operation,
                "Latency of " + operation.operation().orElseThrow(),
                "Per request, "
                    + (operation.factors().getOrDefault("rate", "max").equals("max")
                        ? "service time"
                        : "response time from the intended start")
                    + ", with intervals.",
                rows.stream().map(row -> row.label() + " " + row.note()).toList()),
            Drawing.log("latency", Unit.NANOSECONDS, measures),
            Double.NaN,
            keys,
            rows));
  }

  private Optional<Chart.Row> row(Group operation, Standing throughput) {
    String engine = throughput.engine();
    List<Chart.Dot> dots = new ArrayList<>();
    List<String> note = new ArrayList<>();
    for (int i = 0; i < LATENCIES.size(); i++) {
      Metric metric = LATENCIES.get(i);
      Optional<Standing> standing = index.standing(operation, metric, engine);
      if (standing.isPresent()) {
        Estimate estimate = standing.get().estimate();
        dots.add(
            new Chart.Dot(
                looks.of(engine).shaped(i),
                Drawing.measure(estimate),
                metric.title() + " " + Drawing.text(metric.unit(), estimate)));
        note.add(metric.title() + " " + Quantities.of(metric.unit(), estimate.value()));
      }
    }
    return dots.isEmpty()
        ? Optional.empty()
        : Optional.of(new Chart.Row(engine, String.join(" · ", note), dots));
  }

  private Optional<Chart> percentiles(Group operation) {
    List<Chart.Line> lines = lines(engine -> series.latencies(operation, engine));
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    double end = end(lines);
    return Optional.of(
        new Chart.Lines(
            Drawing.caption(
                "percentiles",
                operation,
                "Latency of " + operation.operation().orElseThrow() + " by percentile",
                "All repetitions together; each step to the right leaves a tenth of the requests.",
                lines.stream()
                    .map(line -> line.label() + " up to " + Drawing.last(line).text())
                    .toList()),
            new Axis("percentile of requests", 0, end, false, percentileTicks(end)),
            Drawing.log("latency", Unit.NANOSECONDS, Drawing.measures(lines)),
            lines));
  }

  private static List<Axis.Tick> percentileTicks(double end) {
    List<Axis.Tick> ticks = new ArrayList<>();
    ticks.add(new Axis.Tick(Math.log10(2), Quantities.percent(50)));
    for (int nines = 1; nines <= end + 1e-9; nines++) {
      ticks.add(new Axis.Tick(nines, Quantities.percent(100 * (1 - Math.pow(10, -nines)))));
    }
    return ticks;
  }

  private Optional<Chart> timeline(Group whole) {
    List<Chart.Line> lines = lines(engine -> series.timeline(whole, engine));
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    double end = end(lines);
    double shaded =
        lines.stream().mapToDouble(line -> series.warmup(whole, line.label())).max().orElse(0);
    return Optional.of(
        new Chart.Lines(
                Drawing.caption(
                    "timeline",
                    whole,
                    "Throughput over time",
                    "The median of the repetitions and their range"
                        + (shaded > 0 ? "; the shaded warm-up does not count." : "."),
                    List.of("the throughput of each stretch of " + whole.phase())),
                Drawing.linear("time since the start of the phase", Unit.SECONDS, end),
                Drawing.axis(
                    "successful operations per second", Unit.PER_SECOND, Drawing.measures(lines)),
                lines)
            .bands(shaded, "warm-up"));
  }

  /** One line for each engine that has points enough for one. */
  private List<Chart.Line> lines(Function<String, List<Chart.Point>> points) {
    return index.engines().stream()
        .map(engine -> new Chart.Line(looks.of(engine), engine, points.apply(engine)))
        .filter(line -> line.points().size() >= FEWEST)
        .toList();
  }

  private static double end(List<Chart.Line> lines) {
    return lines.stream().mapToDouble(line -> Drawing.last(line).x()).max().orElseThrow();
  }
}
