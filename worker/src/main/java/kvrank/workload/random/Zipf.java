package kvrank.workload.random;

import java.util.Arrays;

/**
 * Zipf's distribution over the ranks [0, size): rank {@code r} has a probability proportional to
 * {@code (r + 1)^-exponent}, for any exponent above 0 and any size, which may change between draws.
 *
 * <p>Rejection from a staircase (von Neumann, 1951): ranks are cut into blocks, {@value #STEPS} per
 * octave; the alias method (Walker, 1977; Vose, IEEE TSE 17(9), 1991) draws a block as if all its
 * ranks were as likely as the first; a uniform rank of the block is accepted with the ratio of its
 * density to the first one's. This is exact, takes constant time, avoids a logarithm in 97 of 100
 * draws, and needs 300 blocks for a million ranks.
 */
public final class Zipf {

  private static final int STEPS_LOG = 4;
  private static final int STEPS = 1 << STEPS_LOG;

  private final double exponent;

  private long covered;

  private int blocks;

  /** The first rank of each block, from 1, and the binary logarithm of the block's size. */
  private long[] first = {};

  private int[] widthLog = {};

  /** The ratio of the last rank's density in each block to the first one's. */
  private double[] least = {};

  /** The alias table: a place selects its own block below the threshold, scaled to 2^63. */
  private long[] threshold = {};

  private int[] alias = {};

  public Zipf(double exponent) {
    if (!(exponent > 0)) {
      throw new IllegalArgumentException("exponent is " + exponent + ", not greater than 0");
    }
    this.exponent = exponent;
  }

  /**
   * Returns a rank.
   *
   * @param ranks the number of ranks, in [1, 2^62]
   */
  public long sample(CounterRandom random, long ranks) {
    if (ranks > covered || ranks < covered / 2) {
      cover(ranks);
    }
    while (true) {
      long place = random.nextLong() >>> 1;
      int index = (int) Math.multiplyHigh(place, 2L * blocks);
      // All ones below the threshold, else zero: a branch would be unpredictable.
      int below = (int) (((place * blocks & Long.MAX_VALUE) - threshold[index]) >> (Long.SIZE - 1));
      int block = (index & below) | (alias[index] & ~below);
      long rank = first[block] + (random.nextLong() >>> 1 >>> (Long.SIZE - 1 - widthLog[block]));
      double accepted = random.nextDouble();
      boolean within = accepted < least[block] || accepted < density(rank) / density(first[block]);
      if (within && rank <= ranks) {
        return rank - 1;
      }
    }
  }

  private double density(long rank) {
    return Math.exp(-exponent * Math.log((double) rank));
  }

  /** Creates blocks that cover the ranks up to {@code size}. */
  private void cover(long size) {
    int most = STEPS * (2 + Long.SIZE - Long.numberOfLeadingZeros(size));
    first = new long[most];
    widthLog = new int[most];
    least = new double[most];
    double[] weights = new double[most];
    blocks = 0;
    long next = 1;
    while (next <= size) {
      int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(next);
      int log = Math.max(0, octave - STEPS_LOG);
      long width = 1L << log;
      double top = density(next);
      first[blocks] = next;
      widthLog[blocks] = log;
      least[blocks] = width == 1 ? 1 : density(next + width - 1) / top;
      weights[blocks] = width * top;
      blocks++;
      next += width;
    }
    covered = next - 1;
    makeAliases(Arrays.copyOf(weights, blocks));
  }

  /** Vose's algorithm: each place below the mean is filled up by one above it. */
  private void makeAliases(double[] weights) {
    double mean = Arrays.stream(weights).sum() / blocks;
    threshold = new long[blocks];
    alias = new int[blocks];
    int[] order = new int[blocks];
    int low = 0;
    int high = blocks;
    for (int i = 0; i < blocks; i++) {
      weights[i] /= mean;
      order[weights[i] < 1 ? low++ : --high] = i;
    }
    while (low > 0 && high < blocks) {
      int small = order[--low];
      int large = order[high];
      threshold[small] = (long) (weights[small] * 0x1p63);
      alias[small] = large;
      weights[large] -= 1 - weights[small];
      if (weights[large] < 1) {
        high++;
        order[low++] = large;
      }
    }
    // The remaining places are full, up to rounding.
    while (low > 0) {
      fill(order[--low]);
    }
    while (high < blocks) {
      fill(order[high++]);
    }
  }

  private void fill(int place) {
    threshold[place] = Long.MAX_VALUE;
    alias[place] = place;
  }
}
