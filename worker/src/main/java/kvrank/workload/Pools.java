package kvrank.workload;

import java.nio.charset.StandardCharsets;
import kvrank.workload.random.CounterRandom;

/** Creates the bytes that values are cut from. */
final class Pools {

  /** Shorter than the blocks that engines compress, but much longer than the encoding of a run. */
  private static final int PERIOD = 256;

  /** About the cost of a run of equal bytes in DEFLATE or LZ4, in bytes. */
  private static final int RUN_COST = 3;

  private static final byte[] ALPHABET =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -"
          .getBytes(StandardCharsets.US_ASCII);

  private Pools() {}

  /** Returns random bytes, {@code share} of them in compressible runs. */
  static byte[] bytes(int length, double share, CounterRandom random) {
    byte[] pool = new byte[length];
    int run = share == 0 ? 0 : (int) Math.min(PERIOD, Math.round(share * PERIOD) + RUN_COST);
    byte repeated = 0;
    long bits = 0;
    for (int i = 0; i < length; i++) {
      if ((i & 7) == 0) {
        bits = random.nextLong();
      }
      int phase = i % PERIOD;
      if (phase == 0) {
        repeated = (byte) bits;
      }
      pool[i] = phase < run ? repeated : (byte) bits;
      bits >>>= 8;
    }
    return pool;
  }

  /** Returns characters that JSON does not escape. */
  static byte[] text(int length, CounterRandom random) {
    byte[] pool = new byte[length];
    for (int i = 0; i < length; i++) {
      pool[i] = ALPHABET[(int) random.nextBelow(ALPHABET.length)];
    }
    return pool;
  }
}
