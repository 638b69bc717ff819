package kvrank.ssdb;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import kvrank.binding.ByteSource;

/**
 * Packets on their way to SSDB: words of {@code <length>\n<bytes>\n} and an empty line. All that is
 * buffered leaves in one write, since SSDB answers a split one after 44 ms.
 */
final class PacketWriter {

  /** Enough for the decimal digits of an int. */
  private static final int LENGTH_DIGITS = 10;

  private final OutputStream out;
  private byte[] buffer = new byte[1 << 12];
  private int size;

  PacketWriter(OutputStream out) {
    this.out = out;
  }

  /** Adds a word to the packet. */
  PacketWriter word(byte[] word) {
    begin(word.length);
    System.arraycopy(word, 0, buffer, size, word.length);
    size += word.length;
    buffer[size++] = '\n';
    return this;
  }

  /** Adds a word to the packet. */
  PacketWriter word(ByteSource word) {
    begin(word.size());
    word.copyTo(buffer, size);
    size += word.size();
    buffer[size++] = '\n';
    return this;
  }

  /** Ends the packet. */
  void end() {
    reserve(1);
    buffer[size++] = '\n';
  }

  /** Writes what is buffered. */
  void flush() throws IOException {
    if (size == 0) {
      return;
    }
    out.write(buffer, 0, size);
    size = 0;
  }

  private void begin(int length) {
    reserve(Math.addExact(length, LENGTH_DIGITS + 2));
    int digits = 1;
    for (int rest = length / 10; rest > 0; rest /= 10) {
      digits++;
    }
    int rest = length;
    for (int i = size + digits - 1; i >= size; i--) {
      buffer[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size += digits;
    buffer[size++] = '\n';
  }

  private void reserve(int more) {
    if (buffer.length - size < more) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, Math.addExact(size, more)));
    }
  }
}
