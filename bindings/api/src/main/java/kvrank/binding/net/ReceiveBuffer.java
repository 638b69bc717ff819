package kvrank.binding.net;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import kvrank.binding.ValueBuffer;

/** What a server answers, however the network cut it. */
public final class ReceiveBuffer {

  private static final int MOST_DIGITS = 19;

  /** As Redis' own proto-max-bulk-len; who announces more wants memory and no reader. */
  private static final int MOST_LENGTH = 512 << 20;

  private static final int MOST_LINE = 1 << 20;

  private final InputStream in;
  private final String protocol;
  private final byte[] bytes = new byte[1 << 14];
  private int position;
  private int end;

  /**
   * A buffer of what comes from {@code in}.
   *
   * @param protocol whose answers these are, for messages
   */
  public ReceiveBuffer(InputStream in, String protocol) {
    this.in = in;
    this.protocol = protocol;
  }

  /** Whether nothing is here that was not read. */
  public boolean isEmpty() {
    return position == end;
  }

  /**
   * Returns the next byte, which stays where it is, waiting for it.
   *
   * @throws EOFException if there is none
   */
  public byte peek() throws IOException {
    if (position == end) {
      end = Math.max(0, in.read(bytes));
      position = 0;
      if (end == 0) {
        throw closed();
      }
    }
    return bytes[position];
  }

  /** Returns the next byte, and passes it. */
  public byte next() throws IOException {
    byte next = peek();
    position++;
    return next;
  }

  /**
   * Returns the decimal number that is the rest of the line, with a sign if it is negative, and
   * passes the line's end, {@code \n} or {@code \r\n}.
   *
   * @throws IOException if the stream ends, or the line is no number of 64 bits
   */
  public long number() throws IOException {
    byte next = next();
    boolean negative = next == '-';
    if (negative) {
      next = next();
    }
    long number = 0;
    for (int digits = 0; digits <= MOST_DIGITS; digits++) {
      if (next == '\r' && digits > 0) {
        next = next();
      }
      if (next == '\n' && digits > 0 && number >= 0) {
        return negative ? -number : number;
      }
      if (next < '0' || next > '9') {
        break;
      }
      number = 10 * number + (next - '0');
      next = next();
    }
    throw other("a number with the byte " + Byte.toUnsignedInt(next));
  }

  /**
   * Returns the {@linkplain #number number} that the line holds, the length of something.
   *
   * @throws IOException if it is none, or negative, or more than 512 MiB
   */
  public int length() throws IOException {
    long length = number();
    if (length < 0 || length > MOST_LENGTH) {
      throw other("a length of " + length);
    }
    return (int) length;
  }

  /**
   * Returns the rest of the line as Latin text and passes its end, {@code \n} or {@code \r\n}.
   *
   * @throws IOException if the stream ends, or the line does not within a MiB
   */
  public String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (byte next = next(); next != '\n'; next = next()) {
      line.append((char) Byte.toUnsignedInt(next));
      if (line.length() > MOST_LINE) {
        throw other("a line of over " + MOST_LINE + " bytes");
      }
    }
    int last = line.length() - 1;
    if (last >= 0 && line.charAt(last) == '\r') {
      line.setLength(last);
    }
    return line.toString();
  }

  /** Returns a block of {@code length} bytes, and passes the end of its line. */
  public byte[] block(int length) throws IOException {
    byte[] block = new byte[length];
    read(block, length);
    return block;
  }

  /** Reads a block of {@code length} bytes into {@code value}, and passes the end of its line. */
  public void block(int length, ValueBuffer value) throws IOException {
    read(value.heap(length), length);
    value.length(length);
  }

  /** Passes the rest of the line; returns whether it is {@code expected}. */
  public boolean lineIs(byte... expected) throws IOException {
    int length = 0;
    boolean same = true;
    for (byte next = next(); next != '\n'; next = next()) {
      if (next != '\r') {
        same &= length < expected.length && next == expected[length];
        length++;
      }
    }
    return same && length == expected.length;
  }

  private void read(byte[] target, int length) throws IOException {
    int buffered = Math.min(length, end - position);
    System.arraycopy(bytes, position, target, 0, buffered);
    position += buffered;
    if (in.readNBytes(target, buffered, length - buffered) < length - buffered) {
      throw closed();
    }
    if (!lineIs()) {
      throw other("a block is longer than it says");
    }
  }

  /** Returns that this is something else than the protocol. */
  public IOException other(String what) {
    return new IOException("not " + protocol + ": " + what);
  }

  private static EOFException closed() {
    return new EOFException("the server closed the connection");
  }
}
