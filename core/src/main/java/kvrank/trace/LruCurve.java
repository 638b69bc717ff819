package kvrank.trace;

import java.util.Arrays;

/**
 * How many reads find their record in a cache that gives up what was least recently used, for every
 * size of the cache at once: a read finds it if the cache has room for all that was used since the
 * record was (Mattson et al., IBM Systems Journal 1970). A read that finds nothing brings the
 * record in, as the fill of a cache does: as it was written last, with its time to live from then
 * on. A record whose time to live has passed is found by no read, and keeps its room until it is
 * asked for or given up.
 */
final class LruCurve {

  private static final int STEPS = 64;
  private static final int NONE = -1;

  /** Sums of the bytes of places, as a tree (Fenwick, 1994). */
  private long[] tree = new long[1 << 10];

  /** The record of each place, the most recently used last. */
  private int[] records = new int[tree.length];

  private int[] places = new int[1 << 10];
  private int[] bytes = new int[places.length];

  /** For how many seconds each record lives as it was written last; 0 for ever. */
  private int[] seconds = new int[places.length];

  /** When each record ends that does, in microseconds. */
  private double[] ends = new double[places.length];

  private double now;
  private int top;
  private long total;
  private long reads;

  /** How many reads were so many steps of an octave of bytes from the top. */
  private final long[] depths = new long[STEPS * Long.SIZE];

  /** Says that what follows is at that time; without times to live it need not be said. */
  void at(double micros) {
    now = micros;
  }

  /** A record was read that has so many bytes if it was not known before. */
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

  /** A record was written that lives for so many seconds; 0 for ever. */
  void write(int record, int newBytes, int lives) {
    room(record);
    seconds[record] = lives;
    ends[record] = now + 1e6 * lives;
    use(record, newBytes);
  }

  /** A record was deleted. */
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

  /** Returns the bytes of all records, each as it was last. */
  long all() {
    return Arrays.stream(bytes).asLongStream().sum();
  }

  /** Returns the share of reads that find their record in a cache of so many bytes. */
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

  /** Moves what is there together, in room for as much again. */
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
