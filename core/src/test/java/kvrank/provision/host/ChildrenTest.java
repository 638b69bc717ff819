package kvrank.provision.host;

import static kvrank.provision.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kvrank.OneAtATime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@OneAtATime(OneAtATime.LEFTOVERS)
class ChildrenTest {

  @TempDir private Path folder;

  @Test
  void aChildGetsNoVariableThatMayBeASecret() {
    Map<String, String> environment = new HashMap<>();
    for (String name :
        List.of(
            "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "KVRANK_REDIS_PASSWORD", "SSH_AUTH_SOCK")) {
      environment.put(name, "secret");
    }
    for (String name : List.of("PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_PRELOAD", "GOGC")) {
      environment.put(name, "needed");
    }
    environment.put("TMPDIR", folder.toString());
    Children.keep(environment);
    assertThat(environment)
        .containsOnlyKeys("PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_PRELOAD", "GOGC", "TMPDIR");

    environment.putAll(Map.of("DSN", "named", "DSN2", "not", Children.PASSED_TOO, "X,DSN"));
    environment.put("TMPDIR", folder.resolve("missing").toString());
    Children.keep(environment);
    assertThat(environment).containsKey("DSN").doesNotContainKeys("DSN2", "TMPDIR");
  }

  @Test
  void aChildIsFoundByItsMarkWhereverItIs() throws Exception {
    String mark = Children.mark();
    // Java closes the pipe once the child has ended, so that does not end first.
    String script =
        "(setsid sh -c 'echo $$ >pid; exec sleep 1000' &); until [ -s pid ]; do :; done; cat pid";
    Process child =
        Children.builder(List.of("sh", "-c", script), mark).directory(folder.toFile()).start();
    try (BufferedReader out = child.inputReader()) {
      long daemon = Long.parseLong(out.readLine());
      assertThat(child.waitFor()).isZero();
      // A process that starts a program has no environment for a moment.
      List<ProcessHandle> found = new ArrayList<>();
      eventually("the daemon is found", () -> found.addAll(Children.marked(mark)));
      try {
        assertThat(found).extracting(ProcessHandle::pid).containsExactly(daemon);
        assertThat(Children.marked(Children.mark())).isEmpty();
        assertThat(Children.orphans()).isEmpty();
      } finally {
        found.forEach(ProcessHandle::destroyForcibly);
      }
      eventually("it ends", () -> Children.marked(mark).isEmpty());
    }
  }

  @Test
  void theDaemonOfADeadKvrankIsALeftover() throws Exception {
    String dead = "999999-123.8bc35e65:1";
    Process daemon = Children.builder(List.of("sleep", "1000"), dead).start();
    eventually("it has its environment", () -> !Children.marked(dead).isEmpty());
    assertThat(Leftovers.remove(folder).removed())
        .containsExactly("process (pid %d) is ended".formatted(daemon.pid()));
    assertThat(daemon.waitFor()).isNotZero();
  }

  @Test
  void aMissingTemporaryFolderIsMade() throws Exception {
    Path missing = folder.resolve("a/b");
    assertThat(Leftovers.remove(missing)).isEqualTo(new Leftovers(List.of(), List.of()));
    TemporaryFolder.require(missing);
    assertThat(missing).isDirectory();
    TemporaryFolder.require(Path.of("/tmp"));
  }

  @Test
  void aTemporaryFolderInWhichOthersCanReplaceFilesIsRefused() throws Exception {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(catchThrowable(() -> TemporaryFolder.require(folder)))
        .hasMessageContaining("'%s' is writable for all users", folder)
        .hasMessageEndingWith("JDK_JAVA_OPTIONS=-Djava.io.tmpdir=DIR");
    Path below = Files.createDirectory(folder.resolve("below"));
    assertThat(catchThrowable(() -> TemporaryFolder.require(below)))
        .hasMessageContaining("'%s' is writable for all users", folder);
    assertThat(Leftovers.remove(below).left())
        .singleElement()
        .asString()
        .contains("'%s' is writable for all users".formatted(folder));
    assertThat(folder.toFile().setWritable(false, false)).isTrue();
    TemporaryFolder.require(folder);
    assertThat(folder.toFile().setWritable(true, true)).isTrue();
  }
}
