package kvrank.provision.host;

import static kvrank.provision.Eventually.eventually;
import static kvrank.provision.Eventually.outside;
import static kvrank.provision.Eventually.runs;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.OneAtATime;
import kvrank.provision.Eventually;
import kvrank.provision.LocalProvisioner;
import kvrank.provision.docker.DockerForTests;
import kvrank.provision.server.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever ends kvrank, its servers and their data end too. */
@OneAtATime(OneAtATime.LEFTOVERS)
class SuddenEndIT {

  @TempDir Path folder;

  private Process owner;

  @AfterEach
  void endOwner() {
    if (owner != null) {
      owner.destroyForcibly();
    }
  }

  /** Starts {@link OwnerMain} and gives its server's pid. */
  private long startOwner(String... arguments) throws IOException {
    List<String> command =
        Stream.concat(
                Stream.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Djava.io.tmpdir=" + Files.createDirectories(temporary()),
                    "-cp",
                    System.getProperty("java.class.path"),
                    OwnerMain.class.getName(),
                    folder.toString()),
                Stream.of(arguments))
            .toList();
    owner = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out = owner.inputReader();
    String line = out.readLine();
    assertThat(line).as("the owner's first line").isNotNull();
    return Long.parseLong(line);
  }

  private Path temporary() {
    return folder.resolve("tmp");
  }

  private Set<Long> children() {
    return owner.children().map(ProcessHandle::pid).collect(Collectors.toSet());
  }

  /** Returns the child that is the server, or holds its pid namespace. */
  private long holder(long server) {
    return owner
        .children()
        .filter(
            child ->
                child.pid() == server
                    || child.descendants().anyMatch(below -> below.pid() == server))
        .findFirst()
        .orElseThrow()
        .pid();
  }

  private void nothingIsLeft(long server, Set<Long> children) throws Exception {
    eventually("the server ends", () -> !runs(server));
    eventually("its data goes", () -> !Files.exists(folder.resolve("da ta")));
    eventually("the guard ends", () -> children.stream().noneMatch(Eventually::runs));
    assertThat(folder.resolve("server.log")).exists();
  }

  @Test
  void sigkill() throws Exception {
    long server = startOwner("BUNDLED");
    Set<Long> children = children();
    assertThat(children).hasSize(2).contains(holder(server));
    owner.destroyForcibly();
    nothingIsLeft(server, children);
  }

  @Test
  void sigkillOfAKvrankWhoseServerLeftADaemon() throws Exception {
    Path executable = new TestRedis(folder.resolve("redis")).executable();
    Path script = folder.resolve("script");
    Files.writeString(
        script,
        """
        #!/bin/sh
        (setsid sh -c 'echo $$ >"%1$s/new"; exec sleep 1000' &)
        while [ ! -s "%1$s/new" ]; do sleep 0.01; done
        exec "%2$s" "$@"
        """
            .formatted(folder, executable));
    assertThat(script.toFile().setExecutable(true)).isTrue();
    long server = startOwner("PROCESS", script.toString());
    long daemon =
        outside(owner.toHandle(), Long.parseLong(Files.readString(folder.resolve("new")).strip()));
    assertThat(runs(daemon)).isTrue();
    Set<Long> children = children();
    owner.destroyForcibly();
    nothingIsLeft(server, children);
    eventually("the daemon ends", () -> !runs(daemon));
  }

  @Test
  void sigkillOfTheGuardToo() throws Exception {
    long server = startOwner("BUNDLED");
    Set<Long> children = children();
    assertThat(Leftovers.remove(temporary()).removed()).as("while its owner lives").isEmpty();
    long holder = holder(server);
    for (long child : children) {
      if (child != holder) {
        ProcessHandle.of(child).orElseThrow().destroyForcibly();
        eventually("the guard ends", () -> !runs(child));
      }
    }
    owner.destroyForcibly().waitFor();
    assertThat(runs(server)).isTrue();

    Path data = folder.resolve("da ta");
    assertThat(Leftovers.remove(temporary()).removed())
        .containsExactly(
            "server (pid %d) is ended".formatted(holder), "data '%s' is removed".formatted(data));
    assertThat(runs(server)).as("the server, whose data was removed").isFalse();
    nothingIsLeft(server, children);
    assertThat(Leftovers.remove(temporary()).removed()).isEmpty();
    assertThat(temporary()).isEmptyDirectory();
  }

  @Test
  void aRecreatedFolderIsNotRemoved() throws Exception {
    long server = startOwner("BUNDLED");
    List<ProcessHandle> all = owner.descendants().toList();
    for (long child : children()) {
      ProcessHandle.of(child).orElseThrow().destroyForcibly();
    }
    // A pid namespace ends after the process that holds it.
    eventually("all end", () -> all.stream().noneMatch(each -> runs(each.pid())));
    owner.destroyForcibly().waitFor();
    Path data = folder.resolve("da ta");
    Files.move(data, folder.resolve("moved"));
    Files.createDirectory(data);

    assertThat(Leftovers.remove(temporary()).removed()).isEmpty();
    assertThat(data).isEmptyDirectory();
    assertThat(runs(server)).isFalse();
  }

  @Test
  void sigterm() throws Exception {
    long server = startOwner("BUNDLED");
    Set<Long> children = children();
    owner.destroy();
    nothingIsLeft(server, children);
  }

  @Test
  void theGuardIgnoresSignalsOfTheTerminal() throws Exception {
    long server = startOwner("BUNDLED");
    Set<Long> children = children();
    long holder = holder(server);
    for (long child : children) {
      if (child != holder) {
        for (String signal : List.of("-INT", "-TERM", "-HUP", "-QUIT")) {
          assertThat(new ProcessBuilder("kill", signal, Long.toString(child)).start().waitFor())
              .isZero();
        }
        assertThat(runs(child)).isTrue();
      }
    }
    owner.destroyForcibly();
    nothingIsLeft(server, children);
  }

  @Test
  void sigkillWithAContainer() throws Exception {
    String image = DockerForTests.redisImage();
    long server = startOwner("CONTAINER", image);
    Set<Long> children = children();
    owner.destroyForcibly().waitFor();
    // The guard removes it where the docker command is installed; the next kvrank does so anyway.
    try (LocalProvisioner next = new LocalProvisioner(System.getenv(), line -> {})) {
      assertThat(next.survey(new TestRedis(folder).image(image).spec())).isNotEmpty();
    }
    nothingIsLeft(server, children);
  }
}
