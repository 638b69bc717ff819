package kvrank.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.capture.FrequencyProfile.Fit;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import org.junit.jupiter.api.Test;

/** Seeded accesses of a known popularity, in windows as a capture of a minute has them. */
class SkewTest {

  private static final int WINDOWS = 12;
  private static final int WINDOW = 6_000;

  /** Those of which a cache has some. */
  private static final int KEYS = 40_000;

  private final SplittableRandom random = new SplittableRandom(7);

  /** Draws ranks from 0 by the inverse of the distribution function. */
  private LongSupplier zipf(int keys, double exponent) {
    double[] reached = new double[keys];
    for (int i = 0; i < keys; i++) {
      reached[i] = (i == 0 ? 0 : reached[i - 1]) + Math.pow(i + 1.0, -exponent);
    }
    return () -> {
      int place = Arrays.binarySearch(reached, random.nextDouble() * reached[keys - 1]);
      return place < 0 ? -place - 1 : place;
    };
  }

  private static Accesses accesses(LongSupplier keys, int windows) {
    Accesses accesses = new Accesses();
    for (int window = 0; window < windows; window++) {
      for (int i = 0; i < WINDOW; i++) {
        accesses.add(CounterRandom.mix(keys.getAsLong()), false);
      }
      accesses.endWindow();
    }
    return accesses;
  }

  @Test
  void findsTheExponentOfZipf() {
    for (int keys : new int[] {10_000, 250_000, 2_000_000}) {
      for (double exponent : new double[] {0.5, 0.7, 0.9, 0.99, 1.2}) {
        findsZipf(exponent, keys);
      }
    }
  }

  private void findsZipf(double exponent, int keys) {
    Skew skew = Skew.of(accesses(zipf(keys, exponent), WINDOWS), keys, false).orElseThrow();

    assertThat(skew.choice().distribution()).isEqualTo(Distribution.ZIPFIAN);
    assertThat(skew.choice().exponent()).isCloseTo(exponent, within(0.02));
    assertThat(skew.fits()).as("%s", skew).isTrue();
  }

  /** The probabilities are from tables of the chi-squared distribution. */
  @Test
  void refusesAFitBelowAProbabilityOfOneInAHundred() {
    assertThat(new Fit(45.64, 26).good()).isTrue();
    assertThat(new Fit(45.65, 26).good()).isFalse();
    assertThat(new Fit(52, 26))
        .hasToString("chi-squared 52.0 at 26 degrees of freedom, p = 0.0018");
    assertThat(new Fit(3.84, 1).probability()).isCloseTo(0.05, within(1e-4));

    // A quarter of the keys that are read has expired and is not counted.
    Skew survivors = Skew.of(accesses(zipf(80_000, 1.05), WINDOWS), 59_000, false).orElseThrow();

    assertThat(survivors.fits()).as("%s", survivors).isFalse();
    assertThat(survivors.conclusion("zipfian"))
        .contains("(p < 0.01)", "the nearest distribution is zipfian", "Only a trace");
  }

  /** Of true models, one in a hundred is refused, and 95 in a hundred intervals hold the truth. */
  @Test
  void probabilitiesAndIntervalsAreWhatTheySay() {
    LongSupplier keys = zipf(20_000, 0.9);
    int refused = 0;
    int held = 0;
    for (int i = 0; i < 100; i++) {
      Skew skew = Skew.of(accesses(keys, 3), 20_000, false).orElseThrow();
      refused += skew.fits() ? 0 : 1;
      Matcher shown = Pattern.compile("exponent (\\S+) \\+- (\\S+),").matcher(skew.evidence());
      assertThat(shown.find()).as("%s", skew).isTrue();
      double error = Math.abs(Double.parseDouble(shown.group(1)) - 0.9);
      held += error <= Double.parseDouble(shown.group(2)) ? 1 : 0;
    }
    // Binomial, each bound with a probability of less than one in a thousand.
    assertThat(refused).isLessThanOrEqualTo(5);
    assertThat(held).isBetween(87, 99);
  }

  @Test
  void neverCallsAHotspotZipf() {
    findsHotspot(0.2, 0.8, 250_000);
    findsHotspot(0.01, 0.9, 250_000);
    findsHotspot(0.1, 0.5, 250_000);
    findsHotspot(0.2, 0.8, 2_000_000);
    findsHotspot(0.2, 0.8, 5_000);
  }

  private void findsHotspot(double share, double operations, int keys) {
    long hot = Math.round(share * keys);
    LongSupplier hotspot =
        () -> random.nextDouble() < operations ? random.nextLong(hot) : random.nextLong(hot, keys);

    Skew skew = Skew.of(accesses(hotspot, WINDOWS), keys, false).orElseThrow();

    assertThat(skew.choice().distribution()).isEqualTo(Distribution.HOTSPOT);
    assertThat(skew.choice().hotKeys()).isCloseTo(share, within(0.1 * share));
    assertThat(skew.choice().hotOperations()).isCloseTo(operations, within(0.03));
    assertThat(skew.fits()).as("%s", skew).isTrue();
  }

  @Test
  void callsEqualKeysUniform() {
    Skew skew =
        Skew.of(accesses(() -> random.nextLong(250_000), WINDOWS), 250_000, false).orElseThrow();

    assertThat(skew.choice().distribution()).isEqualTo(Distribution.UNIFORM);
    assertThat(skew.fits()).isTrue();
  }

  /** The newest key is the most popular; between windows as many commands pass as in 24 of them. */
  @Test
  void neverCallsLatestZipf() {
    for (double inserts : new double[] {0.0001, 0.001, 0.05, 0.3}) {
      findsLatest(inserts);
    }
  }

  private void findsLatest(double inserts) {
    int keys = 250_000;
    LongSupplier ages = zipf(keys, 0.99);
    Accesses accesses = new Accesses();
    double newest = keys;
    for (int window = 0; window < WINDOWS; window++) {
      for (int i = 0; i < WINDOW; i++) {
        if (random.nextDouble() < inserts) {
          newest++;
          accesses.add(CounterRandom.mix((long) newest), true);
        } else {
          accesses.add(CounterRandom.mix((long) newest - ages.getAsLong()), false);
        }
      }
      accesses.endWindow();
      newest += Math.floor(24 * WINDOW * inserts);
    }

    Skew skew = Skew.of(accesses, keys, true).orElseThrow();

    assertThat(skew.choice().distribution()).as("%s", skew).isEqualTo(Distribution.LATEST);
    assertThat(skew.choice().exponent()).as("%s", skew).isCloseTo(0.99, within(0.02));
  }

  @Test
  void saysThatNothingFitsRepeatsOfRecentKeys() {
    long[] recent = new long[2_000];
    LongSupplier repeats =
        () -> {
          long key =
              random.nextDouble() < 0.6
                  ? recent[random.nextInt(recent.length)]
                  : random.nextLong(250_000);
          recent[random.nextInt(recent.length)] = key;
          return key;
        };

    Skew skew = Skew.of(accesses(repeats, WINDOWS), 250_000, false).orElseThrow();

    assertThat(skew.fits()).as("%s", skew).isFalse();
  }

  /** As in a cache that fills what it missed, and where what is read is changed. */
  @Test
  void aWriteAfterAReadSaysNothingOfItsOwn() {
    SplittableRandom chance = new SplittableRandom(7);
    LongSupplier keys = zipf(50_000, 0.9);
    for (double share : new double[] {0.2, 0.5}) {
      Accesses accesses = new Accesses();
      for (int i = 0; i < 60_000; i++) {
        long key = CounterRandom.mix(keys.getAsLong());
        accesses.add(key, false);
        if (chance.nextDouble() < share) {
          accesses.add(key, true);
        }
        if (i % 6_000 == 0) {
          accesses.endWindow();
        }
      }
      accesses.endWindow();
      Skew skew = Skew.of(accesses, 50_000, false).orElseThrow();
      assertThat(skew.choice().distribution()).isEqualTo(Distribution.ZIPFIAN);
      assertThat(skew.choice().exponent()).isCloseTo(0.9, within(0.02));
    }
  }

  /** A tenth of the accesses writes, of keys that were just missed or of any. */
  @Test
  void tellsWritesThatFillFromOthers() {
    for (double exponent : new double[] {0.5, 0.9, 1.2}) {
      LongSupplier keys = zipf(20_000, exponent);
      Accesses filled = new Accesses();
      Accesses independent = new Accesses();
      for (int i = 0; i < 60_000; i++) {
        long read = CounterRandom.mix(keys.getAsLong());
        filled.add(read, false);
        independent.add(read, false);
        if (i % 10 == 0) {
          filled.add(read, true);
          independent.add(CounterRandom.mix(keys.getAsLong()), true);
        }
        if (i % 6_000 == 5_999) {
          filled.endWindow();
          independent.endWindow();
        }
      }
      assertThat(filled.writesFollowReads()).isTrue();
      assertThat(independent.writesFollowReads()).as("%s", exponent).isFalse();
    }
  }

  @Test
  void saysNothingOfTooFewAccesses() {
    Accesses accesses = new Accesses();
    for (int i = 0; i < Skew.LEAST_ACCESSES - 1; i++) {
      accesses.add(i % 10, false);
    }
    accesses.endWindow();

    assertThat(Skew.of(accesses, 10, false)).isEmpty();
  }

  /** The hit ratio of an LRU cache, by a simulation. */
  private static double lru(LongSupplier keys, int held) {
    Map<Long, Long> cache =
        new LinkedHashMap<>(held, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > held;
          }
        };
    for (long rank = KEYS - 1; rank >= 0; rank--) {
      cache.put(rank, rank);
    }
    double hits = 0;
    for (int i = 0; i < 600_000; i++) {
      long key = keys.getAsLong();
      hits += i >= 300_000 && cache.get(key) != null ? 1 : 0;
      cache.put(key, key);
    }
    return hits / 300_000;
  }

  @Test
  void tellsHowManyKeysAreAskedForByTheHitRatioOfACache() {
    for (int held : new int[] {4_000, 20_000, 30_000}) {
      for (double exponent : new double[] {0.6, 0.99, 1.2}) {
        KeyChoice choice = new KeyChoice(Distribution.ZIPFIAN, exponent, 0.2, 0.8);
        double hits = lru(zipf(KEYS, exponent), held);
        // Where popularity is steep the hit ratio hardly depends on how many keys there are.
        assertThat((double) Skew.population(choice, held, hits))
            .as("%d held at %.2f: %.4f", held, exponent, hits)
            .isCloseTo(KEYS, within(exponent > 1 ? 0.15 * KEYS : 0.05 * KEYS));
      }
    }
    KeyChoice uniform = KeyChoice.of(Distribution.UNIFORM);
    assertThat((double) Skew.population(uniform, 1_000, 0.25)).isCloseTo(4_000, within(20.0));
    assertThat(Skew.population(uniform, 1_000, 1)).isEqualTo(1_000);
    assertThat(Skew.population(KeyChoice.of(Distribution.LATEST), 1_000, 0.5)).isEqualTo(1_000);
  }
}
