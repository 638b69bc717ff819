package kvrank.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import kvrank.metric.Metrics;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Look;
import kvrank.report.chart.Measure;
import kvrank.stats.Estimate;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Ratio;
import kvrank.stats.Standing;

/** The charts of "Redis vs Ignix": throughput by data size and connections, and the ratio. */
final class SizesAndConnectionsCharts {

  private final RankingIndex board;
  private final List<String> engines;

  SizesAndConnectionsCharts(RankingIndex board) {
    this.board = board;
    this.engines = board.engines();
  }

  /** The comparison and the ratios; empty if there is nothing to compare. */
  List<Chart> charts() {
    List<Chart> charts = new ArrayList<>();
    List<Map<String, List<Group>>> scenes = new SizesAndConnectionsTables(board).operations();
    for (int i = 0; i < scenes.size(); i++) {
      String suffix = scenes.size() == 1 ? "" : "-" + (i + 1);
      comparison("comparison" + suffix, scenes.get(i)).ifPresent(charts::add);
      ratios("performance-ratio" + suffix, scenes.get(i)).ifPresent(charts::add);
    }
    return charts;
  }

  private interface Dots {
    List<Chart.Dot> of(Ranking ranking);
  }

  private List<Chart.Row> rows(Map<String, List<Group>> operations, Dots dots) {
    List<Chart.Row> rows = new ArrayList<>();
    operations.forEach(
        (label, groups) -> {
          for (Group group : groups) {
            List<Chart.Dot> found = dots.of(board.asked(group, Metrics.THROUGHPUT));
            if (!found.isEmpty()) {
              rows.add(
                  new Chart.Row(
                      "%s, %s, %s conns"
                          .formatted(
                              label,
                              SizesAndConnectionsTables.size(group),
                              SizesAndConnectionsTables.connections(group)),
                      found.stream().map(Chart.Dot::text).reduce((a, b) -> a + ", " + b).get(),
                      found));
            }
          }
        });
    return rows;
  }

  private Optional<Chart> comparison(String file, Map<String, List<Group>> operations) {
    List<Chart.Row> rows = rows(operations, this::throughputs);
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    List<Chart.Key> keys =
        engines.stream().map(engine -> new Chart.Key(look(engine), engine)).toList();
    return Optional.of(
        new Chart.Dots(
            caption(file, "Throughput by data size and connections", operations),
            Axis.linear(
                "OK records per second",
                measures(rows).map(Measure::value).max(Double::compare).orElse(1.0) * 1.1,
                Axis.Counting.DECIMAL,
                value -> Quantities.tick(Metrics.THROUGHPUT.unit(), value)),
            Double.NaN,
            keys,
            rows));
  }

  private List<Chart.Dot> throughputs(Ranking ranking) {
    List<Chart.Dot> dots = new ArrayList<>();
    for (String engine : engines) {
      ranking
          .standing(engine)
          .map(Standing::estimate)
          .ifPresent(
              estimate ->
                  dots.add(
                      new Chart.Dot(
                          look(engine),
                          measure(estimate),
                          engine
                              + " "
                              + Quantities.of(ranking.metric().unit(), estimate.value()))));
    }
    return dots;
  }

  private static Measure measure(Estimate estimate) {
    return new Measure(estimate.value(), estimate.low(), estimate.high());
  }

  private Optional<Chart> ratios(String file, Map<String, List<Group>> operations) {
    List<Chart.Row> rows = rows(operations, this::ratios);
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    List<String> others = engines.subList(1, engines.size());
    String first = engines.get(0);
    List<Chart.Key> keys =
        others.stream().map(engine -> new Chart.Key(look(engine), engine + " / " + first)).toList();
    return Optional.of(
        new Chart.Dots(
            caption(file, "Throughput as a ratio to " + first, operations),
            Axis.log(
                "ratio, log scale; the dashed line is " + first,
                values(rows).min().orElse(1),
                values(rows).max().orElse(1),
                Axis.Counting.DECIMAL,
                Quantities::ratio),
            1,
            keys,
            rows));
  }

  private List<Chart.Dot> ratios(Ranking ranking) {
    List<Chart.Dot> dots = new ArrayList<>();
    Optional<Standing> first = ranking.standing(engines.get(0));
    for (String engine : engines.subList(1, engines.size())) {
      Optional<Standing> standing = ranking.standing(engine);
      if (first.isPresent() && standing.isPresent()) {
        EngineComparison contest = new EngineComparison("", ranking, value -> "");
        Measure measure = ratio(standing.get(), first.get());
        if (measure.value() > 0 && Double.isFinite(measure.value())) {
          dots.add(new Chart.Dot(look(engine), measure, contest.ratio(engine, engines.get(0))));
        }
      }
    }
    return dots;
  }

  /** The ranking knows the ratio to its best alone; between two others there is no interval. */
  private static Measure ratio(Standing engine, Standing first) {
    double value = engine.estimate().value() / first.estimate().value();
    Ratio toEngine = first.ratio();
    if (toEngine.hasInterval() && engine.ratio().value() == 1) {
      return new Measure(value, 1 / toEngine.high(), 1 / toEngine.low());
    }
    return engine.ratio().hasInterval() && first.ratio().value() == 1
        ? new Measure(value, engine.ratio().low(), engine.ratio().high())
        : Measure.of(value);
  }

  private static Stream<Measure> measures(Collection<Chart.Row> rows) {
    return rows.stream().flatMap(row -> row.dots().stream()).map(Chart.Dot::measure);
  }

  /**
   * Intervals may be far wider than what there is to see: the axis goes by the values, and by 1.
   */
  private static DoubleStream values(Collection<Chart.Row> rows) {
    return DoubleStream.concat(
        DoubleStream.of(0.9, 1.1), measures(rows).mapToDouble(Measure::value));
  }

  private Look look(String engine) {
    return Look.of(engines.indexOf(engine));
  }

  private static Chart.Caption caption(
      String file, String title, Map<String, List<Group>> operations) {
    Group any = operations.values().iterator().next().get(0);
    String where = SizesAndConnectionsTables.place(any);
    return new Chart.Caption(
        file,
        title,
        where.replaceFirst("^ at ", ""),
        "Lines are 95% intervals, cut at the edge where they are wider than the chart.",
        title + ": the tables of the report have the values.");
  }
}
