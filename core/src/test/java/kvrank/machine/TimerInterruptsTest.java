package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimerInterruptsTest {

  @TempDir private Path folder;

  private TimerInterrupts at(double seconds, long first, long second, long switches)
      throws IOException {
    Files.writeString(
        folder.resolve("interrupts"),
        "           CPU0       CPU1\n  0:   7   9  IO-APIC  timer\nLOC:  %d  %d   Local timer interrupts\n"
            .formatted(first, second));
    Files.writeString(folder.resolve("stat"), "cpu 1 2 3\nctxt %d\nbtime 5\n".formatted(switches));
    return TimerInterrupts.of(folder, seconds).orElseThrow();
  }

  @Test
  void timersThatWakeNoThreadAreTheExcess() throws Exception {
    TimerInterrupts before = at(100, 1_000, 2_000, 50_000);
    assertThat(at(110, 101_000, 162_000, 60_000).excessSince(before)).hasValue(12_500);
    assertThat(at(110, 3_500, 4_500, 90_000).excessSince(before)).hasValue(0);
  }

  @Test
  void withoutCountersNothingIsKnown() throws Exception {
    Files.writeString(folder.resolve("interrupts"), "  CPU0\n 0:  7  arch_timer\n");
    assertThat(TimerInterrupts.of(folder, 1)).isEmpty();
  }
}
