package kvrank.worker.phase;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import kvrank.worker.client.PhaseStages;
import kvrank.worker.client.PhaseStagesTest;
import kvrank.worker.client.ThreadStats;
import kvrank.worker.protocol.MachineBarrier;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class HiccupMonitorTest {

  private static final Duration PAUSE = Duration.ofMillis(500);

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

  /** Not only one that begins in a sleep: what is stopped may be counting just then. */
  @Test
  void aPauseBetweenTwoSleepsIsSeen() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    LongSupplier done =
        () -> {
          if (over.getCount() > 0) {
            LockSupport.parkNanos(PAUSE.toNanos());
            over.countDown();
          }
          return 1;
        };
    HiccupMonitor monitor =
        new HiccupMonitor(() -> new PhaseStages.Look(0, 0, 0, 0, 0, 0), () -> 0, done);

    monitor.start(
        System.nanoTime(),
        PhaseStagesTest.stages(Duration.ZERO, 0),
        MachineBarrier.NONE,
        window -> {});
    over.await();
    monitor.stop();

    assertThat(monitor.hiccups().getMaxValue()).isGreaterThan(PAUSE.toNanos() * 9 / 10);
  }
}
