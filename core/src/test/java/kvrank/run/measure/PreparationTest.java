package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreparationTest {

  @TempDir private Path folder;

  private final Facts facts = new Facts();
  private Path data;
  private Path log;

  @BeforeEach
  void makeFolder() throws Exception {
    data = Files.createDirectory(folder.resolve("data"));
    log = folder.resolve("prepare.log");
  }

  private Optional<Failure> prepare(Duration limit, String... commands) throws Exception {
    return new Preparation(List.of(commands), limit).prepare(data, log, facts);
  }

  @Test
  void recordsEachCommandWithItsStatusAndLastLine() throws Exception {
    assertThat(
            prepare(
                Duration.ofMinutes(1),
                "echo first; echo '/mnt: 1.2 GiB trimmed'; touch here",
                "cat",
                "echo oh >&2"))
        .isEmpty();
    assertThat(facts.asMap())
        .containsEntry("prepare.1.status", "0")
        .containsEntry("prepare.1.output", "/mnt: 1.2 GiB trimmed")
        .containsEntry("prepare.2.command", "cat")
        .containsEntry("prepare.2.output", "")
        .containsEntry("prepare.3.output", "oh");
    assertThat(data.resolve("here")).exists();
    assertThat(log).content().isEqualTo("first\n/mnt: 1.2 GiB trimmed\noh\n");
  }

  @Test
  void aCommandThatFailsIsTheLastAndTheReason() throws Exception {
    Failure failure =
        prepare(Duration.ofMinutes(1), "echo 'not permitted'; exit 3", "touch here").orElseThrow();
    assertThat(failure.cause()).isEqualTo(Cause.INPUT);
    assertThat(failure.message())
        .isEqualTo(
            "prepare: 'echo 'not permitted'; exit 3' ended with status 3: not permitted; see "
                + log);
    assertThat(facts.asMap())
        .containsEntry("prepare.1.status", "3")
        .doesNotContainKey("prepare.2.command");
    assertThat(data.resolve("here")).doesNotExist();
  }

  @Test
  void aCommandBeyondTheLimitIsEndedWithItsChildren() throws Exception {
    // It ends by the kill only, since a sleep of a day outlasts the test.
    Failure failure =
        prepare(Duration.ofSeconds(1), "echo $$ > pid; sleep 86400; true").orElseThrow();
    assertThat(failure.message()).contains("had not ended after 1 s: no output");
    assertThat(facts.asMap()).containsEntry("prepare.1.status", "timed out");
    long pid = Long.parseLong(Files.readString(data.resolve("pid")).strip());
    ProcessHandle.of(pid).ifPresent(shell -> shell.onExit().join());
  }
}
