package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The natural logarithms of one metric by engine and block: noise is proportional to the value, and
 * comparisons are about ratios.
 *
 * @param logs by engine and block; NaN without a value
 */
public record BlockTable(List<String> engines, List<RepetitionBlock> blocks, List<double[]> logs) {

  /** How far logarithms of the same numbers differ by rounding; noise is far larger. */
  private static final double ROUNDING = 1e-11;

  /**
   * Returns the table of {@code values}, which are by engine and block. It leaves out engines with
   * a value that has no logarithm, as they have no ratios.
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

  /** Returns the table of the blocks that match {@code kept}, with the same engines. */
  BlockTable blocks(Predicate<RepetitionBlock> kept) {
    return columns(
        IntStream.range(0, blocks.size()).filter(i -> kept.test(blocks.get(i))).toArray());
  }

  /** Returns the table of the blocks that two or more of {@code rows} share. */
  BlockTable sharedBy(int[] rows) {
    return columns(
        IntStream.range(0, blocks.size())
            .filter(b -> IntStream.of(rows).filter(e -> !Double.isNaN(logs.get(e)[b])).count() > 1)
            .toArray());
  }

  private BlockTable columns(int[] columns) {
    return new BlockTable(
        engines,
        IntStream.of(columns).mapToObj(blocks::get).toList(),
        logs.stream().map(row -> pick(row, columns)).toList());
  }

  /** Returns the places of the blocks of each execution. */
  private SortedMap<Integer, int[]> executions() {
    SortedMap<Integer, IntStream.Builder> places = new TreeMap<>();
    for (int b = 0; b < blocks.size(); b++) {
      places.computeIfAbsent(blocks.get(b).execution(), any -> IntStream.builder()).add(b);
    }
    SortedMap<Integer, int[]> executions = new TreeMap<>();
    places.forEach((execution, own) -> executions.put(execution, own.build().toArray()));
    return executions;
  }

  /** Returns the logarithms of a row, by execution; none for executions without any. */
  List<double[]> byExecution(int row) {
    return executions().values().stream()
        .map(own -> DoubleStream.of(pick(logs.get(row), own)).filter(log -> !Double.isNaN(log)))
        .map(DoubleStream::toArray)
        .filter(values -> values.length > 0)
        .toList();
  }

  /**
   * Returns the table of executions, of which {@code estimates} returns the value of each row. It
   * is called once for each execution, with its blocks.
   */
  BlockTable byExecution(Function<BlockTable, double[]> estimates) {
    SortedMap<Integer, int[]> executions = executions();
    List<double[]> columns =
        executions.values().stream().map(own -> estimates.apply(columns(own))).toList();
    return new BlockTable(
        engines,
        executions.keySet().stream().map(each -> new RepetitionBlock(each, 0)).toList(),
        IntStream.range(0, engines.size())
            .mapToObj(row -> columns.stream().mapToDouble(column -> column[row]).toArray())
            .toList());
  }

  /** Returns the logarithms of a row, without gaps. */
  double[] values(int row) {
    return Arrays.stream(logs.get(row)).filter(log -> !Double.isNaN(log)).toArray();
  }

  /** Returns the indexes of the blocks that both rows have. */
  int[] shared(int row, int otherRow) {
    return IntStream.range(0, blocks.size())
        .filter(b -> !Double.isNaN(logs.get(row)[b]) && !Double.isNaN(logs.get(otherRow)[b]))
        .toArray();
  }

  /**
   * Returns 1 if these are the values of {@code other} times a constant, -1 if they are a constant
   * divided by them, such as the times of loads and their throughputs, and 0 otherwise. Fewer than
   * two engines have no ratio, so it is 0 for them.
   */
  public int powerOf(BlockTable other) {
    boolean alike =
        engines.size() > 1
            && engines.size() == other.engines.size()
            && blocks.size() == other.blocks.size();
    int power = !alike ? 0 : hasShift(other, 1) ? 1 : hasShift(other, -1) ? -1 : 0;
    return engines.equals(other.engines) && blocks.equals(other.blocks) ? power : 0;
  }

  private boolean hasShift(BlockTable other, int power) {
    double shift = Double.NaN;
    for (int e = 0; e < logs.size(); e++) {
      for (int b = 0; b < blocks.size(); b++) {
        double own = logs.get(e)[b];
        double its = other.logs.get(e)[b];
        if (!Double.isNaN(own) || !Double.isNaN(its)) {
          double difference = own - power * its;
          shift = Double.isNaN(shift) ? difference : shift;
          if (!(Math.abs(difference - shift) <= ROUNDING)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /** Returns the logarithm of the constant of {@link #powerOf}, as the values of a row show it. */
  double shift(BlockTable other, int power, int row) {
    return IntStream.of(shared(row, row))
        .mapToDouble(b -> logs.get(row)[b] - power * other.logs.get(row)[b])
        .average()
        .orElse(Double.NaN);
  }

  private static double[] pick(double[] row, int[] columns) {
    return IntStream.of(columns).mapToDouble(b -> row[b]).toArray();
  }
}
