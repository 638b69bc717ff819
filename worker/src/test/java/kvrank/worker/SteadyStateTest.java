package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SteadyStateTest {

  private static long[] windows(int count, LongUnaryOperator value) {
    return LongStream.range(0, count).map(value).toArray();
  }

  /** Noise of 5 % around a level that goes from 10,000 to {@code end}. */
  private static long[] noisy(long seed, int count, double end) {
    Random random = new Random(seed);
    return windows(
        count,
        i -> {
          double level = 10_000 + (end - 10_000) * i / (count - 1.0);
          return Math.round(level * (1 + 0.05 * random.nextGaussian()));
        });
  }

  private static Steadiness verdict(long[] counts) {
    return SteadyState.of(counts).verdict();
  }

  @Test
  void aLevelIsSteady() {
    SteadyState state = SteadyState.of(windows(40, i -> 1_000));
    assertThat(state.verdict()).isEqualTo(Steadiness.YES);
    assertThat(state.drift()).isEqualTo(1);
    assertThat(verdict(noisy(1, 40, 10_000))).isEqualTo(Steadiness.YES);
  }

  @Test
  void aSlopeIsNot() {
    SteadyState falling = SteadyState.of(noisy(1, 40, 7_000));
    assertThat(falling.verdict()).isEqualTo(Steadiness.NO);
    // The means of the first and the last third of the line.
    assertThat(falling.drift()).isCloseTo(7_462.0 / 9_538, within(0.03));
    assertThat(verdict(noisy(2, 40, 14_000))).isEqualTo(Steadiness.NO);
  }

  @Test
  void aStepIsNot() {
    assertThat(verdict(windows(40, i -> i < 25 ? 1_000 : 700))).isEqualTo(Steadiness.NO);
  }

  @Test
  void aSmallTrendIsToleratedHoweverSignificant() {
    long[] counts = windows(64, i -> 1_000 + i);
    assertThat(SteadyState.mannKendall(counts)).isGreaterThan(10);
    assertThat(verdict(counts)).isEqualTo(Steadiness.YES);
  }

  /** Two stalls at the end make the last third slow, and are no trend. */
  @Test
  void aStallIsNoTrend() {
    long[] counts = windows(40, i -> i == 38 || i == 35 ? 0 : 1_000 + (i * 37) % 11);
    assertThat(SteadyState.of(counts).drift()).isLessThan(0.9);
    assertThat(verdict(counts)).isEqualTo(Steadiness.YES);
  }

  @Test
  void tooLittleIsUnknown() {
    assertThat(verdict(windows(19, i -> 10))).isEqualTo(Steadiness.UNKNOWN);
    assertThat(verdict(new long[0])).isEqualTo(Steadiness.UNKNOWN);
    assertThat(verdict(windows(40, i -> 0))).isEqualTo(Steadiness.UNKNOWN);
  }

  /** By the formulas: S is 45 of 45, its variance 125; with all but one tied, S is 9, and 9 * 9. */
  @Test
  void theStatisticIsThatOfTheBooks() {
    assertThat(SteadyState.mannKendall(windows(10, i -> i)))
        .isCloseTo(44 / Math.sqrt(125), within(1e-12));
    assertThat(SteadyState.mannKendall(windows(10, i -> -i)))
        .isCloseTo(-44 / Math.sqrt(125), within(1e-12));
    // Kendall's variance of one value against nine tied ones: (2250 - 9 * 8 * 23) / 18 = 33.
    assertThat(SteadyState.mannKendall(windows(10, i -> i == 9 ? 1 : 0)))
        .isCloseTo(8 / Math.sqrt(33), within(1e-12));
    assertThat(SteadyState.mannKendall(windows(10, i -> 3))).isZero();
  }

  /** Of white noise, 5 % have a trend; of 4,000 series, with a deviation of 0.35 %. */
  @Test
  void theTestHasItsLevel() {
    Random random = new Random(4);
    for (int values : new int[] {4, 1_000_000}) {
      long significant = 0;
      for (int series = 0; series < 4_000; series++) {
        long[] counts = windows(40, i -> random.nextInt(values));
        significant += Math.abs(SteadyState.mannKendall(counts)) > 1.959964 ? 1 : 0;
      }
      assertThat(significant / 4_000.0).isCloseTo(0.05, within(3 * 0.0035));
    }
  }

  @Test
  void windowsGrowAndKeepEveryCount() {
    ThroughputWindows windows = new ThroughputWindows(8, 10);
    windows.begin(100, 0);
    assertThat(windows.due(109)).isFalse();
    for (int i = 1; i <= 7; i++) {
      windows.end(100 + 10 * i, 5L * i);
    }
    assertThat(windows.counts()).containsExactly(5, 5, 5, 5, 5, 5, 5);
    windows.end(180, 40);
    assertThat(windows.counts()).containsExactly(10, 10, 10, 10);
    assertThat(windows.due(199)).isFalse();
    windows.end(200, 60);
    assertThat(windows.counts()).containsExactly(10, 10, 10, 10, 20);
  }

  @Test
  void whatIsSeenLateIsSpread() {
    ThroughputWindows windows = new ThroughputWindows(8, 10);
    windows.begin(0, 0);
    windows.end(35, 70);
    assertThat(windows.counts()).containsExactly(20, 20, 20);
    windows.end(40, 90);
    assertThat(windows.counts()).containsExactly(20, 20, 20, 30);
    windows.end(1_000, 90);
    assertThat(Arrays.stream(windows.counts()).sum()).isEqualTo(90);
    assertThat(windows.counts()).hasSizeBetween(4, 7);
  }
}
