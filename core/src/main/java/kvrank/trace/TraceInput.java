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
 * A recording, read line by line or in pieces of a known length. Messages name the position of a
 * mistake and never quote the input, because a key may be in it.
 */
final class TraceInput implements Closeable {

  private static final int LOOK = 1 << 14;

  /** The longest line or piece: the longest value of Redis, and its key. */
  private static final int LONGEST = (512 << 20) + (1 << 20);

  private static final byte[] GZIP = {0x1f, (byte) 0x8b};
  private static final byte[] UTF_8 = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
  private static final byte[] UTF_16_LE = {(byte) 0xff, (byte) 0xfe};
  private static final byte[] UTF_16_BE = {(byte) 0xfe, (byte) 0xff};
  private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};
  private static final byte[] XZ = {(byte) 0xfd, '7', 'z', 'X', 'Z', 0};
  private static final byte[] ZIP = {'P', 'K', 3, 4};
  private static final byte[] TAR = {'u', 's', 't', 'a', 'r'};
  private static final int TAR_AT = 257;

  private final String name;
  private final InputStream in;

  /** Whether messages name a byte instead of a line. */
  private boolean binary;

  private byte[] text = new byte[1 << 12];
  private int length;
  private long lines;
  private long position;

  /** Bytes that were read and not yet consumed. */
  private final byte[] buffer = new byte[1 << 16];

  private int at;
  private int limit;

  /** Opens a recording, compressed by gzip or not; messages call it {@code name}. */
  static TraceInput open(String name, InputStream stream) throws IOException {
    InputStream in = new BufferedInputStream(stream, LOOK);
    byte[] begin = begin(in);
    refuse(starts(begin, ZSTD), name, "is compressed by zstd", "zstd -dc");
    refuse(starts(begin, XZ), name, "is compressed by xz", "xz -dc");
    refuse(starts(begin, ZIP), name, "is a zip archive", "unzip -p");
    try {
      if (starts(begin, GZIP)) {
        in = new BufferedInputStream(new GZIPInputStream(in, 1 << 16), LOOK);
        begin = begin(in);
      }
    } catch (ZipException | EOFException | StackOverflowError e) {
      // A GZIPInputStream calls itself after an empty member.
      throw new TraceException(
          name + ": byte 0: its gzip data is truncated or damaged; copy the file again");
    }
    boolean tar =
        begin.length > TAR_AT && starts(Arrays.copyOfRange(begin, TAR_AT, begin.length), TAR);
    refuse(tar, name, "is a tar archive", "tar -xOf");
    if (starts(begin, UTF_16_LE) || starts(begin, UTF_16_BE)) {
      throw new TraceException(name + ": is in UTF-16; convert it to UTF-8 with 'iconv'");
    }
    if (starts(begin, UTF_8)) {
      in.skipNBytes(UTF_8.length);
      begin = begin(in);
    }
    if (begin.length == 0) {
      throw new TraceException(name + ": is empty");
    }
    return new TraceInput(name, in, begin[0] == '*' || starts(begin, new byte[] {'#', 'T', 'S'}));
  }

  private static void refuse(boolean is, String name, String what, String unpack)
      throws TraceException {
    if (is) {
      throw new TraceException(
          "%s: %s, which kvrank does not read; use '%s FILE | kvrank trace import FORMAT - -o OUT'"
              .formatted(name, what, unpack));
    }
  }

  private TraceInput(String name, InputStream in, boolean binary) {
    this.name = name;
    this.in = in;
    this.binary = binary;
  }

  private static byte[] begin(InputStream in) throws IOException {
    in.mark(LOOK);
    byte[] begin = in.readNBytes(LOOK);
    in.reset();
    return begin;
  }

  private static boolean starts(byte[] begin, byte... magic) {
    return Arrays.mismatch(begin, magic) == magic.length || Arrays.equals(begin, magic);
  }

  /** Returns the first bytes, as one character each. */
  String beginning() throws IOException {
    return new String(begin(in), StandardCharsets.ISO_8859_1);
  }

  /** Returns the next line without reading it, or its first {@value #LOOK} bytes. */
  String firstLine() throws IOException {
    return beginning().lines().findFirst().orElse("");
  }

  /** Reads the next {@code bytes} bytes; returns false at the end of the input. */
  boolean record(int bytes) throws IOException {
    binary = true;
    length = 0;
    for (int next = read(); next >= 0; next = read()) {
      put(next);
      if (length == bytes) {
        return true;
      }
    }
    if (length > 0) {
      throw problem("ends within a record of %d bytes; copy the file again".formatted(bytes));
    }
    return false;
  }

  /**
   * Reads the next line, which must end with a line break; returns false at the end of the input.
   */
  boolean line() throws IOException {
    length = 0;
    return append();
  }

  /** Appends the next line to the text; throws at the end of the input. */
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
        throw problem(
            "ends without a line break; add it or, if the file is truncated, remove the line");
      }
      put(next);
    }
    if (length > begin && text[length - 1] == '\r') {
      length--;
    }
    return true;
  }

  /** Appends the next {@code bytes} bytes, and skips the line break after them. */
  void piece(long bytes) throws IOException {
    if (bytes < 0 || bytes > LONGEST) {
      throw problem("has an impossible length of a key or value");
    }
    for (long i = 0; i < bytes; i++) {
      put(some());
    }
    if (some() != '\r' || some() != '\n') {
      throw problem("has an argument that is longer or shorter than its stated length");
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
    return problem("ends within a command; if the file is truncated, remove this command");
  }

  private int read() throws IOException {
    if (at == limit) {
      try {
        limit = in.read(buffer);
      } catch (ZipException | EOFException | StackOverflowError e) {
        throw problem("its gzip data is truncated or damaged; copy the file again");
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
        throw problem("is longer than a request can be");
      }
      text = Arrays.copyOf(text, (int) Math.min(LONGEST + 1L, 2L * length));
    }
    text[length++] = (byte) next;
  }

  /** Returns the bytes of the line and of pieces appended to it; valid until the next line. */
  byte[] text() {
    return text;
  }

  /** Returns the number of bytes of the text. */
  int length() {
    return length;
  }

  /** Forgets the line that was read. */
  void forget() {
    length = 0;
  }

  /** Returns a part of the text as a whole number. */
  long number(int from, int to, String what) throws TraceException {
    long number = 0;
    for (int i = from; i < to; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9 || i - from > 17) {
        throw problem(what + " is not a number");
      }
      number = 10 * number + digit;
    }
    if (from >= to) {
      throw problem(what + " is missing");
    }
    return number;
  }

  /** Returns an exception with the position of the last line or byte that was read. */
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
