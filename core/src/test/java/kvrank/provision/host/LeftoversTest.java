package kvrank.provision.host;

import static kvrank.provision.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.contentOf;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import kvrank.OneAtATime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@OneAtATime(OneAtATime.LEFTOVERS)
class LeftoversTest {

  @TempDir private Path folder;

  @Test
  void keysOnAnExternalServerAreReportedAndKept() throws Exception {
    String keys = "'kvrank:ab12:…' of redis.r1 on 127.0.0.1:6379";
    Path journal = folder.resolve("kvrank-owns-1-1.00000000-x");
    journal(journal, "+keys gone\n+keys %s\n-keys gone\n".formatted(keys));

    assertThat(Leftovers.remove(folder).removed())
        .containsExactly("not removed, as others may use that server: keys " + keys);
    assertThat(Leftovers.remove(folder).removed()).as("told once").isEmpty();
  }

  @Test
  void aBrokenJournalDoesNotAffectOthers() throws Exception {
    Path dead = Files.createDirectory(folder.resolve("kvrank-worker-999999-123.8bc35e65-1"));
    Files.setPosixFilePermissions(dead, PosixFilePermissions.fromString("rwx------"));
    Path data = Files.createDirectory(folder.resolve("data"));
    String inode = Files.getAttribute(data, "unix:ino").toString();
    Path journal = folder.resolve("kvrank-owns-999999-123.8bc35e65-");
    journal(Path.of(journal + "1"), "+folder %s %s\n+folder 12".formatted(inode, data));
    journal(Path.of(journal + "2"), "+process\n+process 1\n+folder x /\n+folder 1 \0");
    journal(Path.of(journal + "3"), "");
    Files.write(Path.of(journal + "3"), new byte[] {'+', (byte) 0xff, (byte) 0xfe});
    Path alien = Files.createDirectory(Path.of(journal + "4"));
    Path number = folder.resolve("kvrank-worker-99999999999999999999-1");
    Files.createDirectory(number);

    Leftovers leftovers = Leftovers.remove(folder);

    assertThat(leftovers.removed())
        .containsExactlyInAnyOrder(
            "data '%s' is removed".formatted(data),
            "temporary folder '%s' is removed".formatted(dead));
    assertThat(leftovers.left())
        .contains("'%s' is broken; its files or processes may remain".formatted(journal + "1"))
        .hasSize(6);
    assertThat(folder)
        .isDirectoryNotContaining(file -> !file.equals(alien) && !file.equals(number));
    assertThat(Leftovers.remove(folder).left()).as("told once").isEmpty();
  }

  @Test
  void aLinkInsteadOfDataIsNotFollowedAndReportedEachTime() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    Path journal = folder.resolve("kvrank-owns-999999-123.8bc35e65-1");
    journal(journal, "+folder %s %s".formatted(Files.getAttribute(data, "unix:ino"), data));
    Path moved = Files.move(data, folder.resolve("moved"));
    Files.createSymbolicLink(data, moved);

    for (int time = 1; time <= 2; time++) {
      assertThat(Leftovers.remove(folder).left())
          .singleElement()
          .asString()
          .contains("'%s': is a link now, and is not followed".formatted(data));
    }
    assertThat(moved).exists();

    Files.delete(data);
    assertThat(Leftovers.remove(folder).left()).isEmpty();
    assertThat(journal).doesNotExist();
  }

  /** Another user can give a setuid program, which runs as root, any words. */
  @ParameterizedTest
  @ValueSource(strings = {"--reuid=12345", "--ruid=12345"})
  void aProcessOfAnotherUserIsNoWorker(String user) throws Exception {
    assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(0);
    assumeThat(Path.of("/usr/bin/setpriv")).exists();
    Path dead = Files.createDirectory(folder.resolve("kvrank-worker-999999-123.8bc35e65-1"));
    Files.setPosixFilePermissions(dead, PosixFilePermissions.fromString("rwx------"));
    String words = "sleep 60; : java.io.tmpdir=%s x".formatted(dead);
    Process theirs =
        new ProcessBuilder("/usr/bin/setpriv", user, "--clear-groups", "sh", "-c", words).start();
    Process ours = new ProcessBuilder("sh", "-c", words).start();
    try {
      // Its words are the same before it has changed its user.
      Path status = Path.of("/proc/" + theirs.pid(), "status");
      eventually("its user", () -> Files.readString(status).contains("Uid:\t12345\t"));
      // A process that starts a program has no words for a moment.
      eventually("our words", () -> ours.info().commandLine().orElse("").contains(words));
      assertThat(Leftovers.remove(folder).removed())
          .contains("worker (pid %d) is ended".formatted(ours.pid()));
      assertThat(theirs.isAlive()).isTrue();
    } finally {
      for (Process process : List.of(theirs, ours)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    }
  }

  /** Others may link the lock, which all may write, to the name of a journal. */
  @Test
  void aFileThatOthersCanWriteOrThatHasAnotherNameIsNoJournal() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    String entry = "+folder %s %s".formatted(Files.getAttribute(data, "unix:ino"), data);
    Path journal = folder.resolve("kvrank-owns-999999-123.8bc35e65-1");
    journal(journal, entry);
    Files.setPosixFilePermissions(journal, PosixFilePermissions.fromString("rw-rw-rw-"));
    Path linked = folder.resolve("linked");
    journal(linked, entry);
    Files.createLink(folder.resolve("kvrank-owns-999999-123.8bc35e65-2"), linked);

    assertThat(Leftovers.remove(folder).removed()).isEmpty();
    assertThat(data).exists();
  }

  private static void journal(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aRemovedJournalIsWrittenAgain() throws Exception {
    Path first = Files.createDirectory(folder.resolve("first"));
    Path second = Files.createDirectory(folder.resolve("second"));
    Path temporary = folder.resolve("temporary");
    Leftovers.Journal journal = new Leftovers.Journal(temporary);
    journal.add(Reaper.Kind.FOLDER, first.toString());
    new DataFolder(temporary).delete();

    journal.add(Reaper.Kind.FOLDER, second.toString());

    assertThat(temporary)
        .isDirectoryContaining(
            file ->
                contentOf(file.toFile()).contains(first.toString())
                    && contentOf(file.toFile()).contains(second.toString()));
  }

  @Test
  void nothingStartsWithoutAWritableJournal() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    Path full = Files.writeString(folder.resolve("full"), "");
    Leftovers.Journal journal = new Leftovers.Journal(full);
    try (Reaper reaper = new Reaper(new Executables(System.getenv()), journal)) {
      assertThatExceptionOfType(ProvisionException.class)
          .isThrownBy(() -> reaper.register(Reaper.Kind.FOLDER, data.toString()))
          .withMessage(
              "the journal in '%s' cannot be written, so a kill would leave files behind: it is a file"
                  .formatted(full));
      reaper.release(Reaper.Kind.FOLDER, data.toString());
    }
  }
}
