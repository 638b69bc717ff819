package kvrank.trace;

import java.util.Arrays;

/**
 * LRU caches of several sizes, which get the same requests. Each evicts the least recently used
 * records until the others fit, and does not admit a record that is larger than itself. A read that
 * misses brings the record in as it was written last, and its time to live starts again; a record
 * of no known length is not brought in. An expired record keeps its room until it is requested or
 * evicted.
 */
final class LruCaches {

  private static final int NONE = 0;

  /** Each record's length as of its last write, 0 if unknown; numbers of records from 1. */
  private int[] bytes = new int[1 << 10];

  /** Each record's time to live in seconds as of its last write, 0 if it does not expire. */
  private int[] seconds = {};

  private final Cache[] caches;
  private double now;
  private long reads;

  LruCaches(long... capacities) {
    caches = Arrays.stream(capacities).mapToObj(Cache::new).toArray(Cache[]::new);
  }

  /** Sets the time of what follows, in microseconds. Without times to live it is not needed. */
  void at(double micros) {
    now = micros;
  }

  /** Sets the length of a record that no cache has. */
  void length(int record, int length) {
    int place = room(record);
    bytes[place] = length;
  }

  /** Adds a read of a record. */
  void read(int record) {
    int place = room(record);
    reads++;
    for (Cache cache : caches) {
      cache.read(place);
    }
  }

  /**
   * Adds a write of a record with a time to live of {@code lives} seconds; 0 if it does not expire.
   */
  void write(int record, int newBytes, int lives) {
    int place = room(record);
    for (Cache cache : caches) {
      cache.remove(place);
    }
    bytes[place] = newBytes;
    if (lives > 0 && seconds.length == 0) {
      seconds = new int[bytes.length];
    }
    if (seconds.length > 0) {
      seconds[place] = lives;
    }
    for (Cache cache : caches) {
      cache.bring(place);
    }
  }

  /** Adds a delete of a record. */
  void delete(int record) {
    int place = room(record);
    for (Cache cache : caches) {
      cache.remove(place);
    }
  }

  /** Returns the share of reads that hit in the {@code i}-th cache. */
  double hitRatio(int i) {
    return reads == 0 ? 0 : (double) caches[i].hits / reads;
  }

  private int room(int record) {
    int place = record + 1;
    if (place >= bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * place);
      seconds = seconds.length == 0 ? seconds : Arrays.copyOf(seconds, bytes.length);
    }
    return place;
  }

  /** A circular list of records in the order of their use, with {@link #NONE} between its ends. */
  private final class Cache {

    private final long capacity;
    private int[] older = {NONE};

    /** The next newer record of each in the cache; -1 of the others. */
    private int[] newer = {NONE};

    /** The time at which each record expires, in microseconds; empty if none expires. */
    private double[] ends = {};

    private long used;
    private long hits;

    private Cache(long capacity) {
      this.capacity = capacity;
    }

    private void read(int place) {
      grow();
      if (newer[place] < 0) {
        bring(place);
      } else if (seconds.length > 0 && seconds[place] > 0 && now >= ends[place]) {
        remove(place);
        bring(place);
      } else {
        hits++;
        unlink(place);
        link(place);
      }
    }

    private void bring(int place) {
      grow();
      int room = bytes[place];
      if (room == 0 || room > capacity) {
        return;
      }
      used += room;
      while (used > capacity) {
        remove(newer[NONE]);
      }
      link(place);
      if (seconds.length > 0) {
        ends[place] = now + 1e6 * seconds[place];
      }
    }

    private void remove(int place) {
      grow();
      if (newer[place] >= 0) {
        unlink(place);
        newer[place] = -1;
        used -= bytes[place];
      }
    }

    private void unlink(int place) {
      newer[older[place]] = newer[place];
      older[newer[place]] = older[place];
    }

    private void link(int place) {
      older[place] = older[NONE];
      newer[place] = NONE;
      newer[older[NONE]] = place;
      older[NONE] = place;
    }

    private void grow() {
      int length = newer.length;
      if (length < bytes.length) {
        older = Arrays.copyOf(older, bytes.length);
        newer = Arrays.copyOf(newer, bytes.length);
        Arrays.fill(newer, length, newer.length, -1);
      }
      if (ends.length < seconds.length) {
        ends = Arrays.copyOf(ends, seconds.length);
      }
    }
  }
}
