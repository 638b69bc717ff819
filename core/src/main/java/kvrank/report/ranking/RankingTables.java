package kvrank.report.ranking;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Prominence;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;
import kvrank.stats.infer.Estimate;

/**
 * The ranking of one comparison group as tables: in short, whole, and with details. Ranks of a
 * ranking in which every engine may have any rank are left out.
 */
public final class RankingTables {

  private final RankingIndex index;
  private final Notes notes;
  private final DurabilityText durability;

  public RankingTables(RankingIndex index, Notes notes) {
    this.index = index;
    this.notes = notes;
    this.durability = new DurabilityText(index);
  }

  /** Returns the ranking of a phase. */
  public Table ranking(Group phaseGroup, Labels labels) {
    Ranking ranking = index.decisive(phaseGroup);
    Columns<Standing> columns = start(ranking, phaseGroup);
    special(columns, phaseGroup, true);
    latencies(columns, phaseGroup, ranking, Prominence.MAIN);
    columns
        .left("durability", standing -> durability.levelAndProof(phaseGroup, standing))
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
            operation ->
                beside(
                    columns, RankingText.prefix(index, operation), operation, Metrics.LATENCY_P99));
    if (sharedRuns(List.of(phaseGroup)).isEmpty()) {
      columns.right("runs", standing -> runs(ranking, standing)).spare();
    }
    boolean misses =
        ranking.standings().stream()
            .flatMap(each -> index.standing(phaseGroup, Metrics.HIT_RATIO, each.engine()).stream())
            .anyMatch(found -> found.estimate().value() < 100);
    special(columns, phaseGroup, misses);
    if (durability.shared(phaseGroup).isEmpty()) {
      columns.left("durability", standing -> durability.proof(phaseGroup, standing));
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

  /** Returns details of the ranking: intervals, ratios, further latencies, counts. */
  public Table details(Group phaseGroup) {
    Ranking ranking = index.decisive(phaseGroup);
    Columns<Standing> columns = engine(new Columns<>(rows(ranking, phaseGroup)), phaseGroup);
    if (!ranking.standings().isEmpty()) {
      columns
          .right("95% interval", standing -> RankingText.interval(standing.estimate()))
          .number(
              "vs. best",
              standing -> Quantities.ratio(standing.ratio().value()),
              standing -> standing.ratio().value())
          .right("ratio interval", standing -> RankingText.interval(standing.ratio()));
    }
    latencies(columns, phaseGroup, ranking, Prominence.DETAIL, Prominence.MINOR);
    counts(columns, phaseGroup);
    columns.right(
        "flushes per write",
        found ->
            durability.of(
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
        .number("rank", each -> ranking.undecided() ? "" : RankingText.rank(each), Standing::rank)
        .left("engine", engine)
        .number(
            RankingText.title(index, ranking),
            standing -> RankingText.value(ranking.metric(), standing),
            standing -> standing.estimate().value())
        .right("±", standing -> RankingText.spread(standing.estimate()))
        .spare();
  }

  private Columns<Standing> engine(Columns<Standing> columns, Group group) {
    return columns.left("engine", found -> notes.marked(found.engine(), group));
  }

  /** Adds latencies of a phase or of one operation, except the one that orders the rows. */
  private void latencies(
      Columns<Standing> columns, Group group, Ranking order, Prominence... prominences) {
    boolean one = group.operation().isPresent();
    for (Group operation : one ? List.of(group) : index.operations(group)) {
      String prefix = one ? "" : RankingText.prefix(index, operation);
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
        standing -> RankingText.key(index.standing(group, metric, standing.engine())));
  }

  /** Returns the value, with the number of repetitions if it is lower than that of the ranking. */
  private String beside(Group group, Metric metric, Standing ranked) {
    Optional<Standing> found = index.standing(group, metric, ranked.engine());
    long samples = found.map(standing -> standing.estimate().samples()).orElse(0L);
    String fewer = samples < ranked.estimate().samples() ? " (n=" + samples + ")" : "";
    return found
        .map(standing -> RankingText.value(metric, standing) + fewer)
        .orElse(Quantities.NONE);
  }

  /** Adds counts; a column without any is left out later. */
  private void counts(Columns<Standing> columns, Group group) {
    for (Metric metric : Metrics.ALL) {
      if (metric.counted() && metric.prominence() == Prominence.DETAIL) {
        columns.number(
            metric.title(),
            standing -> count(group, metric, standing.engine()),
            standing -> RankingText.key(index.standing(group, metric, standing.engine())));
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
}
