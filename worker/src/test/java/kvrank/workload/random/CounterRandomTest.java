package kvrank.workload.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import kvrank.workload.key.ChiSquared;
import org.junit.jupiter.api.Test;

class CounterRandomTest {

  /** The numbers that the reference implementation of SplitMix64 gives for this seed. */
  @Test
  void isSplitMix64() {
    long[] reference = {
      6457827717110365317L,
      3203168211198807973L,
      Long.parseUnsignedLong("9817491932198370423"),
      4593380528125082431L,
      Long.parseUnsignedLong("16408922859458223821")
    };
    for (int i = 0; i < reference.length; i++) {
      assertThat(CounterRandom.at(1234567, i + 1)).isEqualTo(reference[i]);
    }
  }

  @Test
  void drawsDependOnKeyAndPositionAlone() {
    CounterRandom one = new CounterRandom(7);
    CounterRandom other = new CounterRandom(7);
    one.seek(3);
    one.nextLong();
    one.seek(9);
    other.seek(9);
    assertThat(one.nextLong()).isEqualTo(other.nextLong());
    assertThat(one.nextDouble()).isEqualTo(other.nextDouble()).isBetween(0.0, 1.0);
  }

  @Test
  void boundedNumbersAreUniform() {
    CounterRandom random = new CounterRandom(1);
    random.seek(0);
    long[] counts = new long[7];
    double[] probabilities = new double[7];
    Arrays.fill(probabilities, 1 / 7.0);
    for (int i = 0; i < 700_000; i++) {
      counts[(int) random.nextBelow(7)]++;
    }
    assertThat(ChiSquared.deviation(counts, probabilities)).isBetween(-4.0, 4.0);
    assertThat(random.nextBelow(1)).isZero();
  }
}
