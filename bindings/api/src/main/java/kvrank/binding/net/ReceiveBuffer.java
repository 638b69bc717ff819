package kvrank.binding.net;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import kvrank.binding.ValueBuffer;

/** Reads the bytes of a server's answers, in whatever pieces they arrive. */
public final class ReceiveBuffer {

  private static final int MOST_DIGITS = 19;

  /** Redis's default {@code proto-max-bulk-len}, so that a bad length allocates no more. */
  private static final int MOST_LENGTH = 512 << 20;

  private static final int MOST_LINE = 1 << 20;

  private final InputStream in;
  private final String protocol;
  private final byte[] bytes = new byte[1 << 14];
  private int position;
  private int end;

  /**
   * Makes a buffer that reads from {@code in}.
   *
   * @param protocol the name of the protocol, for error messages
   */
  public ReceiveBuffer(InputStream in, String protocol) {
    this.in = in;
    this.protocol = protocol;
  }

  /** Returns whether all bytes that arrived were read. */
  public boolean isEmpty() {
    return position == end;
  }

  /**
   * Waits for the next byte and returns it, without consuming it.
   *
   * @throws EOFException if the server closed the connection
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

  /** Waits for the next byte, consumes it and returns it. */
  public byte next() throws IOException {
    byte next = peek();
    position++;
    return next;
  }

  /**
   * Reads the rest of the line as a decimal number, with a sign if it is negative. A line ends with
   * {@code \n} or {@code \r\n}.
   *
   * @throws IOException if the stream ends, or the line is not a number of 64 bits
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
    throw protocolError("a number with the byte " + Byte.toUnsignedInt(next));
  }

  /**
   * Reads the rest of the line as a length in bytes or a number of elements.
   *
   * @throws IOException if it is not a number, negative, or greater than 2^29
   */
  public int length() throws IOException {
    long length = number();
    if (length < 0 || length > MOST_LENGTH) {
      throw protocolError("a length of " + length);
    }
    return (int) length;
  }

  /**
   * Reads the rest of the line as ISO 8859-1 text.
   *
   * @throws IOException if the stream ends, or the line is longer than 1 MiB
   */
  public String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (byte next = next(); next != '\n'; next = next()) {
      line.append((char) Byte.toUnsignedInt(next));
      if (line.length() > MOST_LINE) {
        throw protocolError("a line of more than " + MOST_LINE + " bytes");
      }
    }
    int last = line.length() - 1;
    if (last >= 0 && line.charAt(last) == '\r') {
      line.setLength(last);
    }
    return line.toString();
  }

  /** Reads a block of {@code length} bytes and the end of its line. */
  public byte[] block(int length) throws IOException {
    byte[] block = new byte[length];
    read(block, length);
    return block;
  }

  /** Reads a block of {@code length} bytes and the end of its line into {@code value}. */
  public void block(int length, ValueBuffer value) throws IOException {
    read(value.heap(length), length);
    value.length(length);
  }

  /** Consumes the rest of the line; returns whether it was {@code expected}. */
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
      throw protocolError("a block that is longer than its length");
    }
  }

  /** Returns an exception for an answer that violates the protocol. */
  public IOException protocolError(String found) {
    return new IOException("not " + protocol + ": " + found);
  }

  private static EOFException closed() {
    return new EOFException("the server closed the connection");
  }
}
