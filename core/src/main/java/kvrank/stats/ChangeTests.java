package kvrank.stats;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import kvrank.stats.infer.BlockAnalysis;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.MultipleTesting;
import kvrank.stats.infer.PairInference;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * The tests of a comparison's cells, on logarithms.
 *
 * <p>The few deciding cells ({@link RankingIndex#decisive}) are tested first, by Holm's procedure
 * at 4 %. For each of them that changed, the other cells of its engine and phase are tested at a
 * false discovery rate of 5 %; the cells of all others are tested together at 1 %. So if nothing
 * changed, at most 5 of 100 comparisons report a change.
 *
 * <p>Two rows of one execution are compared by their shared repetitions ({@link BlockAnalysis}).
 * With fewer than three baseline executions, repetitions are compared (Welch), and the variance
 * between executions, measured in earlier ones or stated, is added to that of the difference, with
 * Satterthwaite's degrees of freedom. From three on, executions are the sample, and the candidate
 * is one more. All cells of a metric share the shift of their execution. Three executions tell too
 * little about the size of such shifts, so the shift, its median over the cells, is removed unless
 * Student's test at 1 % finds it larger than the baselines' shifts. The remainders are compared by
 * the residual mean square of all cells, or by the cell's own variance if that is larger.
 */
final class ChangeTests {

  private static final double DECIDING = 0.04;
  private static final double COMMON = 0.01;
  private static final double BELOW_NO_CHANGE = 0.01;

  /** The degrees of freedom of a known variance, beyond which Student's t is normal. */
  private static final double MOST_DEGREES = 1e6;

  /** The fewest cells that can show a common shift. */
  private static final int FEWEST_CELLS = 4;

  /**
   * The values of one cell.
   *
   * @param family engine and phase
   * @param deciding whether the cell is tested first
   * @param kind cells of the same kind have the same noise between executions
   * @param then the logarithms of each baseline execution
   * @param now the logarithms of the candidate
   * @param paired the test of two rows of one execution, which needs none of the above
   */
  record Cell(
      String family,
      boolean deciding,
      String kind,
      List<double[]> then,
      List<Double> now,
      Optional<PairInference> paired) {

    boolean testable() {
      return paired.isPresent() || repeated();
    }

    private boolean repeated() {
      return now.size() >= Estimate.FEWEST
          && then.stream().mapToInt(logs -> logs.length).sum() >= Estimate.FEWEST;
    }

    double[] repetitions() {
      return now.stream().mapToDouble(Double::doubleValue).toArray();
    }

    double[] executions() {
      return then.stream().mapToDouble(BlockAnalysis::mean).toArray();
    }

    double change() {
      return BlockAnalysis.mean(repetitions()) - BlockAnalysis.mean(executions());
    }
  }

  /**
   * The differences between executions in cells of one kind: the common shift of each baseline and,
   * last, of the candidate; and the variance that remains in a cell of a further execution.
   */
  private record Between(List<Double> shifts, double variance, double degrees) {}

  /**
   * The difference between executions of the same: the variance of the logarithm of a value.
   *
   * @param degrees of freedom of the variance; infinite if it is stated
   */
  record Spread(double variance, double degrees) {

    static Spread stated(double deviation) {
      return new Spread(deviation * deviation, Double.POSITIVE_INFINITY);
    }

    /** Returns the spread of the executions in cells of one kind; empty if there are too few. */
    static Optional<Spread> of(List<Cell> cells) {
      int k = cells.stream().mapToInt(cell -> cell.then().size()).max().orElse(0);
      List<double[]> rows =
          cells.stream().filter(cell -> cell.then().size() == k).map(Cell::executions).toList();
      if (k < Estimate.FEWEST) {
        return Optional.empty();
      }
      int m = rows.size();
      double[] shifts = new double[k];
      double total = 0;
      for (double[] row : rows) {
        double mean = BlockAnalysis.mean(row);
        for (int x = 0; x < k; x++) {
          shifts[x] += (row[x] - mean) / m;
        }
        total += BlockAnalysis.squares(row);
      }
      // The common shift has few degrees of freedom, and the rest in the cells has many.
      double common = BlockAnalysis.squares(shifts) / (k - 1);
      double left = m == 1 ? 0 : (total - m * (k - 1) * common) / (k - 1) / (m - 1);
      double share = left * (m - 1) / m;
      return Optional.of(
          new Spread(
              common + share,
              m == 1 ? k - 1 : satterthwaite(common, k - 1, share, (k - 1.0) * (m - 1))));
    }

    /** Returns the test of a difference from the mean of {@code k} such executions. */
    PairInference widen(PairInference within, int k) {
      double between = variance * (1 + 1.0 / k);
      return new PairInference(
          within.difference(),
          within.blocks(),
          within.basis(),
          within.contrasts().stream()
              .map(
                  contrast -> {
                    double own = contrast.error() * contrast.error();
                    return new PairInference.Contrast(
                        Math.sqrt(own + between),
                        satterthwaite(own, contrast.degrees(), between, degrees),
                        contrast.weight());
                  })
              .toList());
    }

    /**
     * Returns the degrees of freedom of a sum of two variances (F. E. Satterthwaite, Biometrics
     * Bulletin 2, 1946).
     */
    private static double satterthwaite(
        double first, double firstDegrees, double second, double secondDegrees) {
      double sum = first + second;
      double squares = first * first / firstDegrees + second * second / secondDegrees;
      return squares == 0 ? MOST_DEGREES : Math.min(MOST_DEGREES, sum * sum / squares);
    }
  }

  /** The test of the candidate against the baselines in one cell. */
  record Tested(PairInference inference, double level) {

    boolean significant() {
      return inference.p() <= level;
    }
  }

  private ChangeTests() {}

  /** Returns the spread of each kind of {@code earlier} cells; leaves out unknown ones. */
  static Map<String, Spread> spreads(List<Cell> earlier) {
    Map<String, Spread> spreads = new TreeMap<>();
    earlier.stream()
        .collect(groupingBy(Cell::kind))
        .forEach((kind, of) -> Spread.of(of).ifPresent(spread -> spreads.put(kind, spread)));
    return spreads;
  }

  /**
   * Returns the test of each cell; empty for too few values.
   *
   * @param spreads of fewer than three baselines, by kind of cell
   * @param otherwise the spread of other kinds
   */
  static List<Optional<Tested>> of(
      List<Cell> cells, Map<String, Spread> spreads, Spread otherwise) {
    Map<String, Optional<Between>> between =
        cells.stream()
            .filter(Cell::repeated)
            .collect(groupingBy(Cell::kind, collectingAndThen(toList(), ChangeTests::between)));
    Map<Integer, PairInference> inferences = new LinkedHashMap<>();
    for (int i = 0; i < cells.size(); i++) {
      if (cells.get(i).testable()) {
        String kind = cells.get(i).kind();
        Spread spread = spreads.getOrDefault(kind, otherwise);
        Cell cell = cells.get(i);
        inferences.put(i, cell.paired().orElseGet(() -> infer(cell, between.get(kind), spread)));
      }
    }
    Map<Integer, Double> levels = levels(cells, inferences);
    return IntStream.range(0, cells.size())
        .mapToObj(
            i -> Optional.ofNullable(inferences.get(i)).map(t -> new Tested(t, levels.get(i))))
        .toList();
  }

  private static PairInference infer(Cell cell, Optional<Between> between, Spread spread) {
    double[] before = cell.then().stream().flatMapToDouble(Arrays::stream).toArray();
    if (between.isEmpty() || cell.then().size() < Estimate.FEWEST) {
      return spread.widen(
          BlockAnalysis.independent(cell.repetitions(), before), cell.then().size());
    }
    Between noise = between.get();
    double[] executions = cell.executions();
    int k = executions.length;
    boolean whole = noise.shifts().size() == k + 1;
    for (int x = 0; whole && x < k; x++) {
      executions[x] -= noise.shifts().get(x);
    }
    double variance = BlockAnalysis.squares(executions) / (k - 1);
    boolean noisier = !whole || variance > noise.variance();
    double error = Math.sqrt((noisier ? variance : noise.variance()) * (1 + 1.0 / k));
    double shift = whole ? noise.shifts().get(k) : 0;
    return new PairInference(
        BlockAnalysis.mean(cell.repetitions()) - shift - BlockAnalysis.mean(executions),
        k,
        PairInference.Basis.EXECUTIONS,
        List.of(
            new PairInference.Contrast(
                Math.max(error, Math.sqrt(BlockAnalysis.RESOLUTION)),
                noisier ? k - 1 : noise.degrees(),
                1)));
  }

  /** Returns the differences between executions; empty if there are too few. */
  private static Optional<Between> between(List<Cell> cells) {
    int k = cells.stream().mapToInt(cell -> cell.then().size()).max().orElse(0);
    if (k < Estimate.FEWEST) {
      return Optional.empty();
    }
    List<Cell> complete = cells.stream().filter(cell -> cell.then().size() == k).toList();
    int m = complete.size();
    double[] shifts = new double[k + 1];
    if (m < FEWEST_CELLS) {
      double total =
          complete.stream().mapToDouble(cell -> BlockAnalysis.squares(cell.executions())).sum();
      return Optional.of(
          new Between(Arrays.stream(shifts).boxed().toList(), total / m / (k - 1), k - 1.0));
    }
    double total = 0;
    for (Cell cell : complete) {
      double[] row = cell.executions();
      double mean = BlockAnalysis.mean(row);
      for (int x = 0; x < k; x++) {
        shifts[x] += (row[x] - mean) / m;
      }
      total += BlockAnalysis.squares(row);
    }
    double squares = BlockAnalysis.squares(Arrays.copyOf(shifts, k));
    double shift = new Median().evaluate(complete.stream().mapToDouble(Cell::change).toArray());
    PairInference.Contrast usual =
        new PairInference.Contrast(Math.sqrt(squares / (k - 1) * (1 + 1.0 / k)), k - 1, 1);
    shifts[k] = usual.p(shift) <= COMMON ? 0 : shift;
    double degrees = (k - 1.0) * (m - 1);
    // The median of the shift has a variance, too: π/2 divided by the number of cells.
    double left = (total - m * squares) / degrees * (1 + Math.PI / 2 / m);
    return Optional.of(new Between(Arrays.stream(shifts).boxed().toList(), left, degrees));
  }

  private static Map<Integer, Double> levels(
      List<Cell> cells, Map<Integer, PairInference> inferences) {
    List<Integer> deciding =
        inferences.keySet().stream().filter(i -> cells.get(i).deciding()).toList();
    Map<Integer, Double> levels = new TreeMap<>();
    boolean shifts = deciding.stream().anyMatch(i -> cells.get(i).then().size() >= Estimate.FEWEST);
    double alpha = shifts ? DECIDING - COMMON : DECIDING;
    put(levels, deciding, inferences, p -> MultipleTesting.holmLevels(p, alpha));
    Set<String> changed =
        deciding.stream()
            .filter(i -> inferences.get(i).p() <= levels.get(i))
            .map(i -> cells.get(i).family())
            .collect(toSet());
    Map<Optional<String>, List<Integer>> below =
        inferences.keySet().stream()
            .filter(i -> !cells.get(i).deciding())
            .collect(groupingBy(i -> Optional.of(cells.get(i).family()).filter(changed::contains)));
    below.forEach(
        (family, places) -> {
          double level = family.isPresent() ? 1 - Estimate.CONFIDENCE : BELOW_NO_CHANGE;
          put(levels, places, inferences, p -> discovery(p, level));
        });
    return levels;
  }

  private static double[] discovery(double[] p, double alpha) {
    double[] levels = new double[p.length];
    Arrays.fill(levels, MultipleTesting.falseDiscoveryLevel(p, alpha));
    return levels;
  }

  private static void put(
      Map<Integer, Double> levels,
      List<Integer> places,
      Map<Integer, PairInference> inferences,
      Function<double[], double[]> correction) {
    double[] corrected =
        correction.apply(places.stream().mapToDouble(i -> inferences.get(i).p()).toArray());
    for (int i = 0; i < corrected.length; i++) {
      levels.put(places.get(i), corrected[i]);
    }
  }
}
