package kvrank.report.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import kvrank.metric.Direction;
import kvrank.metric.Metric;
import kvrank.report.block.Quantities;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.SeriesStyle;
import kvrank.report.chart.Svg;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.RankingText;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;
import kvrank.stats.infer.Estimate;

/** The charts of the deciding metric, engines best first. */
public final class RankingCharts {

  private final RankingIndex index;
  private final Map<String, SeriesStyle> styles;

  public RankingCharts(RankingIndex index) {
    this.index = index;
    this.styles = SeriesStyle.of(index.engines());
  }

  private static final String WHISKERS = "Whiskers are 95 % intervals of single engines.";
  private static final String RANKS = " Ranks account for all comparisons";

  /** How to read the bars of a ranking. */
  public static final String READING =
      "Best first. " + WHISKERS + RANKS + ": 2–4 means any of these.";

  /** How to read the values of a ranking at several factor points. */
  public static final String READING_POINTS =
      "Best first over all points. "
          + WHISKERS
          + RANKS
          + ", so whiskers can be apart where ranks are not.";

  /**
   * Returns the ranking that decides a phase: bars with intervals, best first.
   *
   * @param explained whether the caption says how to read it
   */
  public Optional<Chart> of(Group phaseGroup, boolean explained) {
    return of(index.decisive(phaseGroup), phaseGroup, explained);
  }

  /** Returns the same for another ranking of the phase. */
  public Optional<Chart> of(Ranking ranking, Group phaseGroup, boolean explained) {
    if (ranking.standings().isEmpty()) {
      return Optional.empty();
    }
    Metric metric = ranking.metric();
    List<Chart.Row> rows = new ArrayList<>();
    for (Standing standing : ranking.standings()) {
      rows.add(bar(metric, standing.engine(), standing.estimate()));
    }
    String title = Labels.capitalized(RankingText.title(index, ranking));
    String reading =
        (metric.direction() == Direction.LOWER ? "Lower is better. " : "")
            + (!explained ? "" : ranking.undecided() ? "Best first. " + WHISKERS : READING);
    Chart.Caption caption =
        ChartParts.caption("ranking", phaseGroup, title, reading.strip(), values(rows));
    return Optional.of(bars(caption, metric, rows));
  }

  /**
   * Returns values of the metric that orders engines, in this order.
   *
   * @param title of the metric, and the place of the values
   */
  public Optional<Chart> of(
      Metric metric, String title, String place, Map<String, Estimate> values) {
    List<Chart.Row> rows = new ArrayList<>();
    values.forEach((engine, estimate) -> rows.add(bar(metric, engine, estimate)));
    String reading =
        (metric.direction() == Direction.LOWER ? "Lower" : "Higher")
            + " is better; in the order of the table. "
            + WHISKERS;
    Chart.Caption caption =
        new Chart.Caption(
            Svg.fileName(List.of("preferred", title)),
            title,
            place,
            reading,
            title + ", " + place + ": " + String.join("; ", values(rows)));
    return rows.isEmpty() ? Optional.empty() : Optional.of(bars(caption, metric, rows));
  }

  private Chart.Row bar(Metric metric, String engine, Estimate estimate) {
    Chart.Measure measure = ChartParts.measure(estimate);
    String text = engine + " " + ChartParts.text(metric.unit(), measure);
    Chart.Dot dot = new Chart.Dot(styles.get(engine), measure, text);
    return new Chart.Row(engine, Quantities.of(metric.unit(), measure.value()), List.of(dot));
  }

  private static List<String> values(List<Chart.Row> rows) {
    return rows.stream().map(row -> row.dots().get(0).text()).toList();
  }

  private static Chart bars(Chart.Caption caption, Metric metric, List<Chart.Row> rows) {
    String title = caption.title().toLowerCase(Locale.ROOT);
    Axis axis = ChartParts.axis(title, metric.unit(), ChartParts.measuresOf(rows));
    return new Chart.Rows(caption, axis, true, Double.NaN, List.of(), rows);
  }

  /**
   * Returns the deciding metric of one phase at several factor points: a row for each engine, best
   * first by the geometric mean.
   *
   * @param explained whether the caption says how to read it
   */
  public Optional<Chart> of(List<Group> phaseGroups, List<String> order, boolean explained) {
    List<Chart.Row> rows = new ArrayList<>();
    List<Chart.Key> keys = new ArrayList<>();
    phaseGroups.forEach(
        each -> keys.add(new Chart.Key(SeriesStyle.neutral(keys.size()), each.pointAtLevel())));
    Metric metric = index.decisive(phaseGroups.get(0)).metric();
    for (String engine : order) {
      List<Chart.Dot> dots = new ArrayList<>();
      for (int i = 0; i < phaseGroups.size(); i++) {
        SeriesStyle style = styles.get(engine).shaped(i);
        String at = phaseGroups.get(i).pointAtLevel();
        index
            .decisive(phaseGroups.get(i))
            .standing(engine)
            .map(standing -> ChartParts.measure(standing.estimate()))
            .ifPresent(
                measure ->
                    dots.add(
                        new Chart.Dot(
                            style, measure, at + ": " + ChartParts.text(metric.unit(), measure))));
      }
      if (!dots.isEmpty()) {
        rows.add(new Chart.Row(engine, "", dots));
      }
    }
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    Group first = phaseGroups.get(0);
    String place = first.phase() + " at fsync=" + first.fsync();
    String title = Labels.capitalized(RankingText.title(index, index.decisive(first)));
    Chart.Caption caption =
        new Chart.Caption(
            Svg.fileName(List.of("ranking", first.phase(), first.fsync())),
            title,
            place,
            explained ? READING_POINTS : "",
            title + " of " + place + ". The values are in the table.");
    Axis axis =
        ChartParts.axis(title.toLowerCase(Locale.ROOT), metric.unit(), ChartParts.measuresOf(rows));
    return Optional.of(new Chart.Rows(caption, axis, false, Double.NaN, keys, rows));
  }
}
