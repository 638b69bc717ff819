package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleFunction;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.EngineComparison.Gain;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;

/**
 * The tables of "SSDB vs KVRocks", a comparison of two engines: each operation at the first number
 * of clients, the impact of more, storage, time, resources and a summary.
 */
final class HeadToHeadTables {

  /** What a manifest's {@code table} says to ask for these. */
  static final String NAME = "head-to-head";

  private static final Set<String> CLIENTS = Set.of("threads");

  private final RankingIndex board;
  private final List<String> engines;

  HeadToHeadTables(RankingIndex board) {
    this.board = board;
    this.engines = board.engines();
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    for (List<List<Group>> points : ReferenceTables.scenes(board, CLIENTS)) {
      blocks.addAll(scene(points));
    }
    return blocks;
  }

  private List<Block> scene(List<List<Group>> points) {
    List<Group> first = points.get(0);
    Group any = first.get(0);
    String place = ReferenceTables.place(any, CLIENTS);
    String alone = place.isEmpty() ? " at threads=" : place + ", threads=";
    alone += any.factors().getOrDefault("threads", "1");
    List<Block> blocks = new ArrayList<>();
    heading(blocks, "Operation results" + alone);
    String improvement = "Improvement is what the best gains on the next, in percent of the next.";
    blocks.add(new Block.Text(ReferenceTables.LEGEND + " " + improvement));
    for (Group operation : ReferenceTables.operations(board, first)) {
      blocks.add(new Block.Heading(3, ReferenceTables.label(board, operation) + " (ms)"));
      blocks.add(
          new Block.Grid(
              EngineComparison.table(
                  "Metric", engines, Gain.IMPROVEMENT, "Winner", latency(operation))));
    }
    heading(blocks, "Concurrency impact" + place);
    blocks.add(new Block.Text("Mean latency in ms by the number of clients."));
    blocks.add(
        new Block.Grid(
            EngineComparison.table(
                "Clients, operation", engines, Gain.IMPROVEMENT, "Winner", concurrency(points))));
    storage(blocks, place, points);
    totals(blocks, alone, first);
    resources(blocks, alone, first);
    summary(blocks, alone, first);
    return blocks;
  }

  private static void heading(List<Block> blocks, String text) {
    blocks.add(new Block.Heading(2, text));
  }

  private List<EngineComparison> latency(Group operation) {
    DoubleFunction<String> text = ReferenceTables::milliseconds;
    return List.of(
        contest("MEAN", operation, Metrics.named("latency-mean"), text),
        contest("MEDIAN", operation, Metrics.LATENCY_P50, text),
        contest("MIN", operation, Metrics.named("latency-min"), text),
        contest("MAX", operation, Metrics.named("latency-max"), text),
        contest("P95", operation, Metrics.named("latency-p95"), text),
        contest("P99", operation, Metrics.LATENCY_P99, text),
        contest("ERRORS", operation, Metrics.ERRORS, count -> Quantities.of(Unit.COUNT, count)));
  }

  private EngineComparison contest(
      String name, Group group, Metric metric, DoubleFunction<String> text) {
    return new EngineComparison(name, board.asked(group, metric), text);
  }

  private List<EngineComparison> concurrency(List<List<Group>> points) {
    List<EngineComparison> contests = new ArrayList<>();
    for (List<Group> wholes : points) {
      for (Group operation : ReferenceTables.operations(board, wholes)) {
        contests.add(
            contest(
                operation.factors().getOrDefault("threads", "1")
                    + " "
                    + ReferenceTables.label(board, operation),
                operation,
                Metrics.named("latency-mean"),
                ReferenceTables::milliseconds));
      }
    }
    return contests;
  }

  private void storage(List<Block> blocks, String place, List<List<Group>> points) {
    heading(blocks, "Storage footprint" + place);
    blocks.add(
        new Block.Text(
            "Allocated blocks of the data directory in MiB, after each phase, logs included, and after a clean"
                + " close of the engine."));
    List<EngineComparison> contests = new ArrayList<>();
    for (List<Group> wholes : points) {
      for (Group whole : wholes) {
        contests.add(
            contest(
                whole.factors().getOrDefault("threads", "1")
                    + " after "
                    + ReferenceTables.label(board, whole),
                whole,
                Metrics.FOOTPRINT,
                HeadToHeadTables::mebibytes));
      }
      EngineComparison closed =
          contest(
              wholes.get(0).factors().getOrDefault("threads", "1") + " after close",
              last(wholes),
              Metrics.named("run-closed-footprint"),
              HeadToHeadTables::mebibytes);
      if (!closed.ranking().standings().isEmpty()) {
        contests.add(closed);
      }
    }
    blocks.add(
        new Block.Grid(
            EngineComparison.table(
                "Clients, phase", engines, Gain.DIFFERENCE, "Uses less", contests)));
  }

  private static String mebibytes(double bytes) {
    return Quantities.fixed(bytes / (1024 * 1024), 2);
  }

  private void totals(List<Block> blocks, String alone, List<Group> wholes) {
    heading(blocks, "Total time" + alone);
    blocks.add(new Block.Text(timed(wholes)));
    List<EngineComparison> contests = new ArrayList<>();
    DoubleFunction<String> seconds = value -> Quantities.fixed(value, 2);
    for (Group whole : wholes) {
      contests.add(
          contest(
              ReferenceTables.label(board, whole), whole, Metrics.named("phase-time"), seconds));
    }
    contests.add(contest("TOTAL", last(wholes), Metrics.named("run-time"), seconds));
    blocks.add(
        new Block.Grid(
            EngineComparison.table("Operation (s)", engines, Gain.DIFFERENCE, "Winner", contests)));
  }

  /** A phase that ends with its time takes as long for every engine, which says nothing. */
  private static String timed(List<Group> wholes) {
    String operations = wholes.get(0).factors().getOrDefault("operations", "");
    return operations.isEmpty()
        ? "Seconds; only the load has a fixed number of operations, the others a fixed time."
        : "Seconds for "
            + ReferenceTables.factor(wholes.get(0), "records")
            + " records loaded and "
            + ReferenceTables.factor(wholes.get(0), "operations")
            + " operations of each other phase, warm-up excluded.";
  }

  private static Group last(List<Group> wholes) {
    return wholes.get(wholes.size() - 1);
  }

  private void resources(List<Block> blocks, String alone, List<Group> wholes) {
    heading(blocks, "Resource utilization" + alone);
    blocks.add(
        new Block.Text(
            "Of the process that holds the engine, over all phases; peak cores are those of the"
                + " busiest phase."));
    Group last = last(wholes);
    DoubleFunction<String> seconds = value -> Quantities.fixed(value, 2);
    DoubleFunction<String> mebibytes = bytes -> Quantities.fixed(bytes / (1024 * 1024), 1);
    List<EngineComparison> contests =
        List.of(
            contest("CPU time (s)", last, Metrics.named("run-cpu"), seconds),
            contest("CPU peak (cores)", last, Metrics.named("run-cpu-peak"), seconds),
            contest("Memory avg (MiB)", last, Metrics.named("run-memory-mean"), mebibytes),
            contest("Memory peak (MiB)", last, Metrics.named("run-memory-peak"), mebibytes));
    blocks.add(
        new Block.Grid(
            EngineComparison.table("Resource", engines, Gain.DIFFERENCE, "Uses less", contests)));
  }

  private void summary(List<Block> blocks, String alone, List<Group> wholes) {
    heading(blocks, "Overall performance summary" + alone);
    Ranking latency = board.asked(last(wholes), Metrics.named("run-latency-mean"));
    EngineComparison average =
        new EngineComparison("Average latency (ms)", latency, ReferenceTables::milliseconds);
    EngineComparison throughput =
        contest(
            "Throughput (ops/s)",
            last(wholes),
            Metrics.named("run-throughput"),
            value -> Quantities.of(Unit.COUNT, Math.rint(value)));
    blocks.add(
        new Block.Text(
            "Dataset size: "
                + ReferenceTables.factor(wholes.get(0), "records")
                + " documents. Over all operations: "
                + verdict(average)
                + "."));
    blocks.add(
        new Block.Grid(
            EngineComparison.table(
                "Overall", engines, Gain.IMPROVEMENT, "Winner", List.of(average, throughput))));
  }

  private static String verdict(EngineComparison average) {
    String winner = average.winner();
    if (winner.equals(Quantities.NONE)) {
      return "fewer than two engines have a value";
    }
    if (winner.endsWith("tied")) {
      return winner;
    }
    return winner.replace(" ?", "")
        + " has a latency "
        + average.improvement()
        + " lower"
        + (winner.endsWith("?") ? ", by the value alone" : "");
  }
}
