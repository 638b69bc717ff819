package kvrank.trace;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import kvrank.workload.trace.TraceException;

/**
 * What was recorded, line by line or in pieces whose length is known. What is wrong with it is said
 * with the place and never repeated, as a key may be in it.
 */
final class TraceInput implements Closeable {

  private static final int LOOK = 4096;

  /** A line or a piece may be as long as the longest value of Redis, and its key. */
  private static final int LONGEST = (512 << 20) + (1 << 20);

  private static final byte[] GZIP = {0x1f, (byte) 0x8b};
  private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};

  private final String name;
  private final InputStream in;
  private final boolean binary;
  private byte[] text = new byte[1 << 12];
  private int length;
  private long lines;
  private long position;

  /** What was read and not yet asked for. */
  private final byte[] buffer = new byte[1 << 16];

  private int at;
  private int limit;

  /** Opens what was recorded, compressed by gzip or not, under the name that messages call it. */
  static TraceInput open(String name, InputStream stream) throws IOException {
    InputStream in = new BufferedInputStream(stream, LOOK);
    byte[] begin = begin(in);
    if (starts(begin, ZSTD)) {
      throw new TraceException(
          name
              + ": is compressed by zstd, which is not read here; 'zstd -dc FILE | kvrank trace"
              + " import FORMAT - -o OUT' reads it");
    }
    try {
      if (starts(begin, GZIP)) {
        in = new BufferedInputStream(new GZIPInputStream(in, 1 << 16), LOOK);
        begin = begin(in);
      }
    } catch (ZipException | EOFException e) {
      throw new TraceException(
          name + ": byte 0: ends within what gzip compressed, or is damaged; copy it again");
    }
    if (begin.length == 0) {
      throw new TraceException(name + ": is empty");
    }
    return new TraceInput(name, in, begin[0] == '*' || starts(begin, new byte[] {'#', 'T', 'S'}));
  }

  private TraceInput(String name, InputStream in, boolean binary) {
    this.name = name;
    this.in = in;
    this.binary = binary;
  }

  private static byte[] begin(InputStream in) throws IOException {
    in.mark(LOOK);
    byte[] begin = in.readNBytes(LOOK / 4);
    in.reset();
    return begin;
  }

  private static boolean starts(byte[] begin, byte... magic) {
    return Arrays.mismatch(begin, magic) == magic.length || Arrays.equals(begin, magic);
  }

  /** Returns how it begins, as characters of a byte each. */
  String beginning() throws IOException {
    return new String(begin(in), StandardCharsets.ISO_8859_1);
  }

  /** Reads the next line, whose end must be there; returns false if there is none. */
  boolean line() throws IOException {
    length = 0;
    return append();
  }

  /** Reads a further line after the text, which has to be there. */
  void more() throws IOException {
    if (!append()) {
      throw cut();
    }
  }

  private boolean append() throws IOException {
    int begin = length;
    int next = read();
    if (next < 0) {
      return false;
    }
    lines++;
    for (; next != '\n'; next = read()) {
      if (next < 0) {
        throw problem("ends without a line break, as a truncated file does; cut this line off");
      }
      put(next);
    }
    if (length > begin && text[length - 1] == '\r') {
      length--;
    }
    return true;
  }

  /** Reads the next {@code bytes} bytes and a line break, after the line. */
  void piece(long bytes) throws IOException {
    if (bytes < 0 || bytes > LONGEST) {
      throw problem("has a length that no key and no value has");
    }
    for (long i = 0; i < bytes; i++) {
      put(some());
    }
    if (some() != '\r' || some() != '\n') {
      throw problem("has an argument that is longer or shorter than it says");
    }
  }

  private int some() throws IOException {
    int next = read();
    if (next < 0) {
      throw cut();
    }
    return next;
  }

  private TraceException cut() {
    return problem("ends within a command, as a truncated file does; cut it off before it");
  }

  private int read() throws IOException {
    if (at == limit) {
      try {
        limit = in.read(buffer);
      } catch (ZipException | EOFException e) {
        throw problem("ends within what gzip compressed, or is damaged; copy it again");
      }
      at = 0;
      if (limit <= 0) {
        limit = 0;
        return -1;
      }
    }
    position++;
    return buffer[at++] & 0xff;
  }

  private void put(int next) throws IOException {
    if (length == text.length) {
      if (length > LONGEST) {
        throw problem("is longer than any request");
      }
      text = Arrays.copyOf(text, (int) Math.min(LONGEST + 1L, 2L * length));
    }
    text[length++] = (byte) next;
  }

  /** Returns the bytes of the line, and of what was read after it; good until the next one. */
  byte[] text() {
    return text;
  }

  /** Returns how many bytes these are. */
  int length() {
    return length;
  }

  /** Forgets the line that was read. */
  void forget() {
    length = 0;
  }

  /** Returns the whole number that a part of the text is. */
  long number(int from, int to, String what) throws TraceException {
    long number = 0;
    for (int i = from; i < to; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9 || i - from > 17) {
        throw problem(what + " is no number");
      }
      number = 10 * number + digit;
    }
    if (from >= to) {
      throw problem(what + " is missing");
    }
    return number;
  }

  /** Returns that something is wrong at the line, or the byte, that was read last. */
  TraceException problem(String what) {
    return new TraceException(
        binary
            ? "%s: byte %,d: %s".formatted(name, position, what)
            : "%s:%d: %s".formatted(name, Math.max(1, lines), what));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
