package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  private final Map<String, Look> looks;

  GroupCharts(RankingIndex index, RawSeries series, Map<String, Look> looks) {
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
    List<Chart.Row> rows = new ArrayList<>();
    for (Standing standing : ranking.standings()) {
      String separation = ranking.separation(standing).label();
      String label = standing.engine() + (separation.isEmpty() ? "" : " · " + separation);
      String value = Drawing.text(Unit.PER_SECOND, standing.estimate());
      Measure measure = Drawing.measure(standing.estimate());
      Chart.Dot bar = new Chart.Dot(looks.get(standing.engine()), measure, value);
      rows.add(new Chart.Row(label, value, List.of(bar)));
    }
    double most = Drawing.positive(measures(rows)).max().orElse(1);
    Chart.Caption caption =
        Drawing.caption(
            "throughput",
            whole,
            "Throughput",
            "Successful operations per second; the whisker is the interval of the median.",
            said(rows));
    Axis axis = Drawing.linear("", Unit.PER_SECOND, most);
    return Optional.of(new Chart.Rows(caption, axis, true, Double.NaN, List.of(), rows));
  }

  private static List<Measure> measures(List<Chart.Row> rows) {
    return rows.stream().flatMap(row -> row.dots().stream()).map(Chart.Dot::measure).toList();
  }

  private static List<String> said(List<Chart.Row> rows) {
    return rows.stream().map(row -> row.label() + " " + row.note()).toList();
  }

  private Optional<Chart> latency(Group operation) {
    List<Chart.Row> rows = new ArrayList<>();
    for (Standing standing : index.throughput(operation).standings()) {
      row(operation, standing.engine()).ifPresent(rows::add);
    }
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    List<Chart.Key> keys = new ArrayList<>();
    for (Metric metric : LATENCIES) {
      keys.add(new Chart.Key(Look.neutral(keys.size()), metric.title()));
    }
    boolean closed = operation.factors().getOrDefault("rate", "max").equals("max");
    String time = closed ? "service time" : "response time from the intended start";
    Chart.Caption caption =
        Drawing.caption(
            "latency",
            operation,
            "Latency of " + operation.operation().orElseThrow(),
            "Per request, " + time + ", with intervals.",
            said(rows));
    Axis axis = Drawing.log("latency", Unit.NANOSECONDS, measures(rows));
    return Optional.of(new Chart.Rows(caption, axis, false, Double.NaN, keys, rows));
  }

  private Optional<Chart.Row> row(Group operation, String engine) {
    List<Chart.Dot> dots = new ArrayList<>();
    List<String> note = new ArrayList<>();
    for (Metric metric : LATENCIES) {
      Optional<Standing> standing = index.standing(operation, metric, engine);
      if (standing.isPresent()) {
        Estimate estimate = standing.get().estimate();
        Look look = looks.get(engine).shaped(LATENCIES.indexOf(metric));
        String text = metric.title() + " " + Drawing.text(metric.unit(), estimate);
        dots.add(new Chart.Dot(look, Drawing.measure(estimate), text));
        note.add(metric.title() + " " + Quantities.of(metric.unit(), estimate.value()));
      }
    }
    Chart.Row row = new Chart.Row(engine, String.join(" · ", note), dots);
    return dots.isEmpty() ? Optional.empty() : Optional.of(row);
  }

  private Optional<Chart> percentiles(Group operation) {
    List<Chart.Line> lines = lines(engine -> series.latencies(operation, engine));
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    double end = end(lines);
    Axis x = new Axis("percentile of requests", 0, end, false, percentileTicks(end));
    Chart.Caption caption =
        Drawing.caption(
            "percentiles",
            operation,
            "Latency of " + operation.operation().orElseThrow() + " by percentile",
            "All repetitions together; each step to the right leaves a tenth of the requests.",
            lines.stream()
                .map(line -> line.label() + " up to " + Drawing.last(line).text())
                .toList());
    Axis y = Drawing.log("latency", Unit.NANOSECONDS, Drawing.measures(lines));
    return Optional.of(new Chart.Lines(caption, x, y, lines));
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
    Chart.Caption caption =
        Drawing.caption(
            "timeline",
            whole,
            "Throughput over time",
            "The median of the repetitions and their range"
                + (shaded > 0 ? "; the shaded warm-up does not count." : "."),
            List.of("the throughput of each stretch of " + whole.phase()));
    Axis x = Drawing.linear("time since the start of the phase", Unit.SECONDS, end);
    Axis y =
        Drawing.axis("successful operations per second", Unit.PER_SECOND, Drawing.measures(lines));
    Chart.Mark warmup = new Chart.Mark(shaded, "warm-up");
    return Optional.of(new Chart.Lines(caption, x, y, lines, true, warmup, Chart.Mark.NONE));
  }

  /** One line for each engine that has points enough for one. */
  private List<Chart.Line> lines(Function<String, List<Chart.Point>> points) {
    return index.engines().stream()
        .map(engine -> new Chart.Line(looks.get(engine), engine, points.apply(engine)))
        .filter(line -> line.points().size() >= FEWEST)
        .toList();
  }

  private static double end(List<Chart.Line> lines) {
    return lines.stream().mapToDouble(line -> Drawing.last(line).x()).max().orElseThrow();
  }
}
