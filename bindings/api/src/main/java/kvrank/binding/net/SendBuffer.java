package kvrank.binding.net;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import kvrank.binding.ByteSource;

/** Collects requests, to send them in one write. */
public final class SendBuffer {

  private static final int MOST_DIGITS = 10;

  private byte[] bytes = new byte[1 << 12];
  private int size;

  /** Adds an ASCII character. */
  public SendBuffer add(char character) {
    reserve(1);
    bytes[size++] = (byte) character;
    return this;
  }

  /** Adds the decimal digits of {@code length}, which is not negative. */
  public SendBuffer add(int length) {
    reserve(MOST_DIGITS);
    int digits = 1;
    for (int rest = length / 10; rest > 0; rest /= 10) {
      digits++;
    }
    size += digits;
    int rest = length;
    for (int i = 1; i <= digits; i++) {
      bytes[size - i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return this;
  }

  /** Adds bytes. */
  public SendBuffer add(byte[] more) {
    reserve(more.length);
    System.arraycopy(more, 0, bytes, size, more.length);
    size += more.length;
    return this;
  }

  /** Adds bytes. */
  public SendBuffer add(ByteSource more) {
    int length = more.size();
    reserve(length);
    more.copyTo(bytes, size);
    size += length;
    return this;
  }

  /** Adds a carriage return and a line feed. */
  public SendBuffer line() {
    reserve(2);
    bytes[size++] = '\r';
    bytes[size++] = '\n';
    return this;
  }

  int size() {
    return size;
  }

  /** Writes the collected bytes to {@code out} and removes them. */
  public void sendTo(OutputStream out) throws IOException {
    if (size > 0) {
      out.write(bytes, 0, size);
      size = 0;
    }
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, more)));
    }
  }
}
