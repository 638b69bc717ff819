package kvrank.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.Quantities;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Look;
import kvrank.report.chart.Measure;
import kvrank.report.chart.Svg;
import kvrank.results.Timeline;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.Standing;
import org.HdrHistogram.Histogram;

/** The charts of one phase at one factor point. */
final class GroupCharts {

  private static final List<Metric> LATENCIES =
      List.of(Metrics.LATENCY_P50, Metrics.LATENCY_P99, Metrics.named("latency-p999"));

  /** Points of a percentile curve for each tenth part of the requests that is left. */
  private static final int POINTS = 12;

  /** A percentile is drawn only if at least this many requests lie beyond it. */
  private static final int BEYOND = 10;

  /** A line has no more points than this; neighbours are averaged. */
  private static final int MOST_POINTS = 240;

  private final Findings findings;
  private final RawSeries series;

  GroupCharts(Findings findings, RawSeries series) {
    this.findings = findings;
    this.series = series;
  }

  /** Every chart that has something to show, in order. */
  List<Chart> of(Group whole) {
    List<Chart> charts = new ArrayList<>();
    throughput(whole).ifPresent(charts::add);
    findings.operations(whole).forEach(operation -> latency(operation).ifPresent(charts::add));
    findings.operations(whole).forEach(operation -> percentiles(operation).ifPresent(charts::add));
    charts.addAll(new RateCurves(findings).of(whole));
    timeline(whole).ifPresent(charts::add);
    return charts;
  }

  private Optional<Chart> throughput(Group whole) {
    Ranking ranking = findings.throughput(whole);
    if (ranking.standings().isEmpty()) {
      return Optional.empty();
    }
    List<Chart.Bar> bars = new ArrayList<>();
    for (Standing standing : ranking.standings()) {
      List<String> labels = findings.labels().apply(whole, standing);
      bars.add(
          new Chart.Bar(
              Drawing.look(findings, standing.engine()),
              standing.engine() + (labels.contains("tied") ? " · tied" : ""),
              Drawing.text(Unit.PER_SECOND, standing.estimate()),
              Drawing.measure(standing.estimate())));
    }
    double most = Drawing.positive(bars.stream().map(Chart.Bar::measure).toList()).max().orElse(1);
    return Optional.of(
        new Chart.Bars(
            caption(
                "throughput",
                whole,
                "Throughput",
                "OK records per second; the bar is the median, the whisker its interval.",
                bars.stream().map(bar -> bar.label() + " " + bar.note()).toList()),
            Drawing.linear("", Unit.PER_SECOND, most),
            bars));
  }

  private Optional<Chart> latency(Group operation) {
    List<Chart.Row> rows = new ArrayList<>();
    for (Standing standing : findings.throughput(operation).standings()) {
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
            caption(
                "latency",
                operation,
                "Latency of " + operation.operation().orElseThrow(),
                "Per request, "
                    + Drawing.latencyKind(operation)
                    + ", with intervals; a percentile is left out where the sample is too small.",
                rows.stream().map(row -> row.label() + " " + row.note()).toList()),
            Drawing.log("latency", Unit.NANOSECONDS, measures),
            Double.NaN,
            keys,
            rows));
  }

  private Optional<Chart.Row> row(Group operation, Standing throughput) {
    String engine = throughput.engine();
    long samples = throughput.estimate().samples();
    List<Chart.Dot> dots = new ArrayList<>();
    List<String> note = new ArrayList<>();
    Look look = Drawing.look(findings, engine);
    for (int i = 0; i < LATENCIES.size(); i++) {
      Metric metric = LATENCIES.get(i);
      Optional<Standing> standing = findings.standing(operation, metric, engine);
      if (standing.isPresent()) {
        String text =
            metric.title() + " " + Drawing.text(Unit.NANOSECONDS, standing.get().estimate());
        dots.add(new Chart.Dot(look.shaped(i), Drawing.measure(standing.get().estimate()), text));
        note.add(
            metric.title()
                + " "
                + Drawing.sampled(Unit.NANOSECONDS, standing.get().estimate(), samples));
      }
    }
    return dots.isEmpty()
        ? Optional.empty()
        : Optional.of(new Chart.Row(engine, String.join(" · ", note), dots));
  }

  private Optional<Chart> percentiles(Group operation) {
    List<Chart.Line> lines = new ArrayList<>();
    for (String engine : findings.engines()) {
      series
          .latencies(operation, engine)
          .map(GroupCharts::curve)
          .filter(points -> points.size() > 1)
          .ifPresent(
              points -> lines.add(new Chart.Line(Drawing.look(findings, engine), engine, points)));
    }
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    double end = lines.stream().mapToDouble(line -> last(line).x()).max().orElse(1);
    return Optional.of(
        new Chart.Lines(
            caption(
                "percentiles",
                operation,
                "Latency of " + operation.operation().orElseThrow() + " by percentile",
                "All repetitions together; each step to the right leaves a tenth of the requests.",
                lines.stream().map(line -> line.label() + " up to " + last(line).text()).toList()),
            new Axis("percentile of requests", 0, end, false, percentileTicks(end)),
            Drawing.log("latency", Unit.NANOSECONDS, measures(lines)),
            lines,
            0,
            ""));
  }

  private static List<Chart.Point> curve(Histogram histogram) {
    List<Chart.Point> points = new ArrayList<>();
    for (int i = 0; ; i++) {
      double x = (double) i / POINTS;
      double beyond = Math.pow(10, -x);
      if (histogram.getTotalCount() * beyond < BEYOND) {
        return points;
      }
      double value = (double) histogram.getValueAtPercentile(100 * (1 - beyond));
      double digits = Math.pow(10, Math.ceil(x) + 1);
      String text =
          percentile(Math.round(100 * (1 - beyond) * digits) / digits)
              + " "
              + Quantities.of(Unit.NANOSECONDS, value);
      points.add(new Chart.Point(x, Measure.of(Math.max(1, value)), text));
    }
  }

  private static String percentile(double percent) {
    return Quantities.percent(percent);
  }

  private static List<Axis.Tick> percentileTicks(double end) {
    List<Axis.Tick> ticks = new ArrayList<>();
    ticks.add(new Axis.Tick(Math.log10(2), percentile(50)));
    for (int nines = 1; nines <= end + 1e-9; nines++) {
      ticks.add(new Axis.Tick(nines, percentile(100 * (1 - Math.pow(10, -nines)))));
    }
    return ticks;
  }

  private Optional<Chart> timeline(Group whole) {
    List<Chart.Line> lines = new ArrayList<>();
    double shaded = 0;
    for (String engine : findings.engines()) {
      boolean labelled = false;
      for (Timeline timeline : series.timelines(whole, engine)) {
        List<Chart.Point> points = points(timeline.rates(whole.phase()));
        if (points.size() > 1) {
          lines.add(new Chart.Line(Drawing.look(findings, engine), labelled ? "" : engine, points));
          labelled = true;
          shaded = Math.max(shaded, timeline.warmupMillis(whole.phase()) / 1e3);
        }
      }
    }
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    double end = lines.stream().mapToDouble(line -> last(line).x()).max().orElse(1);
    return Optional.of(
        new Chart.Lines(
            caption(
                "timeline",
                whole,
                "Throughput over time",
                "One line for each repetition"
                    + (shaded > 0 ? "; the shaded warm-up does not count." : "."),
                List.of("the throughput of each second of " + whole.phase())),
            Drawing.linear("time since the start of the phase", Unit.SECONDS, end),
            Drawing.axis("OK records per second", Unit.PER_SECOND, measures(lines)),
            lines,
            shaded,
            shaded > 0 ? "warm-up" : ""));
  }

  private static List<Chart.Point> points(List<Timeline.Rate> rates) {
    int each = Math.max(1, (rates.size() + MOST_POINTS - 1) / MOST_POINTS);
    List<Chart.Point> points = new ArrayList<>();
    for (int i = 0; i < rates.size(); i += each) {
      List<Timeline.Rate> some = rates.subList(i, Math.min(rates.size(), i + each));
      points.add(
          new Chart.Point(
              mean(some, rate -> (rate.fromMillis() + rate.toMillis()) / 2e3),
              Measure.of(mean(some, Timeline.Rate::perSecond)),
              ""));
    }
    return points;
  }

  private static double mean(List<Timeline.Rate> rates, ToDoubleFunction<Timeline.Rate> value) {
    return rates.stream().collect(Collectors.averagingDouble(value));
  }

  private static Chart.Point last(Chart.Line line) {
    return line.points().get(line.points().size() - 1);
  }

  private static List<Measure> measures(List<Chart.Line> lines) {
    return lines.stream().flatMap(line -> line.points().stream()).map(Chart.Point::y).toList();
  }

  /** What a chart of one phase at one factor point is. */
  static Chart.Caption caption(
      String kind, Group group, String title, String reading, List<String> values) {
    String where = group.phase() + Findings.at(group);
    return new Chart.Caption(
        Svg.fileName(name(kind, group)),
        title,
        where,
        reading,
        title + ", " + where + ": " + Drawing.joined(values));
  }

  private static String[] name(String kind, Group group) {
    List<String> parts = new ArrayList<>(List.of(kind, group.phase()));
    group.operation().ifPresent(parts::add);
    SortedMap<String, String> factors = group.factors();
    group.varying().forEach(factor -> parts.add(factor + "-" + factors.getOrDefault(factor, "")));
    return parts.toArray(String[]::new);
  }
}
