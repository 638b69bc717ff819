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

  @Test
  void whatAServerSaysIsItsOwnFailureWhateverTheWords() throws Exception {
    Path engine = Files.createDirectory(home.resolve("bindings/refusing"));
    Path server = engine.resolve("server");
    Files.writeString(
        server,
        """
        #!/bin/sh
        exec '%s' -cp '%s' kvrank.launcher.RefusingServer "$@"
        """
            .formatted(
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
          .contains("\"cause\" : \"machine\"", "nothing can be written to '" + disk);

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
      String reason = "SKIPPED: no disk is filled: only root can mount one";
      System.out.println(reason);
      abort(reason);
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
