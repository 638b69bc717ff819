package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * E-divisive, the method that {@link ChangePoints} is compared with: a stretch is split where the
 * energy distance of both sides is largest, and random orders decide whether that split counts (D.
 * S. Matteson and N. A. James, Journal of the American Statistical Association 109, 2014). Apache
 * Otava and MongoDB's tests are built on it.
 */
final class EnergyDivisive {

  private static final int PERMUTATIONS = 199;

  private record Cut(int index, double distance) {}

  private final double[] values;
  private final double level;
  private final SplittableRandom random;

  private EnergyDivisive(double[] values, double level, SplittableRandom random) {
    this.values = values;
    this.level = level;
    this.random = random;
  }

  /** Returns the places of the changes of each line, with the level divided by their number. */
  static List<List<Integer>> of(List<double[]> history, SplittableRandom random) {
    double level = ChangePoints.LEVEL / history.size();
    return history.stream().map(line -> new EnergyDivisive(line, level, random).changes()).toList();
  }

  private List<Integer> changes() {
    SortedSet<Integer> ends = new TreeSet<>(List.of(0, values.length));
    while (true) {
      Cut best = best(ends, values);
      if (best.index() < 0) {
        break;
      }
      int more = 0;
      for (int i = 0; i < PERMUTATIONS; i++) {
        more += best(ends, shuffled(ends)).distance() >= best.distance() ? 1 : 0;
      }
      if ((1.0 + more) / (1 + PERMUTATIONS) > level) {
        break;
      }
      ends.add(best.index());
    }
    ends.remove(0);
    ends.remove(values.length);
    return new ArrayList<>(ends);
  }

  private double[] shuffled(SortedSet<Integer> ends) {
    double[] order = values.clone();
    int from = 0;
    for (int to : ends) {
      for (int i = to - 1; i > from; i--) {
        int other = random.nextInt(from, i + 1);
        double value = order[i];
        order[i] = order[other];
        order[other] = value;
      }
      from = to;
    }
    return order;
  }

  private static Cut best(SortedSet<Integer> ends, double[] line) {
    Cut best = new Cut(-1, 0);
    int from = 0;
    for (int to : ends) {
      Cut cut = best(line, from, to);
      best = cut.distance() > best.distance() ? cut : best;
      from = to;
    }
    return best;
  }

  /** Returns the cut of a stretch with the largest scaled energy distance. */
  private static Cut best(double[] line, int from, int to) {
    int n = to - from;
    double[] before = new double[n + 1];
    double[] after = new double[n + 1];
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < i; j++) {
        sum += Math.abs(line[from + i] - line[from + j]);
      }
      before[i + 1] = before[i] + sum;
    }
    for (int i = n - 1; i >= 0; i--) {
      double sum = 0;
      for (int j = i + 1; j < n; j++) {
        sum += Math.abs(line[from + i] - line[from + j]);
      }
      after[i] = after[i + 1] + sum;
    }
    Cut best = new Cut(-1, 0);
    for (int cut = ChangePoints.FEWEST; cut <= n - ChangePoints.FEWEST; cut++) {
      double left = cut;
      double right = n - cut;
      double between = before[n] - before[cut] - after[cut];
      double distance =
          2 * between / (left * right)
              - 2 * before[cut] / (left * (left - 1))
              - 2 * after[cut] / (right * (right - 1));
      double scaled = distance * left * right / n;
      best = scaled > best.distance() ? new Cut(from + cut, scaled) : best;
    }
    return best;
  }
}
