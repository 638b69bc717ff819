package kvrank.workload.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import kvrank.workload.random.CounterRandom;

/**
 * A header of {@value #HEADER} bytes and a slice of the pool. The header is the version's token and
 * the record's number masked with a hash of the token: as random as the rest, and wrong if any byte
 * is. A value that is too small for a header is only a slice.
 */
public final class OpaqueValue extends Value {

  public static final int HEADER = 16;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] header = new byte[HEADER];
  private final byte[] pool;
  private final int places;
  private final boolean stated;
  private int head;
  private int size;
  private int place;

  /**
   * @param stated whether requests state lengths
   */
  public OpaqueValue(
      ValueShape shape,
      ValueSizes.Lengths lengths,
      long key,
      byte[] pool,
      int places,
      boolean stated) {
    super(shape, lengths, key);
    this.stated = stated;
    this.pool = pool;
    this.places = places;
  }

  @Override
  void make(long id, long token) {
    CounterRandom draws = draws(id, token);
    size = drawSize(id, draws);
    place = (int) draws.nextBelow(places);
    head = size < HEADER ? 0 : HEADER;
    LONGS.set(header, 0, token);
    LONGS.set(header, Long.BYTES, id ^ CounterRandom.mix(token + mask(size)));
  }

  /** Binds the header to the length if the version does not decide it. */
  private int mask(int bytes) {
    return stated ? bytes : 0;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void copyTo(byte[] target, int offset) {
    System.arraycopy(header, 0, target, offset, head);
    System.arraycopy(pool, place, target, offset + head, size - head);
  }

  @Override
  public void copyTo(ByteBuffer target) {
    target.put(header, 0, head).put(pool, place, size - head);
  }

  @Override
  public boolean matches(byte[] bytes, int from, int to, long id) {
    if (to - from < HEADER) {
      return false;
    }
    if (stated) {
      state(to - from);
    }
    long token = (long) LONGS.get(bytes, from);
    if (((long) LONGS.get(bytes, from + Long.BYTES) ^ CounterRandom.mix(token + mask(to - from)))
        != id) {
      return false;
    }
    setToken(id, token);
    return head == HEADER
        && to - from == size
        && Arrays.equals(bytes, from + HEADER, to, pool, place, place + size - HEADER);
  }
}
