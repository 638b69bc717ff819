package kvrank.workload.value;

import java.util.Arrays;
import java.util.List;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.random.Zipf;

/**
 * The lengths of values, a histogram.
 *
 * @param spread how lengths are chosen in a bin
 * @param bins at least one, in ascending order
 */
public record ValueSizes(Spread spread, List<Bin> bins) {

  /** Sums over more of Zipf's ranks are approximated by integrals. */
  private static final int RANKS = 100_000;

  public ValueSizes {
    bins = List.copyOf(bins);
  }

  /** How lengths are chosen in a bin. */
  public enum Spread {
    UNIFORM,
    /** Zipf's distribution over the lengths, exponent 0.99: mostly small, a few large. */
    ZIPFIAN
  }

  /**
   * Lengths from {@code min} to {@code max} bytes.
   *
   * @param weight the number of such values, as a share of all weights
   */
  public record Bin(int min, int max, int weight) {

    private long lengths() {
      return max - min + 1L;
    }
  }

  public static ValueSizes fixed(int bytes) {
    return between(bytes, bytes, Spread.UNIFORM);
  }

  public static ValueSizes between(int min, int max, Spread spread) {
    return new ValueSizes(spread, List.of(new Bin(min, max, 1)));
  }

  public int min() {
    return bins.get(0).min();
  }

  public int max() {
    return bins.get(bins.size() - 1).max();
  }

  public double mean() {
    double sum = 0;
    double weights = 0;
    for (Bin bin : bins) {
      weights += bin.weight();
      sum += bin.weight() * (bin.min() + meanBeyond(bin.lengths()));
    }
    return sum / weights;
  }

  /** Returns the mean length beyond the shortest of a bin. */
  private double meanBeyond(long lengths) {
    double exponent = KeyChoice.DEFAULT_EXPONENT;
    return switch (spread) {
      case UNIFORM -> (lengths - 1) / 2.0;
      case ZIPFIAN -> powers(lengths, 1 - exponent) / powers(lengths, -exponent) - 1;
    };
  }

  /** Returns the sum of {@code rank^power} over the ranks from 1 to {@code last}. */
  private static double powers(long last, double power) {
    double sum = 0;
    for (double rank = 1; rank <= Math.min(last, RANKS); rank++) {
      sum += Math.pow(rank, power);
    }
    return last <= RANKS
        ? sum
        : sum + (Math.pow(last + 0.5, power + 1) - Math.pow(RANKS + 0.5, power + 1)) / (power + 1);
  }

  interface Lengths {
    int draw(CounterRandom draws);
  }

  /** Returns a generator of lengths, for one thread. */
  Lengths lengths() {
    Lengths[] in = bins.stream().map(this::in).toArray(Lengths[]::new);
    if (in.length == 1) {
      return in[0];
    }
    // The cumulative weights.
    long[] reached = bins.stream().mapToLong(Bin::weight).toArray();
    Arrays.parallelPrefix(reached, Long::sum);
    long weights = reached[reached.length - 1];
    return draws -> {
      int place = Arrays.binarySearch(reached, draws.nextBelow(weights) + 1);
      return in[place < 0 ? -place - 1 : place].draw(draws);
    };
  }

  private Lengths in(Bin bin) {
    int min = bin.min();
    long lengths = bin.lengths();
    if (lengths == 1) {
      return draws -> min;
    }
    Zipf zipf = new Zipf(KeyChoice.DEFAULT_EXPONENT);
    return switch (spread) {
      case UNIFORM -> draws -> min + (int) draws.nextBelow(lengths);
      case ZIPFIAN -> draws -> min + (int) zipf.sample(draws, lengths);
    };
  }
}
