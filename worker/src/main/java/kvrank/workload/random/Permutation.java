package kvrank.workload.random;

/**
 * A seeded bijection of [0, size), in constant time and memory.
 *
 * <p>Multiplications by an odd number, additions and xor-shifts permute the numbers of {@code
 * ceil(log2(size))} bits; a result out of range is permuted again (cycle walking: Black & Rogaway,
 * CT-RSA 2002), less than twice on average.
 */
public final class Permutation {

  private static final int ROUNDS = 3;

  private final long size;
  private final long mask;
  private final int shift;
  private final long[] factors = new long[ROUNDS];
  private final long[] summands = new long[ROUNDS];
  private final long[] inverses = new long[ROUNDS];

  /**
   * @param size in [1, 2^62]
   * @param key seeds the bijection
   */
  public Permutation(long size, long key) {
    if (size < 1) {
      throw new IllegalArgumentException("size is " + size + ", less than 1");
    }
    this.size = size;
    int bits = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(size - 1));
    this.mask = (1L << bits) - 1;
    this.shift = (bits + 1) / 2;
    for (int round = 0; round < ROUNDS; round++) {
      factors[round] = CounterRandom.at(key, 2L * round) | 1;
      summands[round] = CounterRandom.at(key, 2L * round + 1);
      inverses[round] = inverseOf(factors[round]);
    }
  }

  public long size() {
    return size;
  }

  public long of(long value) {
    long image = value;
    do {
      image = scramble(image);
    } while (image >= size);
    return image;
  }

  /** Returns the value whose image is {@code image}. */
  public long inverse(long image) {
    long value = image;
    do {
      value = restore(value);
    } while (value >= size);
    return value;
  }

  /** A xor-shift by at least half of the bits is its own inverse. */
  private long restore(long image) {
    long x = image;
    for (int round = ROUNDS - 1; round >= 0; round--) {
      x ^= x >>> shift;
      x = (x - summands[round]) * inverses[round] & mask;
    }
    return x;
  }

  /** Returns the inverse of an odd number modulo 2^64, by Newton's iteration. */
  private static long inverseOf(long odd) {
    long inverse = odd;
    for (int correct = 3; correct < Long.SIZE; correct *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  private long scramble(long value) {
    long x = value;
    for (int round = 0; round < ROUNDS; round++) {
      x = (x * factors[round] + summands[round]) & mask;
      x ^= x >>> shift;
    }
    return x;
  }
}
