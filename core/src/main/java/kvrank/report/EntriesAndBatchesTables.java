package kvrank.report;

import java.util.ArrayList;
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
 * The tables of "KotlinKV-LatencyCompare": memory by number of entries, the time of writes and
 * reads one by one, and in batches.
 */
final class EntriesAndBatchesTables {

  /** What a manifest's {@code table} says to ask for these. */
  static final String NAME = "entries-and-batches";

  private static final String ENTRIES = "records";
  private static final String BATCH = "batch";
  private static final Set<String> FACTORS = Set.of(ENTRIES, BATCH);

  /** One column of the tables of times. */
  private record Figure(String title, boolean load, Metric metric, DoubleFunction<String> text) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure(
              "Load time (ms)",
              true,
              Metrics.named("phase-time"),
              EntriesAndBatchesTables::milliseconds),
          new Figure(
              "Avg load (ns)",
              true,
              Metrics.named("time-per-record"),
              EntriesAndBatchesTables::nanoseconds),
          new Figure(
              "Read time (ms)",
              false,
              Metrics.named("phase-time"),
              EntriesAndBatchesTables::milliseconds),
          new Figure(
              "Avg entry read (ns)",
              false,
              Metrics.named("time-per-record"),
              EntriesAndBatchesTables::nanoseconds));

  private final RankingIndex board;
  private final List<String> engines;

  EntriesAndBatchesTables(RankingIndex board) {
    this.board = board;
    this.engines = board.engines();
  }

  /**
   * A factor point: the load and the first phase that reads.
   *
   * @param read empty if the scenario has no such phase
   */
  private record Point(Group load, Optional<Group> read) {

    String entries() {
      return ReferenceTables.factor(load, ENTRIES);
    }

    boolean serial() {
      return load.factors().getOrDefault(BATCH, "1").equals("1");
    }
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    for (List<List<Group>> scene : ReferenceTables.scenes(board, FACTORS)) {
      String place = ReferenceTables.place(scene.get(0).get(0), FACTORS);
      Map<String, List<Point>> byEntries = new LinkedHashMap<>();
      for (List<Group> wholes : scene) {
        Point point = new Point(wholes.get(0), reading(wholes));
        byEntries.computeIfAbsent(point.entries(), any -> new ArrayList<>()).add(point);
      }
      blocks.addAll(memory(place, byEntries));
      byEntries.forEach((entries, points) -> blocks.addAll(times(place, entries, points)));
    }
    return blocks;
  }

  private Optional<Group> reading(List<Group> wholes) {
    return wholes.stream()
        .filter(
            whole ->
                board.operations(whole).stream()
                    .anyMatch(each -> each.operation().equals(Optional.of("read"))))
        .findFirst();
  }

  private List<Block> memory(String place, Map<String, List<Point>> byEntries) {
    List<EngineComparison> contests = new ArrayList<>();
    byEntries.forEach(
        (entries, points) ->
            contests.add(
                contest(
                    entries,
                    points.get(0).load(),
                    Metrics.MEMORY,
                    bytes -> Quantities.fixed(bytes / (1024 * 1024), 1))));
    return List.of(
        new Block.Heading(2, "Memory (MiB)" + place),
        new Block.Text(
            "Resident memory of the process at the end of the load, at the first batch size: the"
                + " program itself is in it, and of an embedded engine the worker's JVM. "
                + ReferenceTables.LEGEND),
        new Block.Grid(
            EngineComparison.table(
                "Entries", engines, EngineComparison.Gain.DIFFERENCE, "Uses less", contests)));
  }

  private EngineComparison contest(
      String name, Group group, Metric metric, DoubleFunction<String> text) {
    return new EngineComparison(name, board.asked(group, metric), text);
  }

  private List<Block> times(String place, String entries, List<Point> points) {
    List<Block> blocks = new ArrayList<>();
    for (Point point : points) {
      if (point.serial()) {
        blocks.add(new Block.Heading(2, "Serial, " + entries + " entries" + place));
        blocks.add(new Block.Text("In brackets the rank, \"=\" if it is shared."));
        blocks.add(new Block.Grid(serial(point)));
      }
    }
    List<Point> batched = points.stream().filter(point -> !point.serial()).toList();
    for (String engine : batched.isEmpty() ? List.<String>of() : engines) {
      if (batched.stream().anyMatch(point -> has(point, engine))) {
        blocks.add(
            new Block.Heading(2, "Batched: " + engine + ", " + entries + " entries" + place));
        blocks.add(new Block.Grid(batched(engine, batched)));
      }
    }
    return blocks;
  }

  private boolean has(Point point, String engine) {
    return board.standing(point.load(), Metrics.THROUGHPUT, engine).isPresent();
  }

  /** One row for each engine. */
  private Table serial(Point point) {
    List<Column<String>> columns = new ArrayList<>();
    columns.add(Column.left("Benchmark", engine -> engine));
    for (Figure figure : FIGURES) {
      columns.add(Column.right(figure.title(), engine -> cell(figure, point, engine)));
    }
    return Table.of(columns, engines, engine -> false);
  }

  /** One row for each batch size. */
  private Table batched(String engine, List<Point> points) {
    List<Column<Point>> columns = new ArrayList<>();
    columns.add(Column.right("Batch size", point -> ReferenceTables.factor(point.load(), BATCH)));
    for (Figure figure : FIGURES) {
      columns.add(Column.right(figure.title(), point -> cell(figure, point, engine)));
    }
    return Table.of(columns, points, point -> false);
  }

  private static String milliseconds(double seconds) {
    return Quantities.fixed(seconds * 1000, seconds < 0.1 ? 1 : 0);
  }

  private static String nanoseconds(double nanos) {
    return Quantities.of(Unit.COUNT, Math.rint(nanos));
  }

  private String cell(Figure figure, Point point, String engine) {
    return (figure.load() ? Optional.of(point.load()) : point.read())
        .map(group -> contest("", group, figure.metric(), figure.text()).ranked(engine))
        .orElse(Quantities.NONE);
  }
}
