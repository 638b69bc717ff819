package kvrank.stats.change;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import kvrank.stats.RankingIndex;
import kvrank.stats.infer.BlockAnalysis;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.MultipleTesting;
import kvrank.stats.infer.PairInference;
import kvrank.stats.infer.Spread;
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
 * For others, each execution counts by its estimate, and the variance between executions is added
 * to that of the difference (Welch), with Satterthwaite's degrees of freedom. For one or two
 * baselines that variance is stated. Three or more show it, steadied by the stated one ({@link
 * Spread}). If an engine or a phase varies more than all cells together, its own variance counts.
 *
 * <p>Three or more baselines also show how little the cells of a metric differ beside the shift
 * that an execution gives to all of them. So with half of the level each, a cell is tested by
 * itself and relative to the median of all, if at least {@link #QUORUM} of the cells moved with it.
 * If fewer did, nothing tells which of them changed. The relative change counts as far as the cell
 * moved itself: one that stays where it was has not changed because the others did.
 */
final class ChangeTests {

  private static final double DECIDING = 0.04;
  private static final double BELOW_NO_CHANGE = 0.01;

  private static final double HALF = 0.5;

  /** An engine or a phase that varies this many times as much as all cells is tested by itself. */
  private static final double APART = 2;

  /** The fewest cells that can show a common shift. */
  private static final int FEWEST_CELLS = 4;

  /** The share of cells that move with a common shift. */
  private static final double QUORUM = 0.8;

  /** Cells within this many standard errors of the median moved with it. */
  private static final double NEAR = 3;

  /**
   * The values of one cell.
   *
   * @param deciding whether the cell is tested first
   * @param kind cells of the same kind have the same noise between executions
   * @param then the logarithms of each baseline execution, which counts by their mean
   * @param now those of the candidate
   * @param shown the logarithm of the ratio of the values that are shown
   * @param paired the test of two rows of one execution, which needs none of the above
   */
  record Cell(
      String engine,
      String phase,
      boolean deciding,
      String kind,
      List<double[]> then,
      List<double[]> now,
      double shown,
      Optional<PairInference> paired) {

    /** Cells of a family are tested if its deciding cell changed. */
    List<String> family() {
      return List.of(engine, phase);
    }

    /** Returns the groups of cells that may vary alike between executions, the largest first. */
    List<List<String>> groups() {
      return List.of(List.of(kind), List.of(kind, "engine", engine), List.of(kind, "phase", phase));
    }

    boolean testable() {
      return paired.isPresent() || repeated();
    }

    private boolean repeated() {
      return repetitions(now) >= Estimate.FEWEST && repetitions(then) >= Estimate.FEWEST;
    }

    private static int repetitions(List<double[]> executions) {
      return executions.stream().mapToInt(logs -> logs.length).sum();
    }

    double[] executions() {
      return means(then);
    }

    private static double[] means(List<double[]> executions) {
      return executions.stream().mapToDouble(BlockAnalysis::mean).toArray();
    }

    double change() {
      return BlockAnalysis.mean(means(now)) - BlockAnalysis.mean(executions());
    }

    /** Returns the spread of the baselines in this cell. */
    Spread spread() {
      double degrees = then.size() - 1.0;
      return new Spread(BlockAnalysis.squares(executions()) / degrees, degrees);
    }
  }

  /**
   * The shift that the cells of one kind share in the candidate, and the variance of a cell beside
   * it.
   *
   * @param baselines the shifts of the baselines
   */
  private record Common(double shift, List<Double> baselines, double variance, double degrees) {

    /** Returns the shift of {@code cells} of one kind; empty if too few cells moved with it. */
    static Optional<Common> of(List<Cell> cells) {
      int k = cells.stream().mapToInt(cell -> cell.then().size()).max().orElse(0);
      List<Cell> complete = cells.stream().filter(cell -> cell.then().size() == k).toList();
      int m = complete.size();
      if (k < Estimate.FEWEST || m < FEWEST_CELLS) {
        return Optional.empty();
      }
      List<double[]> rows = complete.stream().map(Cell::executions).toList();
      double[] shifts = shifts(rows);
      double total = rows.stream().mapToDouble(BlockAnalysis::squares).sum();
      double[] changes = complete.stream().mapToDouble(Cell::change).toArray();
      double shift = new Median().evaluate(changes);
      double degrees = (k - 1.0) * (m - 1);
      double left = (total - m * BlockAnalysis.squares(shifts)) / degrees;
      // The median of the shift has a variance, too: π/2 divided by the number of cells.
      double variance = Math.max(left, BlockAnalysis.RESOLUTION) * (1 + Math.PI / 2 / m);
      double near = NEAR * Math.sqrt(variance * (1 + 1.0 / k));
      long moved = Arrays.stream(changes).filter(each -> Math.abs(each - shift) <= near).count();
      return moved < QUORUM * m
          ? Optional.empty()
          : Optional.of(
              new Common(shift, Arrays.stream(shifts).boxed().toList(), variance, degrees));
    }

    /** Returns the test of a change relative to the shift; the change is at most the cell's own. */
    PairInference relative(Cell cell) {
      double[] executions = cell.executions();
      int k = executions.length;
      for (int x = 0; k == baselines.size() && x < k; x++) {
        executions[x] -= baselines.get(x);
      }
      double own = BlockAnalysis.squares(executions) / (k - 1);
      double error = Math.sqrt(Math.max(own, variance) * (1 + 1.0 / k));
      double moved = cell.change();
      double relative = moved - shift;
      double least = Math.abs(moved) < Math.abs(relative) ? moved : relative;
      return new PairInference(
          moved * relative <= 0 ? 0 : least,
          k,
          PairInference.Basis.EXECUTIONS,
          List.of(new PairInference.Contrast(error, own > variance ? k - 1.0 : degrees, HALF)));
    }
  }

  /** The test of the candidate against the baselines in one cell. */
  record Tested(PairInference inference, double level) {

    boolean significant() {
      return inference.p() <= level;
    }
  }

  private ChangeTests() {}

  /** Returns the distance of each execution from the others, in the mean of all {@code rows}. */
  private static double[] shifts(List<double[]> rows) {
    double[] shifts = new double[rows.get(0).length];
    for (double[] row : rows) {
      double mean = BlockAnalysis.mean(row);
      for (int x = 0; x < shifts.length; x++) {
        shifts[x] += (row[x] - mean) / rows.size();
      }
    }
    return shifts;
  }

  /** Returns the spread of each kind of {@code earlier} cells; leaves out unknown ones. */
  static Map<String, Spread> spreads(List<Cell> earlier) {
    Map<String, Spread> spreads = new TreeMap<>();
    earlier.stream()
        .collect(groupingBy(Cell::kind))
        .forEach((kind, of) -> spread(of).ifPresent(spread -> spreads.put(kind, spread)));
    return spreads;
  }

  /** Returns the spread of the baselines in cells of one kind; empty if there are too few. */
  private static Optional<Spread> spread(List<Cell> cells) {
    int k = cells.stream().mapToInt(cell -> cell.then().size()).max().orElse(0);
    List<double[]> rows =
        cells.stream().filter(cell -> cell.then().size() == k).map(Cell::executions).toList();
    if (k < Estimate.FEWEST) {
      return Optional.empty();
    }
    int m = rows.size();
    double total = rows.stream().mapToDouble(BlockAnalysis::squares).sum();
    // The common shift has few degrees of freedom, and the rest in the cells has many.
    double common = BlockAnalysis.squares(shifts(rows)) / (k - 1);
    double left = m == 1 ? 0 : (total - m * (k - 1) * common) / (k - 1) / (m - 1);
    double share = left * (m - 1) / m;
    return Optional.of(
        new Spread(
            common + share,
            m == 1
                ? k - 1
                : PairInference.satterthwaite(common, k - 1, share, (k - 1.0) * (m - 1))));
  }

  /**
   * Returns the test of each cell; empty for too few values.
   *
   * @param spreads of fewer than three baselines, by kind of cell
   * @param otherwise the spread of other kinds
   */
  static List<Optional<Tested>> of(
      List<Cell> cells, Map<String, Spread> spreads, Spread otherwise) {
    List<Cell> repeated = cells.stream().filter(Cell::repeated).toList();
    Map<List<String>, List<Cell>> groups = new LinkedHashMap<>();
    for (Cell cell : repeated) {
      cell.groups()
          .forEach(group -> groups.computeIfAbsent(group, key -> new ArrayList<>()).add(cell));
    }
    Map<List<String>, Optional<Spread>> seen = new HashMap<>();
    groups.forEach((group, alike) -> seen.put(group, spread(alike)));
    Map<String, Optional<Common>> common =
        repeated.stream().collect(groupingBy(Cell::kind, collectingAndThen(toList(), Common::of)));
    Map<Integer, PairInference> inferences = new LinkedHashMap<>();
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      if (cell.testable()) {
        Spread stated = spreads.getOrDefault(cell.kind(), otherwise);
        inferences.put(
            i,
            cell.paired()
                .orElseGet(
                    () ->
                        infer(
                            cell,
                            cell.groups().stream()
                                .map(seen::get)
                                .flatMap(Optional::stream)
                                .toList(),
                            stated,
                            common.get(cell.kind())))
                .showing(cell.shown()));
      }
    }
    Map<Integer, Double> levels = levels(cells, inferences);
    return IntStream.range(0, cells.size())
        .mapToObj(
            i -> Optional.ofNullable(inferences.get(i)).map(t -> new Tested(t, levels.get(i))))
        .toList();
  }

  private static PairInference infer(
      Cell cell, List<Spread> seen, Spread stated, Optional<Common> common) {
    int k = cell.then().size();
    double executions = 1 + 1.0 / k;
    PairInference within = BlockAnalysis.independent(cell.now(), cell.then());
    if (k < Estimate.FEWEST || seen.isEmpty()) {
      return stated.widen(within, executions, 1);
    }
    Spread spread =
        seen.stream()
            .map(each -> each.steadied(stated, cell.spread()))
            .max(Comparator.comparingDouble(Spread::variance))
            .orElseThrow();
    if (common.isEmpty() || spread.variance() > APART * seen.get(0).variance()) {
      return spread.widen(within, executions, 1);
    }
    PairInference alone = spread.widen(within, executions, HALF);
    PairInference relative = common.get().relative(cell);
    return relative.p() < alone.p() ? relative : alone;
  }

  private static Map<Integer, Double> levels(
      List<Cell> cells, Map<Integer, PairInference> inferences) {
    List<Integer> deciding =
        inferences.keySet().stream().filter(i -> cells.get(i).deciding()).toList();
    Map<Integer, Double> levels = new TreeMap<>();
    put(levels, deciding, inferences, p -> MultipleTesting.holmLevels(p, DECIDING));
    Set<List<String>> changed =
        deciding.stream()
            .filter(i -> inferences.get(i).p() <= levels.get(i))
            .map(i -> cells.get(i).family())
            .collect(toSet());
    Map<Optional<List<String>>, List<Integer>> below =
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
