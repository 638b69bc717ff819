package kvrank.capture;

import java.util.zip.Deflater;

/**
 * The share of values that a compressor removes, in blocks of several values as engines write them.
 */
final class Compressibility {

  private static final int BLOCK = 32 * 1024;

  private final byte[] block = new byte[BLOCK];
  private int length;
  private long plain;
  private long compressed;
  private int values;

  /** Adds a value, or the beginning of one. */
  void add(byte... value) {
    values++;
    for (byte each : value) {
      block[length++] = each;
      if (length == BLOCK) {
        endBlock();
      }
    }
  }

  private void endBlock() {
    Deflater deflater = new Deflater();
    deflater.setInput(block, 0, length);
    deflater.finish();
    byte[] out = new byte[2 * BLOCK];
    while (!deflater.finished()) {
      compressed += deflater.deflate(out);
    }
    deflater.end();
    plain += length;
    length = 0;
  }

  /** Returns how many values were added. */
  int values() {
    return values;
  }

  /** Returns the share, from 0 to under 1, by DEFLATE. */
  double share() {
    if (length > 0) {
      endBlock();
    }
    return plain == 0 ? 0 : Math.min(0.99, Math.max(0, 1 - (double) compressed / plain));
  }
}
