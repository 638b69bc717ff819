package kvrank.trace;

import java.util.Arrays;

/**
 * Hit ratios of an LRU cache, for all sizes at once: a read hits if the cache has room for
 * everything that was used since its record was used last (Mattson et al., IBM Systems Journal
 * 1970). A read that misses brings the record in as it was written last, and its time to live
 * starts again. An expired record keeps its room until it is requested or evicted.
 */
final class LruCurve {

  private static final int STEPS = 64;
  private static final int NONE = -1;

  /** Prefix sums of the bytes of places (Fenwick tree, 1994). */
  private long[] tree = new long[1 << 10];

  /** The record of each place, the most recently used last. */
  private int[] records = new int[tree.length];

  private int[] places = new int[1 << 10];
  private int[] bytes = new int[places.length];

  /** Each record's time to live in seconds as of its last write; 0 if it does not expire. */
  private int[] seconds = new int[places.length];

  /** The time at which each record expires, in microseconds. */
  private double[] ends = new double[places.length];

  private double now;
  private int top;
  private long total;
  private long reads;

  /** The number of reads by the distance in bytes from the top, in steps of an octave. */
  private final long[] depths = new long[STEPS * Long.SIZE];

  /** Sets the time of what follows. Without times to live it is not needed. */
  void at(double micros) {
    now = micros;
  }

  /** Adds a read of a record, which has {@code unknown} bytes if it was never written. */
  void read(int record, int unknown) {
    reads++;
    room(record);
    boolean ended = seconds[record] > 0 && now >= ends[record];
    if (places[record] > 0 && !ended) {
      double deep = total - below(places[record] - 1);
      depths[step(deep)]++;
    }
    if (places[record] == 0 || ended) {
      ends[record] = now + 1e6 * seconds[record];
    }
    use(record, bytes[record] == 0 ? unknown : bytes[record]);
  }

  /**
   * Adds a write of a record with a time to live of {@code lives} seconds; 0 if it does not expire.
   */
  void write(int record, int newBytes, int lives) {
    room(record);
    seconds[record] = lives;
    ends[record] = now + 1e6 * lives;
    use(record, newBytes);
  }

  /** Adds a delete of a record. */
  void delete(int record) {
    room(record);
    int place = places[record];
    if (place > 0) {
      add(place, -bytes[record]);
      total -= bytes[record];
      records[place] = NONE;
      places[record] = 0;
    }
  }

  /** Returns the bytes of all records, each as of its last write or read. */
  long all() {
    return Arrays.stream(bytes).asLongStream().sum();
  }

  /** Returns the share of reads that hit in a cache of {@code capacity} bytes. */
  double hitRatio(double capacity) {
    long hits = 0;
    for (int i = 0; i <= step(capacity); i++) {
      hits += depths[i];
    }
    return reads == 0 ? 0 : (double) hits / reads;
  }

  private static int step(double distance) {
    return distance <= 1 ? 0 : (int) (STEPS * Math.log(distance) / Math.log(2));
  }

  private void room(int record) {
    if (record >= places.length) {
      places = Arrays.copyOf(places, 2 * record);
      bytes = Arrays.copyOf(bytes, places.length);
      seconds = Arrays.copyOf(seconds, places.length);
      ends = Arrays.copyOf(ends, places.length);
    }
  }

  private void use(int record, int newBytes) {
    delete(record);
    if (top + 1 == tree.length) {
      compact();
    }
    bytes[record] = newBytes;
    total += newBytes;
    push(record);
  }

  private void push(int record) {
    top++;
    records[top] = record;
    places[record] = top;
    add(top, bytes[record]);
  }

  /** Closes the gaps between places, and makes room for as many again. */
  private void compact() {
    int[] live = Arrays.stream(records, 1, top + 1).filter(each -> each != NONE).toArray();
    tree = new long[Math.max(tree.length, 2 * live.length + 2)];
    records = new int[tree.length];
    top = 0;
    Arrays.stream(live).forEach(this::push);
  }

  private void add(int place, int amount) {
    for (int i = place; i < tree.length; i += i & -i) {
      tree[i] += amount;
    }
  }

  private long below(int place) {
    long sum = 0;
    for (int i = place; i > 0; i -= i & -i) {
      sum += tree[i];
    }
    return sum;
  }
}
