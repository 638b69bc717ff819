package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who is to blame comes from observations, never from the words of a server. */
class CausesIT extends InstalledKvrank {

  private static final List<String> WORDS =
      List.of(
          "Disk quota exceeded for tenant 7",
          "No space left on device",
          "Too many open files",
          "Cannot allocate memory",
          "Killed");

  /** Adds an engine that refuses every write, and whose server does {@code first} at its start. */
  private void refusing(String first) throws Exception {
    Path engine = Files.createDirectory(home.resolve("bindings/refusing"));
    Path server = engine.resolve("server");
    Files.writeString(
        server,
        """
        #!/bin/sh
        %s
        exec '%s' -cp '%s' kvrank.launcher.RefusingServer "$@"
        """
            .formatted(
                first,
                Path.of(System.getProperty("java.home"), "bin", "java"),
                Path.of(
                    RefusingServer.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())));
    assertThat(server.toFile().setExecutable(true)).isTrue();
    Files.writeString(
        engine.resolve("engine.yaml"),
        """
        description: Refuses every write.
        install: nothing
        licence: none
        binding:
          class: kvrank.resp.RespBinding
          module: resp
          properties: {host: "${host}", port: "${port}", timeout-millis: 30000}
        capabilities: [read, insert]
        settings: {words: ""}
        fsync: {on: {unsupported: it keeps nothing}, off: {}}
        server:
          port: 6379
          process: {executable: %s}
          arguments: ["${port}", "${settings.words}"]
          ready: {send: "PING\\r\\n", match: "\\\\+PONG"}
        """
            .formatted(server));
  }

  @Test
  void whatAServerSaysIsItsOwnFailureWhateverTheWords() throws Exception {
    refusing(":");
    scenario(
        "words",
        """
        question: Whose failure is it?
        engines: [{engine: refusing, options: {words: ["%s"]}}]
        fsync: off
        records: 1000
        phases: [load]
        repetitions: 1
        """
            .formatted(String.join("\", \"", WORDS)));

    Execution execution = kvrank("run", "words");

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(execution.text())
        .contains(WORDS)
        .doesNotContain("the engine did not cause this", "repeating the run");
    assertThat(records("words"))
        .hasSameSizeAs(WORDS)
        .allSatisfy(record -> assertThat(record).contains("\"cause\" : \"engine\""));

    Execution resumed = kvrank("run", "--resume", "words");
    resumed.status();
    assertThat(resumed.text().lines().filter(line -> line.contains("is already done")))
        .hasSameSizeAs(WORDS);
    assertNothingLeft();
  }

  @Test
  void dataThatCannotBeRemovedHidesNoFailure() throws Exception {
    if (shell("touch kept && chattr +i kept && chattr -i kept") != 0) {
      skip("no data is kept from removal: only root can, and not in all file systems");
    }
    refusing("touch kept && chattr +i kept"); // in the data folder
    scenario(
        "kept",
        """
        question: Whose failure is it?
        engines: [{engine: refusing, options: {words: No more writes}}]
        fsync: off
        records: 1000
        phases: [load]
        repetitions: 1
        """);

    Execution execution = kvrank("run", "kept");
    int status = execution.status();
    shell("chattr -i results/kept/*/runs/*/data-*/kept");

    assertThat(status).as(execution.text()).isEqualTo(1);
    assertThat(records("kept"))
        .singleElement()
        .asString()
        .contains("\"cause\" : \"engine\"", "No more writes")
        .contains("\"data.left\" : \"its data could not be removed: ");
  }

  /** The only port that every user may bind is taken, and no other is reserved. */
  @Test
  void aMachineWithoutAFreePortIsNamed() throws Exception {
    if (shell("unshare --net ip link set lo up") != 0) {
      skip("no ports are taken: only root has a network of its own");
    }
    scenario(
        "ports",
        """
        question: Whose failure is it?
        engines: [{engine: redis, server: {bundled: true}}]
        fsync: off
        records: 1000
        phases: [load]
        repetitions: 1
        """);
    Files.writeString(
        home.resolve("taken.sh"),
        """
        ip link set lo up
        echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start
        echo 20000 20000 >/proc/sys/net/ipv4/ip_local_port_range
        '%s' --port 20000 --save '' >taken.log &
        until grep -q :4E20 /proc/net/tcp; do sleep 0.1; done
        ./kvrank run ports --no-wait
        status=$?
        kill $!
        wait $!
        exit $status
        """
            .formatted(bundledRedis()));

    Execution execution = Execution.shell(home, "exec unshare --net sh taken.sh");

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(execution.text())
        .contains("redis is not ready: 127.0.0.1 has no free port: Address already in use; end the")
        .doesNotContain("could not be removed");
    assertThat(records("ports")).singleElement().asString().contains("\"cause\" : \"machine\"");
    assertNothingLeft();
  }

  private int shell(String command) throws Exception {
    return Execution.shell(home, command).status();
  }

  private static void skip(String reason) {
    System.out.println("SKIPPED: " + reason);
    abort("SKIPPED: " + reason);
  }

  @Test
  void aDiskThatIsFullIsTheMachinesAndTheRunIsDoneAgain() throws Exception {
    Path disk = Files.createDirectory(home.resolve("disk"));
    mount("-t", "tmpfs", "-o", "size=500m", "none", disk.toString());
    try {
      scenario(
          "full",
          """
          question: Whose failure is it?
          engines: [rocksdb]
          storage: {data: %s}
          fsync: off
          records: 100000
          value-bytes: 1024
          # Slower than the disk is filled.
          phases: [{workload: load, rate: 15_000}]
          repetitions: 1
          """
              .formatted(disk));
      Execution execution = kvrank("run", "full");
      execution.await(
          "the data", () -> disk.toFile().list((all, name) -> name.startsWith("data-")).length > 0);
      Path fill = disk.resolve("fill");
      try (OutputStream out = Files.newOutputStream(fill)) {
        while (true) {
          out.write(new byte[1 << 20]);
        }
      } catch (IOException full) {
        assertThat(disk.toFile().getUsableSpace()).isLessThan(1 << 20);
      }

      assertThat(execution.status()).as(execution.text()).isEqualTo(1);
      assertThat(execution.text())
          .contains("the engine did not cause this; 'run --resume' repeats");
      assertThat(records("full"))
          .singleElement()
          .asString()
          .contains("\"cause\" : \"machine\"")
          // The second if a sample of the free space came before the engine's error.
          .containsAnyOf("nothing can be written to '" + disk, "the disk of '" + disk);

      Files.delete(fill);
      Execution resumed = kvrank("run", "--resume", "full");
      assertThat(resumed.status()).as(resumed.text()).isZero();
      assertNothingLeft();
    } finally {
      new ProcessBuilder("umount", "-l", disk.toString()).inheritIO().start().waitFor();
    }
  }

  private static void mount(String... options) throws Exception {
    List<String> command = Stream.concat(Stream.of("mount"), Stream.of(options)).toList();
    if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
      skip("no disk is filled: only root can mount one");
    }
  }

  private List<String> records(String scenario) throws Exception {
    try (Stream<Path> files = Files.walk(latest(scenario).toRealPath().resolve("runs"))) {
      return files
          .filter(file -> file.endsWith("record.json"))
          .map(
              file -> {
                try {
                  return Files.readString(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              })
          .toList();
    }
  }
}
