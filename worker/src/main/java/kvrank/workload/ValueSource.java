package kvrank.workload;

import kvrank.workload.key.KeyShape;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.random.CounterRandom.Purpose;
import kvrank.workload.value.JsonValue;
import kvrank.workload.value.OpaqueValue;
import kvrank.workload.value.Value;
import kvrank.workload.value.ValueShape;

/** Creates values of one shape from bytes that are generated once and shared by all threads. */
public final class ValueSource {

  /** The number of places where values start in the bytes; a power of two. */
  private static final int PLACES = 1 << 20;

  private static final int TEXT_PLACES = 1 << 16;

  private final ValueShape shape;
  private final long key;
  private final byte[] pool;
  private final Expirations expirations;
  private final boolean stated;

  public ValueSource(ValueShape shape, long seed) {
    this(new Dataset(1, KeyShape.DEFAULT, shape, false), seed);
  }

  public ValueSource(Dataset records, long seed) {
    this.shape = records.values();
    this.stated = records.trace().isPresent();
    this.key = CounterRandom.key(seed, Purpose.VALUE, 0);
    this.expirations = new Expirations(records);
    CounterRandom random = new CounterRandom(CounterRandom.key(seed, Purpose.POOL, 0));
    this.pool =
        switch (shape.kind()) {
          case RANDOM ->
              Pools.bytes(Math.addExact(PLACES, shape.sizes().max()), share(shape), random);
          case JSON -> Pools.text(Math.addExact(TEXT_PLACES, shape.sizes().max()), random);
        };
  }

  /** Returns the size of the largest value. */
  public int maxBytes() {
    return shape.sizes().max();
  }

  public Expirations expirations() {
    return expirations;
  }

  /** Returns a reusable value for one thread. */
  public Value value() {
    return switch (shape.kind()) {
      case RANDOM -> new OpaqueValue(shape, key, pool, PLACES, stated);
      case JSON -> new JsonValue(shape, key, pool, TEXT_PLACES);
    };
  }

  /** Returns the compressible share of the pool that makes up for headers. */
  private static double share(ValueShape shape) {
    double size = shape.sizes().mean();
    int header = OpaqueValue.HEADER;
    double body = shape.sizes().min() < header ? 1 : (size - header) / size;
    return body == 0 ? 0 : Math.min(0.98, shape.compressibility() / body);
  }
}
