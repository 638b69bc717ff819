package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleFunction;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/**
 * The tables of benchtool, which compares storage engines with a baseline: throughput with the
 * ratio to the last engine, and the latency of each.
 */
final class BenchtoolTables {

  /** What a manifest's {@code table} says to ask for these. */
  static final String NAME = "benchtool";

  private final RankingIndex board;
  private final List<String> engines;
  private final String baseline;

  BenchtoolTables(RankingIndex board) {
    this.board = board;
    this.engines = board.engines();
    this.baseline = engines.isEmpty() ? "" : engines.get(engines.size() - 1);
  }

  /** One set of tables for each factor point. */
  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    for (List<Group> wholes : board.wholesByPoint()) {
      String place = ReferenceTables.place(wholes.get(0), Set.of());
      List<Group> operations = ReferenceTables.operations(board, wholes);
      blocks.add(new Block.Heading(2, "benchtool: throughput" + place));
      blocks.add(
          new Block.Text(
              configuration(wholes.get(0))
                  + " One ITER is one scan; latency is per request, of a whole batch where there is one. "
                  + ReferenceTables.LEGEND));
      blocks.add(new Block.Grid(throughput(operations)));
      for (String engine : engines) {
        List<Group> measured = operations.stream().filter(each -> has(each, engine)).toList();
        if (!measured.isEmpty()) {
          blocks.add(new Block.Heading(3, "Latency (µs) of " + engine + place));
          blocks.add(new Block.Grid(latency(engine, measured)));
        }
      }
    }
    return blocks;
  }

  private static String configuration(Group group) {
    List<String> parts = new ArrayList<>();
    for (String factor : List.of("records", "key-bytes", "value-bytes", "threads", "batch")) {
      String value = ReferenceTables.factor(group, factor);
      if (!value.equals(Quantities.NONE)) {
        parts.add(factor + " " + value);
      }
    }
    return "Configuration: " + String.join(", ", parts) + ".";
  }

  private boolean has(Group operation, String engine) {
    return board.standing(operation, Metrics.THROUGHPUT, engine).isPresent();
  }

  /** What benchtool calls an operation. */
  private static String operation(Group group) {
    String operation = group.operation().orElseThrow();
    return switch (operation) {
      case "insert", "update" -> "PUT";
      case "read" -> "GET";
      case "delete" -> "DELETE";
      case "range-scan", "prefix-scan" -> "ITER";
      default -> operation;
    };
  }

  private Table throughput(List<Group> operations) {
    List<Column<Group>> columns = new ArrayList<>();
    columns.add(Column.left("", BenchtoolTables::operation));
    columns.add(Column.left("Phase", Group::phase));
    for (String engine : engines) {
      columns.add(Column.right(engine + " (ops/s)", group -> rate(group).value(engine)));
    }
    for (String engine : engines.subList(0, Math.max(0, engines.size() - 1))) {
      columns.add(
          Column.left(
              engines.size() > 2 ? "Ratio (" + engine + "/" + baseline + ")" : "Ratio",
              group -> rate(group).ratio(engine, baseline)));
    }
    return Table.of(columns, operations, group -> false);
  }

  private EngineComparison rate(Group group) {
    return new EngineComparison(
        "",
        board.asked(group, Metrics.THROUGHPUT),
        value -> Quantities.of(Metrics.THROUGHPUT.unit(), value).replace("/s", "").strip());
  }

  private Table latency(String engine, List<Group> operations) {
    List<Column<Group>> columns = new ArrayList<>();
    columns.add(Column.left("", BenchtoolTables::operation));
    columns.add(Column.left("Phase", Group::phase));
    columns.add(column("avg", engine, Metrics.named("latency-mean")));
    columns.add(column("p50", engine, Metrics.LATENCY_P50));
    columns.add(column("p95", engine, Metrics.named("latency-p95")));
    columns.add(column("p99", engine, Metrics.LATENCY_P99));
    columns.add(column("min", engine, Metrics.named("latency-min")));
    columns.add(column("max", engine, Metrics.named("latency-max")));
    return Table.of(columns, operations, group -> false);
  }

  private Column<Group> column(String title, String engine, Metric metric) {
    DoubleFunction<String> text = ReferenceTables::microseconds;
    return Column.right(
        title, group -> new EngineComparison("", board.asked(group, metric), text).value(engine));
  }
}
