package kvrank.workload.trace;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;

/**
 * A thread's requests of a replay. A value's version is the number of its request among all
 * threads, from 1; {@link Value#FIRST_VERSION} in a load or a fill.
 */
public final class PartRequests implements Requests {

  private static final Operation[] OPERATIONS = Operation.values();

  private final TraceParts parts;
  private final int thread;
  private final boolean writing;
  private final byte[] block = new byte[TraceParts.BLOCK];
  private final ByteBuffer buffer = ByteBuffer.wrap(block);
  private final long[] ids;
  private final int[] bytes;
  private final Queue<Integer> misses = new ArrayDeque<>();
  private int blocks;
  private int left;
  private int at;
  private int size;
  private Operation operation = Operation.READ;
  private long number;
  private long due;
  private long record;
  private int valueBytes;
  private int seconds;

  /**
   * Reads the requests of {@code thread}.
   *
   * @param writing whether values count as written when their request is read, for later fills
   */
  PartRequests(TraceParts parts, int thread, int batch, boolean writing) {
    this.parts = parts;
    this.thread = thread;
    this.writing = writing;
    this.ids = new long[batch];
    this.bytes = new int[batch];
  }

  @Override
  public boolean next(int atMost) {
    if (!misses.isEmpty()) {
      fill(misses.remove());
      return true;
    }
    int most = Math.min(atMost, ids.length);
    for (size = 0; size < most && advance(); size++) {
      ids[size] = record;
      bytes[size] = valueBytes;
    }
    return size > 0;
  }

  private void fill(int id) {
    operation = Operation.FILL;
    size = 1;
    ids[0] = id;
    bytes[0] = parts.length(id);
    seconds = parts.seconds(id);
  }

  private boolean advance() {
    if (left == 0) {
      if (!parts.read(thread, blocks, buffer)) {
        return false;
      }
      blocks++;
      left = buffer.getInt(0);
      at = Integer.BYTES;
    }
    left--;
    int head = block[at++];
    operation = OPERATIONS[head & ~TraceParts.TTL];
    number += number();
    due += parts.paced() ? number() : 0;
    record = number();
    valueBytes = operation.storesValue() ? (int) number() : 0;
    seconds = (head & TraceParts.TTL) == 0 ? 0 : (int) number();
    if (writing && parts.fills() && operation.storesValue()) {
      parts.wrote((int) record, valueBytes, seconds);
    }
    return true;
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

  /** Returns when the request is due, in nanoseconds after the first; 0 if it is not paced. */
  long due() {
    return due;
  }

  @Override
  public Operation operation() {
    return operation;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long id(int i) {
    return ids[i];
  }

  @Override
  public long version(int i) {
    return parts.load() || compensating() ? Value.FIRST_VERSION : number;
  }

  @Override
  public int bytes(int i) {
    return bytes[i];
  }

  @Override
  public int ttlSeconds(int i) {
    return seconds;
  }

  @Override
  public boolean compensating() {
    return operation == Operation.FILL;
  }

  @Override
  public void missed(long id) {
    if (parts.fills() && parts.length((int) id) > 0) {
      misses.add((int) id);
    }
  }
}
