package kvrank.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleFunction;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/**
 * The tables of "Redis vs Ignix": throughput by data size and connections with the ratio to the
 * first engine, a summary, and all results.
 */
final class SizesAndConnectionsTables {

  /** What a manifest's {@code table} says to ask for these. */
  static final String NAME = "sizes-and-connections";

  private static final String SIZE = "value-bytes";
  private static final String CONNECTIONS = "threads";
  private static final Set<String> FACTORS = Set.of(SIZE, CONNECTIONS);

  private final RankingIndex board;
  private final List<String> engines;

  SizesAndConnectionsTables(RankingIndex board) {
    this.board = board;
    this.engines = board.engines();
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    for (Map<String, List<Group>> operations : operations()) {
      blocks.addAll(scene(operations));
    }
    return blocks;
  }

  /** The groups of each operation but the load by size, then connections; a map for each scene. */
  List<Map<String, List<Group>>> operations() {
    List<Map<String, List<Group>>> scenes = new ArrayList<>();
    for (List<List<Group>> points : ReferenceTables.scenes(board, FACTORS)) {
      Map<String, List<Group>> operations = new LinkedHashMap<>();
      for (List<Group> wholes : points) {
        for (Group operation : measured(wholes)) {
          operations
              .computeIfAbsent(ReferenceTables.label(board, operation), any -> new ArrayList<>())
              .add(operation);
        }
      }
      operations.values().forEach(groups -> groups.sort(Comparator.comparingInt(this::order)));
      if (!operations.isEmpty()) {
        scenes.add(operations);
      }
    }
    return scenes;
  }

  /** What beside size and connections tells a scene apart. */
  static String place(Group group) {
    return ReferenceTables.place(group, FACTORS);
  }

  private List<Block> scene(Map<String, List<Group>> operations) {
    String place = place(operations.values().iterator().next().get(0));
    List<Block> blocks = new ArrayList<>();
    operations.forEach(
        (label, groups) -> {
          blocks.add(new Block.Heading(2, label + " throughput (ops/sec)" + place));
          if (blocks.size() == 1) {
            blocks.add(new Block.Text(ReferenceTables.LEGEND));
          }
          blocks.add(new Block.Grid(throughput(groups)));
        });
    blocks.add(new Block.Heading(2, "Comparison summary" + place));
    List<String> sentences = new ArrayList<>();
    operations.forEach(
        (label, groups) -> groups.forEach(group -> sentences.addAll(sentences(label, group))));
    blocks.add(
        sentences.isEmpty()
            ? new Block.Text("Fewer than two engines have a value.")
            : new Block.Items(sentences));
    blocks.add(new Block.Heading(2, "Benchmark results" + place));
    blocks.add(new Block.Grid(results(operations)));
    return blocks;
  }

  /** The place of the data size among those that were asked for. */
  private int order(Group group) {
    return board
        .results()
        .manifest()
        .factors()
        .getOrDefault(SIZE, List.of())
        .indexOf(group.factors().getOrDefault(SIZE, ""));
  }

  /** Without the load, which is there to have something to read. */
  private List<Group> measured(List<Group> wholes) {
    return ReferenceTables.operations(board, wholes).stream()
        .filter(group -> board.asked(whole(group), Metrics.LOAD_TIME).standings().isEmpty())
        .toList();
  }

  private static Group whole(Group operation) {
    return new Group(
        operation.phase(),
        operation.workload(),
        Optional.empty(),
        operation.factors(),
        operation.varying());
  }

  /** For example {@code 64 B}, {@code 4 KiB}. */
  static String size(Group group) {
    String bytes = group.factors().getOrDefault(SIZE, "");
    if (!bytes.matches("[0-9]{1,15}")) {
      return bytes.isEmpty() ? Quantities.NONE : bytes;
    }
    long number = Long.parseLong(bytes);
    return number > 0 && number % 1024 == 0 ? number / 1024 + " KiB" : number + " B";
  }

  private static String rate(double value) {
    return Quantities.of(Unit.COUNT, Math.rint(value));
  }

  static String connections(Group group) {
    return ReferenceTables.factor(group, CONNECTIONS);
  }

  private Table throughput(List<Group> groups) {
    List<Column<Group>> columns = new ArrayList<>();
    columns.add(Column.right("Data", SizesAndConnectionsTables::size));
    columns.add(Column.right("Conns", SizesAndConnectionsTables::connections));
    for (String engine : engines) {
      columns.add(Column.right(engine, group -> throughput(group).value(engine)));
    }
    String first = engines.get(0);
    for (String engine : engines.subList(1, engines.size())) {
      columns.add(
          Column.left(
              "Ratio (" + engine + "/" + first + ")",
              group -> throughput(group).ratio(engine, first)));
    }
    return Table.of(columns, groups, group -> false);
  }

  private EngineComparison throughput(Group group) {
    return new EngineComparison(
        "throughput", board.asked(group, Metrics.THROUGHPUT), SizesAndConnectionsTables::rate);
  }

  private List<String> sentences(String label, Group group) {
    EngineComparison throughput = throughput(group);
    EngineComparison latency =
        new EngineComparison(
            "latency",
            board.asked(group, Metrics.named("latency-mean")),
            ReferenceTables::milliseconds);
    List<String> sentences = new ArrayList<>();
    String first = engines.get(0);
    for (String engine : engines.subList(1, engines.size())) {
      if (!throughput.ratio(engine, first).equals(Quantities.NONE)) {
        sentences.add(
            "%s (%s, connections: %s): throughput: %s; latency: %s"
                .formatted(
                    label,
                    size(group),
                    connections(group),
                    throughput.multiple(engine, first),
                    latency.better(engine, first)));
      }
    }
    return sentences;
  }

  private record Result(String label, String engine, Group group) {}

  private Table results(Map<String, List<Group>> operations) {
    List<Result> rows = new ArrayList<>();
    operations.forEach(
        (label, groups) ->
            groups.forEach(
                group -> engines.forEach(engine -> rows.add(new Result(label, engine, group)))));
    List<Column<Result>> columns = new ArrayList<>();
    columns.add(Column.left("Server", Result::engine));
    columns.add(Column.left("Operation", Result::label));
    columns.add(Column.right("Data", row -> size(row.group())));
    columns.add(Column.right("Conns", row -> connections(row.group())));
    columns.add(
        Column.right(
            "Ops/sec", row -> value(row, Metrics.THROUGHPUT, SizesAndConnectionsTables::rate)));
    columns.add(milliseconds("Avg lat (ms)", Metrics.named("latency-mean")));
    columns.add(milliseconds("P95 (ms)", Metrics.named("latency-p95")));
    columns.add(milliseconds("P99 (ms)", Metrics.LATENCY_P99));
    columns.add(
        Column.right(
            "Success%",
            row ->
                value(row, Metrics.named("success"), percent -> Quantities.percent(percent))
                    .replace(" %", "")));
    return Table.of(columns, rows, row -> false);
  }

  private Column<Result> milliseconds(String title, Metric metric) {
    return Column.right(title, row -> value(row, metric, ReferenceTables::milliseconds));
  }

  private String value(Result row, Metric metric, DoubleFunction<String> text) {
    return new EngineComparison("", board.asked(row.group(), metric), text).value(row.engine());
  }
}
