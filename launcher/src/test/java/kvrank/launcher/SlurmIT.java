package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Load from the nodes of a Slurm cluster: network namespaces of this machine, each with a slurmd.
 * They are hosts for SSH, too.
 */
@Tag("few-at-a-time")
class SlurmIT extends InstalledKvrank {

  /** Five seconds, or more if the machine was busy then. */
  private static final String SILENCE = "([5-9]|\\d\\d+)\\.";

  private static Optional<SlurmCluster> cluster = Optional.empty();

  @TempDir private static Path shared;

  @BeforeAll
  static void start() throws Exception {
    SlurmCluster.require();
    cluster = Optional.of(SlurmCluster.start(shared, 4));
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster.isPresent()) {
      cluster.get().close();
    }
  }

  @BeforeEach
  void writeScenario() throws IOException {
    cluster.orElseThrow().awaitIdle();
    cluster.orElseThrow().startRedis();
    scenario(
        "nodes",
        """
        question: Is one client enough?
        engines: [{engine: redis, server: {external: "%s:6399"}}]
        fsync: as-is
        records: 2000
        threads: 8
        machines: 4
        # 3 s; machines that start late void a phase that ends by time.
        phases: [load, {workload: zipfian, rate: 2_000}]
        measure: {warmup: 200ms, operations: 6_000}
        repetitions: 2
        """
            .formatted(SlurmCluster.HOST));
  }

  private Execution run(String... more) throws IOException {
    return start("nodes", more);
  }

  private Execution start(String scenario, String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of("run", scenario, "--load-by"));
    words.addAll(List.of(more));
    Map<String, String> variables = Map.of("SLURM_CONF", cluster.orElseThrow().conf().toString());
    return kvrank(variables, words.toArray(String[]::new));
  }

  /** Of the first run one node has its clock ahead, of the second one loses its network. */
  @Test
  void aNodeThatIsCutOffFailsTheRunAndAWrongClockNothing() throws Exception {
    Execution execution = run("slurm:load");
    execution.await("the second run's phase", () -> began("redis.r2"));
    cluster.orElseThrow().link(2, "down");
    long cut = System.nanoTime();
    execution.await("the end of the run", () -> Files.exists(file("redis.r2", "record.json")));
    System.out.printf(
        "a link that was cut: failed after %.1f s%n", (System.nanoTime() - cut) / 1e9);
    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    cluster.orElseThrow().link(2, "up");

    assertThat(read("redis.r1", "record.json"))
        .contains("\"completed\"", "\"ok\" : 2000", "kvr-n1,kvr-n2,kvr-n3,kvr-n4")
        .doesNotContain("\"failed\"");
    List<String> nodes = read("redis.r1", "generators.csv").lines().toList();
    assertThat(nodes).hasSize(1 + 4 + 4);
    assertThat(nodes.get(7)).startsWith("zipfian,2,kvr-n3,");
    long ahead = Long.parseLong(nodes.get(7).split(",", -1)[10]);
    assertThat(ahead).isBetween(2_500_000_000L, 3_500_000_000L);
    assertThat(read("redis.r2", "record.json"))
        .contains("\"failed\"")
        .containsPattern("generator 1 \\(on kvr-n2\\) has not answered for " + SILENCE);
    // The one that was cut off hears nothing any more, and ends itself.
    execution.await(
        "the end of all generators", () -> Execution.mentioning(home.toString()).isEmpty());
  }

  @Test
  void whatSlurmCannotDoIsSaidInItsOwnWords() throws Exception {
    Execution five = run("slurm", "--set", "machines=5");
    assertThat(five.status()).as(five.text()).isEqualTo(2);
    assertThat(five.text()).contains("--load-by 'slurm': ", "allocation failure: ");
    Execution nowhere = run("slurm:nowhere");
    assertThat(nowhere.status()).as(nowhere.text()).isEqualTo(2);
    assertThat(nowhere.text()).contains("--load-by 'slurm:nowhere': ", "invalid partition");
    assertThat(latest("nodes")).doesNotExist();

    // What is there and taken may be free again when a run begins.
    ProcessBuilder others =
        new ProcessBuilder(
            "srun", "--exclusive", "--nodes=1", "sh", "-c", "echo here; exec sleep 99");
    others.environment().put("SLURM_CONF", cluster.orElseThrow().conf().toString());
    Process taken = others.start();
    assertThat(taken.inputReader().readLine()).as("the node of the others").isEqualTo("here");
    Execution busy = run("slurm", "--repetitions", "1");
    assertThat(busy.status()).as(busy.text()).isEqualTo(1);
    assertThat(busy.text()).contains("failed: srun", "Unable to allocate resources");
    taken.destroy();
    assertThat(Execution.mentioning(home.toString())).isEmpty();
  }

  /** The nodes have the bridge's network, and none of this machine's loopback interface. */
  @Test
  void aServerOfKvranksOwnIsReachedAtItsAddress() throws Exception {
    scenario(
        "own",
        """
        question: Does it let in those who know the password?
        engines: [{engine: redis, server: {bundled: true}}]
        fsync: off
        records: 2000
        threads: 4
        machines: 4
        phases: [load, zipfian]
        measure: {warmup: 0s, operations: 2_000}
        repetitions: 1
        """);
    Execution reached = start("own", "slurm", "--address", SlurmCluster.HOST);
    assertThat(reached.status()).as(reached.text()).isZero();
    assertThat(record("own", "redis.r1"))
        .contains(
            "\"completed\"",
            "\"address\" : \"interface\"",
            "\"host\" : \"" + SlurmCluster.HOST + "\"",
            "kvr-n1,kvr-n2,kvr-n3,kvr-n4");
    assertNothingLeft();

    Execution beyond = start("own", "slurm", "--address", "127.0.0.2");
    assertThat(beyond.status()).as(beyond.text()).isEqualTo(1);
    assertThat(beyond.text())
        .containsPattern(
            "generator \\d( \\(on kvr-n\\d\\))?: .*127\\.0\\.0\\.2:\\d+: Connection refused");
    assertNothingLeft();
  }

  /** Of three runs the second loses the connection to a host, the third the host's network. */
  @Test
  void hostsAreReachedBySsh() throws Exception {
    String path = cluster.orElseThrow().ssh() + ":" + System.getenv("PATH");
    Execution execution =
        kvrank(
            Map.of("PATH", path),
            "run nodes --load-by ssh:10.97.31.1,root@10.97.31.2 --set machines=2 --set operations=10_000 --repetitions 3"
                .split(" "));
    execution.await("the second run's phase", () -> began("redis.r2"));
    try (Stream<ProcessHandle> all = execution.process().descendants()) {
      all.filter(each -> each.info().commandLine().orElse("").contains(" root@10.97.31.2 "))
          .findFirst()
          .orElseThrow()
          .destroyForcibly();
    }
    execution.await("the third run's phase", () -> began("redis.r3"));
    cluster.orElseThrow().link(1, "down");
    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    execution.await(
        "the end of all generators", () -> Execution.mentioning(home.toString()).isEmpty());
    cluster.orElseThrow().link(1, "up");

    assertThat(read("redis.r1", "record.json"))
        .contains("\"completed\"", "\"ok\" : 2000", "\"generators\" : \"2\"")
        .doesNotContain("\"failed\"");
    assertThat(read("redis.r2", "record.json"))
        .contains("\"failed\"", "generator 1 (on ", "was killed by signal 9");
    assertThat(read("redis.r3", "record.json"))
        .contains("\"failed\"")
        .containsPattern("generator 0 \\(on .* has not answered for " + SILENCE);

    Execution nobody =
        kvrank(
            Map.of("PATH", path),
            "run nodes --load-by ssh:10.97.31.1,10.97.31.77 --set machines=2".split(" "));
    assertThat(nobody.status()).as(nobody.text()).isEqualTo(2);
    assertThat(nobody.text()).contains("10.97.31.77': ssh: connect to host 10.97.31.77 port 22: ");
  }

  private boolean began(String run) {
    try {
      return read(run, "generators/0/timeline.csv").contains("\nzipfian,0,");
    } catch (IOException notYet) {
      return false;
    }
  }

  private String read(String run, String name) throws IOException {
    return Files.readString(file(run, name), StandardCharsets.UTF_8);
  }

  private Path file(String run, String name) {
    return runFolder("nodes", run).resolve(name);
  }
}
