package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * The values of one metric by engine and block, as natural logarithms: noise is a share of the
 * value, and ratios are what is compared.
 *
 * @param logs by engine and block; NaN where an engine has no value
 */
public record BlockTable(List<String> engines, List<RepetitionBlock> blocks, List<double[]> logs) {

  /** The turns of {@link #medians}, which come near by a share of what is left each. */
  private static final int TURNS = 50;

  /**
   * The table of {@code values}, which are by engine and block. An engine with a value that has no
   * logarithm is left out: nothing can be said of its ratio to another.
   */
  public static BlockTable of(SortedMap<String, SortedMap<RepetitionBlock, Double>> values) {
    SortedMap<String, SortedMap<RepetitionBlock, Double>> positive = new TreeMap<>(values);
    positive
        .values()
        .removeIf(row -> row.values().stream().anyMatch(v -> !(v > 0 && Double.isFinite(v))));
    SortedSet<RepetitionBlock> blocks = new TreeSet<>();
    positive.values().forEach(row -> blocks.addAll(row.keySet()));
    List<double[]> logs = new ArrayList<>();
    for (SortedMap<RepetitionBlock, Double> row : positive.values()) {
      logs.add(
          blocks.stream().mapToDouble(b -> Math.log(row.getOrDefault(b, Double.NaN))).toArray());
    }
    return new BlockTable(List.copyOf(positive.keySet()), List.copyOf(blocks), logs);
  }

  /** The table of the blocks that {@code kept} holds for; its engines are the same. */
  BlockTable blocks(Predicate<RepetitionBlock> kept) {
    int[] columns =
        IntStream.range(0, blocks.size()).filter(i -> kept.test(blocks.get(i))).toArray();
    return new BlockTable(
        engines,
        IntStream.of(columns).mapToObj(blocks::get).toList(),
        logs.stream().map(row -> pick(row, columns)).toList());
  }

  /** A table for each execution. */
  private List<BlockTable> executions() {
    return blocks.stream()
        .map(RepetitionBlock::execution)
        .distinct()
        .map(execution -> blocks(block -> block.execution() == execution))
        .toList();
  }

  /** The logarithms of {@code engine}, by execution; empty if it has none. */
  public List<double[]> byExecution(String engine) {
    int row = engines.indexOf(engine);
    return row < 0
        ? List.of()
        : executions().stream()
            .map(execution -> execution.values(row))
            .filter(values -> values.length > 0)
            .toList();
  }

  /** The table whose blocks are executions: the means of their repetitions. */
  public BlockTable byExecution() {
    List<BlockTable> executions = executions();
    List<double[]> means = new ArrayList<>();
    for (int e = 0; e < engines.size(); e++) {
      int row = e;
      means.add(
          executions.stream().mapToDouble(execution -> mean(execution.values(row))).toArray());
    }
    return new BlockTable(
        engines,
        executions.stream()
            .map(execution -> new RepetitionBlock(execution.blocks.get(0).execution(), 0))
            .toList(),
        means);
  }

  /** The logarithms of the engine at {@code engine}, without those that are missing. */
  double[] values(int engine) {
    return Arrays.stream(logs.get(engine)).filter(log -> !Double.isNaN(log)).toArray();
  }

  /** The places of the blocks that both engines have. */
  int[] shared(int one, int other) {
    return IntStream.range(0, blocks.size())
        .filter(b -> !Double.isNaN(logs.get(one)[b]) && !Double.isNaN(logs.get(other)[b]))
        .toArray();
  }

  /** The logarithms of the two and of each other engine that has all of {@code columns}. */
  double[][] complete(int one, int other, int[] columns) {
    List<double[]> rows = new ArrayList<>();
    rows.add(pick(logs.get(one), columns));
    rows.add(pick(logs.get(other), columns));
    for (int e = 0; e < logs.size(); e++) {
      double[] row = pick(logs.get(e), columns);
      if (e != one && e != other && Arrays.stream(row).noneMatch(Double::isNaN)) {
        rows.add(row);
      }
    }
    return rows.toArray(double[][]::new);
  }

  /** The geometric mean of their ratios, over what they share or, if that is nothing, over all. */
  double ratio(int one, int other) {
    int[] shared = shared(one, other);
    double[] first = shared.length == 0 ? values(one) : pick(logs.get(one), shared);
    double[] second = shared.length == 0 ? values(other) : pick(logs.get(other), shared);
    return Math.exp(mean(first) - mean(second));
  }

  /** Whether every engine has a value of every block. */
  public boolean whole() {
    return logs.stream().flatMapToDouble(Arrays::stream).noneMatch(Double::isNaN);
  }

  /**
   * The median of each engine without what the engines of a block have in common, so that one that
   * has more of the slow blocks is none the worse: log value = engine + block + noise, fitted by
   * turns (as by J. W. Tukey, "Exploratory Data Analysis", 1977). A block of one engine alone says
   * nothing of it beside others; an engine that has only such keeps its own median.
   */
  public SortedMap<String, Double> medians() {
    double[] shift = new double[blocks.size()];
    double[] medians = medians(shift);
    for (int turn = 0; turn < TURNS; turn++) {
      for (int b = 0; b < shift.length; b++) {
        int block = b;
        double[] levels = medians;
        double[] above =
            IntStream.range(0, engines.size())
                .mapToDouble(e -> logs.get(e)[block] - levels[e])
                .filter(log -> !Double.isNaN(log))
                .toArray();
        shift[b] = above.length > 1 ? mean(above) : Double.NaN;
      }
      medians = medians(shift);
    }
    SortedMap<String, Double> byEngine = new TreeMap<>();
    for (int e = 0; e < medians.length; e++) {
      byEngine.put(engines.get(e), Math.exp(medians[e]));
    }
    return byEngine;
  }

  private double[] medians(double[] shift) {
    double[] medians = new double[logs.size()];
    for (int e = 0; e < medians.length; e++) {
      double[] row = logs.get(e);
      double[] left =
          IntStream.range(0, row.length)
              .mapToDouble(b -> row[b] - shift[b])
              .filter(log -> !Double.isNaN(log))
              .toArray();
      medians[e] = new Median().evaluate(left.length == 0 ? values(e) : left);
    }
    return medians;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  private static double[] pick(double[] row, int[] columns) {
    return IntStream.of(columns).mapToDouble(b -> row[b]).toArray();
  }
}
