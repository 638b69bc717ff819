package kvrank.run.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import kvrank.worker.protocol.WorkerMessage;
import org.junit.jupiter.api.Test;

class ClocksTest {

  private static final long AHEAD = 3_000_000_000L;

  /** Each way of a round takes a time of its own. */
  @Test
  void theOffsetIsKnownToItsBound() {
    Random random = new Random(1);
    for (int trial = 0; trial < 1_000; trial++) {
      Clocks clocks = new Clocks(2);
      for (int round = 0; round < 20; round++) {
        long sent = round * 1_000_000_000L;
        long there = sent + 50_000 + random.nextInt(2_000_000);
        long back = there + 50_000 + random.nextInt(2_000_000);
        clocks.asked(round, sent);
        long epoch = there + 2 * AHEAD;
        clocks.answered(
            1, new WorkerMessage.Clock(round, epoch, there + AHEAD), back, back / 1_000_000);
      }

      long wrong = Math.abs(clocks.there(1, 0) - AHEAD);
      assertThat(wrong).isLessThanOrEqualTo(clocks.boundNanos(1));
      assertThat(clocks.boundNanos(1)).isLessThan(1_500_000);
      assertThat(clocks.here(1, clocks.there(1, 77))).isEqualTo(77);
      assertThat(clocks.ofDayNanos(1)).isBetween(2 * AHEAD - 5_000_000, 2 * AHEAD + 5_000_000);
    }
  }

  @Test
  void unaskedClocksHaveNoEffect() {
    Clocks clocks = new Clocks(1);
    clocks.answered(0, new WorkerMessage.Clock(1, 5, 5), 9, 0);
    assertThat(clocks.there(0, 4)).isEqualTo(4);
  }
}
