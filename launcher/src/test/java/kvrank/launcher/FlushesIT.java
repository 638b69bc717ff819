package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flushes that the disk counted, and verdicts, against the system calls that strace saw. */
@Tag("one-at-a-time")
class FlushesIT extends InstalledKvrank {

  /** One batch each: the load has as many requests. */
  private static final int LOADED = 20;

  private static final Pattern DURABILITY =
      Pattern.compile(
          "\"durability\" : \\{.*?\"flushes\" : (\\d+|null),.*?\"writes\" : (\\d+),"
              + ".*?\"verdict\" : \"([^\"]*)\",\\s*\"reason\" : \"([^\"]*)\"",
          Pattern.DOTALL);

  private static final Pattern IDLE_FLUSHES =
      Pattern.compile("\"storage.idleFlushesPerSecond\" : \"([0-9.]+)");

  private static final Pattern SINGLE_WRITES =
      Pattern.compile("\"durability.oneWrite.writes\" : \"(\\d+)\"");

  // A call that is interrupted by another thread's line has a second line, "… resumed".
  private static final Pattern SYNC = Pattern.compile("\\b(fsync|fdatasync|msync)\\(");

  private record Durability(long flushes, long writes, String verdict, String reason) {}

  @BeforeEach
  void needsStrace() throws IOException, InterruptedException {
    requireStrace();
  }

  @Test
  void redisThatSyncsAlwaysIsProvenByAsManyFlushes() throws Exception {
    List<Durability> phases = redis("on", "always", 400, 1);
    assertAsManyAs(syncs() - singleWrites("traced.r1"), phases, 400);
    assertProven(phases);
    assertThat(latest("flushes").resolve("environment.json"))
        .content()
        .contains("storage.fdatasync.p50Nanos", "storage.fdatasync.flushes")
        .contains("storage.idleFlushesPerSecond", "storage.mountOptions", "storage.freeBytes");
  }

  @Test
  void redisThatSyncsEverySecondIsNotProvenToBeDurable() throws Exception {
    List<Durability> phases = redis("on", "everysec", 30_000, 1);
    assertThat(syncs()).isLessThan(1_000);
    Durability set = phases.get(1);
    assertThat(set.writes()).isEqualTo(30_000);
    assertThat(set.verdict()).as(set.reason()).isEqualTo("not proven");
    assertThat(set.reason()).contains("30,000 writes", "which need about ");
    assertThat(latest("flushes").resolve("report/rankings.md"))
        .content()
        .contains("Durability is not proven", "traced, set at fsync=on: not proven: ");
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 50})
  void manyClientsMakeNoProofOfASyncEverySecond(int threads) throws Exception {
    Durability set = redis("on", "everysec", 30_000, threads).get(1);
    assertThat(set.verdict()).as(set.reason()).isEqualTo("not proven");
    assertThat(record("traced.r1")).contains("\"durability.oneWrite.verdict\" : \"not proven\"");
  }

  @Test
  void groupsOfWritesAreProvenByOneInFlight() throws Exception {
    List<Durability> redis = redis("on", "always", 2_000, 8);
    assertProven(redis);
    assertThat(record("traced.r1"))
        .contains("\"durability.oneWrite.verdict\"")
        .doesNotContain("\"durability.oneWrite.verdict\" : \"not proven\"");
    List<Durability> rocksDb = rocksDb("on", 2_000, 8);
    assertProven(rocksDb);
  }

  @Test
  void redisThatNeverSyncsIsProvenNotTo() throws Exception {
    List<Durability> phases = redis("off", "no", 30_000, 1);
    assertThat(syncs()).isLessThan(100);
    assertThat(phases.get(1).writes()).isEqualTo(30_000);
    assertThat(phases.get(1).verdict()).as(phases.get(1).reason()).isEqualTo("proven");
  }

  @Test
  void redisThatSyncsAlwaysThoughItNeedNotIsNotProven() throws Exception {
    List<Durability> phases = redis("off", "always", 400, 1);
    assertAsManyAs(syncs(), phases, 400);
    assertThat(phases.get(1).verdict()).as(phases.get(1).reason()).isEqualTo("not proven");
  }

  @Test
  void rocksDbThatSyncsIsProvenByAsManyFlushes() throws Exception {
    List<Durability> phases = rocksDb("on", 400, 1);
    assertAsManyAs(syncs() - singleWrites("rocksdb.r1"), phases, 400);
    assertProven(phases);
  }

  @Test
  void rocksDbThatDoesNotSyncIsProvenNotTo() throws Exception {
    List<Durability> phases = rocksDb("off", 30_000, 1);
    assertThat(syncs()).isLessThan(100);
    assertThat(phases.get(1).writes()).isEqualTo(30_000);
    assertThat(phases.get(1).verdict()).as(phases.get(1).reason()).isEqualTo("proven");
  }

  /**
   * If others sync, too, a proof may be impossible because of them or of a disk that is as fast;
   * never that the engine is not durable.
   */
  private void assertProven(List<Durability> phases) throws IOException {
    String environment = Files.readString(latest("flushes").resolve("environment.json"));
    Matcher others = IDLE_FLUSHES.matcher(environment);
    assertThat(others.find()).as(environment).isTrue();
    if (Double.parseDouble(others.group(1)) < 1) {
      assertThat(phases).allMatch(phase -> phase.verdict().equals("proven"));
    } else {
      System.out.printf("others make %s flushes a second: %s%n", others.group(1), phases);
      assertThat(phases).noneMatch(phase -> phase.verdict().equals("not proven"));
    }
  }

  /** Others use the disk too, so there may be more flushes than calls; never clearly fewer. */
  private static void assertAsManyAs(long syncs, List<Durability> phases, long updates) {
    assertThat(phases).extracting(Durability::writes).containsExactly((long) LOADED, updates);
    // Some calls are of the engine's start and end.
    assertThat(syncs).isBetween(LOADED + updates, LOADED + updates + 50);
    long flushes = phases.stream().mapToLong(Durability::flushes).sum();
    assertThat((double) flushes)
        .as("flushes for %d calls: %s", syncs, phases)
        .isBetween(0.9 * (LOADED + updates), 2.0 * syncs);
  }

  private List<Durability> redis(String fsync, String appendfsync, int updates, int threads)
      throws Exception {
    Path traced = home.resolve("traced-redis");
    Files.writeString(
        traced,
        """
        #!/bin/sh
        exec strace -D -f --seccomp-bpf -o %s -e trace=fsync,fdatasync,msync %s "$@"
        """
            .formatted(trace(), bundledRedis()));
    Files.setPosixFilePermissions(traced, PosixFilePermissions.fromString("rwxr-xr-x"));
    scenario(
        "{engine: redis, as: traced, server: {process: '%s'}, options: {appendfsync: '%s'}}"
            .formatted(traced, appendfsync),
        fsync,
        updates,
        threads);
    Execution execution = kvrank("run", "flushes", "--allow-commands");
    return phases(execution, "traced.r1");
  }

  /**
   * The worker is the engine's process: strace joins it before it has opened its files. It is
   * stopped until then.
   */
  private List<Durability> rocksDb(String fsync, int updates, int threads) throws Exception {
    scenario("rocksdb", fsync, updates, threads);
    Execution execution = kvrank("run", "flushes", "--allow-commands");
    execution.await("the worker", () -> worker(execution).isPresent() || ended(execution));
    ProcessHandle worker =
        worker(execution).orElseThrow(() -> new AssertionError(execution.text()));
    signal("-STOP", worker);
    Path attached = home.resolve("strace.txt");
    Process strace =
        new ProcessBuilder(
                "strace",
                "-f",
                "-o",
                trace().toString(),
                "-e",
                "trace=fsync,fdatasync,msync",
                "-p",
                Long.toString(worker.pid()))
            .redirectErrorStream(true)
            .redirectOutput(attached.toFile())
            .start();
    try {
      execution.await(
          "strace", () -> contentOf(attached.toFile()).contains("attached") || !strace.isAlive());
      signal("-CONT", worker);
      return phases(execution, "rocksdb.r1");
    } finally {
      strace.destroy();
      strace.waitFor();
    }
  }

  private static void signal(String signal, ProcessHandle process) throws Exception {
    String pid = Long.toString(process.pid());
    assertThat(new ProcessBuilder("kill", signal, pid).inheritIO().start().waitFor()).isZero();
  }

  private static boolean ended(Execution execution) {
    return !execution.process().isAlive();
  }

  private static Optional<ProcessHandle> worker(Execution execution) {
    return execution
        .process()
        .descendants()
        .filter(process -> process.info().command().orElse("").endsWith("/java"))
        .filter(
            process ->
                process
                    .info()
                    .commandLine()
                    .filter(line -> line.contains("kvrank.worker.Main"))
                    .filter(line -> line.contains("rocksdb"))
                    .isPresent())
        .findFirst();
  }

  private void scenario(String engine, String fsync, int updates, int threads) throws IOException {
    scenario(
        "flushes",
        """
        question: Does the disk see what the engine says?
        engines: [%s]
        fsync: %s
        records: %d
        threads: %d
        phases:
          - {workload: load, batch: 100, threads: 1}
          - set
        measure: {warmup: 0s, operations: %d}
        repetitions: 1
        """
            .formatted(engine, fsync, 100 * LOADED, threads, updates));
  }

  private List<Durability> phases(Execution execution, String run) throws Exception {
    assertThat(execution.status()).as(execution.text()).isZero();
    String record = record(run);
    List<Durability> phases =
        DURABILITY.matcher(record).results().map(found -> durability(found::group)).toList();
    assertThat(phases).as(record).hasSize(2);
    for (Durability phase : phases) {
      if (phase.verdict().equals("not measurable")) {
        abort("the verdict is not tested on this machine: " + phase.reason());
      }
    }
    return phases;
  }

  private String record(String run) throws IOException {
    return record("flushes", run);
  }

  /** How many writes there were with one in flight, after the phases. */
  private long singleWrites(String run) throws IOException {
    Matcher writes = SINGLE_WRITES.matcher(record(run));
    return writes.find() ? Long.parseLong(writes.group(1)) : 0;
  }

  private interface Groups {
    String group(int index);
  }

  private static Durability durability(Groups found) {
    return new Durability(
        found.group(1).equals("null") ? 0 : Long.parseLong(found.group(1)),
        Long.parseLong(found.group(2)),
        found.group(3),
        found.group(4));
  }

  private Path trace() {
    return home.resolve("strace.log");
  }

  /** How many system calls of the engine's process asked for a flush. */
  private long syncs() throws IOException {
    try (Stream<String> lines = Files.lines(trace(), StandardCharsets.ISO_8859_1)) {
      return lines.map(SYNC::matcher).filter(Matcher::find).count();
    }
  }

  private static void requireStrace() throws InterruptedException {
    try {
      Process strace =
          new ProcessBuilder("strace", "-qq", "-o", "/dev/null", "true")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (strace.waitFor(5, TimeUnit.MINUTES) && strace.exitValue() == 0) {
        return;
      }
      strace.destroyForcibly();
    } catch (IOException e) {
      // It is not installed.
    }
    assertThat(System.getenv("KVRANK_REQUIRE_STRACE"))
        .as("strace is required, and it cannot trace here")
        .isNotEqualTo("true");
    abort("flushes are not compared with system calls: strace cannot trace here, or is missing");
  }
}
