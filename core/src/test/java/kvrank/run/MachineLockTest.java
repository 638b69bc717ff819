package kvrank.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.Closeable;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import kvrank.run.MachineLock.Held;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two executions on one machine. */
class MachineLockTest {

  @TempDir private Path folder;
  private ScriptedExecution scripted;

  @BeforeEach
  void script() throws Exception {
    scripted = new ScriptedExecution(folder);
  }

  @Test
  void nothingHappensWhileAnotherExecutionHoldsTheLock() throws Exception {
    try (Closeable other =
        scripted.lock().acquire("pid 7, scenario first", scripted.warnings()::add)) {
      assertThatIOException()
          .isThrownBy(scripted::execute)
          .withMessageContaining("another kvrank is measuring on this machine")
          .withMessageContaining("pid 7, scenario first; --wait waits")
          .withMessageContaining(scripted.lock().file().toString());
      assertThat(other).isNotNull();
    }
    assertThat(scripted.events()).isEmpty();
    assertThat(scripted.results()).doesNotExist();

    scripted.execute();
    assertThat(scripted.executed()).as("the lock is given back").hasSize(4);
  }

  @Test
  void anExecutionMayGoOnWhileAnotherHoldsTheLock() throws Exception {
    try (Closeable other = scripted.lock().acquire("pid 7", scripted.warnings()::add)) {
      scripted.held(Held.FORCE);
      scripted.execute();
      assertThat(other).isNotNull();
    }
    assertThat(scripted.executed()).hasSize(4);
    assertThat(scripted.warnings())
        .contains("another kvrank is measuring, and each disturbs the other: pid 7");
  }

  @Test
  void anExecutionMayWaitForTheLock() throws Exception {
    Closeable other = scripted.lock().acquire("pid 7", scripted.warnings()::add);
    scripted.held(Held.WAIT).atWarning(() -> assertThatNoException().isThrownBy(other::close));

    scripted.execute();

    assertThat(scripted.executed()).hasSize(4);
    assertThat(scripted.warnings()).contains("waiting until another kvrank has ended: pid 7");
    assertThat(Files.readString(scripted.lock().file())).contains("scenario two, since ");
  }

  @Test
  void aLockWithoutADescriptionIsRespected() throws Exception {
    try (FileChannel silent =
            FileChannel.open(
                scripted.lock().file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock other = silent.lock()) {
      assertThatIOException()
          .isThrownBy(() -> scripted.lock().acquire("pid 8", scripted.warnings()::add))
          .withMessageContaining("would disturb the other: an unknown one; --wait");
      assertThat(other.isValid()).isTrue();
    }
  }

  @Test
  void otherUsersCannotOpenAndLockThatOfResults() throws Exception {
    try (Closeable held = MachineLock.ofResults(folder)) {
      assertThat(held).isNotNull();
      assertThat(Files.getPosixFilePermissions(folder.resolve(".lock")))
          .containsExactlyInAnyOrder(
              PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }
  }

  @Test
  void aMessageAboutAnUnusableLockNamesFileAndReason() throws Exception {
    Path file = Files.writeString(folder.resolve("no folder"), "").resolve("lock");

    assertThatIOException()
        .isThrownBy(
            () -> new MachineLock(file, Held.REFUSE).acquire("pid 8", scripted.warnings()::add))
        .withMessageStartingWith("the lock %s cannot be taken: Not a directory".formatted(file))
        .withMessageContaining("-Djava.io.tmpdir=DIR");
  }

  @Test
  void aLinkOrAPipeOfAnotherUserIsNeitherFollowedNorWaitedFor() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "keep this\n");
    Path file = scripted.lock().file();
    Files.createDirectories(file.getParent());
    Files.createSymbolicLink(file, secret);
    assertRefused("it is not a regular file; remove it");
    Files.delete(file);
    Files.createSymbolicLink(file, folder.resolve("new"));
    assertRefused("it is not a regular file; remove it");
    assertThat(folder.resolve("new")).doesNotExist();
    Files.delete(file);
    Files.createLink(file, secret);
    assertRefused("the file has a second hard link; remove it");
    // Any user can give the lock, which all may write, another name.
    scripted.held(Held.FORCE).lock().acquire("pid 8", scripted.warnings()::add).close();
    assertThat(scripted.warnings()).last().asString().contains("another kvrank may be measuring");
    scripted.held(Held.REFUSE);
    Files.delete(file);
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    assertRefused("it is not a regular file; remove it");
    assertThat(secret).hasContent("keep this\n");
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aLinkOrAPipeInReceivedResultsIsNeitherFollowedNorWaitedFor() throws Exception {
    Path file = folder.resolve(".lock");
    Files.createSymbolicLink(file, folder.resolve("new"));
    for (int time = 1; time <= 2; time++) {
      assertThatIOException()
          .isThrownBy(() -> MachineLock.ofResults(folder))
          .withMessage("the lock %s cannot be taken: it is not a regular file; remove it", file);
      Files.delete(file);
      assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    }
    assertThat(folder.resolve("new")).doesNotExist();
  }

  @Test
  void nothingStartsWhereAnotherUserCouldReplaceResultsOrData() throws Exception {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    scripted.scenario(
        "open.yaml",
        "question: Where?\nengines: [redis]\nfsync: off\nphases: [get]\nstorage: {data: '"
            + open.resolve("data")
            + "'}");

    assertThatIOException()
        .isThrownBy(scripted::execute)
        .withMessageContaining("'%s' is writable for all users", open);
    assertThat(scripted.events()).isEmpty();
    assertThat(scripted.results()).doesNotExist();
  }

  private void assertRefused(String reason) {
    assertThatIOException()
        .isThrownBy(() -> scripted.lock().acquire("pid 8", scripted.warnings()::add))
        .withMessageContaining("cannot be taken: " + reason);
  }

  @Test
  void theTextOfAnotherUserIsShortAndWithoutControlCharacters() throws Exception {
    Path file = scripted.lock().file();
    Files.writeString(file, "pid 7\u001b[2J\u202e\r\n" + "x".repeat(1 << 20));
    try (FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock held = other.lock()) {
      assertThatIOException()
          .isThrownBy(() -> scripted.lock().acquire("pid 8", scripted.warnings()::add))
          .withMessageContaining("the other: pid 7 [2J xxx")
          .satisfies(thrown -> assertThat(thrown.getMessage()).hasSizeLessThan(700));
      assertThat(held.isValid()).isTrue();
    }
  }
}
