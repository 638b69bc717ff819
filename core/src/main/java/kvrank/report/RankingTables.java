package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Prominence;
import kvrank.metric.Scope;
import kvrank.stats.DurabilitySummary;
import kvrank.stats.Estimate;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Ratio;
import kvrank.stats.Standing;

/** The tables of one comparison group, and those across groups. */
final class RankingTables {

  private static final String INTERVAL = "95% interval";

  private final RankingIndex index;
  private final Notes notes;

  RankingTables(RankingIndex index, Notes notes) {
    this.index = index;
    this.notes = notes;
  }

  /** The ranking of a phase: what answers the question. */
  Table ranking(Group whole, Labels labels) {
    List<Column<Standing>> columns = start(whole);
    latencies(columns, whole, Prominence.MAIN);
    columns.add(
        Column.left(
            "durability", standing -> DurabilityNotes.verdict(durability(whole, standing))));
    columns.add(Column.labels("labels", standing -> labels.of(standing.engine())));
    return table("Ranking for ", columns, whole);
  }

  /** What stands beside the ranking of a phase: intervals, ratios, further latencies, counts. */
  Table details(Group whole) {
    List<Column<Standing>> columns = new ArrayList<>();
    columns.add(engine(whole));
    columns.add(Column.right(INTERVAL, standing -> interval(Metrics.THROUGHPUT, standing)));
    columns.add(
        Column.number(
            "vs. best",
            standing -> Quantities.ratio(standing.ratio().value()),
            standing -> standing.ratio().value()));
    columns.add(Column.right("ratio interval", standing -> interval(standing.ratio())));
    latencies(columns, whole, Prominence.DETAIL, Prominence.MINOR);
    counts(columns, whole);
    columns.add(
        Column.right(
            "flushes per write",
            standing -> DurabilityNotes.flushesPerWrite(durability(whole, standing))));
    return table("Details for ", columns, whole);
  }

  /** One of several operations of a phase. */
  Table operation(Group operation) {
    List<Column<Standing>> columns = start(operation);
    latencies(columns, operation, Prominence.MAIN, Prominence.DETAIL, Prominence.MINOR);
    counts(columns, operation);
    return table("Ranking for ", columns, operation);
  }

  private Table table(String what, List<Column<Standing>> columns, Group group) {
    List<Standing> standings = index.throughput(group).standings();
    return Table.of(columns, standings, standing -> standing.rank() == 1)
        .compact()
        .titled(what + group.label());
  }

  private List<Column<Standing>> start(Group group) {
    List<Column<Standing>> columns = new ArrayList<>();
    columns.add(Column.number("rank", RankingTables::rank, Standing::rank));
    columns.add(engine(group));
    columns.add(
        Column.number(
            Metrics.THROUGHPUT.title(),
            standing -> median(Metrics.THROUGHPUT, standing),
            standing -> standing.estimate().value()));
    columns.add(Column.right("±", standing -> spread(standing.estimate())));
    return columns;
  }

  private Column<Standing> engine(Group group) {
    return Column.left("engine", standing -> notes.marked(standing.engine(), group.factors()));
  }

  private void latencies(List<Column<Standing>> columns, Group group, Prominence... prominences) {
    List<Group> operations =
        group.operation().isPresent() ? List.of(group) : index.operations(group);
    for (Group operation : operations) {
      String prefix = operations.size() > 1 ? operation.operation().orElseThrow() + " " : "";
      for (Metric metric : Metrics.latencies()) {
        if (Stream.of(prominences).anyMatch(metric.prominence()::equals)) {
          Column<Standing> column =
              Column.number(
                  prefix + metric.title(),
                  standing -> latency(operation, metric, standing),
                  standing -> value(operation, metric, standing.engine()));
          columns.add(metric.equals(Metrics.LATENCY_P99) ? column : column.asSpare());
        }
      }
    }
  }

  /** The median; how many repetitions have one, if these are fewer than those of the throughput. */
  private String latency(Group operation, Metric metric, Standing throughput) {
    return index
        .standing(operation, metric, throughput.engine())
        .map(
            found ->
                median(metric, found)
                    + (found.estimate().samples() < throughput.estimate().samples()
                        ? " (n=" + found.estimate().samples() + ")"
                        : ""))
        .orElse(Quantities.NONE);
  }

  private double value(Group group, Metric metric, String engine) {
    return index
        .standing(group, metric, engine)
        .map(standing -> standing.estimate().value())
        .orElse(Double.NaN);
  }

  /** Counts that occurred; a column of nothing is not shown. */
  private void counts(List<Column<Standing>> columns, Group group) {
    for (Metric metric : Metrics.ALL) {
      if (metric.counted() && metric.prominence() == Prominence.DETAIL) {
        columns.add(
            Column.number(
                metric.title(),
                standing -> count(group, metric, standing.engine()),
                standing -> value(group, metric, standing.engine())));
      }
    }
  }

  /** The smallest and the largest count of a repetition; empty if all are 0. */
  private String count(Group group, Metric metric, String engine) {
    return index
        .standing(group, metric, engine)
        .map(Standing::estimate)
        .filter(estimate -> estimate.largest() > 0)
        .map(estimate -> Quantities.range(metric.unit(), estimate.smallest(), estimate.largest()))
        .orElse("");
  }

  private Optional<DurabilitySummary> durability(Group group, Standing standing) {
    return index.durability(group, standing.engine());
  }

  /** What a phase used, a row for each metric; empty if nothing is known. */
  Optional<Table> resources(Group whole) {
    List<Ranking> rankings =
        Metrics.ALL.stream()
            .filter(metric -> metric.scope() == Scope.PHASE || metric.scope() == Scope.LOAD)
            .filter(metric -> metric.prominence() != Prominence.ON_REQUEST)
            .flatMap(metric -> index.ranking(whole, metric).stream())
            .toList();
    List<Column<Ranking>> columns = new ArrayList<>();
    columns.add(Column.left("resource", ranking -> ranking.metric().title()));
    for (Standing standing : index.throughput(whole).standings()) {
      columns.add(value(standing.engine(), RankingTables::withRank));
    }
    return rankings.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Table.of(columns, rankings, ranking -> false).titled("Resources of " + whole.label()));
  }

  private static Column<Ranking> value(String engine, Function<Standing, String> more) {
    return Column.number(
        engine,
        ranking ->
            ranking
                .standing(engine)
                .map(standing -> median(ranking.metric(), standing) + more.apply(standing))
                .orElse(Quantities.NONE),
        ranking ->
            ranking.standing(engine).map(found -> found.estimate().value()).orElse(Double.NaN));
  }

  private static String withRank(Standing standing) {
    String spread = standing.estimate().hasInterval() ? " " + spread(standing.estimate()) : "";
    return spread + " (" + rank(standing) + ")";
  }

  /** Memory or storage at the end of each phase of one factor point. */
  Optional<Table> byPhase(Metric metric, List<Group> wholes) {
    List<Ranking> rankings =
        wholes.stream().flatMap(whole -> index.ranking(whole, metric).stream()).toList();
    List<Column<Ranking>> columns = new ArrayList<>();
    columns.add(Column.left("phase", ranking -> ranking.group().phase()));
    index.engines().stream()
        .filter(engine -> rankings.stream().anyMatch(each -> each.standing(engine).isPresent()))
        .forEach(engine -> columns.add(value(engine, standing -> "")));
    return rankings.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Table.of(columns, rankings, ranking -> false)
                .titled(
                    "%s at the end of each phase%s"
                        .formatted(capitalized(metric.title()), wholes.get(0).at())));
  }

  static String capitalized(String text) {
    return text.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + text.substring(1);
  }

  /** Engines by phases: ratio to the best, and rank. */
  Table overview(List<Group> wholes) {
    List<Column<String>> columns = new ArrayList<>();
    columns.add(Column.left("engine", engine -> notes.marked(engine, wholes.get(0).factors())));
    wholes.forEach(
        whole ->
            columns.add(
                heat(
                    whole.phase(),
                    engine -> index.throughput(whole).standing(engine),
                    standing -> Quantities.ratio(standing.ratio().value()))));
    return Table.of(columns, index.engines(), engine -> false)
        .titled("Engine by phase" + wholes.get(0).at());
  }

  /** The factor points of a phase by engines: throughput, and rank. */
  Table byPoint(List<Group> wholes) {
    List<Column<Group>> columns = new ArrayList<>();
    columns.add(Column.left("at", Group::point));
    for (String engine : index.engines()) {
      columns.add(
          heat(
              engine,
              whole -> index.throughput(whole).standing(engine),
              standing -> median(Metrics.THROUGHPUT, standing)));
    }
    return Table.of(columns, wholes, whole -> false)
        .compact()
        .titled("Throughput of " + wholes.get(0).phase());
  }

  private static <R> Column<R> heat(
      String name, Function<R, Optional<Standing>> standing, Function<Standing, String> text) {
    return new Column<>(
        name,
        Column.Align.RIGHT,
        false,
        row ->
            standing
                .apply(row)
                .map(
                    found ->
                        new Cell(
                            text.apply(found) + " (" + rank(found) + ")",
                            found.ratio().value(),
                            Cell.Style.HEAT))
                .orElse(new Cell(Quantities.NONE, Double.NaN, Cell.Style.HEAT)));
  }

  /** The best engines of each phase at each factor point. */
  Table best(List<List<Group>> points) {
    List<Column<List<Group>>> columns = new ArrayList<>();
    columns.add(Column.left("at", wholes -> wholes.get(0).point()));
    points.stream()
        .flatMap(List::stream)
        .map(Group::phase)
        .distinct()
        .forEach(
            phase ->
                columns.add(
                    Column.left(
                        phase,
                        wholes ->
                            wholes.stream()
                                .filter(whole -> whole.phase().equals(phase))
                                .findFirst()
                                .map(this::best)
                                .orElse(Quantities.NONE))));
    return Table.of(columns, points, point -> false).titled("Best engines");
  }

  private String best(Group whole) {
    List<String> engines =
        index.throughput(whole).standings().stream()
            .filter(standing -> standing.rank() == 1)
            .map(Standing::engine)
            .toList();
    return engines.isEmpty() ? Quantities.NONE : String.join(", ", engines);
  }

  /** The ranks that it may have; with a sign if its value alone says so. */
  static String rank(Standing standing) {
    return standing.untested() ? standing.rank() + "?" : standing.ranks().toString();
  }

  static String median(Metric metric, Standing standing) {
    return Quantities.of(metric.unit(), standing.estimate().value());
  }

  /** How far the interval reaches to each side, or why there is none. */
  private static String spread(Estimate estimate) {
    return estimate.hasInterval()
        ? Quantities.spread(estimate.low(), estimate.high())
        : estimate.samples() < Estimate.FEWEST ? "n=" + estimate.samples() : Quantities.NONE;
  }

  /** The interval, or why there is none. */
  static String interval(Metric metric, Standing standing) {
    Estimate estimate = standing.estimate();
    return estimate.hasInterval()
        ? Quantities.range(metric.unit(), estimate.low(), estimate.high())
        : spread(estimate);
  }

  private static String interval(Ratio ratio) {
    return ratio.hasInterval() ? Quantities.ratios(ratio.low(), ratio.high()) : "";
  }
}
