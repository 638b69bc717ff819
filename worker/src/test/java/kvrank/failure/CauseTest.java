package kvrank.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CauseTest {

  private static Cause ended(int status) {
    return Ending.of(status, Cause.ENGINE, "").cause();
  }

  @Test
  void aSignalFromOutsideIsNotTheEnginesFault() {
    assertThat(List.of(0, 129, 130, 137, 143)).allMatch(status -> ended(status) == Cause.OUTSIDER);
    assertThat(List.of(1, 126, 127, 134, 139, 255))
        .allMatch(status -> ended(status) == Cause.ENGINE);
    assertThat(Ending.of(137, Cause.ENGINE, "").killed()).isTrue();
    assertThat(Ending.of(143, Cause.ENGINE, "").killed()).isFalse();
  }

  @Test
  void anEngineThatEndsWhileStartingEndedByItself() {
    assertThat(Ending.of(0, Cause.ENGINE, "").whileStarting().cause()).isEqualTo(Cause.ENGINE);
    assertThat(Ending.of(137, Cause.ENGINE, "").whileStarting().cause()).isEqualTo(Cause.OUTSIDER);
  }

  @Test
  void theTypeOfAnExceptionDecidesItsCause(@TempDir Path folder) {
    IOException full = new FileSystemException("/x", null, "No space left on device");
    assertThat(Cause.of(full)).isEqualTo(Cause.MACHINE);
    assertThat(Cause.of(new UncheckedIOException(full))).isEqualTo(Cause.MACHINE);
    assertThat(Cause.of(new IllegalStateException("No space left on device")))
        .isEqualTo(Cause.HARNESS);
    assertThat(Cause.of(new FailureException(Cause.INPUT, "No space left on device")))
        .isEqualTo(Cause.INPUT);
    assertThat(folder.resolve("gone"))
        .satisfies(
            gone -> {
              try {
                Files.createTempFile(gone, "", "");
              } catch (IOException e) {
                assertThat(Cause.of(e)).isEqualTo(Cause.OUTSIDER);
              }
            });
  }

  @Test
  void aMissingProgramWasRemovedByAnOutsider(@TempDir Path folder) {
    assertThat(Cause.ofStart(folder.resolve("gone").toString())).isEqualTo(Cause.OUTSIDER);
    assertThat(Cause.ofStart(folder.toString())).isEqualTo(Cause.MACHINE);
    assertThat(Cause.ofStart("setsid")).isEqualTo(Cause.MACHINE);
  }
}
