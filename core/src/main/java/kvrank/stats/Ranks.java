package kvrank.stats;

import java.util.Arrays;

/** Ranks from 1, the smallest value first; equal values share the mean of their ranks. */
final class Ranks {

  private Ranks() {}

  /** Twice the ranks, which are whole numbers. */
  static int[] doubled(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int[] ranks = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      int smaller = 0;
      int equal = 0;
      for (double other : sorted) {
        smaller += other < values[i] ? 1 : 0;
        equal += other == values[i] ? 1 : 0;
      }
      ranks[i] = 2 * smaller + equal + 1;
    }
    return ranks;
  }
}
