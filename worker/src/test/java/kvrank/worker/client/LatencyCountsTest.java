package kvrank.worker.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyCountsTest {

  /** The percentile is the largest value of a bucket, which is at most a sixteenth wide. */
  @Test
  void p99IsThatOfAHistogramUpToTheWidthOfABucket() {
    Random random = new Random(1);
    for (double scale : new double[] {20, 3_000, 2e6, 5e9}) {
      LatencyCounts counts = new LatencyCounts();
      Histogram histogram = new Histogram(4);
      for (int i = 0; i < 20_000; i++) {
        long nanos = Math.round(scale * Math.exp(random.nextGaussian()));
        counts.add(nanos);
        histogram.recordValue(nanos);
      }
      double exact = histogram.getValueAtPercentile(99);
      assertThat(counts.p99Since(new LatencyCounts()) / exact).isBetween(0.999, 1.07);
    }
  }

  @Test
  void onlyLatenciesSinceTheEarlierCountsMatter() {
    LatencyCounts counts = new LatencyCounts();
    for (int i = 0; i < 100_000; i++) {
      counts.add(1_000_000);
    }
    LatencyCounts earlier = new LatencyCounts();
    earlier.addAll(counts);
    for (int i = 0; i < 1_000; i++) {
      counts.add(i % 50 == 0 ? 4_000 : 500);
    }
    assertThat(counts.p99Since(earlier)).isBetween(4_000L, 4_300L);
  }

  @Test
  void tooFewRequestsHaveNoPercentile() {
    LatencyCounts counts = new LatencyCounts();
    for (int i = 0; i < 999; i++) {
      counts.add(500);
    }
    assertThat(counts.p99Since(new LatencyCounts())).isZero();
    counts.add(Long.MAX_VALUE);
    assertThat(counts.p99Since(new LatencyCounts())).isBetween(500L, 530L);
  }
}
