package kvrank.workload;

import java.util.function.LongUnaryOperator;
import kvrank.workload.key.KeyChooser;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.random.CounterRandom.Purpose;
import kvrank.workload.value.JsonValue;
import kvrank.workload.value.OpaqueValue;
import kvrank.workload.value.Value;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;

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
  private final long records;
  private final LongUnaryOperator ranks;

  public ValueSource(ValueShape shape, long seed) {
    this(new Dataset(1, KeyShape.DEFAULT, shape, false), seed);
  }

  public ValueSource(Dataset dataset, long seed) {
    this.shape = dataset.values();
    this.stated = dataset.trace().isPresent();
    this.records = dataset.records();
    this.ranks = KeyChooser.ranks(shape.sizes().newest(), records, seed);
    this.key = CounterRandom.key(seed, Purpose.VALUE, 0);
    this.expirations = new Expirations(dataset);
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
    ValueSizes.Lengths lengths = shape.sizes().lengths(records, ranks);
    return switch (shape.kind()) {
      case RANDOM -> new OpaqueValue(shape, lengths, key, pool, PLACES, stated);
      case JSON -> new JsonValue(shape, lengths, key, pool, TEXT_PLACES);
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
