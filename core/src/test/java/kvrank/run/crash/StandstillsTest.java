package kvrank.run.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StandstillsTest {

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Otherwise a suspended machine accuses an engine with a timer, which did not run either. */
  @Test
  void aSuspendedMachineDoesNotAgeAWrite() {
    Standstills standstills = new Standstills(0);
    standstills.awake(millis(50), 50);
    standstills.awake(millis(3_050), 60);
    standstills.awake(millis(3_100), 110);
    assertThat(standstills.awakeNanos(millis(20), millis(3_100))).isEqualTo(millis(80));
    assertThat(standstills.awakeNanos(millis(1_050), millis(3_100)))
        .as("the acknowledgement was on its way")
        .isEqualTo(millis(50));
    assertThat(standstills.awakeNanos(millis(3_060), millis(3_100))).isEqualTo(millis(40));
    assertThat(standstills.awakeNanos(millis(3_200), millis(3_100))).isZero();
  }

  /** Only kvrank stood still, while an engine acknowledged writes that it later lost. */
  @Test
  void writesAgeWhileClientsRun() {
    Standstills standstills = new Standstills(0);
    standstills.awake(millis(50), 50);
    standstills.awake(millis(3_050), 3_000);
    assertThat(standstills.awakeNanos(millis(50), millis(3_050))).isEqualTo(millis(3_000));
  }

  @Test
  void theTimeBetweenTwoPollsIsNoStandstill() {
    Standstills standstills = new Standstills(0);
    for (long time = 10; time <= 2_000; time += 10) {
      standstills.awake(millis(time), time);
    }
    assertThat(standstills.awakeNanos(0, millis(2_000))).isEqualTo(millis(2_000));
  }
}
