package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLimitsTest {

  private static final String LIMITS =
      """
      Limit                     Soft Limit           Hard Limit           Units
      Max address space         unlimited            unlimited            bytes
      Max processes             64                   96365                processes
      Max open files            256                  256                  files
      """;

  @Test
  void softLimitsAreThoseThatHold() {
    assertThat(ProcessLimits.of(LIMITS, false))
        .isEqualTo(
            new ProcessLimits(
                OptionalLong.of(256),
                OptionalLong.of(64),
                OptionalLong.empty(),
                OptionalLong.empty()));
    assertThat(ProcessLimits.of(LIMITS, true).processes()).isEmpty();
    assertThat(ProcessLimits.of("Max open files   unlimited  unlimited", false).files()).isEmpty();
  }

  @Test
  void whatIsTooLittleIsSaidWithTheNextStep() {
    ProcessLimits limits = ProcessLimits.of(LIMITS, true);

    assertThat(limits.problem(128, 128)).isEmpty();
    assertThat(limits.problem(300, 300).orElse(""))
        .contains("300 clients need about 428 open files", "256 are allowed", "'ulimit -n 428'");
    assertThat(ProcessLimits.of(LIMITS, false).problem(8, 8).orElse(""))
        .contains("8 threads need about 88", "64 are allowed", "'ulimit -u ");
    assertThat(
            new ProcessLimits(
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.of(100 << 20))
                .problem(1, 1)
                .orElse(""))
        .contains("need 512 MiB", "has 100;");
  }

  @Test
  void theGroupWithTheLeastRoomLimitsTheThreads(@TempDir Path outer) throws IOException {
    Path inner = Files.createDirectory(outer.resolve("inner"));
    assertThat(ProcessLimits.room(List.of(inner, outer))).isEmpty();
    Files.writeString(inner.resolve("pids.max"), "max\n");
    Files.writeString(inner.resolve("pids.current"), "30\n");
    assertThat(ProcessLimits.room(List.of(inner, outer))).isEmpty();
    Files.writeString(outer.resolve("pids.max"), "100\n");
    Files.writeString(outer.resolve("pids.current"), "40\n");
    OptionalLong room = ProcessLimits.room(List.of(inner, outer));
    assertThat(room).hasValue(60);
    assertThat(
            new ProcessLimits(
                    OptionalLong.empty(), OptionalLong.empty(), room, OptionalLong.empty())
                .problem(8, 8)
                .orElse(""))
        .contains("8 threads need about 88", "accepts only 60 more (pids.max)");
  }

  @Test
  void thisMachineDoes() {
    assertThat(ProcessLimits.here().problem(1, 1)).isEmpty();
    assertThat(ProcessLimits.here().memory()).isPresent();
  }
}
