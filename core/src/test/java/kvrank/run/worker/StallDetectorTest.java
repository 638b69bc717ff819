package kvrank.run.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongToDoubleFunction;
import kvrank.Wording;
import kvrank.machine.Hindrance;
import kvrank.worker.protocol.WorkerMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Seconds come from a clock that nothing waits for. */
class StallDetectorTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final long OPERATIONS = 1_000_000_000;

  private final StallDetector detector = new StallDetector(nanos(0), StallDetector.LIMIT);
  private final Hindrance none = new Hindrance(nanos(0));
  private long now;

  private static long nanos(long second) {
    return TimeUnit.SECONDS.toNanos(1_000 + second);
  }

  /** Says once a second how much is done, which is so until {@code end}; the first verdict. */
  private Optional<String> until(long end, LongToDoubleFunction done) {
    Optional<String> over = Optional.empty();
    while (now < end && over.isEmpty()) {
      now++;
      double share = done.applyAsDouble(now);
      progress(share, Math.round(OPERATIONS * share));
      over = detector.stalled(nanos(now), none);
    }
    return over;
  }

  private void progress(double done, long operations) {
    detector.progressed(new WorkerMessage.Progress("get", done, operations, 0), nanos(now));
  }

  @Test
  void silenceEndsIt() {
    assertThat(detector.stalled(nanos(60), none)).isEmpty();
    wording.check(detector.stalled(nanos(61), none).orElseThrow());
  }

  @Test
  void aSuspendedCallerDoesNotDetectSilence() {
    detector.awake(nanos(1));
    detector.awake(nanos(600));
    assertThat(detector.longestPause()).isEqualTo(TimeUnit.SECONDS.toNanos(599));
    assertThat(detector.stalled(nanos(600), none)).isEmpty();
    assertThat(detector.stalled(nanos(659), none)).isEmpty();
    assertThat(detector.stalled(nanos(660), none)).isPresent();
  }

  @Test
  void reportsWithoutAnOperationAreSilence() {
    wording.check(until(100, second -> second < 20 ? second / 1e3 : 0.02).orElseThrow());
    assertThat(now).isEqualTo(81);
  }

  @Test
  void lateAnswersDoNotExtendThePhase() {
    for (int operations = 1; now < 10; operations++) {
      now++;
      progress(now / 10.0, operations);
    }
    for (int operations = 11; detector.stalled(nanos(now), none).isEmpty(); operations++) {
      now++;
      progress(1, operations);
    }
    assertThat(now).isEqualTo(70);
    wording.check(detector.stalled(nanos(now), none).orElseThrow());
  }

  @Test
  void aPhaseThatStopsAtAHundredthOfItsPaceIsEnded() {
    // Half of it in 30 s, then so that the rest would take days.
    assertThat(until(10_000, second -> Math.min(second, 30) / 60.0 + second / 1e6))
        .hasValueSatisfying(why -> assertThat(why).contains("0.0060 % of it", "50 % in its best"));
    assertThat(now).isEqualTo(120);
  }

  @Test
  void slowMinutesAreNotTheBestPace() {
    // A minute of 80 %, ten of 1 %, then a tenth of that.
    assertThat(
            until(
                10_000,
                second ->
                    second <= 60
                        ? second / 75.0
                        : 0.8 + Math.min(second - 60, 600) / 6e3 + Math.max(0, second - 660) / 6e4))
        .isPresent();
    assertThat(now).isEqualTo(720);
  }

  @Test
  void aPhaseThatIsSlowThroughoutOrSoonOverIsNot() {
    assertThat(until(100_000, second -> second / 1e6)).isEmpty();
  }

  @Test
  void aPhaseThatIsSoonOverAtItsPaceIsNot() {
    // Half of it in 30 s, then the rest in half an hour.
    assertThat(until(1_800, second -> Math.min(second, 30) / 60.0 + second / 3_600.0)).isEmpty();
  }

  @Test
  void restoredRecordsAreNotThePaceOfThePhase() {
    for (int operations = 1; now < 500; operations++) {
      now++;
      progress(0, operations * 1_000L);
      assertThat(detector.stalled(nanos(now), none)).isEmpty();
    }
    assertThat(until(10_000, second -> (second - 500) / 1e6)).isEmpty();
  }
}
