package kvrank.workload.trace;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import kvrank.workload.request.Operation;

/** Reads the files of {@link TraceWriter}, one request or length after the other. */
public final class TraceReader implements Closeable {

  private final Path path;
  private final TraceHeader header;
  private final RandomAccessFile file;
  private final boolean lengths;
  private final long end;
  private final byte[] block = new byte[TraceWriter.BLOCK + TraceWriter.LONGEST];

  /** The positions of the current block and the next one in the file. */
  private long begin;

  private long next;
  private int at;
  private int limit;
  private int left;
  private long done;
  private long keys;
  private Operation operation;
  private long micros;
  private long gap;
  private long id;
  private int keyBytes;
  private int valueBytes;
  private long ttl;
  private long ttlMillis;
  private Recorded recorded = Recorded.UNKNOWN;
  private boolean existed;

  private TraceReader(Path path, boolean lengths) throws IOException {
    this.path = path;
    this.header = TraceHeader.read(path);
    this.lengths = lengths;
    this.operation = lengths ? Operation.INSERT : Operation.READ;
    this.next = lengths ? header.loads() : TraceHeader.BYTES;
    this.end = lengths ? header.end() : header.loads();
    this.file = new RandomAccessFile(path.toFile(), "r");
    file.seek(next);
  }

  /**
   * Opens the requests of a trace.
   *
   * @throws TraceException if {@code file} is not a trace
   */
  public static TraceReader requests(Path file) throws IOException {
    return new TraceReader(file, false);
  }

  /**
   * Opens the lengths of records before their first write; some records {@link #existed} before.
   *
   * @throws TraceException if {@code file} is not a trace
   */
  public static TraceReader lengths(Path file) throws IOException {
    return new TraceReader(file, true);
  }

  public TraceHeader header() {
    return header;
  }

  /**
   * Moves to the next entry; returns false at the end.
   *
   * @throws TraceException if the file is damaged
   */
  public boolean next() throws IOException {
    if (left == 0 && !fill()) {
      return false;
    }
    left--;
    done++;
    try {
      if (lengths) {
        id += number();
        long length = number();
        valueBytes = (int) (length >>> 1);
        existed = (length & 1) == 1;
      } else {
        request();
      }
    } catch (IndexOutOfBoundsException e) {
      throw damaged("is damaged");
    }
    if (id < 0 || id >= header.keys() || at > limit) {
      throw damaged("is damaged");
    }
    return true;
  }

  private void request() {
    micros += gap;
    int head = block[at++];
    operation = TraceWriter.operation(head & TraceWriter.OPERATION);
    gap = (head & TraceWriter.GAP) == 0 ? 0 : number();
    if ((head & TraceWriter.NEW_KEY) == 0) {
      id = number();
      keyBytes = 0;
    } else {
      id = keys++;
      keyBytes = (int) number();
    }
    valueBytes = operation.storesValue() ? (int) number() : 0;
    recorded = Recorded.UNKNOWN;
    ttlMillis = 0;
    if (operation == Operation.READ) {
      recorded =
          (head & TraceWriter.HIT) != 0
              ? Recorded.HIT
              : (head & TraceWriter.MISS) != 0 ? Recorded.MISS : Recorded.UNKNOWN;
      return;
    }
    if ((head & TraceWriter.TTL) != 0) {
      ttl = number();
    }
    ttlMillis = (head & (TraceWriter.TTL | TraceWriter.SAME_TTL)) == 0 ? 0 : ttl;
  }

  private long number() {
    byte part = block[at++];
    if (part >= 0) {
      return part;
    }
    long value = part & 0x7f;
    for (int shift = 7; ; shift += 7) {
      part = block[at++];
      value |= (long) (part & 0x7f) << shift;
      if (part >= 0) {
        return value;
      }
    }
  }

  /** Reads the next block; returns false at the end. */
  private boolean fill() throws IOException {
    if (at != limit) {
      throw damaged("is damaged");
    }
    begin = next;
    if (begin == end) {
      if (done != (lengths ? header.lengths() : header.requests())) {
        throw damaged("ends after %,d entries, before the last".formatted(done));
      }
      close();
      return false;
    }
    byte[] frame = new byte[TraceWriter.FRAME];
    try {
      file.readFully(frame);
      ByteBuffer numbers = ByteBuffer.wrap(frame);
      limit = numbers.getInt();
      left = numbers.getInt();
      if (limit <= 0 || limit > block.length || left <= 0) {
        throw damaged("is damaged");
      }
      file.readFully(block, 0, limit);
      CRC32C crc = new CRC32C();
      crc.update(block, 0, limit);
      if ((int) crc.getValue() != numbers.getInt()) {
        throw damaged("is damaged");
      }
    } catch (EOFException e) {
      throw damaged("is cut off");
    }
    at = 0;
    next = begin + TraceWriter.FRAME + limit;
    return true;
  }

  private TraceException damaged(String how) {
    return new TraceException(
        "%s: byte %,d: the trace %s here; copy or import it again".formatted(path, begin, how));
  }

  public Operation operation() {
    return operation;
  }

  /** Returns the microseconds since the first request. */
  public long micros() {
    return micros;
  }

  /** Returns the microseconds to the next request. */
  public long gap() {
    return gap;
  }

  public long id() {
    return id;
  }

  /** Returns the length of a new key; 0 if the key is not new. */
  public int keyBytes() {
    return keyBytes;
  }

  public int valueBytes() {
    return valueBytes;
  }

  /** Returns the milliseconds to live of a write; 0 for no limit. */
  public long ttlMillis() {
    return ttlMillis;
  }

  /** Returns the recorded result of a read. */
  public Recorded recorded() {
    return recorded;
  }

  /** Returns whether the record of the current length existed before the trace. */
  public boolean existed() {
    return existed;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
