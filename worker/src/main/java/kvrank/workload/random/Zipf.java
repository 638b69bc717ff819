package kvrank.workload.random;

import java.util.Arrays;

/**
 * Zipf's distribution over the ranks [0, size): rank {@code r} has a probability proportional to
 * {@code (r + 1)^-exponent}, for any exponent above 0 and any size, which may change between draws.
 *
 * <p>Rejection from a staircase (von Neumann, 1951): ranks are cut into blocks, {@value #STEPS} to
 * an octave; a block is drawn with the probability that its first rank would give to all of it, by
 * the alias method (Walker, 1977; Vose, IEEE TSE 17(9), 1991); a rank of the block is drawn
 * uniformly and accepted with the ratio of its density to that of the first. That is exact, takes
 * constant time without a logarithm in 97 of 100 draws, and needs a few blocks per doubling of the
 * size: 300 for a million ranks, 450 for a thousand million.
 */
public final class Zipf {

  private static final int STEPS_LOG = 4;
  private static final int STEPS = 1 << STEPS_LOG;

  private final double exponent;

  /** The number of ranks that the blocks cover. */
  private long covered;

  private int blocks;

  /** The first rank of each block, from 1, and the binary logarithm of their number. */
  private long[] first = {};

  private int[] widthLog = {};

  /** What the least likely rank of each block has of the density of the first. */
  private double[] least = {};

  /** The alias method's table: a place stands for its own block below its threshold, of 2^63. */
  private long[] threshold = {};

  private int[] alias = {};

  public Zipf(double exponent) {
    if (!(exponent > 0)) {
      throw new IllegalArgumentException("exponent is " + exponent + ", not greater than 0");
    }
    this.exponent = exponent;
  }

  /**
   * One rank.
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
      // All ones below the threshold, else zero: a branch here would be a coin toss.
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

  /**
   * Makes the blocks of the ranks up to the first end of a block that is not below {@code size}.
   */
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

  /** Vose's algorithm: places below the mean are filled up by one above it, each by one. */
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
    // What is left is full, but for rounding.
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
