package kvrank.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LruCurveTest {

  /** A cache as it is written anywhere: the map gives up its eldest until what is left fits. */
  private static final class Cache {

    private final long capacity;
    private final Map<Integer, Integer> records = new LinkedHashMap<>(16, 0.75f, true);
    private long used;
    private long hits;
    private long reads;

    private Cache(long capacity) {
      this.capacity = capacity;
    }

    private void read(int record, int unknown) {
      reads++;
      Integer bytes = records.get(record);
      if (bytes == null) {
        write(record, unknown);
      } else {
        hits++;
      }
    }

    private void write(int record, int bytes) {
      delete(record);
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
  void knowsWhatCachesOfAllSizesHit() {
    int keys = 5_000;
    int length = 100;
    LruCurve curve = new LruCurve();
    int[] capacities = {2_000, 20_000, 100_000, 250_000, 490_000, 600_000};
    Cache[] caches = new Cache[capacities.length];
    for (int i = 0; i < caches.length; i++) {
      caches[i] = new Cache(capacities[i]);
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 300_000; i++) {
      double draw = random.nextDouble();
      int record = (int) (draw * draw * draw * keys);
      int kind = random.nextInt(20);
      if (kind == 0) {
        curve.delete(record);
      } else if (kind < 4) {
        curve.write(record, length, 0);
      } else {
        curve.read(record, length);
      }
      for (Cache cache : caches) {
        if (kind == 0) {
          cache.delete(record);
        } else if (kind < 4) {
          cache.write(record, length);
        } else {
          cache.read(record, length);
        }
      }
    }
    for (int i = 0; i < caches.length; i++) {
      assertThat(curve.hitRatio(capacities[i]))
          .as("%s bytes", capacities[i])
          .isCloseTo((double) caches[i].hits / caches[i].reads, within(0.01));
    }
    assertThat(curve.all()).isBetween(490_000L, 500_000L);
    assertThat(caches[0].hits).isLessThan(caches[3].hits / 2);
  }

  @Test
  void recordsOfSeveralLengthsTakeTheirRoom() {
    LruCurve curve = new LruCurve();
    curve.write(1, 100, 0);
    curve.write(2, 1_000, 0);
    curve.write(3, 10, 0);
    curve.read(1, 7);
    assertThat(curve.hitRatio(1_000)).isZero();
    assertThat(curve.hitRatio(1_200)).isEqualTo(1);
    curve.write(2, 50, 0);
    curve.read(1, 7);
    assertThat(curve.hitRatio(170)).isEqualTo(0.5);
    assertThat(curve.all()).isEqualTo(160);
    curve.read(9, 7);
    assertThat(curve.hitRatio(1e9)).isCloseTo(2 / 3.0, within(1e-9));
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
  void findsNothingThatHasEnded() {
    int keys = 5_000;
    EndingCache[] caches = {
      new EndingCache(100), new EndingCache(1_000), new EndingCache(2_500), new EndingCache(keys)
    };
    Map<Integer, Long> lives = new LinkedHashMap<>();
    LruCurve curve = new LruCurve();
    SplittableRandom random = new SplittableRandom(1);
    long reads = 0;
    for (long i = 0; i < 300_000; i++) {
      long now = i * 100;
      curve.at((double) now);
      double draw = random.nextDouble();
      int record = (int) (draw * draw * keys);
      if (random.nextInt(10) < 3) {
        int seconds = random.nextInt(3);
        lives.put(record, seconds * 1_000_000L);
        curve.write(record, 100, seconds);
        for (EndingCache cache : caches) {
          cache.write(record, now, lives.get(record));
        }
      } else {
        reads++;
        curve.read(record, 100);
        for (EndingCache cache : caches) {
          cache.read(record, now, lives.get(record));
        }
      }
    }
    for (EndingCache cache : caches) {
      double simulated = (double) cache.hits / reads;
      assertThat(curve.hitRatio(cache.most * 100))
          .as("%s records", cache.most)
          .isCloseTo(simulated, within(cache.most == keys ? 1e-9 : 0.02));
    }
    assertThat((double) caches[3].hits / reads).isLessThan(0.95);
  }
}
