package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * The change points of several lines of values over the same executions, such as the throughputs of
 * engines and phases.
 *
 * <p>A stretch of a line is split where the means on both sides differ most, among all cuts of a
 * set of nested intervals: seeded binary segmentation (S. Kovács, P. Bühlmann, H. Li and A. Munk,
 * Biometrika 110, 2023). A split counts if random orders of the executions rarely have a larger
 * difference anywhere, in any line: the permutation test of the maximum (P. H. Westfall and S. S.
 * Young, "Resampling-Based Multiple Testing", 1993). The parts of a split line are then tested
 * alike. So if nothing changed, a share of at most {@link #LEVEL} of all histories has any change
 * point in any line, whatever the noise, if executions are exchangeable: their noise does not
 * resemble that of their neighbours.
 */
public final class ChangePoints {

  /** The share of histories without a change in which one is found, over all lines. */
  public static final double LEVEL = 0.04;

  /** The fewest executions on each side of a change: one slow execution is not a change. */
  public static final int FEWEST = 2;

  /** The shortest interval below the whole stretch that is searched for a change. */
  private static final int SHORTEST = 10;

  private static final int PERMUTATIONS = 999;

  /** Values further from the median than this many standard deviations count as that far. */
  private static final double FARTHEST = 4;

  /** The standard deviation of normal noise divided by its median absolute deviation. */
  private static final double NORMAL = 1.4826;

  /** The increase of −2 log L that bounds the place of a change with 95 % confidence. */
  private static final double PLACES = -2 * Math.log(1 - Math.sqrt(Estimate.CONFIDENCE));

  /**
   * A change of one line.
   *
   * @param at the index of the first execution after it
   * @param first the earliest index that it may have, with 95 % confidence, and {@code last} the
   *     latest
   * @param size the mean logarithm after it, until the next change, minus that of the stretch
   *     before
   */
  public record Change(int at, int first, int last, PairInference size) {}

  /** A part of a line: the scores of its values, and the index of the execution of each. */
  private static final class Stretch {

    private final int line;
    private final int[] executions;
    private final double[] scores;

    Stretch(int line, double[] logs, int from, int to) {
      this.line = line;
      executions = IntStream.range(from, to).filter(i -> !Double.isNaN(logs[i])).toArray();
      scores = scores(Arrays.stream(executions).mapToDouble(i -> logs[i]).toArray());
    }

    /** Returns the values in standard deviations from their median, outliers limited. */
    private static double[] scores(double[] values) {
      double median = new Median().evaluate(values);
      double[] distances = Arrays.stream(values).map(each -> Math.abs(each - median)).toArray();
      double least = Math.sqrt(BlockAnalysis.RESOLUTION);
      double deviation = Math.max(NORMAL * new Median().evaluate(distances), least);
      double[] scores =
          Arrays.stream(values)
              .map(each -> Math.max(-FARTHEST, Math.min(FARTHEST, (each - median) / deviation)))
              .toArray();
      double mean = BlockAnalysis.mean(scores);
      double scale = Math.sqrt(BlockAnalysis.squares(scores) / scores.length);
      return Arrays.stream(scores).map(each -> scale == 0 ? 0 : (each - mean) / scale).toArray();
    }

    int size() {
      return scores.length;
    }

    /** Returns the scores as if the executions had run in the order of {@code places}. */
    double[] inOrder(int[] order, int[] slots) {
      Arrays.fill(slots, -1);
      for (int i = 0; i < executions.length; i++) {
        slots[executions[i]] = i;
      }
      double[] permuted = new double[scores.length];
      int next = 0;
      for (int execution : order) {
        if (slots[execution] >= 0) {
          permuted[next++] = scores[slots[execution]];
        }
      }
      return permuted;
    }
  }

  /** The best cut of a stretch. */
  private record Cut(int index, double difference) {}

  private ChangePoints() {}

  /**
   * Returns the changes of each line, in order.
   *
   * @param lines for each line the logarithm of its value in each execution; NaN for none
   */
  public static List<List<Change>> of(List<double[]> lines) {
    int n = lines.stream().mapToInt(line -> line.length).max().orElse(0);
    List<TreeSet<Integer>> cuts = new ArrayList<>();
    List<Stretch> open = new ArrayList<>();
    for (int line = 0; line < lines.size(); line++) {
      cuts.add(new TreeSet<>());
      open.add(new Stretch(line, lines.get(line), 0, n));
    }
    // A fixed seed, so that a history has one result.
    SplittableRandom random = new SplittableRandom(n);
    while (!open.isEmpty()) {
      open.removeIf(stretch -> stretch.size() < 2 * FEWEST);
      double bound = bound(open, n, random);
      List<Stretch> parts = new ArrayList<>();
      for (Stretch stretch : open) {
        Cut cut = best(stretch.scores);
        if (cut.difference() > bound) {
          int at = stretch.executions[cut.index()];
          cuts.get(stretch.line).add(at);
          double[] logs = lines.get(stretch.line);
          int last = stretch.executions[stretch.size() - 1] + 1;
          parts.add(new Stretch(stretch.line, logs, stretch.executions[0], at));
          parts.add(new Stretch(stretch.line, logs, at, last));
        }
      }
      open = parts;
    }
    List<List<Change>> changes = new ArrayList<>();
    for (int line = 0; line < lines.size(); line++) {
      changes.add(changes(lines.get(line), cuts.get(line)));
    }
    return changes;
  }

  /** Returns the largest difference that at most the level of the orders exceed. */
  private static double bound(List<Stretch> open, int n, SplittableRandom random) {
    int[] order = IntStream.range(0, n).toArray();
    int[] slots = new int[n];
    double[] largest = new double[PERMUTATIONS];
    for (int draw = 0; draw < largest.length; draw++) {
      for (int i = n - 1; i > 0; i--) {
        int j = random.nextInt(i + 1);
        int swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
      }
      for (Stretch stretch : open) {
        double[] permuted = stretch.inOrder(order, slots);
        largest[draw] = Math.max(largest[draw], best(permuted).difference());
      }
    }
    Arrays.sort(largest);
    return largest[(int) Math.ceil((1 - LEVEL) * (PERMUTATIONS + 1)) - 1];
  }

  /** Returns the cut with the largest standardised difference of means, over all intervals. */
  private static Cut best(double[] scores) {
    int n = scores.length;
    double[] sums = new double[n + 1];
    for (int i = 0; i < n; i++) {
      sums[i + 1] = sums[i] + scores[i];
    }
    Cut best = best(sums, 0, n, new Cut(0, 0));
    for (int length = (n + 1) / 2, count = 3; length >= SHORTEST; length /= 2) {
      for (int i = 0; i < count; i++) {
        int from = (int) Math.round((double) i * (n - length) / (count - 1));
        best = best(sums, from, from + length, best);
      }
      count = 2 * count + 1;
    }
    return best;
  }

  private static Cut best(double[] sums, int from, int to, Cut other) {
    double total = sums[to] - sums[from];
    double n = to - from;
    double most = other.difference() * other.difference();
    int place = -1;
    for (int k = from + FEWEST; k <= to - FEWEST; k++) {
      double before = k - from;
      double excess = sums[k] - sums[from] - total * before / n;
      double square = excess * excess * n / (before * (n - before));
      if (square > most) {
        most = square;
        place = k;
      }
    }
    return place < 0 ? other : new Cut(place, Math.sqrt(most));
  }

  /** Returns the changes at {@code cuts}, each moved to the best place between its neighbours. */
  private static List<Change> changes(double[] logs, SortedSet<Integer> cuts) {
    int[] executions =
        IntStream.range(0, logs.length).filter(i -> !Double.isNaN(logs[i])).toArray();
    double[] values = Arrays.stream(executions).mapToDouble(i -> logs[i]).toArray();
    int[] ends = new int[cuts.size() + 2];
    int next = 1;
    for (int cut : cuts) {
      ends[next++] = Arrays.binarySearch(executions, cut);
    }
    ends[next] = values.length;
    for (int i = 1; i < ends.length - 1; i++) {
      ends[i] = place(values, ends[i - 1], ends[i], ends[i + 1]);
    }
    double squares = 0;
    for (int i = 1; i < ends.length; i++) {
      squares += squares(values, ends[i - 1], ends[i]);
    }
    int degrees = values.length - ends.length + 1;
    double variance = Math.max(squares / Math.max(1, degrees), BlockAnalysis.RESOLUTION);
    List<Change> changes = new ArrayList<>();
    for (int i = 1; i < ends.length - 1; i++) {
      int from = ends[i - 1];
      int to = ends[i + 1];
      int at = ends[i];
      double best = squares(values, from, at) + squares(values, at, to);
      int first = at;
      int last = at;
      for (int k = from + 1; k < to; k++) {
        double other = squares(values, from, k) + squares(values, k, to);
        if (other - best <= PLACES * variance) {
          first = Math.min(first, k);
          last = Math.max(last, k);
        }
      }
      int before = at - from;
      int after = to - at;
      double error = Math.sqrt(variance / before + variance / after);
      double difference =
          BlockAnalysis.mean(Arrays.copyOfRange(values, at, to))
              - BlockAnalysis.mean(Arrays.copyOfRange(values, from, at));
      changes.add(
          new Change(
              executions[at],
              executions[first],
              executions[last],
              new PairInference(
                  difference,
                  Math.min(before, after),
                  PairInference.Basis.EXECUTIONS,
                  List.of(new PairInference.Contrast(error, Math.max(1, degrees), 1)))));
    }
    return changes;
  }

  private static double squares(double[] values, int from, int to) {
    return BlockAnalysis.squares(Arrays.copyOfRange(values, from, to));
  }

  /** Returns the cut with the least squares between two others; {@code cut} if it has no room. */
  private static int place(double[] values, int from, int cut, int to) {
    int best = cut;
    double least = Double.POSITIVE_INFINITY;
    for (int k = from + FEWEST; k <= to - FEWEST; k++) {
      double squares = squares(values, from, k) + squares(values, k, to);
      if (squares < least) {
        least = squares;
        best = k;
      }
    }
    return best;
  }
}
