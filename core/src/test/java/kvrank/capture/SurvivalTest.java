package kvrank.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import org.junit.jupiter.api.Test;

/** Keys that expire, access by access, with a known number of keys. */
class SurvivalTest {

  private static final int KEYS = 20_000;
  private static final double EXPONENT = 0.9;
  private static final KeyChoice CHOICE = new KeyChoice(Distribution.ZIPFIAN, EXPONENT, 0.2, 0.8);

  /** What a capture sees of the keys: how many exist, and which share of the reads misses. */
  private record Seen(int existing, double misses) {}

  /**
   * Simulates accesses, a tenth of them writes or all of them reads that fill. Times are in
   * accesses.
   *
   * @param life the time to live
   * @param warmup the time before the capture, of the same length
   * @param loaded whether the load sets times to live, too
   */
  private static Seen simulated(double share, boolean fills, int life, int warmup, boolean loaded) {
    SplittableRandom random = new SplittableRandom(5);
    double[] reached = new double[KEYS];
    Arrays.setAll(reached, i -> Math.pow(i + 1.0, -EXPONENT));
    Arrays.parallelPrefix(reached, Double::sum);
    long[] ends = new long[KEYS];
    for (int key = 0; key < KEYS; key++) {
      boolean living = loaded && (fills ? key % 10 < 10 * share : random.nextDouble() < share);
      ends[key] = living ? life : Long.MAX_VALUE;
    }
    int reads = 0;
    int misses = 0;
    for (long now = 0; now < 2L * warmup; now++) {
      int place = Arrays.binarySearch(reached, random.nextDouble() * reached[KEYS - 1]);
      int key = place < 0 ? -place - 1 : place;
      boolean write = !fills && random.nextInt(10) == 0;
      boolean missed = !write && ends[key] <= now;
      if (now >= warmup && !write) {
        reads++;
        misses += missed ? 1 : 0;
      }
      if (write) {
        ends[key] = random.nextDouble() < share ? now + life : Long.MAX_VALUE;
      } else if (fills && missed) {
        ends[key] = now + life;
      }
    }
    int existing = (int) Arrays.stream(ends).filter(end -> end > 2L * warmup).count();
    return new Seen(existing, (double) misses / reads);
  }

  @Test
  void findsTheKeysThatClientsAskForFromThoseThatExist() {
    Seen seen = simulated(0.3, false, 100_000, 500_000, true);
    assertThat(seen.existing()).isLessThan(KEYS * 9 / 10);
    Survival survival = new Survival(0.3, 10_000, false);

    long keys =
        survival.population(CHOICE, KEYS, OptionalDouble.of(seen.existing()), seen.misses());

    assertThat((double) keys).isCloseTo(KEYS, within(0.02 * KEYS));
    assertThat(survival.misses(CHOICE, keys)).isCloseTo(seen.misses(), within(0.005));
  }

  /** Unpopular keys were not written since, and exist: more misses are still to come. */
  @Test
  void findsThemSoonAfterALoadWithoutTimesToLive() {
    Seen seen = simulated(0.3, false, 100_000, 200_000, false);
    Survival survival = new Survival(0.3, 10_000, false);

    long keys =
        survival.population(CHOICE, KEYS, OptionalDouble.of(seen.existing()), seen.misses());

    assertThat((double) keys).isCloseTo(KEYS, within(0.03 * KEYS));
    assertThat(survival.misses(CHOICE, keys)).isGreaterThan(1.2 * seen.misses());
  }

  @Test
  void findsThemIfMissesAreFilled() {
    for (double share : new double[] {0.3, 1}) {
      Seen seen = simulated(share, true, 50_000, 500_000, true);
      Survival survival = new Survival(share, 50_000, true);

      long keys =
          survival.population(CHOICE, KEYS, OptionalDouble.of(seen.existing()), seen.misses());

      assertThat((double) keys).isCloseTo(KEYS, within(0.03 * KEYS));
      assertThat(survival.misses(CHOICE, keys)).isCloseTo(seen.misses(), within(0.005));
    }
  }

  /** All keys that a server counts may have expired. */
  @Test
  void findsThemFromMissesIfEveryWriteSetsATimeToLive() {
    Seen seen = simulated(1, false, 100_000, 500_000, true);
    Survival survival = new Survival(1, 10_000, false);

    long keys =
        survival.population(
            CHOICE, seen.existing() * 5L / 4, OptionalDouble.empty(), seen.misses());

    assertThat((double) keys).isCloseTo(KEYS, within(0.03 * KEYS));
  }
}
