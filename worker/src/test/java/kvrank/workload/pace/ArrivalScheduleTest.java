package kvrank.workload.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.LongStream;
import kvrank.workload.OperationMix;
import kvrank.workload.RequestPlan;
import org.junit.jupiter.api.Test;

public class ArrivalScheduleTest {

  private static final double RATE = 20_000;
  private static final int GAPS = 100_000;

  private static ArrivalSchedule times(
      long seed, ArrivalProcess arrivals, int threads, int thread) {
    return new RequestPlan(seed, "phase", OperationMix.NONE, 1_000, threads, 1)
        .arrivalSchedule(new Pacing(RATE, arrivals), 1, thread);
  }

  private static double[] gaps(long seed, int threads, int thread) {
    ArrivalSchedule times = times(seed, ArrivalProcess.POISSON, threads, thread);
    double[] gaps = new double[GAPS];
    long last = 0;
    for (int i = 0; i < GAPS; i++) {
      long due = times.due(i);
      gaps[i] = due - last;
      last = due;
    }
    return gaps;
  }

  /** Returns the number of requests that are due before {@code nanos}. */
  public static long dueBefore(ArrivalSchedule schedule, long nanos) {
    return LongStream.iterate(0, number -> number + 1)
        .takeWhile(number -> schedule.due(number) < nanos)
        .count();
  }

  @Test
  void constantArrivalsTakeTurns() {
    for (int thread = 0; thread < 4; thread++) {
      ArrivalSchedule times = times(1, ArrivalProcess.CONSTANT, 4, thread);
      assertThat(times.due(0)).isEqualTo(50_000L * thread);
      assertThat(times.due(1_000)).isEqualTo(50_000L * (4_000 + thread));
    }
  }

  /** Kolmogorov–Smirnov at 1 %: the critical value is 1.628 / sqrt(n). */
  @Test
  void gapsOfPoissonArrivalsAreExponential() {
    for (int threads : new int[] {1, 3}) {
      double[] gaps = gaps(7, threads, threads - 1);
      Arrays.sort(gaps);
      double mean = threads * 1e9 / RATE;
      double distance = 0;
      for (int i = 0; i < GAPS; i++) {
        double expected = 1 - Math.exp(-gaps[i] / mean);
        distance = Math.max(distance, Math.abs(expected - (i + 0.5) / GAPS));
      }
      assertThat(distance).isLessThan(1.628 / Math.sqrt(GAPS));
    }
  }

  /** The correlation of independent gaps has a standard deviation of 1 / sqrt(n). */
  @Test
  void gapsAreIndependentOfEachOtherAndOfOtherThreads() {
    double[] gaps = gaps(7, 2, 0);
    double[] other = gaps(7, 2, 1);
    double[] next = Arrays.copyOfRange(gaps, 1, GAPS);
    double[] first = Arrays.copyOf(gaps, GAPS - 1);
    assertThat(correlation(first, next)).isCloseTo(0, within(3 / Math.sqrt(GAPS)));
    assertThat(correlation(gaps, other)).isCloseTo(0, within(3 / Math.sqrt(GAPS)));
  }

  private static double correlation(double[] x, double[] y) {
    double meanX = Arrays.stream(x).average().orElseThrow();
    double meanY = Arrays.stream(y).average().orElseThrow();
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (int i = 0; i < x.length; i++) {
      xy += (x[i] - meanX) * (y[i] - meanY);
      xx += (x[i] - meanX) * (x[i] - meanX);
      yy += (y[i] - meanY) * (y[i] - meanY);
    }
    return xy / Math.sqrt(xx * yy);
  }

  /** A Poisson process of 20,000/s has 20,000 arrivals in a second, deviation sqrt(20,000). */
  @Test
  void theThreadsTogetherHaveTheRate() {
    long inTenSeconds =
        LongStream.range(0, 8)
            .map(t -> dueBefore(times(3, ArrivalProcess.POISSON, 8, (int) t), 10_000_000_000L))
            .sum();
    assertThat((double) inTenSeconds).isCloseTo(200_000, within(3 * Math.sqrt(200_000)));
  }

  @Test
  void theSeedDecides() {
    assertThat(gaps(7, 1, 0)).isEqualTo(gaps(7, 1, 0)).isNotEqualTo(gaps(8, 1, 0));
  }
}
