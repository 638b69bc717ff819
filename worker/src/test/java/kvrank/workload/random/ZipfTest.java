package kvrank.workload.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import kvrank.workload.key.ChiSquared;
import org.junit.jupiter.api.Test;

class ZipfTest {

  private final CounterRandom random = new CounterRandom(20_240_601);

  @Test
  void followsTheDefinition() {
    for (double exponent : new double[] {0.2, 0.5, 0.99, 1.0, 1.0 + 1e-9, 1.2, 2.5}) {
      for (int size : new int[] {1, 2, 3, 100, 1000}) {
        Zipf zipf = new Zipf(exponent);
        long[] counts = new long[size];
        random.seek(size);
        for (int i = 0; i < 400_000; i++) {
          counts[(int) zipf.sample(random, size)]++;
        }
        if (size > 1) {
          assertThat(ChiSquared.deviation(counts, ChiSquared.zipf(size, exponent)))
              .as("exponent %s, size %s", exponent, size)
              .isLessThan(4);
        }
      }
    }
  }

  /** Against the definition, and against the shares that the literature states. */
  @Test
  void givesTheHottestKeyItsShare() {
    assertThat(hottest(0.99, 100_000)).isCloseTo(0.078, within(0.0005));
    assertThat(hottest(0.99, 1_000_000)).isCloseTo(0.065, within(0.0005));
    for (double exponent : new double[] {0.99, 1.0, 1.2}) {
      double share = ChiSquared.zipf(100_000, exponent)[0];
      assertThat(hottest(exponent, 100_000)).isCloseTo(share, within(0.0005));
    }
  }

  private double hottest(double exponent, long size) {
    Zipf zipf = new Zipf(exponent);
    random.seek(size);
    int draws = 2_000_000;
    int hits = 0;
    for (int i = 0; i < draws; i++) {
      hits += zipf.sample(random, size) == 0 ? 1 : 0;
    }
    return hits / (double) draws;
  }

  @Test
  void needsNoTableForManyKeys() {
    Zipf zipf = new Zipf(0.99);
    long size = 1_000_000_000_000L;
    random.seek(0);
    for (int i = 0; i < 1000; i++) {
      assertThat(zipf.sample(random, size + i)).isBetween(0L, size + i - 1);
    }
  }

  @Test
  void refusesAnExponentThatIsNotPositive() {
    assertThatThrownBy(() -> new Zipf(0)).hasMessageContaining("exponent is 0.0");
    assertThatThrownBy(() -> new Zipf(Double.NaN)).hasMessageContaining("exponent is NaN");
  }
}
