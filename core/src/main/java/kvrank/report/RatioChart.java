package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Measure;
import kvrank.report.chart.Svg;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;

/** The throughput of each engine as a ratio to the best, a row for each phase and engine. */
final class RatioChart {

  /** With more rows than this, a table says it better. */
  private static final int MOST = 24;

  private RatioChart() {}

  /** The chart of the phases of one factor point. */
  static Optional<Chart> of(RankingIndex index, Looks looks, List<Group> wholes) {
    List<Chart.Row> rows = new ArrayList<>();
    for (Group whole : wholes) {
      Ranking ranking = index.throughput(whole);
      ranking.standings().stream().skip(1).forEach(each -> rows.addAll(row(looks, ranking, each)));
    }
    if (rows.isEmpty() || rows.size() > MOST) {
      return Optional.empty();
    }
    List<Measure> measures =
        rows.stream().flatMap(row -> row.dots().stream()).map(Chart.Dot::measure).toList();
    Group group = wholes.get(0);
    List<String> name = new ArrayList<>(List.of("ratio"));
    group.varying().forEach(f -> name.add(f + "-" + group.factors().getOrDefault(f, "")));
    String title = "Throughput as a ratio to the best";
    return Optional.of(
        new Chart.Dots(
            new Chart.Caption(
                Svg.fileName(name.toArray(String[]::new)),
                title,
                group.point(),
                "With intervals; equal distances are equal ratios. The dashed line is the best.",
                title + group.at() + ". The tables say it."),
            Axis.log(
                "ratio to the best, log scale",
                Drawing.positive(measures).min().orElse(1),
                Math.max(1, Drawing.positive(measures).max().orElse(1)),
                Axis.Counting.DECIMAL,
                Quantities::ratio),
            1,
            List.of(),
            rows));
  }

  private static List<Chart.Row> row(Looks looks, Ranking ranking, Standing standing) {
    double ratio = standing.ratio().value();
    if (!(ratio > 0) || !Double.isFinite(ratio)) {
      return List.of();
    }
    String text =
        Quantities.ratio(ratio)
            + (standing.ratio().hasInterval()
                ? " (" + Quantities.ratios(standing.ratio().low(), standing.ratio().high()) + ")"
                : "");
    String label =
        "%s: %s vs. %s"
            .formatted(
                ranking.group().phase(), standing.engine(), ranking.standings().get(0).engine());
    return List.of(
        new Chart.Row(
            label,
            text,
            List.of(
                new Chart.Dot(
                    looks.of(standing.engine()), Drawing.measure(standing.ratio()), text))));
  }
}
