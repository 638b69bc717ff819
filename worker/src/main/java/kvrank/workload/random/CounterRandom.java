package kvrank.workload.random;

/**
 * Random numbers as a pure function of a key, a position and the number of draws since {@link
 * #seek}, so the draws of one operation do not depend on others. SplitMix64 (Steele, Lea & Flood,
 * OOPSLA 2014) with Stafford's variant 13 as its mixer.
 */
public final class CounterRandom {

  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private final long key;
  private long state;

  public CounterRandom(long key) {
    this.key = key;
  }

  /** A bijection of the 64-bit numbers that spreads every bit over all of them. */
  public static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Returns the number at {@code position} of the sequence of {@code key}. */
  public static long at(long key, long position) {
    return mix(key + position * GAMMA);
  }

  /** Returns a key for one purpose under {@code seed}. */
  public static long key(long seed, Purpose purpose, long detail) {
    return at(at(mix(seed + GAMMA), purpose.number), detail);
  }

  /** Purposes of random numbers; those of different purposes are independent. */
  public enum Purpose {
    PHASE(1),
    OPERATION(2),
    KEY(3),
    SCATTER(4),
    ORDER(5),
    DELETE(6),
    VERSION(7),
    VALUE(8),
    POOL(9),
    ARRIVAL(10),
    KILL(11),
    SCAN(12);

    private final long number;

    Purpose(long number) {
      this.number = number;
    }
  }

  public void seek(long position) {
    state = at(key, position);
  }

  public void seek(long first, long second) {
    state = at(at(key, first), second);
  }

  public long nextLong() {
    state += GAMMA;
    return mix(state);
  }

  /** Returns a number, uniform over the multiples of 2^-53 in [0, 1). */
  public double nextDouble() {
    return (nextLong() >>> 11) * 0x1p-53;
  }

  /**
   * Returns a uniform number in [0, bound) by multiplication (Lemire, TOMACS 2019), without
   * rejection: probabilities differ by at most the ratio {@code bound / 2^63}.
   *
   * @param bound in [1, 2^62]
   */
  public long nextBelow(long bound) {
    return Math.multiplyHigh(nextLong() >>> 1, bound << 1);
  }
}
