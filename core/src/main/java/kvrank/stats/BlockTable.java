package kvrank.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The values of one metric by engine and block, as natural logarithms: noise is a share of the
 * value, and ratios are what is compared.
 */
public final class BlockTable {

  private final List<String> engines;
  private final List<Block> blocks;

  /** By engine and block; NaN where an engine has no value. */
  private final double[][] logs;

  private BlockTable(List<String> engines, List<Block> blocks, double[][] logs) {
    this.engines = engines;
    this.blocks = blocks;
    this.logs = logs;
  }

  /**
   * The table of {@code values}, which are by engine and block. An engine with a value that has no
   * logarithm is left out: nothing can be said of its ratio to another.
   */
  public static BlockTable of(SortedMap<String, SortedMap<Block, Double>> values) {
    SortedMap<String, SortedMap<Block, Double>> positive = new TreeMap<>(values);
    positive
        .values()
        .removeIf(each -> each.values().stream().anyMatch(v -> !(v > 0 && Double.isFinite(v))));
    SortedSet<Block> blocks = new TreeSet<>();
    positive.values().forEach(each -> blocks.addAll(each.keySet()));
    List<Block> columns = List.copyOf(blocks);
    double[][] logs =
        positive.values().stream()
            .map(
                each ->
                    columns.stream()
                        .mapToDouble(b -> each.containsKey(b) ? Math.log(each.get(b)) : Double.NaN)
                        .toArray())
            .toArray(double[][]::new);
    return new BlockTable(List.copyOf(positive.keySet()), columns, logs);
  }

  /** The engines, in the order of their names. */
  public List<String> engines() {
    return engines;
  }

  /** The blocks that have a value, in their order. */
  public List<Block> blocks() {
    return blocks;
  }

  /** The table of the blocks that {@code kept} holds for; its engines are the same. */
  BlockTable blocks(Predicate<Block> kept) {
    int[] columns =
        IntStream.range(0, blocks.size()).filter(i -> kept.test(blocks.get(i))).toArray();
    double[][] less =
        IntStream.range(0, logs.length)
            .mapToObj(e -> pick(logs[e], columns))
            .toArray(double[][]::new);
    return new BlockTable(engines, IntStream.of(columns).mapToObj(blocks::get).toList(), less);
  }

  /** The logarithms of {@code engine}, by execution; empty if it has none. */
  List<double[]> byExecution(String engine) {
    int row = engines.indexOf(engine);
    return row < 0
        ? List.of()
        : blocks.stream()
            .map(Block::execution)
            .distinct()
            .map(execution -> blocks(block -> block.execution() == execution).values(row))
            .filter(values -> values.length > 0)
            .toList();
  }

  /** How many executions there are. */
  int executions() {
    return (int) blocks.stream().mapToInt(Block::execution).distinct().count();
  }

  /** The table whose blocks are executions: the means of their repetitions. */
  BlockTable byExecution() {
    int[] executions = blocks.stream().mapToInt(Block::execution).distinct().toArray();
    double[][] means = new double[logs.length][executions.length];
    for (int e = 0; e < logs.length; e++) {
      double[] row = logs[e];
      for (int x = 0; x < executions.length; x++) {
        int execution = executions[x];
        means[e][x] =
            IntStream.range(0, row.length)
                .filter(b -> blocks.get(b).execution() == execution && !Double.isNaN(row[b]))
                .mapToDouble(b -> row[b])
                .average()
                .orElse(Double.NaN);
      }
    }
    return new BlockTable(
        engines, IntStream.of(executions).mapToObj(x -> new Block(x, 0)).toList(), means);
  }

  /** The logarithms of the engine at {@code engine}, without those that are missing. */
  double[] values(int engine) {
    return IntStream.range(0, blocks.size())
        .mapToDouble(b -> logs[engine][b])
        .filter(log -> !Double.isNaN(log))
        .toArray();
  }

  /** The places of the blocks that both engines have. */
  int[] shared(int one, int other) {
    return IntStream.range(0, blocks.size())
        .filter(b -> !Double.isNaN(logs[one][b]) && !Double.isNaN(logs[other][b]))
        .toArray();
  }

  /**
   * The logarithms of every engine that has all of {@code columns}: those of {@code one} and {@code
   * other} first.
   */
  double[][] complete(int one, int other, int[] columns) {
    List<double[]> rows = new ArrayList<>();
    rows.add(pick(logs[one], columns));
    rows.add(pick(logs[other], columns));
    for (int e = 0; e < logs.length; e++) {
      double[] row = pick(logs[e], columns);
      if (e != one && e != other && Arrays.stream(row).noneMatch(Double::isNaN)) {
        rows.add(row);
      }
    }
    return rows.toArray(double[][]::new);
  }

  /**
   * The value of one engine divided by the other's: the geometric mean over what they share, or of
   * all values if they share nothing.
   */
  double ratio(int one, int other) {
    int[] shared = shared(one, other);
    double[] first = shared.length == 0 ? values(one) : pick(logs[one], shared);
    double[] second = shared.length == 0 ? values(other) : pick(logs[other], shared);
    return Math.exp(
        Arrays.stream(first).average().orElse(Double.NaN)
            - Arrays.stream(second).average().orElse(Double.NaN));
  }

  /** The logarithms of every engine that has all blocks. */
  double[][] complete() {
    return Arrays.stream(logs)
        .filter(row -> Arrays.stream(row).noneMatch(Double::isNaN))
        .toArray(double[][]::new);
  }

  private static double[] pick(double[] row, int[] columns) {
    return IntStream.of(columns).mapToDouble(b -> row[b]).toArray();
  }

  @Override
  public String toString() {
    return Map.of("engines", engines, "blocks", blocks).toString();
  }
}
