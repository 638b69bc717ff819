package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class HiccupMonitorTest {

  /** Of ten seconds, half were 20 pauses of 248 ms, and in the other half nothing happened. */
  @Test
  void pauseWeighsAsMuchAsTheTimeThatItTook() {
    Histogram hiccups = new Histogram(ThreadStats.SIGNIFICANT_DIGITS);
    for (int i = 0; i < 1_240; i++) {
      HiccupMonitor.record(hiccups, 0);
    }
    for (int i = 0; i < 20; i++) {
      HiccupMonitor.record(hiccups, 248_000_000);
    }
    assertThat(hiccups.getTotalCount()).isEqualTo(2_480);
    assertThat(hiccups.getValueAtPercentile(40)).isZero();
    assertThat(hiccups.getValueAtPercentile(75)).isGreaterThan(120_000_000);
    assertThat(hiccups.getValueAtPercentile(99)).isGreaterThan(238_000_000);
  }
}
