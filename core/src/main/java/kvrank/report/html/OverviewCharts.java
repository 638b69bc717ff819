package kvrank.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import kvrank.metric.Metric;
import kvrank.report.Quantities;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Measure;
import kvrank.report.chart.Svg;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.Standing;

/** The charts of one factor point that go across its phases. */
final class OverviewCharts {

  private final Findings findings;

  OverviewCharts(Findings findings) {
    this.findings = findings;
  }

  /** Engines by phases: the ratio to the best. */
  Optional<Chart> heat(List<Group> wholes) {
    List<Chart.HeatRow> rows = new ArrayList<>();
    for (String engine : findings.engines()) {
      rows.add(
          new Chart.HeatRow(engine, wholes.stream().map(whole -> cell(whole, engine)).toList()));
    }
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Chart.Heat(
            caption(
                "heatmap",
                wholes,
                "Throughput as a ratio to the best",
                "A stronger colour is nearer to the best."),
            wholes.stream().map(Group::phase).toList(),
            rows));
  }

  private Chart.Cell cell(Group whole, String engine) {
    Ranking ranking = findings.throughput(whole);
    return ranking
        .standing(engine)
        .map(standing -> standing.ratio().value())
        .map(ratio -> new Chart.Cell(Chart.depth(ratio), Quantities.ratio(ratio)))
        .orElse(new Chart.Cell(-1, Quantities.NONE));
  }

  /** The ratio of each engine to the best, a row for each phase. */
  Optional<Chart> ratios(List<Group> wholes) {
    List<Chart.Row> rows = new ArrayList<>();
    for (Group whole : wholes) {
      Ranking ranking = findings.throughput(whole);
      List<Chart.Dot> dots = new ArrayList<>();
      for (Standing standing : ranking.standings()) {
        double ratio = standing.ratio().value();
        if (ratio > 0 && Double.isFinite(ratio)) {
          dots.add(
              new Chart.Dot(
                  Drawing.look(findings, standing.engine()),
                  Drawing.measure(standing.ratio()),
                  standing.engine() + " " + Quantities.ratio(ratio)));
        }
      }
      if (!dots.isEmpty()) {
        rows.add(new Chart.Row(whole.phase(), "best: " + best(ranking), dots));
      }
    }
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    List<Measure> measures =
        rows.stream().flatMap(row -> row.dots().stream()).map(Chart.Dot::measure).toList();
    double least = Drawing.positive(measures).min().orElse(1);
    return Optional.of(
        new Chart.Dots(
            caption(
                "ratio",
                wholes,
                "Ratio to the best, by phase",
                "With 95 % intervals; equal distances are equal ratios. The dashed line is the best."),
            Axis.log(
                "throughput, ratio to the best, log scale",
                least,
                1,
                Axis.Counting.DECIMAL,
                Quantities::ratio),
            1,
            keys(),
            rows));
  }

  private static String best(Ranking ranking) {
    List<String> first =
        ranking.standings().stream()
            .filter(each -> each.rank() == 1)
            .map(Standing::engine)
            .toList();
    return first.size() == 1 ? first.get(0) : first.size() + " tied";
  }

  private List<Chart.Key> keys() {
    return findings.engines().stream()
        .filter(this::ranked)
        .map(engine -> new Chart.Key(Drawing.look(findings, engine), engine))
        .toList();
  }

  private boolean ranked(String engine) {
    return findings.wholes().stream()
        .anyMatch(whole -> findings.throughput(whole).standing(engine).isPresent());
  }

  /** A metric of each engine over the phases in their order. */
  Optional<Chart> byPhase(List<Group> wholes, Metric metric, String title, String reading) {
    List<Chart.Line> lines = new ArrayList<>();
    for (String engine : findings.engines()) {
      List<Chart.Point> points = new ArrayList<>();
      IntStream.range(0, wholes.size())
          .forEach(
              i ->
                  findings
                      .standing(wholes.get(i), metric, engine)
                      .ifPresent(
                          standing ->
                              points.add(
                                  new Chart.Point(
                                      i,
                                      Drawing.measure(standing.estimate()),
                                      engine
                                          + " "
                                          + Drawing.text(metric.unit(), standing.estimate())))));
      if (!points.isEmpty()) {
        lines.add(new Chart.Line(Drawing.look(findings, engine), engine, points));
      }
    }
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    List<Measure> measures =
        lines.stream().flatMap(line -> line.points().stream()).map(Chart.Point::y).toList();
    return Optional.of(
        new Chart.Lines(
            caption(metric.id(), wholes, title, reading),
            Axis.names("", wholes.stream().map(Group::phase).toList()),
            Drawing.axis(metric.title(), metric.unit(), measures),
            lines,
            Double.NEGATIVE_INFINITY,
            ""));
  }

  private static Chart.Caption caption(
      String kind, List<Group> wholes, String title, String reading) {
    Group group = wholes.get(0);
    List<String> parts = new ArrayList<>(List.of(kind));
    group
        .varying()
        .forEach(factor -> parts.add(factor + "-" + group.factors().getOrDefault(factor, "")));
    return new Chart.Caption(
        Svg.fileName(parts.toArray(String[]::new)),
        title,
        group.point(),
        reading,
        title + Findings.at(group) + ". The tables say it.");
  }
}
