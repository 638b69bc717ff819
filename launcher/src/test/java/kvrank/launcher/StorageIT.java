package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a scenario is refused for on file systems that are really mounted. */
class StorageIT extends InstalledKvrank {

  private Path mounted;
  private boolean isMounted;

  @BeforeEach
  void writeScenario() throws IOException {
    mounted = Files.createDirectory(home.resolve("mounted"));
    scenario(
        "some",
        """
        question: Does the storage do?
        engines: [rocksdb]
        fsync: off
        records: 2_000
        value-bytes: 100
        phases: [set]
        measure: {warmup: 0s, operations: 1000}
        repetitions: 1
        """);
  }

  @AfterEach
  void clean() throws Exception {
    if (isMounted) {
      done("umount", mounted.toString());
    }
  }

  @Test
  void memoryIsRefusedWhereADiskOrDurabilityIsAskedFor() throws Exception {
    mount("tmpfs", "size=256m");
    assertRefused("fsync is on, but ", "--set", "fsync=on");
    assertRefused("the scenario asks for medium 'ssd', but ", "--set", "medium=ssd");
    assertRefused("the scenario asks for medium 'hdd', but ", "--set", "medium=hdd");

    Execution execution = run("--set", "medium=memory");
    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(execution.text()).contains("storage: tmpfs (memory)").doesNotContain("fdatasync");
    assertThat(mounted.resolve("latest/runs/rocksdb.r1/record.json"))
        .content()
        .contains("\"not measurable\"", "its files are in memory (tmpfs)");
  }

  @Test
  void aFolderWithoutRoomIsRefused() throws Exception {
    mount("tmpfs", "size=80m");
    assertRefused("of free space, but a run needs at least 285 MiB", "--set", "records=1000000");
    assertThat(run().status()).isZero();
  }

  @Test
  void durabilityOnAnOverlayIsRefused() throws Exception {
    for (String folder : List.of("lower", "upper", "work")) {
      Files.createDirectory(home.resolve(folder));
    }
    mount(
        "overlay",
        "lowerdir=%1$s/lower,upperdir=%1$s/upper,workdir=%1$s/work".formatted(home.toRealPath()));
    assertRefused("fsync is on, but ", "--set", "fsync=on");
  }

  private void assertRefused(String reason, String... options) throws Exception {
    Execution execution = run(options);
    assertThat(execution.status()).as(execution.text()).isEqualTo(2);
    assertThat(execution.text()).contains("some.yaml", "storage: ", reason);
    assertThat(mounted).isEmptyDirectory();
  }

  private Execution run(String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("run", "some", "--out", mounted.toString()));
    arguments.addAll(Arrays.asList(options));
    return kvrank(arguments.toArray(String[]::new));
  }

  private void mount(String type, String options) throws Exception {
    String said = done("mount", "-t", type, "-o", options, "kvrank-test", mounted.toString());
    isMounted = said.isEmpty();
    if (!isMounted) {
      abort("storage is not tested on a real " + type + ": " + said);
    }
  }

  /** What a command that failed has said; empty if it did what it should. */
  private static String done(String... command) throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return e.toString();
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? "" : command[0] + " failed: " + said.strip();
  }
}
