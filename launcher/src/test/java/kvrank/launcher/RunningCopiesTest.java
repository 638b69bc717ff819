package kvrank.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import kvrank.provision.host.PidNamespace;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script removes copies of the class path, below {@code .running}, whose kvrank has ended. */
class RunningCopiesTest {

  private static final String FIRST = "4026531836";

  @TempDir private Path home;

  private Path copies;

  @BeforeEach
  void install() throws Exception {
    for (String module : List.of("core", "worker", "bindings/noop")) {
      Files.createDirectories(home.resolve(module).resolve("target/lib"));
      Files.createDirectories(home.resolve(module).resolve("target/classes"));
    }
    Files.createFile(home.resolve("pom.xml"));
    Files.copy(InstalledKvrank.PROJECT.resolve("kvrank"), home.resolve("kvrank"));
    Path java = Files.createDirectories(home.resolve("jdk/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    copies = home.resolve(".running").resolve(output("uname", "-n"));
  }

  private static String output(String... command) throws IOException {
    Process process = new ProcessBuilder(command).start();
    return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
  }

  /** Runs the script, and gives the names of the copies after it except for its own. */
  private List<String> left() throws Exception {
    // As a careless cron job or container calls it.
    ProcessBuilder script =
        new ProcessBuilder("sh", "-c", "umask 0; exec sh " + home.resolve("kvrank") + " run");
    script.environment().put("JAVA_HOME", home.resolve("jdk").toString());
    script.redirectError(ProcessBuilder.Redirect.INHERIT);
    Process process = script.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isZero();
    String own = Long.toString(process.pid());
    assertThat(said).contains("-Dkvrank.built=" + copies.resolve(own));
    try (Stream<Path> all = Files.list(copies)) {
      return all.map(each -> each.getFileName().toString())
          .filter(name -> !name.split("\\.", -1)[0].equals(own))
          .sorted()
          .toList();
    }
  }

  @Test
  void onlyThoseOfEndedKvranksAreRemoved() throws Exception {
    String here = number("/proc/self/ns/pid");
    long alive = ProcessHandle.current().pid();
    for (String name : List.of("999999", "999999." + here, alive + "", alive + "." + here)) {
      Files.createDirectories(copies.resolve(name));
    }
    assertThat(left()).containsExactly(alive + "", alive + "." + here);
  }

  @Test
  void thoseOfAnotherPidNamespaceStayWhileItHasAProcess() throws Exception {
    assumeTrue(PidNamespace.problem().isEmpty(), () -> PidNamespace.problem().orElseThrow());
    Process other =
        new ProcessBuilder(
                "unshare", "-pf", "--kill-child", "--mount-proc", "sh", "-c", "echo; exec sleep 99")
            .start();
    try {
      assertThat(other.getInputStream().read()).isNotNegative();
      long first = other.children().findFirst().orElseThrow().pid();
      String copy = "999999." + number("/proc/" + first + "/ns/pid");
      Files.createDirectories(copies.resolve(copy));
      assertThat(left()).containsExactly(copy);

      other.children().forEach(ProcessHandle::destroyForcibly);
      other.waitFor();
      assertThat(left().isEmpty())
          .as("only the first namespace sees that it ended")
          .isEqualTo(number("/proc/self/ns/pid").equals(FIRST));
    } finally {
      other.children().forEach(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void othersCannotReplaceThem() throws Exception {
    left();
    assertThat(output("find", home.resolve(".running").toString(), "-perm", "-o+w")).isEmpty();
  }

  @Test
  void othersCannotChangeWhatTheBuildUnpacks() throws Exception {
    String built = InstalledKvrank.PROJECT.resolve("bindings/redis/target/bundled").toString();
    assertThat(output("find", built, "-type", "f")).isNotEmpty();
    assertThat(output("find", built, "-perm", "-o+w")).isEmpty();
  }

  private static String number(String namespace) throws IOException {
    return Files.readSymbolicLink(Path.of(namespace)).toString().replaceAll("\\D", "");
  }
}
