package kvrank.report.ranking;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.metric.Direction;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Prominence;
import kvrank.metric.Scope;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.report.block.Table.Align;
import kvrank.report.block.Table.Cell;
import kvrank.report.block.Table.Style;
import kvrank.stats.Absence;
import kvrank.stats.CrashLosses;
import kvrank.stats.DurabilitySummary;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.Ratio;

/**
 * The tables of one comparison group, and those across groups. Ranks of a ranking in which every
 * engine may have any rank are left out.
 */
public final class RankingTables {

  /** With more phases than this, and than engines, each phase is a row. */
  private static final int MOST_COLUMNS = 6;

  /** Why the interval of a ratio is wider than those of its values. */
  public static final String RATIOS =
      "A ratio's interval allows for few runs and all comparisons, so it is wider than ± and whiskers"
          + " of single values.";

  /** The same for a line of a terminal. */
  public static final String RATIOS_IN_SHORT =
      "Intervals of ratios allow for few runs and all comparisons, ± for one value";

  /** How to read ranks after values, if each value has one. */
  public static final String EACH_RANK = "In brackets is the rank: 2–3 is one of these.";

  /** How to read ranks after values. */
  public static final String RANKS = EACH_RANK + " Without brackets, any rank is possible.";

  private final RankingIndex index;
  private final Notes notes;
  private Optional<FactorRatios> factors = Optional.empty();

  public RankingTables(RankingIndex index, Notes notes) {
    this.index = index;
    this.notes = notes;
  }

  /** Returns the effects of factors, which are computed once. */
  public synchronized FactorRatios factors() {
    if (factors.isEmpty()) {
      factors = Optional.of(new FactorRatios(index));
    }
    return factors.get();
  }

  /** Returns the ranking of a phase. */
  public Table ranking(Group phaseGroup, Labels labels) {
    Ranking ranking = index.decisive(phaseGroup);
    Columns<Standing> columns = start(ranking, phaseGroup);
    special(columns, phaseGroup, true);
    latencies(columns, phaseGroup, ranking, Prominence.MAIN);
    columns
        .left("durability", standing -> durability(phaseGroup, standing))
        .labels("labels", standing -> labels.of(standing.engine()));
    return titled(columns, ranking, phaseGroup);
  }

  /**
   * Returns the ranking in short: the value that decides, the p99 that matters most, the hit ratio
   * if reads missed, and durability unless the same holds for every row.
   */
  public Table brief(Group phaseGroup) {
    Ranking ranking = index.decisive(phaseGroup);
    Columns<Standing> columns = start(ranking, Standing::engine);
    index
        .foremost(phaseGroup)
        .filter(operation -> !operation.equals(ranking.group()))
        .ifPresent(
            operation -> beside(columns, prefix(index, operation), operation, Metrics.LATENCY_P99));
    if (sharedRuns(List.of(phaseGroup)).isEmpty()) {
      columns.right("runs", standing -> runs(ranking, standing)).spare();
    }
    boolean misses =
        ranking.standings().stream()
            .flatMap(each -> index.standing(phaseGroup, Metrics.HIT_RATIO, each.engine()).stream())
            .anyMatch(found -> found.estimate().value() < 100);
    special(columns, phaseGroup, misses);
    if (sharedProof(phaseGroup).isEmpty()) {
      columns.left("durability", standing -> proof(phaseGroup, standing));
    }
    return titled(columns, ranking, phaseGroup);
  }

  /** Returns the number of runs of each engine in {@code phaseGroups}; empty if it differs. */
  public String sharedRuns(List<Group> phaseGroups) {
    List<String> numbers =
        phaseGroups.stream()
            .map(index::decisive)
            .flatMap(ranking -> ranking.standings().stream().map(each -> runs(ranking, each)))
            .distinct()
            .toList();
    return numbers.size() == 1 ? numbers.get(0) : "";
  }

  /** Returns the number of runs with a value, for example {@code 5 of 6} if others have none. */
  private static String runs(Ranking ranking, Standing standing) {
    return ranking.excluded(standing.engine()).stream()
        .map(excluded -> " of " + excluded.planned())
        .limit(1)
        .reduce(Long.toString(standing.estimate().samples()), String::concat);
  }

  /** Returns the verdict on durability of every row, for example {@code proven}, if they agree. */
  public String sharedProof(Group phaseGroup) {
    List<Standing> standings = index.decisive(phaseGroup).standings();
    boolean shared =
        standings.stream().map(each -> durability(phaseGroup, each)).distinct().count() == 1;
    return shared ? proof(phaseGroup, standings.get(0)) : "";
  }

  /** Returns the verdict on durability, with the level unless the heading above has it. */
  private String proof(Group phaseGroup, Standing standing) {
    // With 'at-least', it has not.
    return index.level(phaseGroup, standing.engine()).equals(phaseGroup.fsync())
        ? durability(
            phaseGroup,
            standing,
            proof -> proof.label() + cuts(index, phaseGroup, standing.engine()))
        : durability(phaseGroup, standing);
  }

  private String durability(Group phaseGroup, Standing standing) {
    return durability(
        phaseGroup,
        standing,
        proof ->
            index.level(phaseGroup, standing.engine())
                + ", "
                + proof.label()
                + cuts(index, phaseGroup, standing.engine()));
  }

  /**
   * Returns for example {@code , 0 of 5 cuts lost}, {@code , not proven by a cut} or {@code , not
   * cut}; empty if something was wrong after a cut, or if none was asked for.
   */
  public static String cuts(RankingIndex index, Group phaseGroup, String engine) {
    CrashLosses losses = index.losses(phaseGroup, engine, true);
    if (!phaseGroup.promisesFlushes() || !index.crashed(true) || !losses.offence().isEmpty()) {
      return "";
    }
    if (index.notCut(phaseGroup, engine)) {
      return ", not cut";
    }
    int proving = losses.conclusive();
    return losses.unproven().isPresent()
        ? ", not proven by a cut"
        : ", 0 of %d cut%s lost".formatted(proving, proving == 1 ? "" : "s")
            + (losses.unknown() == 0 ? "" : ", %d unknown".formatted(losses.unknown()));
  }

  /** Returns details of the ranking: intervals, ratios, further latencies, counts. */
  public Table details(Group phaseGroup) {
    Ranking ranking = index.decisive(phaseGroup);
    Columns<Standing> columns = engine(new Columns<>(rows(ranking, phaseGroup)), phaseGroup);
    if (!ranking.standings().isEmpty()) {
      columns
          .right("95% interval", standing -> interval(standing.estimate()))
          .number(
              "vs. best",
              standing -> Quantities.ratio(standing.ratio().value()),
              standing -> standing.ratio().value())
          .right("ratio interval", standing -> interval(standing.ratio()));
    }
    latencies(columns, phaseGroup, ranking, Prominence.DETAIL, Prominence.MINOR);
    counts(columns, phaseGroup);
    columns.right(
        "flushes per write",
        found ->
            durability(
                phaseGroup, found, of -> Quantities.rare(of.flushesPerWrite().orElse(Double.NaN))));
    return table(columns, ranking);
  }

  /** Returns the ranking of one of several operations of a phase. */
  public Table operation(Group operation) {
    Ranking ranking = index.ofOperation(operation);
    Columns<Standing> columns = start(ranking, operation);
    latencies(columns, operation, ranking, Prominence.MAIN, Prominence.DETAIL, Prominence.MINOR);
    counts(columns, operation);
    return titled(columns, ranking, operation);
  }

  private static Table titled(Columns<Standing> columns, Ranking ranking, Group group) {
    String what = ranking.standings().isEmpty() ? "Values of " : "Ranking for ";
    return table(columns, ranking).titled(what + group.label());
  }

  private static Table table(Columns<Standing> columns, Ranking ranking) {
    boolean some = ranking.standings().stream().anyMatch(standing -> standing.rank() > 1);
    return columns.table(standing -> some && standing.rank() == 1).compact();
  }

  /**
   * Returns the rows of {@code ranking}; if nothing decides, those with a throughput, in the order
   * of the scenario.
   */
  private List<Standing> rows(Ranking ranking, Group group) {
    return ranking.standings().isEmpty()
        ? index.engines().stream()
            .flatMap(engine -> index.throughput(group).standing(engine).stream())
            .toList()
        : ranking.standings();
  }

  /** Starts a table of {@code group} with what ranks it, if anything does, and throughput. */
  private Columns<Standing> start(Ranking ranking, Group group) {
    Columns<Standing> columns =
        ranking.standings().isEmpty()
            ? engine(new Columns<>(rows(ranking, group)), group)
            : start(ranking, standing -> notes.marked(standing.engine(), group));
    if (!ranking.metric().equals(Metrics.THROUGHPUT)) {
      beside(columns, "", group, Metrics.THROUGHPUT);
    }
    return columns;
  }

  private Columns<Standing> start(Ranking ranking, Function<Standing, String> engine) {
    Columns<Standing> columns = new Columns<>(ranking.standings());
    return columns
        .number("rank", each -> ranking.undecided() ? "" : rank(each), Standing::rank)
        .left("engine", engine)
        .number(
            title(index, ranking),
            standing -> value(ranking.metric(), standing),
            standing -> standing.estimate().value())
        .right("±", standing -> spread(standing.estimate()))
        .spare();
  }

  private Columns<Standing> engine(Columns<Standing> columns, Group group) {
    return columns.left("engine", found -> notes.marked(found.engine(), group));
  }

  /** Returns the name of the metric, with its operation if the phase has several. */
  public static String title(RankingIndex index, Ranking ranking) {
    return (ranking.group().operation().isEmpty() ? "" : prefix(index, ranking.group()))
        + ranking.metric().title();
  }

  /** Returns the operation as a prefix, if its phase has several. */
  public static String prefix(RankingIndex index, Group operation) {
    return index.operations(operation).size() > 1 ? operation.operation().orElseThrow() + " " : "";
  }

  /** Adds latencies of a phase or of one operation, except the one that orders the rows. */
  private void latencies(
      Columns<Standing> columns, Group group, Ranking order, Prominence... prominences) {
    boolean one = group.operation().isPresent();
    for (Group operation : one ? List.of(group) : index.operations(group)) {
      String prefix = one ? "" : prefix(index, operation);
      for (Metric metric : Metrics.latencies()) {
        if (List.of(prominences).contains(metric.prominence())
            && !(metric.equals(order.metric()) && operation.equals(order.group()))) {
          beside(columns, prefix, operation, metric);
          if (!metric.equals(Metrics.LATENCY_P99)) {
            columns.spare();
          }
        }
      }
    }
  }

  /** Adds the metrics that only some phases have, such as those of caches. */
  private void special(Columns<Standing> columns, Group phaseGroup, boolean hits) {
    Stream.of(Metrics.HIT_RATIO, Metrics.UNAVAILABLE)
        .filter(metric -> hits || !metric.equals(Metrics.HIT_RATIO))
        .filter(metric -> index.ranking(phaseGroup, metric).isPresent())
        .forEach(metric -> beside(columns, "", phaseGroup, metric));
  }

  private void beside(Columns<Standing> columns, String prefix, Group group, Metric metric) {
    columns.number(
        prefix + metric.title(),
        standing -> beside(group, metric, standing),
        standing -> value(index.standing(group, metric, standing.engine())));
  }

  /** Returns the value, with the number of repetitions if it is lower than that of the ranking. */
  private String beside(Group group, Metric metric, Standing ranked) {
    Optional<Standing> found = index.standing(group, metric, ranked.engine());
    long samples = found.map(standing -> standing.estimate().samples()).orElse(0L);
    String fewer = samples < ranked.estimate().samples() ? " (n=" + samples + ")" : "";
    return found.map(standing -> value(metric, standing) + fewer).orElse(Quantities.NONE);
  }

  private static double value(Optional<Standing> standing) {
    return standing.map(found -> found.estimate().value()).orElse(Double.NaN);
  }

  /** Adds counts; a column without any is left out later. */
  private void counts(Columns<Standing> columns, Group group) {
    for (Metric metric : Metrics.ALL) {
      if (metric.counted() && metric.prominence() == Prominence.DETAIL) {
        columns.number(
            metric.title(),
            standing -> count(group, metric, standing.engine()),
            standing -> value(index.standing(group, metric, standing.engine())));
      }
    }
  }

  /** Returns the smallest and the largest count of a repetition; empty if all are 0. */
  private String count(Group group, Metric metric, String engine) {
    Optional<Estimate> found = index.standing(group, metric, engine).map(Standing::estimate);
    return found
        .filter(estimate -> estimate.largest() > 0)
        .map(estimate -> Quantities.range(metric.unit(), estimate.smallest(), estimate.largest()))
        .orElse("");
  }

  /** Returns the text on durability; empty if the phase wrote nothing. */
  private String durability(
      Group group, Standing standing, Function<DurabilitySummary, String> text) {
    Optional<DurabilitySummary> found = index.durability(group, standing.engine());
    return found.filter(DurabilitySummary::writes).map(text).orElse("");
  }

  /** Returns the resources that a phase used, a row per metric; none if unknown. */
  public List<Table> resources(Group phaseGroup) {
    List<Ranking> rankings = new ArrayList<>();
    for (Metric metric : Metrics.ALL) {
      boolean resource = metric.scope() == Scope.PHASE || metric.scope() == Scope.LOAD;
      if (resource && metric.prominence() != Prominence.ON_REQUEST) {
        index.ranking(phaseGroup, metric).ifPresent(rankings::add);
      }
    }
    Columns<Ranking> columns =
        new Columns<>(rankings).left("resource", ranking -> ranking.metric().title());
    for (Standing standing : index.throughput(phaseGroup).standings()) {
      value(columns, standing.engine(), true);
    }
    return columns.ifAny("");
  }

  private static void value(Columns<Ranking> columns, String engine, boolean ranked) {
    columns.number(
        engine,
        ranking ->
            ranking
                .standing(engine)
                .map(
                    found ->
                        value(ranking.metric(), found)
                            + (ranked ? spread(found) + inBrackets(ranking, found) : ""))
                .orElse(
                    unmeasurable(ranking, engine)
                        ? Absence.NOT_MEASURABLE.label()
                        : Quantities.NONE),
        ranking -> value(ranking.standing(engine)));
  }

  private static boolean unmeasurable(Ranking ranking, String engine) {
    return ranking.excluded(engine).stream()
        .anyMatch(each -> each.absence() == Absence.NOT_MEASURABLE);
  }

  private static String spread(Standing standing) {
    return standing.estimate().hasInterval() ? " " + spread(standing.estimate()) : "";
  }

  /** Returns memory or storage at the end of each phase of one factor point; none if unknown. */
  public List<Table> byPhase(Metric metric, List<Group> phaseGroups) {
    List<Ranking> rankings =
        phaseGroups.stream()
            .flatMap(phaseGroup -> index.ranking(phaseGroup, metric).stream())
            .toList();
    Columns<Ranking> columns =
        new Columns<>(rankings).left("phase", ranking -> ranking.group().phase());
    index.engines().stream()
        .filter(engine -> rankings.stream().anyMatch(each -> each.standing(engine).isPresent()))
        .forEach(engine -> value(columns, engine, false));
    return columns.ifAny(
        capitalized(metric.title())
            + " at the end of each phase"
            + phaseGroups.get(0).pointSuffix());
  }

  /**
   * Returns engines by phase: the ratio to the best, and the rank; or many phases by fewer engines.
   */
  public Table overview(List<Group> phaseGroups) {
    List<String> engines =
        index.engines().stream().filter(each -> belongs(each, phaseGroups)).toList();
    if (phaseGroups.size() > Math.max(MOST_COLUMNS, engines.size())) {
      Columns<Group> columns = new Columns<>(phaseGroups).left("phase", Group::phase);
      for (String engine : engines) {
        heat(
            columns,
            notes.marked(engine, phaseGroups.get(0)),
            index::decisive,
            any -> engine,
            true);
      }
      return columns.table().titled("Phase by engine" + phaseGroups.get(0).pointSuffix());
    }
    Columns<String> columns =
        new Columns<>(engines).left("engine", engine -> notes.marked(engine, phaseGroups.get(0)));
    for (Group phaseGroup : phaseGroups) {
      heat(
          columns,
          phaseGroup.phase(),
          engine -> index.decisive(phaseGroup),
          engine -> engine,
          true);
    }
    return columns.table().titled("Engine by phase" + phaseGroups.get(0).pointSuffix());
  }

  /** Returns whether an engine has a value at a point, or at none. */
  private boolean belongs(String engine, List<Group> point) {
    return point.stream().anyMatch(phaseGroup -> ranked(engine, phaseGroup))
        || index.phaseGroups().stream().noneMatch(phaseGroup -> ranked(engine, phaseGroup));
  }

  private boolean ranked(String engine, Group phaseGroup) {
    return index.throughput(phaseGroup).standing(engine).isPresent();
  }

  /** Returns factor points of a phase by engine: the deciding value and the rank. */
  public Table byPoint(List<Group> phaseGroups) {
    Columns<Group> columns = new Columns<>(phaseGroups).left("at", Group::point);
    if (titles(phaseGroups).size() > 1) {
      columns.left("by", group -> title(index, index.decisive(group)));
    }
    for (String engine : index.engines()) {
      heat(columns, engine, index::decisive, any -> engine, false);
    }
    return columns.table().compact().titled(byPointTitle(phaseGroups));
  }

  /** Returns {@code table}, whose rows are engines, with a column for the effect of a factor. */
  public Table effect(Table table, FactorRatios.Ends ends, List<String> order) {
    return table.and(
        new Table.Heading(ends.label(), Align.RIGHT, false),
        order.stream().map(engine -> cell(factors().of(ends, engine))).toList());
  }

  /** Returns the effect of each factor on the engines of a phase, a row for each other point. */
  public List<Table> effects(List<Group> phaseGroups) {
    Map<String, List<FactorRatios.Ends>> together =
        factors().among(phaseGroups).stream()
            .collect(groupingBy(FactorRatios.Ends::label, LinkedHashMap::new, toList()));
    List<Table> effects = new ArrayList<>();
    together.forEach(
        (label, ends) -> {
          Columns<FactorRatios.Ends> columns =
              new Columns<>(ends).left(label + " at", FactorRatios.Ends::others);
          for (String engine : index.engines()) {
            columns.add(engine, Align.RIGHT, each -> cell(factors().of(each, engine)));
          }
          effects.add(
              columns.table().compact().titled(label + " in " + phaseGroups.get(0).phase()));
        });
    return effects;
  }

  /** Returns the same with a row for each engine of {@code order}. */
  public Table byEngine(List<Group> phaseGroups, List<String> order) {
    Columns<String> columns = new Columns<>(order).left("engine", engine -> engine);
    boolean level = phaseGroups.stream().map(Group::fsync).distinct().count() == 1;
    boolean several = titles(phaseGroups).size() > 1;
    for (Group each : phaseGroups) {
      heat(
          columns,
          (level ? each.pointAtLevel() : each.point())
              + (several ? ", " + title(index, index.decisive(each)) : ""),
          any -> index.decisive(each),
          engine -> engine,
          false);
    }
    return columns.table().titled(byPointTitle(phaseGroups));
  }

  private String byPointTitle(List<Group> phaseGroups) {
    String titles = String.join(" or ", titles(phaseGroups));
    return "%s of %s".formatted(capitalized(titles), phaseGroups.get(0).phase());
  }

  /** Returns the names of the metrics that decide {@code phaseGroups}, each once. */
  private List<String> titles(List<Group> phaseGroups) {
    return phaseGroups.stream().map(each -> title(index, index.decisive(each))).distinct().toList();
  }

  /**
   * Returns the engines of rankings by one metric at several factor points, best first by the
   * geometric mean; those without a value at some point come last.
   */
  public static List<String> order(List<Ranking> rankings) {
    if (rankings.size() == 1) {
      return rankings.get(0).standings().stream().map(Standing::engine).toList();
    }
    SortedMap<String, List<Double>> values = new TreeMap<>();
    for (Ranking ranking : rankings) {
      for (Standing each : ranking.standings()) {
        values.computeIfAbsent(each.engine(), any -> new ArrayList<>()).add(better(ranking, each));
      }
    }
    return values.keySet().stream()
        .sorted(
            Comparator.comparing((String engine) -> -values.get(engine).size())
                .thenComparing(engine -> -mean(values.get(engine))))
        .toList();
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  /** Returns the logarithm of a value, or its negative if lower is better. */
  private static double better(Ranking ranking, Standing standing) {
    double log = Math.log(standing.estimate().value());
    return ranking.metric().direction() == Direction.HIGHER ? log : -log;
  }

  /**
   * Adds the ratio to the best or the value, with its rank, coloured by the ratio. All engines that
   * may be the best have its colour; an engine without another to compare with has none.
   */
  private static <R> void heat(
      Columns<R> columns,
      String name,
      Function<R, Ranking> rankings,
      Function<R, String> engine,
      boolean ratios) {
    columns.add(
        name,
        Align.RIGHT,
        row -> {
          Ranking ranking = rankings.apply(row);
          Optional<Standing> found = ranking.standing(engine.apply(row));
          double ratio = found.map(each -> each.ratio().value()).orElse(Double.NaN);
          return new Cell(
              found
                  .map(
                      each ->
                          (ratios ? Quantities.ratio(ratio) : value(ranking.metric(), each))
                              + inBrackets(ranking, each))
                  .orElse(Quantities.NONE),
              ratios ? ratio : value(found),
              Style.HEAT,
              shade(ranking, found));
        });
  }

  private static double shade(Ranking ranking, Optional<Standing> found) {
    return ranking.standings().size() < 2
        ? Double.NaN
        : found.map(each -> each.rank() == 1 ? 1 : each.ratio().value()).orElse(Double.NaN);
  }

  /** Returns the best engines of each phase at each factor point. */
  public Table best(List<List<Group>> points) {
    Columns<List<Group>> columns =
        new Columns<>(points).left("at", phaseGroups -> phaseGroups.get(0).point());
    points.stream()
        .flatMap(List::stream)
        .map(Group::phase)
        .distinct()
        .forEach(phase -> columns.left(phase, phaseGroups -> best(phaseGroups, phase)));
    return columns.table().titled("Best engines");
  }

  private String best(List<Group> phaseGroups, String phase) {
    String engines =
        phaseGroups.stream()
            .filter(phaseGroup -> phaseGroup.phase().equals(phase))
            .flatMap(phaseGroup -> index.decisive(phaseGroup).standings().stream())
            .filter(standing -> standing.rank() == 1)
            .map(Standing::engine)
            .collect(Collectors.joining(", "));
    return engines.isEmpty() ? Quantities.NONE : engines;
  }

  public static String capitalized(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  /** Returns the possible ranks; with a question mark if there are too few values for a test. */
  public static String rank(Standing standing) {
    return standing.ranks() + (standing.untested() ? "?" : "");
  }

  /** Returns the possible ranks for a place after a value; empty if any is possible. */
  public static String inBrackets(Ranking ranking, Standing standing) {
    return ranking.undecided() ? "" : " (" + rank(standing) + ")";
  }

  /** Returns the words instead of ranks, after {@code before}; empty if there are ranks. */
  public static String undecided(Ranking ranking, String before) {
    return ranking.undecided() ? before + "no two separated" : "";
  }

  public static String value(Metric metric, Standing standing) {
    return Quantities.of(metric.unit(), standing.estimate().value());
  }

  /** Returns the reach of the interval to each side, or the reason for a missing one. */
  public static String spread(Estimate estimate) {
    return estimate.hasInterval()
        ? Quantities.spread(estimate.low(), estimate.high())
        : estimate.samples() < Estimate.FEWEST ? "n=" + estimate.samples() : Quantities.NONE;
  }

  /** Returns the interval, or the reason for a missing one. */
  private static String interval(Estimate estimate) {
    return estimate.hasInterval()
        ? Quantities.range(Metrics.THROUGHPUT.unit(), estimate.low(), estimate.high())
        : spread(estimate);
  }

  /** Returns a ratio with its interval, and the exact value as the key for sorting. */
  private static Cell cell(Optional<Ratio> ratio) {
    return new Cell(
        ratio.map(each -> Quantities.ratio(each.value()) + reach(each)).orElse(Quantities.NONE),
        ratio.map(Ratio::value).orElse(Double.NaN),
        Style.PLAIN);
  }

  /** Returns for example {@code (0.46–0.51x)}; empty without, or if the ratio looks the same. */
  public static String reach(Ratio ratio) {
    String interval = interval(ratio);
    boolean same = interval.equals(Quantities.ratio(ratio.value()));
    return interval.isEmpty() || same ? "" : " (" + interval + ")";
  }

  public static String interval(Ratio ratio) {
    return ratio.hasInterval() ? Quantities.ratios(ratio.low(), ratio.high()) : "";
  }
}
