package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.stats.DurabilitySummary;
import kvrank.stats.Estimate;
import kvrank.stats.Group;
import kvrank.stats.QualityFlag;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Ratio;
import kvrank.stats.Standing;

/** The tables of one comparison group, and the matrix across them. */
final class RankingTables {

  private static final String LABELS = "labels";
  private static final String ERRORS = "errors";
  private static final String NOT_FOUND = "not found";
  private static final String FLUSHES = "flushes per write";
  private static final String DURABILITY = "durability";
  private static final String INTERVAL = "95% interval";
  private static final String RATIO_INTERVAL = "ratio interval";

  private static final List<Metric> EVERY_LATENCY =
      List.of(
          Metrics.named("latency-mean"),
          Metrics.LATENCY_P50,
          Metrics.LATENCY_P99,
          Metrics.named("latency-p999"));

  private static final List<Metric> RESOURCES =
      List.of(
          Metrics.LOAD_TIME,
          Metrics.named("cpu-per-record"),
          Metrics.MEMORY,
          Metrics.named("memory-per-record"),
          Metrics.FOOTPRINT,
          Metrics.named("space-amplification"),
          Metrics.named("write-amplification"));

  private final RankingIndex board;
  private final Notes notes;

  RankingTables(RankingIndex board, Notes notes) {
    this.board = board;
    this.notes = notes;
  }

  /** Everything about the throughput and the latency of a phase or of one of its operations. */
  Table full(Group group) {
    List<Metric> latency =
        latencyGroups(group).size() > 1
            ? List.of(Metrics.LATENCY_P50, Metrics.LATENCY_P99)
            : EVERY_LATENCY;
    return throughput(group, latency, RankingTables::ranked);
  }

  /** The throughput of a phase and the p99 of each of its operations; errors are a label alone. */
  Table brief(Group whole) {
    return throughput(whole, List.of(Metrics.LATENCY_P99), RankingTables::median)
        .without(ERRORS, count -> true);
  }

  private Table throughput(
      Group group, List<Metric> latency, BiFunction<Metric, Standing, String> value) {
    Ranking ranking = board.throughput(group);
    List<Column<Standing>> columns = new ArrayList<>();
    columns.add(Column.right("rank", standing -> standing.rank() + doubt(standing)));
    columns.add(
        Column.left("engine", standing -> notes.marked(standing.engine(), group.factors())));
    columns.add(
        Column.right(
            "throughput",
            standing -> Quantities.of(Metrics.THROUGHPUT.unit(), standing.estimate().value())));
    columns.add(Column.right(INTERVAL, standing -> interval(Metrics.THROUGHPUT, standing)));
    columns.add(Column.right("of best", standing -> Quantities.ratio(standing.ratio().value())));
    columns.add(Column.right(RATIO_INTERVAL, standing -> interval(standing.ratio())));
    List<Group> operations = latencyGroups(group);
    for (Group operation : operations) {
      String prefix = operations.size() > 1 ? operation.operation().orElseThrow() + " " : "";
      for (Metric metric : latency) {
        columns.add(
            Column.right(
                prefix + metric.title(),
                standing ->
                    board
                        .standing(operation, metric, standing.engine())
                        .map(found -> value.apply(metric, found))
                        .orElse(Quantities.NONE)));
      }
    }
    columns.add(Column.right(ERRORS, standing -> count(group, Metrics.ERRORS, standing, "0")));
    columns.add(
        Column.right(
            NOT_FOUND, standing -> count(group, Metrics.named("not-found"), standing, "")));
    if (group.operation().isEmpty()) {
      columns.add(
          Column.right(
              FLUSHES, standing -> DurabilityNotes.flushesPerWrite(proof(group, standing))));
      columns.add(
          Column.left(DURABILITY, standing -> DurabilityNotes.verdict(proof(group, standing))));
      columns.add(Column.left(LABELS, standing -> otherLabels(group, standing)));
    } else {
      columns.add(Column.left(LABELS, standing -> labels(group, standing)));
    }
    return Table.of(columns, ranking.standings(), standing -> standing.rank() == 1)
        .without(RATIO_INTERVAL, String::isEmpty)
        .without(NOT_FOUND, String::isEmpty)
        .without(FLUSHES, String::isEmpty)
        .without(DURABILITY, String::isEmpty)
        .without(LABELS, String::isEmpty);
  }

  private Optional<DurabilitySummary> proof(Group group, Standing standing) {
    return board.durability(group, standing.engine());
  }

  private List<Group> latencyGroups(Group group) {
    return group.operation().isPresent() ? List.of(group) : board.operations(group);
  }

  /** What a phase used; empty if nothing is known. */
  Optional<Table> resources(Group whole) {
    List<Column<String>> columns = new ArrayList<>();
    columns.add(Column.left("engine", engine -> notes.marked(engine, whole.factors())));
    for (Metric metric : RESOURCES) {
      board
          .ranking(whole, metric)
          .ifPresent(
              ranking -> {
                columns.add(
                    Column.right(metric.title(), of(ranking, found -> ranked(metric, found))));
                columns.add(Column.right(INTERVAL, of(ranking, found -> interval(metric, found))));
              });
    }
    if (columns.size() == 1) {
      return Optional.empty();
    }
    List<String> engines =
        board.throughput(whole).standings().stream().map(Standing::engine).toList();
    return Optional.of(Table.of(columns, engines, engine -> false));
  }

  private static Function<String, String> of(Ranking ranking, Function<Standing, String> text) {
    return engine -> ranking.standing(engine).map(text).orElse(Quantities.NONE);
  }

  /** Engines by phases: the throughput as a ratio to the best of the column. */
  Table matrix(List<Group> wholes) {
    List<Column<String>> columns = new ArrayList<>();
    columns.add(Column.left("engine", engine -> notes.marked(engine, wholes.get(0).factors())));
    for (Group whole : wholes) {
      Ranking ranking = board.throughput(whole);
      columns.add(
          Column.right(
              whole.phase(),
              of(
                  ranking,
                  found -> Quantities.ratio(found.ratio().value()) + " (" + rank(found) + ")")));
    }
    return Table.of(columns, board.engines(), engine -> false);
  }

  /** The rank, with a sign if it is shared or cannot be told. */
  static String rank(Standing standing) {
    return standing.rank() + (standing.tied() ? "=" : doubt(standing));
  }

  private static String doubt(Standing standing) {
    return standing.untested() ? "?" : "";
  }

  private static String median(Metric metric, Standing standing) {
    return Quantities.of(metric.unit(), standing.estimate().value());
  }

  private static String ranked(Metric metric, Standing standing) {
    return median(metric, standing) + " (" + rank(standing) + ")";
  }

  /** The interval, or why there is none. */
  private static String interval(Metric metric, Standing standing) {
    Estimate estimate = standing.estimate();
    if (estimate.hasInterval()) {
      return Quantities.range(metric.unit(), estimate.low(), estimate.high());
    }
    return estimate.samples() < Estimate.FEWEST ? "n=" + estimate.samples() : Quantities.NONE;
  }

  private static String interval(Ratio ratio) {
    return ratio.hasInterval() ? Quantities.ratios(ratio.low(), ratio.high()) : "";
  }

  /** The smallest and the largest count of a repetition; {@code none} if all are 0. */
  private String count(Group group, Metric metric, Standing standing, String none) {
    return board
        .standing(group, metric, standing.engine())
        .map(Standing::estimate)
        .filter(RankingTables::occurred)
        .map(estimate -> Quantities.range(metric.unit(), estimate.smallest(), estimate.largest()))
        .orElse(none);
  }

  private static boolean occurred(Estimate estimate) {
    return estimate.largest() > 0;
  }

  /** The labels beside a column of their own for durability. */
  private String otherLabels(Group group, Standing standing) {
    return Stream.of(labels(group, standing).split(", "))
        .filter(label -> !label.startsWith(QualityFlag.Kind.NOT_PROVEN.label()))
        .collect(Collectors.joining(", "));
  }

  /** What a reader has to know of a standing, separated by commas; may be empty. */
  String labels(Group group, Standing standing) {
    StringJoiner labels = new StringJoiner(", ");
    if (standing.tied()) {
      labels.add("tied");
    }
    board.throughput(group).excluded().stream()
        .filter(excluded -> excluded.engine().equals(standing.engine()))
        .findFirst()
        .ifPresent(
            excluded ->
                labels.add(
                    "n=%d of %d".formatted(standing.estimate().samples(), excluded.planned())));
    if (board
        .standing(group, Metrics.ERRORS, standing.engine())
        .filter(errors -> occurred(errors.estimate()))
        .isPresent()) {
      labels.add("errors");
    }
    QualityFlag.of(board.phases(group, standing.engine())).stream()
        .map(QualityFlag::label)
        .forEach(labels::add);
    return labels.toString();
  }
}
