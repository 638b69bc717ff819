package kvrank.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LruCachesTest {

  /** A cache as it is written anywhere: the map gives up its eldest until the rest fits. */
  private static final class Cache {

    private final long capacity;
    private final Map<Integer, Integer> records = new LinkedHashMap<>(16, 0.75f, true);
    private long used;
    private long hits;
    private long reads;

    private Cache(long capacity) {
      this.capacity = capacity;
    }

    private void read(int record, int length) {
      reads++;
      if (records.get(record) == null) {
        write(record, length);
      } else {
        hits++;
      }
    }

    private void write(int record, int bytes) {
      delete(record);
      if (bytes > capacity) {
        return;
      }
      records.put(record, bytes);
      used += bytes;
      Iterator<Integer> eldest = records.values().iterator();
      while (used > capacity) {
        used -= eldest.next();
        eldest.remove();
      }
    }

    private void delete(int record) {
      Integer old = records.remove(record);
      used -= old == null ? 0 : old;
    }
  }

  @Test
  void hitAsOftenAsCachesOfTheirSize() {
    int keys = 5_000;
    long[] capacities = {150, 20_000, 100_000, 250_000, 490_000, 600_000};
    LruCaches caches = new LruCaches(capacities);
    Cache[] expected = LongStream.of(capacities).mapToObj(Cache::new).toArray(Cache[]::new);
    SplittableRandom random = new SplittableRandom(1);
    int[] lengths = random.ints(keys, 1, 200).toArray();
    for (int record = 0; record < keys; record++) {
      caches.length(record, lengths[record]);
    }
    for (int i = 0; i < 300_000; i++) {
      double draw = random.nextDouble();
      int record = (int) (draw * draw * draw * keys);
      int kind = random.nextInt(20);
      if (kind == 0) {
        caches.delete(record);
      } else if (kind < 4) {
        lengths[record] = random.nextInt(1, 200);
        caches.write(record, lengths[record], 0);
      } else {
        caches.read(record);
      }
      for (Cache cache : expected) {
        if (kind == 0) {
          cache.delete(record);
        } else if (kind < 4) {
          cache.write(record, lengths[record]);
        } else {
          cache.read(record, lengths[record]);
        }
      }
    }
    for (int i = 0; i < expected.length; i++) {
      assertThat(caches.hitRatio(i))
          .as("%s bytes", capacities[i])
          .isEqualTo((double) expected[i].hits / expected[i].reads);
    }
    assertThat(expected[1].hits).isLessThan(expected[3].hits / 2);
  }

  @Test
  void doNotHoldRecordsOfNoKnownLength() {
    LruCaches caches = new LruCaches(1_000);
    caches.read(7);
    caches.read(7);
    assertThat(caches.hitRatio(0)).isZero();
    caches.write(7, 10, 0);
    caches.read(7);
    caches.read(7);
    assertThat(caches.hitRatio(0)).isEqualTo(0.5);
  }

  /** Gives up the least recently used, and finds nothing whose time to live has passed. */
  private static final class EndingCache {

    private final int most;
    private final Map<Integer, Long> ends = new LinkedHashMap<>(16, 0.75f, true);
    private long hits;

    private EndingCache(int most) {
      this.most = most;
    }

    private void read(int record, long now, Long lives) {
      Long end = ends.get(record);
      if (end != null && now < end) {
        hits++;
      } else {
        write(record, now, lives);
      }
    }

    private void write(int record, long now, Long lives) {
      ends.put(record, lives == null || lives == 0 ? Long.MAX_VALUE : now + lives);
      if (ends.size() > most) {
        ends.remove(ends.keySet().iterator().next());
      }
    }
  }

  @Test
  void findNothingThatHasEnded() {
    int keys = 5_000;
    EndingCache[] expected = {
      new EndingCache(100), new EndingCache(1_000), new EndingCache(2_500), new EndingCache(keys)
    };
    Map<Integer, Long> lives = new LinkedHashMap<>();
    LruCaches caches = new LruCaches(10_000, 100_000, 250_000, 100L * keys);
    for (int record = 0; record < keys; record++) {
      caches.length(record, 100);
    }
    SplittableRandom random = new SplittableRandom(1);
    long reads = 0;
    for (long i = 0; i < 300_000; i++) {
      long now = i * 100;
      caches.at((double) now);
      double draw = random.nextDouble();
      int record = (int) (draw * draw * keys);
      if (random.nextInt(10) < 3) {
        int seconds = random.nextInt(3);
        lives.put(record, seconds * 1_000_000L);
        caches.write(record, 100, seconds);
        for (EndingCache cache : expected) {
          cache.write(record, now, lives.get(record));
        }
      } else {
        reads++;
        caches.read(record);
        for (EndingCache cache : expected) {
          cache.read(record, now, lives.get(record));
        }
      }
    }
    for (int i = 0; i < expected.length; i++) {
      assertThat(caches.hitRatio(i))
          .as("%s records", expected[i].most)
          .isEqualTo((double) expected[i].hits / reads);
    }
    assertThat((double) expected[3].hits / reads).isLessThan(0.95);
  }
}
