package kvrank.workload.value;

import java.util.Arrays;
import kvrank.binding.ByteSource;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.request.Requests;

/**
 * The value of one version of one record, reusable for the next. Size and every byte are a pure
 * function of the seed, the record's number and the version, so a value that was read can be
 * checked. Each thread needs its own.
 */
public abstract sealed class Value implements ByteSource permits OpaqueValue, JsonValue {

  /** The version of a record as it is loaded. */
  public static final long FIRST_VERSION = 0;

  private static final int DRAWN = -1;

  private final long key;
  private final CounterRandom random;
  private final ValueSizes.Lengths lengths;
  private final Ttl ttl;
  private long token;

  /** The length if requests state it, else negative. */
  private int stated = DRAWN;

  /** The seconds that it lives if requests state them, else negative. */
  private int statedTtl = DRAWN;

  Value(ValueShape shape, long key) {
    this.key = key;
    this.random = new CounterRandom(key);
    this.lengths = shape.sizes().lengths();
    this.ttl = shape.ttl();
  }

  /** Becomes the value of {@code version} of record {@code id}, whose length that decides. */
  public final void set(long id, long version) {
    set(id, version, DRAWN);
  }

  /** Becomes the value of {@code version} of record {@code id} that has {@code bytes} bytes. */
  public final void set(long id, long version, int bytes) {
    stated = bytes;
    setToken(id, CounterRandom.at(key ^ id, version));
  }

  /** Becomes the value that the {@code i}-th record of a request is to have. */
  public final void set(Requests requests, int i) {
    statedTtl = requests.ttlSeconds(i);
    set(requests.id(i), requests.version(i), requests.bytes(i));
  }

  /** Becomes the value of the version of record {@code id} that has this random-looking token. */
  final void setToken(long id, long newToken) {
    token = newToken;
    make(id, newToken);
  }

  /** Makes the bytes of the value with this token. */
  abstract void make(long id, long newToken);

  /** The random-looking number that no other version of any record has, but by chance. */
  public final long token() {
    return token;
  }

  @Override
  public final int ttlSeconds() {
    return statedTtl < 0 ? ttl.seconds(token) : statedTtl;
  }

  /**
   * Returns whether {@code bytes}, from {@code from} to {@code to}, is the value of any version of
   * record {@code id}: the version is the one that it states. Always false if values are too small
   * to state it. Afterwards this is the value of that version.
   */
  public abstract boolean matches(byte[] bytes, int from, int to, long id);

  /** Returns whether {@code bytes}, from {@code from} to {@code to}, is exactly this value. */
  public final boolean equalTo(byte[] bytes, int from, int to) {
    return Arrays.equals(bytes, from, to, toByteArray(), 0, size());
  }

  /** The draws for a version of a record; the first of them should be its size. */
  final CounterRandom draws(long id, long token) {
    random.seek(id, token);
    return random;
  }

  /** Takes a value that was read to have a stated length, which is this one. */
  final void state(int bytes) {
    stated = bytes;
  }

  final int drawSize(CounterRandom draws) {
    int drawn = lengths.draw(draws);
    return stated < 0 ? drawn : stated;
  }
}
