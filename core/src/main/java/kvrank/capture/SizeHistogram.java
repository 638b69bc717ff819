package kvrank.capture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvrank.workload.value.ValueSizes;
import kvrank.workload.value.ValueSizes.Bin;
import kvrank.workload.value.ValueSizes.Spread;

/**
 * The fewest ranges of equally likely lengths whose distribution function is close to a sample's:
 * everywhere within {@value #NEAR}, and in the tail within a tenth of the share that is longer, so
 * that high percentiles and the mean are right, too.
 */
public final class SizeHistogram {

  private static final double NEAR = 0.004;
  private static final double OF_TAIL = 0.1;

  /** The part of a sample's own distance from all values (Kolmogorov, 95 %). */
  private static final double OF_CHANCE = 0.25;

  /** A deviation of this many values needs no bin of its own. */
  private static final double LEAST = 3;

  /** More bins would be hard to read. */
  private static final int MOST_BINS = 40;

  private final int[] sizes;

  /** For each size, the number of values in the sample that are at most as long. */
  private final int[] reached;

  private final int count;
  private final double near;
  private final List<Bin> bins;
  private double tolerance = 1;

  /** The histogram of at least one length, the shortest first. */
  public SizeHistogram(int... sorted) {
    count = sorted.length;
    near = Math.max(NEAR, OF_CHANCE * 1.36 / Math.sqrt(count));
    sizes = Arrays.stream(sorted).distinct().toArray();
    reached = new int[sizes.length];
    int place = 0;
    for (int size : sorted) {
      place += size == sizes[place] ? 0 : 1;
      reached[place]++;
    }
    Arrays.parallelPrefix(reached, Integer::sum);
    List<Bin> found = bins();
    while (found.size() > MOST_BINS) {
      tolerance *= 1.5;
      found = bins();
    }
    bins = found;
  }

  /** Returns a percentile of a sample. */
  public static int percentile(int[] sorted, int percent) {
    return sorted[(int) ((sorted.length - 1L) * percent / 100)];
  }

  /** Returns the mean of some lengths; 0 of none. */
  static double mean(int... lengths) {
    return Arrays.stream(lengths).average().orElse(0);
  }

  /** Returns the histogram. */
  public ValueSizes sizes() {
    return new ValueSizes(Spread.UNIFORM, bins);
  }

  /** Returns the largest distance of its distribution function from the sample's. */
  public double distance() {
    return tolerance * near;
  }

  private List<Bin> bins() {
    List<Bin> ranges = new ArrayList<>();
    for (int first = 0; first < sizes.length; ) {
      int last = first;
      while (last + 1 < sizes.length && near(first, last + 1)) {
        last++;
      }
      ranges.add(new Bin(sizes[first], sizes[last], reached[last] - before(first)));
      first = last + 1;
    }
    return ranges;
  }

  private int before(int place) {
    return place == 0 ? 0 : reached[place - 1];
  }

  /** Returns whether a uniform distribution fits the sizes between two indexes. */
  private boolean near(int first, int last) {
    int below = before(first);
    double slope = (reached[last] - below) / (sizes[last] - sizes[first] + 1.0);
    for (int i = first; i < last; i++) {
      double allowed =
          tolerance * Math.min(near * count, Math.max(LEAST, OF_TAIL * (count - reached[i])));
      double at = below + slope * (sizes[i] - sizes[first] + 1);
      // Up to the next size the sample's function is constant, and the model's rises.
      double next = below + slope * (sizes[i + 1] - sizes[first]);
      if (Math.abs(at - reached[i]) > allowed || Math.abs(next - reached[i]) > allowed) {
        return false;
      }
    }
    return true;
  }
}
