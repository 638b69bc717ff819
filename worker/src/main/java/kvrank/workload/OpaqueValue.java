package kvrank.workload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A value that is a header of {@value #HEADER} bytes, the record's number and the version, and a
 * slice of the pool. Too small for a header, it is a slice alone.
 */
final class OpaqueValue extends Value {

  static final int HEADER = 16;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] header = new byte[HEADER];
  private final byte[] pool;
  private final int places;
  private int head;
  private int size;
  private int place;

  OpaqueValue(ValueShape shape, long key, byte[] pool, int places) {
    super(shape, key);
    this.pool = pool;
    this.places = places;
  }

  @Override
  public void set(long id, long version) {
    CounterRandom draws = draws(id, version);
    size = drawSize(draws);
    place = (int) draws.nextBelow(places);
    head = size < HEADER ? 0 : HEADER;
    LONGS.set(header, 0, id);
    LONGS.set(header, Long.BYTES, version);
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public byte at(int index) {
    return index < head ? header[index] : pool[place + index - head];
  }

  @Override
  public void copy(int from, byte[] target, int offset, int length) {
    int ofHead = Math.max(0, Math.min(length, head - from));
    System.arraycopy(header, Math.min(from, head), target, offset, ofHead);
    int start = place + Math.max(0, from - head);
    System.arraycopy(pool, start, target, offset + ofHead, length - ofHead);
  }

  @Override
  public boolean matches(byte[] read, long id) {
    if (read.length < HEADER || (long) LONGS.get(read, 0) != id) {
      return false;
    }
    set(id, (long) LONGS.get(read, Long.BYTES));
    return head == HEADER
        && read.length == size
        && Arrays.equals(read, HEADER, size, pool, place, place + size - HEADER);
  }
}
