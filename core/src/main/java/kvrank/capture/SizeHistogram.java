package kvrank.capture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvrank.workload.ValueSizes;
import kvrank.workload.ValueSizes.Bin;
import kvrank.workload.ValueSizes.Spread;

/**
 * The fewest ranges of lengths, each with all its lengths alike, whose distribution function stays
 * near to that of a sample: everywhere within {@value #NEAR}, and in the tail within a tenth of
 * what is longer, so that high percentiles and the mean are right, too.
 */
final class SizeHistogram {

  private static final double NEAR = 0.004;
  private static final double OF_TAIL = 0.1;

  /** So many of the sample are none that a bin is made for. */
  private static final double LEAST = 3;

  /** More rows than a reader takes in. */
  private static final int MOST_BINS = 40;

  private final int[] sizes;

  /** How many of the sample are at most so long. */
  private final int[] reached;

  private final int count;

  /**
   * A sample.
   *
   * @param sorted lengths, the shortest first
   */
  private SizeHistogram(int... sorted) {
    count = sorted.length;
    sizes = Arrays.stream(sorted).distinct().toArray();
    reached = new int[sizes.length];
    int place = 0;
    for (int i = 0; i < sizes.length; i++) {
      while (place < count && sorted[place] == sizes[i]) {
        place++;
      }
      reached[i] = place;
    }
  }

  /**
   * Returns the histogram of a sample.
   *
   * @param sorted at least one length, the shortest first
   */
  static ValueSizes of(int... sorted) {
    SizeHistogram sample = new SizeHistogram(sorted);
    List<Bin> bins = sample.bins(1);
    for (double tolerance = 1.5; bins.size() > MOST_BINS; tolerance *= 1.5) {
      bins = sample.bins(tolerance);
    }
    return new ValueSizes(Spread.UNIFORM, bins);
  }

  private List<Bin> bins(double tolerance) {
    List<Bin> bins = new ArrayList<>();
    for (int first = 0; first < sizes.length; ) {
      // The last size that fits, by steps that double and then halve.
      int last = first;
      int step = 1;
      while (last + step < sizes.length && near(first, last + step, tolerance)) {
        last += step;
        step *= 2;
      }
      for (; step > 0; step /= 2) {
        if (last + step < sizes.length && near(first, last + step, tolerance)) {
          last += step;
        }
      }
      bins.add(new Bin(sizes[first], sizes[last], reached[last] - before(first)));
      first = last + 1;
    }
    return bins;
  }

  private int before(int place) {
    return place == 0 ? 0 : reached[place - 1];
  }

  /** Returns whether the sizes between two places may be taken for alike. */
  private boolean near(int first, int last, double tolerance) {
    int below = before(first);
    double slope = (reached[last] - below) / (sizes[last] - sizes[first] + 1.0);
    for (int i = first; i < last; i++) {
      double allowed =
          tolerance * Math.min(NEAR * count, Math.max(LEAST, OF_TAIL * (count - reached[i])));
      double at = below + slope * (sizes[i] - sizes[first] + 1);
      // Up to the next size the function stands still, and the model rises.
      double next = below + slope * (sizes[i + 1] - sizes[first]);
      if (Math.abs(at - reached[i]) > allowed || Math.abs(next - reached[i]) > allowed) {
        return false;
      }
    }
    return true;
  }

  /** Returns Kolmogorov's distance between a sample and a histogram. */
  static double distance(ValueSizes histogram, int... sorted) {
    SizeHistogram sample = new SizeHistogram(sorted);
    double most = 0;
    for (int i = 0; i < sample.sizes.length; i++) {
      double here = share(histogram, sample.sizes[i]);
      double below = share(histogram, sample.sizes[i] - 1);
      most = Math.max(most, Math.abs(here - (double) sample.reached[i] / sample.count));
      most = Math.max(most, Math.abs(below - (double) sample.before(i) / sample.count));
    }
    return most;
  }

  /** Returns the share of a histogram that is at most so long. */
  private static double share(ValueSizes histogram, int bytes) {
    double all = 0;
    double within = 0;
    for (Bin bin : histogram.bins()) {
      double share = (bytes - bin.min() + 1.0) / (bin.max() - bin.min() + 1.0);
      within += bin.weight() * Math.min(1, Math.max(0, share));
      all += bin.weight();
    }
    return within / all;
  }
}
