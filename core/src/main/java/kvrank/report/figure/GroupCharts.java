package kvrank.report.figure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.block.Block;
import kvrank.report.block.Quantities;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.SeriesStyle;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;

/** The charts of one phase at one factor point, and of all phases there. */
public final class GroupCharts {

  /** With fewer points than this, a table is clearer than a chart. */
  static final int FEWEST = 4;

  /** With more rows of ratios than this, a table is clearer. */
  private static final int MOST_RATIOS = 24;

  private static final List<Metric> LATENCIES =
      List.of(Metrics.LATENCY_P50, Metrics.LATENCY_P99, Metrics.named("p999"));

  private final RankingIndex index;
  private final RankingCharts rankings;
  private final RawSeries series;
  private final Map<String, SeriesStyle> styles;

  public GroupCharts(RankingIndex index, RawSeries series) {
    this.index = index;
    this.rankings = new RankingCharts(index);
    this.series = series;
    this.styles = SeriesStyle.of(index.engines());
  }

  /**
   * Returns the charts in order, without the ranking if it is among those {@code shown} elsewhere;
   * some may have nothing to show.
   */
  public List<Block> of(Group phaseGroup, Collection<Group> shown) {
    List<Block> figures = new ArrayList<>();
    if (!shown.contains(phaseGroup)) {
      figures.add(new Block.Figure(() -> rankings.of(phaseGroup, true)));
    }
    for (Group operation : index.operations(phaseGroup)) {
      figures.add(new Block.Figure(() -> latency(operation)));
      figures.add(new Block.Figure(() -> percentiles(operation)));
    }
    figures.add(new Block.Figure(() -> timeline(phaseGroup)));
    return figures;
  }

  /** Returns the deciding metric as a ratio to the best, for each phase of one factor point. */
  public Optional<Chart> ratios(List<Group> phaseGroups) {
    List<Chart.Row> rows = new ArrayList<>();
    for (Group phaseGroup : phaseGroups) {
      List<Standing> standings = index.decisive(phaseGroup).standings();
      for (Standing standing : standings.subList(Math.min(1, standings.size()), standings.size())) {
        if (ChartParts.drawn(standing.ratio().value())) {
          String engine = standing.engine();
          String label = phaseGroup.phase() + ": " + engine + " vs. " + standings.get(0).engine();
          rows.add(row(label, Unit.FACTOR, engine, ChartParts.measure(standing.ratio())));
        }
      }
    }
    if (rows.isEmpty() || rows.size() > MOST_RATIOS) {
      return Optional.empty();
    }
    double[] ends = ChartParts.ends(ChartParts.measuresOf(rows));
    double high = Math.max(1, ends[1]);
    String axis = "ratio to the best, log scale";
    Axis x = Axis.log(axis, ends[0], high, Axis.Counting.DECIMAL, Quantities::ratio);
    Group group = phaseGroups.get(0);
    String title = "Ratio to the best";
    Chart.Caption caption =
        new Chart.Caption(
            ChartParts.fileName(group, List.of("ratio")),
            title,
            group.point(),
            "With intervals; equal distances are equal ratios. The dashed line marks the best.",
            title + group.pointSuffix() + ". The values are in the tables.");
    return Optional.of(new Chart.Rows(caption, x, false, 1, List.of(), rows));
  }

  private Chart.Row row(String label, Unit unit, String engine, Chart.Measure measure) {
    String text = ChartParts.text(unit, measure);
    return new Chart.Row(label, text, List.of(new Chart.Dot(styles.get(engine), measure, text)));
  }

  private static List<String> said(List<Chart.Row> rows) {
    return rows.stream().map(row -> row.label() + " " + row.note()).toList();
  }

  private Optional<Chart> latency(Group operation) {
    List<Chart.Row> rows = new ArrayList<>();
    for (Standing each : index.throughput(operation).standings()) {
      List<Chart.Dot> dots = new ArrayList<>();
      List<String> note = new ArrayList<>();
      for (Metric metric : LATENCIES) {
        Optional<Standing> standing = index.standing(operation, metric, each.engine());
        if (standing.isPresent()) {
          Chart.Measure measure = ChartParts.measure(standing.get().estimate());
          SeriesStyle style = styles.get(each.engine()).shaped(LATENCIES.indexOf(metric));
          String text = metric.title() + " " + ChartParts.text(metric.unit(), measure);
          dots.add(new Chart.Dot(style, measure, text));
          note.add(metric.title() + " " + Quantities.of(metric.unit(), measure.value()));
        }
      }
      if (!dots.isEmpty()) {
        rows.add(new Chart.Row(each.engine(), String.join(" · ", note), dots));
      }
    }
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    List<Chart.Key> keys = new ArrayList<>();
    for (Metric metric : LATENCIES) {
      keys.add(new Chart.Key(SeriesStyle.neutral(keys.size()), metric.title()));
    }
    String time =
        index.rateGiven(operation) ? "response time from the intended start" : "service time";
    String title = "Latency of " + operation.operation().orElseThrow();
    String reading = "Per request, " + time + ", with intervals.";
    Chart.Caption caption = ChartParts.caption("latency", operation, title, reading, said(rows));
    Axis axis = ChartParts.log("latency", Unit.NANOSECONDS, ChartParts.measuresOf(rows));
    return Optional.of(new Chart.Rows(caption, axis, false, Double.NaN, keys, rows));
  }

  private Optional<Chart> percentiles(Group operation) {
    List<Chart.Line> lines = lines(engine -> series.latencies(operation, engine));
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    List<Axis.Tick> ticks = new ArrayList<>();
    ticks.add(new Axis.Tick(Math.log10(2), Quantities.percent(50)));
    for (int nines = 1; nines <= end(lines) + 1e-9; nines++) {
      ticks.add(new Axis.Tick(nines, Quantities.percent(100 * (1 - Math.pow(10, -nines)))));
    }
    Axis x = new Axis("percentile of requests", 0, end(lines), false, ticks);
    Chart.Caption caption =
        ChartParts.caption(
            "percentiles",
            operation,
            "Latency of " + operation.operation().orElseThrow() + " by percentile",
            "All repetitions together; with each step to the right, a tenth of the requests"
                + " remain.",
            lines.stream().map(line -> line.label() + " up to " + line.last().text()).toList());
    Axis y = ChartParts.log("latency", Unit.NANOSECONDS, ChartParts.measures(lines));
    return Optional.of(new Chart.Lines(caption, x, y, lines));
  }

  private Optional<Chart> timeline(Group phaseGroup) {
    List<Chart.Line> lines = lines(engine -> series.timeline(phaseGroup, engine));
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    double start = lines.stream().mapToDouble(line -> line.points().get(0).x()).min().orElse(0);
    boolean warm = start < 0;
    String reading =
        "The median of the repetitions and their range"
            + (warm ? "; the shaded warm-up does not count." : ".");
    List<String> said = List.of("a line for each engine");
    Chart.Caption caption =
        ChartParts.caption("timeline", phaseGroup, "Throughput over time", reading, said);
    Axis x =
        Axis.linear(
            "time since the " + (warm ? "end of the warm-up" : "start of the phase"),
            Math.min(0, start),
            end(lines),
            Axis.Counting.DECIMAL,
            value -> Quantities.tick(Unit.SECONDS, value));
    String title = "successful operations per second";
    Axis y = ChartParts.axis(title, Unit.PER_SECOND, ChartParts.measures(lines));
    Chart.Mark warmup = warm ? new Chart.Mark(0, "warm-up") : Chart.Mark.NONE;
    return Optional.of(new Chart.Lines(caption, x, y, lines, true, warmup, Chart.Mark.NONE));
  }

  /** Returns a line for each engine that has enough points. */
  private List<Chart.Line> lines(Function<String, List<Chart.Point>> points) {
    return index.engines().stream()
        .map(engine -> new Chart.Line(styles.get(engine), engine, points.apply(engine)))
        .filter(line -> line.points().size() >= FEWEST)
        .toList();
  }

  private static double end(List<Chart.Line> lines) {
    return lines.stream().mapToDouble(line -> line.last().x()).max().orElseThrow();
  }
}
