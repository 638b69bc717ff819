package kvrank.worker.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import kvrank.fact.YesNo;
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

  private static YesNo verdict(long[] counts) {
    return SteadyState.of(counts).verdict();
  }

  @Test
  void aLevelIsSteady() {
    SteadyState state = SteadyState.of(windows(40, i -> 1_000));
    assertThat(state.verdict()).isEqualTo(YesNo.YES);
    assertThat(state.drift()).isEqualTo(1);
    assertThat(verdict(noisy(1, 40, 10_000))).isEqualTo(YesNo.YES);
  }

  @Test
  void aSlopeIsNot() {
    SteadyState falling = SteadyState.of(noisy(1, 40, 7_000));
    assertThat(falling.verdict()).isEqualTo(YesNo.NO);
    // The means of the first and the last third of the line.
    assertThat(falling.drift()).isCloseTo(7_462.0 / 9_538, within(0.03));
    assertThat(verdict(noisy(2, 40, 14_000))).isEqualTo(YesNo.NO);
  }

  @Test
  void aStepIsNot() {
    assertThat(verdict(windows(40, i -> i < 25 ? 1_000 : 700))).isEqualTo(YesNo.NO);
  }

  @Test
  void aSmallTrendIsToleratedHoweverSignificant() {
    long[] counts = windows(64, i -> 1_000 + i);
    assertThat(verdict(counts)).isEqualTo(YesNo.YES);
  }

  /** Two stalls at the end make the last third slow, but may be chance. */
  @Test
  void aStallProvesNeither() {
    long[] counts = windows(40, i -> i == 38 || i == 35 ? 0 : 1_000 + (i * 37) % 11);
    assertThat(SteadyState.of(counts).drift()).isLessThan(0.9);
    assertThat(verdict(counts)).isEqualTo(YesNo.UNKNOWN);
  }

  @Test
  void tooLittleIsUnknown() {
    assertThat(verdict(windows(29, i -> 10))).isEqualTo(YesNo.UNKNOWN);
    assertThat(verdict(new long[0])).isEqualTo(YesNo.UNKNOWN);
    assertThat(verdict(windows(40, i -> 0))).isEqualTo(YesNo.UNKNOWN);
  }

  /**
   * Of series without a trend, whose windows are alike by {@code correlation} and vary by 20 %, 4 %
   * are to be called not steady; of 1,000 series 6 %, as some deviations are the estimate's. A
   * Mann-Kendall test, which assumes windows that do not depend on each other, calls 4, 21, 45 and
   * 55 %.
   */
  @Test
  void theTestHasItsLevelForWindowsThatAreAlike() {
    for (double correlation : new double[] {0, 0.5, 0.8, 0.9, 0.95}) {
      for (int length : new int[] {32, 48, 63}) {
        assertThat(unsteady(correlation, length)).as(correlation + ", " + length).isLessThan(80);
      }
    }
  }

  /** A phase that doubled or halved by chance was called steady, as nothing refuted it. */
  @Test
  void aDriftOfTenPercentIsHardlyEverCalledSteady() {
    for (double noise : new double[] {0.02, 0.1, 0.4}) {
      for (double correlation : new double[] {0, 0.8}) {
        assertThat(series(YesNo.YES, correlation, 48, noise, 0.9))
            .as("noise %s, correlation %s", noise, correlation)
            .isLessThan(40);
      }
    }
    assertThat(series(YesNo.YES, 0, 48, 0.05, 1)).isGreaterThan(950);
  }

  /** The number of 1,000 series that are called not steady. */
  private static int unsteady(double correlation, int length) {
    return series(YesNo.NO, correlation, length, 0.2, 1);
  }

  /** The same for any verdict, if throughput falls to {@code end} of its start. */
  private static int series(
      YesNo verdict, double correlation, int length, double noise, double end) {
    Random random = new Random(4);
    int found = 0;
    for (int series = 0; series < 1_000; series++) {
      double[] deviation = {random.nextGaussian()};
      long[] counts =
          windows(
              length,
              i -> {
                deviation[0] =
                    correlation * deviation[0]
                        + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
                double level = i * 3 / length == 0 ? 1 : i * 3 / length == 2 ? end : (1 + end) / 2;
                return Math.round(10_000 * level * (1 + noise * deviation[0]));
              });
      found += verdict(counts) == verdict ? 1 : 0;
    }
    return found;
  }

  /** A test for a trend only would call it steady. */
  @Test
  void aSlowMiddleIsNotSteady() {
    Random random = new Random(5);
    SteadyState state =
        SteadyState.of(
            windows(
                48,
                i -> Math.round((i / 16 == 1 ? 500 : 1_000) * (1 + 0.05 * random.nextGaussian()))));
    assertThat(state.verdict()).isEqualTo(YesNo.NO);
    assertThat(state.drift()).isCloseTo(0.5, within(0.03));
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
