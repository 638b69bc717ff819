package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.OptionalLong;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.machine.ProcessSample;
import kvrank.run.measure.ResourceSampler.Ended;
import org.junit.jupiter.api.Test;

/** An engine whose work ends after a number of samples. */
class SettlingTest {

  private static final long MIB = 1 << 20;

  private static final Ended END = new Ended(System.nanoTime(), sample(0, MIB));

  private int samples;
  private int reports;

  @Test
  void ignoresAnIdleProcessWhileTheEngineReportsWork() throws Exception {
    Settling settling =
        new Settling(
            END,
            () -> Optional.of(sample(0, MIB)),
            () -> new Facts().put(Fact.ENGINE_PENDING_WORK, ++reports < 10 ? 1 : 0));

    Facts facts = settling.await("until-idle");

    assertThat(facts.text(Fact.SETTLE_IDLE)).isEqualTo("yes");
    assertThat(reports).isGreaterThanOrEqualTo(10 + 5);
  }

  @Test
  void waitsForAProcessThatWritesAndCountsWhatItWrote() throws Exception {
    Settling settling =
        new Settling(END, () -> Optional.of(sample(0, Math.min(++samples, 20) * MIB)), Facts::new);

    Facts facts = settling.await("until-idle");

    assertThat(facts.text(Fact.SETTLE_IDLE)).isEqualTo("yes");
    assertThat(facts.count(Fact.SETTLE_WRITTEN_BYTES)).isEqualTo(19 * MIB);
    assertThat(facts.count(Fact.SETTLE_READ_BYTES)).isZero();
  }

  @Test
  void aTimeEndsTheWaitForABusyProcess() throws Exception {
    Settling settling = new Settling(END, () -> Optional.of(sample(++samples, MIB)), Facts::new);

    Facts facts = settling.await("300ms");

    assertThat(facts.text(Fact.SETTLE_IDLE)).isEqualTo("no");
    assertThat(facts.has(Fact.SETTLE_NANOS)).isFalse();
  }

  @Test
  void aTimeThatIsTooShortToTellDoesNotMakeAQuietEngineBusy() throws Exception {
    Settling settling = new Settling(END, () -> Optional.of(sample(0, MIB)), Facts::new);

    Facts facts = settling.await("500ms");

    assertThat(facts.text(Fact.SETTLE_IDLE)).isEqualTo("unknown");
    assertThat(facts.has(Fact.SETTLE_NANOS)).isFalse();
  }

  @Test
  void needsAProcessOrAReport() throws Exception {
    assertThat(new Settling(END, Optional::empty, Facts::new).possible()).isFalse();
    assertThat(new Settling(END, () -> Optional.of(sample(0, MIB)), Facts::new).possible())
        .isTrue();
    Facts busy = new Facts().put(Fact.ENGINE_PENDING_WORK, 1);
    assertThat(new Settling(END, Optional::empty, () -> busy).possible()).isTrue();
  }

  private static ProcessSample sample(double cpuSeconds, long written) {
    return new ProcessSample(
        cpuSeconds,
        0,
        0,
        0,
        0,
        0,
        OptionalLong.of(0),
        OptionalLong.of(written),
        OptionalLong.of(0));
  }
}
