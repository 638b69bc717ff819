package kvrank.capture;

import java.io.ByteArrayOutputStream;
import java.util.zip.Deflater;

/** The share of bytes that DEFLATE removes, from blocks of several values as engines write them. */
final class Compressibility {

  private static final int BLOCK = 32 * 1024;

  private final ByteArrayOutputStream block = new ByteArrayOutputStream();
  private long plain;
  private long compressed;
  private int values;

  /** Adds a value, or the beginning of one. */
  void add(byte... value) {
    values++;
    block.writeBytes(value);
    if (block.size() >= BLOCK) {
      endBlock();
    }
  }

  private void endBlock() {
    Deflater deflater = new Deflater();
    deflater.setInput(block.toByteArray());
    deflater.finish();
    compressed += deflater.deflate(new byte[2 * block.size() + 100]);
    deflater.end();
    plain += block.size();
    block.reset();
  }

  /** Returns the number of values that were added. */
  int values() {
    return values;
  }

  /** Returns the share, from 0 to under 1. */
  double share() {
    if (block.size() > 0) {
      endBlock();
    }
    return plain == 0 ? 0 : Math.min(0.99, Math.max(0, 1 - (double) compressed / plain));
  }
}
