package kvrank.workload.value;

import java.util.Arrays;
import kvrank.binding.ByteSource;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.request.Requests;

/**
 * The value of one version of one record, reusable by one thread. Size and bytes are a pure
 * function of seed, record and version, so values can be checked when they are read.
 */
public abstract sealed class Value implements ByteSource permits OpaqueValue, JsonValue {

  /** The version that the load writes. */
  public static final long FIRST_VERSION = 0;

  private static final int DRAWN = -1;

  private final long key;
  private final CounterRandom random;
  private final ValueSizes.Lengths lengths;
  private final Ttl ttl;
  private long token;

  /** The length stated by requests, or negative. */
  private int stated = DRAWN;

  /** The seconds to live stated by requests, or negative. */
  private int statedTtl = DRAWN;

  Value(ValueShape shape, ValueSizes.Lengths lengths, long key) {
    this.key = key;
    this.random = new CounterRandom(key);
    this.lengths = lengths;
    this.ttl = shape.ttl();
  }

  /** Sets this to {@code version} of record {@code id}, which decides the length. */
  public final void set(long id, long version) {
    set(id, version, DRAWN);
  }

  /** Sets this to {@code version} of record {@code id} with {@code bytes} bytes. */
  public final void set(long id, long version, int bytes) {
    stated = bytes;
    setToken(id, CounterRandom.at(key ^ id, version));
  }

  /** Sets this to the value of the {@code i}-th record of a request. */
  public final void set(Requests requests, int i) {
    statedTtl = requests.ttlSeconds(i);
    set(requests.id(i), requests.version(i), requests.bytes(i));
  }

  final void setToken(long id, long newToken) {
    token = newToken;
    make(id, newToken);
  }

  abstract void make(long id, long newToken);

  /** Returns the random number that identifies record and version. */
  public final long token() {
    return token;
  }

  @Override
  public final int ttlSeconds() {
    return statedTtl < 0 ? ttl.seconds(token) : statedTtl;
  }

  /**
   * Returns whether {@code bytes}, from {@code from} to {@code to}, is a value of record {@code id}
   * in the version that it states, and sets this to that version. Always false if values are too
   * small to state it.
   */
  public abstract boolean matches(byte[] bytes, int from, int to, long id);

  /** Returns whether {@code bytes}, from {@code from} to {@code to}, is exactly this value. */
  public final boolean equalTo(byte[] bytes, int from, int to) {
    return Arrays.equals(bytes, from, to, toByteArray(), 0, size());
  }

  /** Returns the draws for a version of a record; the first must be its size. */
  final CounterRandom draws(long id, long token) {
    random.seek(id, token);
    return random;
  }

  /** Sets the stated length to that of a value that was read. */
  final void state(int bytes) {
    stated = bytes;
  }

  final int drawSize(long id, CounterRandom draws) {
    int drawn = lengths.draw(id, draws);
    return stated < 0 ? drawn : stated;
  }
}
