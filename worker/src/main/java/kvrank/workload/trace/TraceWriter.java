package kvrank.workload.trace;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueSizes;

/**
 * Writes a trace: a {@link TraceHeader}, the requests, the lengths of records before their first
 * write.
 *
 * <p>Both are in blocks of about 64 KiB: length, number of entries and CRC-32C, 4 bytes each, then
 * the entries. A request is a byte with the operation and flags, then numbers of 7 bits per byte,
 * the lowest first: the microseconds to the next request; the number of the key, or the length of a
 * new one; of a write the length of the value, and its milliseconds to live if they differ from the
 * last. A record of a known length before its first write is the increase of its number, and twice
 * the length of its value, plus 1 if it existed before the trace.
 */
public final class TraceWriter implements Closeable {

  static final int BLOCK = 1 << 16;
  static final int FRAME = 12;

  /** The longest entry in bytes: a byte and five numbers of up to ten bytes. */
  static final int LONGEST = 51;

  static final int OPERATION = 7;
  static final int NEW_KEY = 8;
  static final int GAP = 16;
  static final int SAME_TTL = 32;
  static final int TTL = 64;

  /** Flags of reads. */
  static final int HIT = 32;

  static final int MISS = 64;

  private static final Operation[] OPERATIONS = {
    Operation.READ,
    Operation.INSERT,
    Operation.UPDATE,
    Operation.READ_MODIFY_WRITE,
    Operation.DELETE
  };

  private final RandomAccessFile file;
  private final MessageDigest digest = sha256();
  private final byte[] block = new byte[BLOCK + LONGEST];
  private int at;
  private int count;
  private long requests;
  private long keys;
  private long keyBytes;
  private long ttl;
  private long firstMicros;
  private long loads = -1;
  private long loaded;
  private long lengths;
  private long lastId;

  /** Whether the last request waits for the time of the next one. */
  private boolean pending;

  private Operation operation = Operation.READ;
  private long micros;
  private long id;
  private int lengthOfKey;
  private int lengthOfValue;
  private long ttlMillis;
  private Recorded recorded = Recorded.UNKNOWN;

  public TraceWriter(Path file) throws IOException {
    this.file = new RandomAccessFile(file.toFile(), "rw");
    this.file.setLength(0);
    this.file.write(new byte[TraceHeader.BYTES]);
  }

  static Operation operation(int code) {
    return OPERATIONS[code];
  }

  private static int code(Operation operation) {
    for (int code = 0; code < OPERATIONS.length; code++) {
      if (OPERATIONS[code] == operation) {
        return code;
      }
    }
    throw new IllegalArgumentException(operation + " is not in traces");
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** Adds a request whose result was not recorded. */
  public void request(
      long newMicros,
      Operation newOperation,
      long newId,
      int newKeyBytes,
      int newValueBytes,
      long newTtlMillis)
      throws IOException {
    request(
        newMicros, newOperation, newId, newKeyBytes, newValueBytes, newTtlMillis, Recorded.UNKNOWN);
  }

  /**
   * Adds a request.
   *
   * @param newMicros its time, which must not fall
   * @param newId the number of its key; new keys are numbered from 0
   * @param newKeyBytes the length of a new key
   * @param newValueBytes the length of a written value
   * @param newTtlMillis the time to live of a write; 0 for no limit
   * @param newRecorded the result of a read
   */
  public void request(
      long newMicros,
      Operation newOperation,
      long newId,
      int newKeyBytes,
      int newValueBytes,
      long newTtlMillis,
      Recorded newRecorded)
      throws IOException {
    if (pending) {
      flush(newMicros - micros);
    } else {
      firstMicros = newMicros;
    }
    pending = true;
    micros = newMicros;
    operation = newOperation;
    id = newId;
    lengthOfKey = newKeyBytes;
    lengthOfValue = newValueBytes;
    ttlMillis = newTtlMillis;
    recorded = newRecorded;
  }

  private void flush(long gap) throws IOException {
    boolean fresh = id == keys;
    boolean lives = operation.storesValue() && ttlMillis > 0;
    boolean same = lives && ttlMillis == ttl;
    boolean reads = operation == Operation.READ;
    block[at++] =
        (byte)
            (code(operation)
                | (fresh ? NEW_KEY : 0)
                | (gap > 0 ? GAP : 0)
                | (same ? SAME_TTL : lives ? TTL : 0)
                | (reads && recorded == Recorded.HIT ? HIT : 0)
                | (reads && recorded == Recorded.MISS ? MISS : 0));
    if (gap > 0) {
      number(gap);
    }
    if (fresh) {
      keys++;
      keyBytes += lengthOfKey;
    }
    number(fresh ? lengthOfKey : id);
    if (operation.storesValue()) {
      number(lengthOfValue);
    }
    if (lives && !same) {
      ttl = ttlMillis;
      number(ttl);
    }
    requests++;
    entry();
  }

  /** Adds a record that existed before the trace, after all requests; numbers must rise. */
  public void load(long newId, int valueBytes) throws IOException {
    length(newId, valueBytes, true);
  }

  /**
   * Adds the length of a record before its first write, after all requests; numbers must rise.
   *
   * @param existed whether it existed before the trace
   */
  public void length(long newId, int valueBytes, boolean existed) throws IOException {
    endRequests();
    number(newId - lastId);
    number(2L * valueBytes + (existed ? 1 : 0));
    lastId = newId;
    loaded += existed ? 1 : 0;
    lengths++;
    entry();
  }

  private void endRequests() throws IOException {
    if (loads < 0) {
      if (pending) {
        flush(0);
      }
      write();
      loads = file.getFilePointer();
    }
  }

  /** Completes the file with its header. */
  public void end(String source, boolean timed, ValueSizes sizes) throws IOException {
    endRequests();
    write();
    long end = file.getFilePointer();
    file.seek(0);
    file.write(
        new TraceHeader(
                source,
                timed,
                requests,
                keys,
                loaded,
                lengths,
                requests == 0 ? 0 : micros - firstMicros,
                (double) keyBytes / Math.max(1, keys),
                sizes,
                loads,
                end,
                HexFormat.of().formatHex(digest.digest()))
            .bytes());
  }

  private void number(long value) {
    long rest = value;
    while (rest >= 0x80) {
      block[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    block[at++] = (byte) rest;
  }

  private void entry() throws IOException {
    count++;
    if (at >= BLOCK) {
      write();
    }
  }

  private void write() throws IOException {
    if (count > 0) {
      CRC32C crc = new CRC32C();
      crc.update(block, 0, at);
      byte[] frame =
          ByteBuffer.allocate(FRAME).putInt(at).putInt(count).putInt((int) crc.getValue()).array();
      for (byte[] part : new byte[][] {frame, block}) {
        int length = part == block ? at : FRAME;
        digest.update(part, 0, length);
        file.write(part, 0, length);
      }
      at = 0;
      count = 0;
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
