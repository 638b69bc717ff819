package kvrank.workload;

import java.nio.charset.StandardCharsets;
import kvrank.workload.random.CounterRandom;

/** Fills the bytes that values are cut from. */
final class Pools {

  /** Short against the blocks that engines compress, long against what coding a run costs. */
  private static final int PERIOD = 256;

  /** About what DEFLATE or LZ4 spends on a run of equal bytes. */
  private static final int RUN_COST = 3;

  private static final byte[] ALPHABET =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -"
          .getBytes(StandardCharsets.US_ASCII);

  private Pools() {}

  /** Random bytes, {@code share} of them in runs that a compressor removes. */
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

  /** Characters that need no escape in JSON. */
  static byte[] text(int length, CounterRandom random) {
    byte[] pool = new byte[length];
    for (int i = 0; i < length; i++) {
      pool[i] = ALPHABET[(int) random.nextBelow(ALPHABET.length)];
    }
    return pool;
  }
}
