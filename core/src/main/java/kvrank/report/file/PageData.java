package kvrank.report.file;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.metric.Direction;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Prominence;
import kvrank.report.block.Width;
import kvrank.report.chart.SeriesStyle;
import kvrank.results.Evidence;
import kvrank.results.Json;
import kvrank.stats.DurabilitySummary;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Requirements;
import kvrank.stats.Standing;
import kvrank.stats.infer.PairVerdict;
import kvrank.stats.infer.Ratio;

/**
 * The rankings as the page's script reads them. Engines, groups, metrics and rankings refer to each
 * other by their number.
 */
public final class PageData {

  /** With more comparison groups than this, only metrics of the ranking itself are included. */
  private static final int MANY = 40;

  /** Ratios of rounded values have the digits that are shown. */
  private static final int DIGITS = 7;

  private static final int DIGITS_OF_INTERVALS = 4;

  private final RankingIndex index;
  private final List<String> engines;
  private final Map<Metric, Integer> metrics = new LinkedHashMap<>();

  private PageData(RankingIndex index) {
    this.index = index;
    this.engines = index.engines();
  }

  /**
   * Returns JSON that can be part of a page, since it has no {@code <}; empty without a ranking.
   */
  public static Optional<String> of(RankingIndex index, Evidence evidence) {
    PageData data = new PageData(index);
    List<Group> ranked = new ArrayList<>();
    List<Fields> groups = new ArrayList<>();
    for (Group phaseGroup : index.phaseGroups()) {
      data.group(phaseGroup)
          .ifPresent(
              fields -> {
                ranked.add(phaseGroup);
                groups.add(fields);
              });
    }
    return groups.isEmpty()
        ? Optional.empty()
        : Optional.of(data.json(groups, RunSeries.of(index, evidence, ranked)));
  }

  private String json(List<Fields> groups, RunSeries series) {
    Map<String, SeriesStyle> styles = SeriesStyle.of(engines);
    Map<Integer, Fields> requirements = requirements();
    Fields data =
        new Fields()
            .add("scenario", index.results().manifest().scenario())
            .add(
                "engines",
                engines.stream()
                    .map(
                        name ->
                            new Fields().add("name", name).add("color", styles.get(name).color()))
                    .toList())
            .add("metrics", metrics.keySet().stream().map(PageData::fields).toList())
            .add("groups", groups)
            .add("series", series.series())
            .add("strips", series.strips())
            .add("unreadable", series.unreadable());
    if (!requirements.isEmpty()) {
      data.add("requirements", requirements);
    }
    return Width.printable(Json.compact(data)).replace("<", "\\u003c").replace("&", "\\u0026");
  }

  /**
   * Returns the verdict by all requirements and those that are failed or, if none certainly is, not
   * certain, by the engine's number.
   */
  private Map<Integer, Fields> requirements() {
    Map<Integer, Fields> verdicts = new TreeMap<>();
    for (Requirements.Row row : Requirements.of(index).rows()) {
      boolean fails = row.kind() == Requirements.Kind.FAILS;
      verdicts.put(
          engines.indexOf(row.engine()),
          new Fields()
              .add("verdict", row.kind().label())
              .add("fails", fails)
              .add(
                  "failed",
                  (fails ? row.broken() : row.open())
                      .stream().map(r -> r.expectation().requirement()).toList()));
    }
    return verdicts;
  }

  private static Fields fields(Metric metric) {
    return new Fields()
        .add("id", metric.id())
        .add("title", metric.title())
        .add("unit", metric.unit().name())
        .add("higher", metric.direction() == Direction.HIGHER);
  }

  /** Returns a phase at a factor point, with the ranking that decides first; empty without any. */
  private Optional<Fields> group(Group phaseGroup) {
    Ranking decisive = index.decisive(phaseGroup);
    List<Ranking> rankings = new ArrayList<>(List.of(decisive));
    List<Group> operations = index.operations(phaseGroup);
    for (Metric metric : Metrics.ALL) {
      // The page must not begin with a throughput that the rate fixes.
      boolean given = decisive.standings().isEmpty() && metric.equals(Metrics.THROUGHPUT);
      if (given || !shown(metric)) {
        continue;
      }
      // A single operation has the same values as its phase.
      boolean once = phaseGroup.has(metric) && operations.size() == 1;
      List<Group> places = new ArrayList<>(once ? List.of() : operations);
      places.add(0, phaseGroup);
      for (Group place : places) {
        if (place.has(metric)
            && !(metric.equals(decisive.metric()) && place.equals(decisive.group()))) {
          index.ranking(place, metric).ifPresent(rankings::add);
        }
      }
    }
    rankings.removeIf(ranking -> ranking.standings().isEmpty());
    return rankings.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Fields()
                .add("phase", phaseGroup.phase())
                .add("point", phaseGroup.point())
                .add("load", index.load(phaseGroup))
                .add("durability", engines.stream().map(e -> durability(phaseGroup, e)).toList())
                .add("rankings", rankings.stream().map(this::fields).toList()));
  }

  private String durability(Group phaseGroup, String engine) {
    return index.durability(phaseGroup, engine).map(DurabilitySummary::label).orElse("");
  }

  private boolean shown(Metric metric) {
    boolean few = index.phaseGroups().size() <= MANY;
    return !metric.counted()
        && (metric.prominence() == Prominence.MAIN
            || (few && metric.prominence() == Prominence.DETAIL));
  }

  private Fields fields(Ranking ranking) {
    metrics.putIfAbsent(ranking.metric(), metrics.size());
    Fields fields = new Fields().add("metric", metrics.get(ranking.metric()));
    ranking.group().operation().ifPresent(operation -> fields.add("operation", operation));
    return fields
        .add("rows", ranking.standings().stream().map(this::row).toList())
        .add("pairs", pairs(ranking));
  }

  /** Returns engine, value, ends of the interval, and the ranks as text. */
  private List<Object> row(Standing standing) {
    List<Object> row = new ArrayList<>();
    row.add(engines.indexOf(standing.engine()));
    row.add(rounded(standing.estimate().value(), DIGITS));
    row.add(rounded(standing.estimate().low(), DIGITS_OF_INTERVALS));
    row.add(rounded(standing.estimate().high(), DIGITS_OF_INTERVALS));
    row.add(standing.ranks() + (standing.untested() ? "?" : ""));
    return row;
  }

  /**
   * Returns for each pair of rows, (0, 1), (0, 2) … (1, 2) …, the factor that its interval reaches
   * to either side of the ratio of the two values: negative if they are separated, 0 without an
   * interval.
   */
  private static List<Number> pairs(Ranking ranking) {
    List<Number> pairs = new ArrayList<>();
    List<Standing> rows = ranking.standings();
    for (int i = 0; i < rows.size(); i++) {
      for (int j = i + 1; j < rows.size(); j++) {
        PairVerdict verdict = ranking.verdict(rows.get(i).engine(), rows.get(j).engine());
        Ratio ratio = verdict.ratio();
        double reach = ratio.hasInterval() ? ratio.high() / ratio.value() : 0;
        pairs.add(rounded(verdict.separated() ? -reach : reach, DIGITS_OF_INTERVALS));
      }
    }
    return pairs;
  }

  /** Returns {@code value} with this many digits; null if it is not finite. */
  static Number rounded(double value, int digits) {
    if (!Double.isFinite(value)) {
      return null;
    }
    double rounded = new BigDecimal(value).round(new MathContext(digits)).doubleValue();
    return rounded == Math.rint(rounded) && Math.abs(rounded) < 1e15
        ? (Number) Math.round(rounded)
        : (Number) rounded;
  }
}
