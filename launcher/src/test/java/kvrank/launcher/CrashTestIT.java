package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Crash tests of real engines: what is lost is known beforehand. */
class CrashTestIT extends InstalledKvrank {

  private static final String REDIS = "{engine: redis, server: {bundled: true}}";

  @Test
  void aLogKeepsAllAndMemoryKeepsNothing() throws Exception {
    String volatileRedis =
        "{engine: redis, as: volatile, options: {appendonly: 'no'}, server: {bundled: true}}";
    scenario("lost", "[%s, %s, rocksdb]".formatted(REDIS, volatileRedis), 2);

    Execution execution = kvrank("run", "lost");

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    for (String fsync : List.of("on", "off")) {
      assertKept("lost", "redis.fsync-" + fsync + ".r1");
      assertKept("lost", "rocksdb.fsync-" + fsync + ".r1");
    }
    // Without a log it is at no level of the others, unless that was asked for by name.
    assertAllLost("lost", "volatile.fsync-on.r1");
    assertAllLost("lost", "volatile.fsync-none.r1");
    assertThat(record("lost", "redis.fsync-on.r1"))
        .contains("was killed by SIGKILL (exit status 137)");
    assertThat(record("lost", "rocksdb.fsync-on.r1"))
        .contains("the worker JVM, which runs it, was killed by signal 9");
    Path kill = runFolder("lost", "redis.fsync-on.r1").resolve("crash-2");
    assertThat(kill.resolve("ledger")).hasSize(3 * 128);
    assertThat(Files.readString(kill.resolve("server.log"))).contains("DB loaded from");
    assertThat(execution.text())
        .contains("Acknowledged writes lost", "volatile at fsync=on: LOST ", "page cache")
        .doesNotContain("volatile at fsync=none: LOST", "rocksdb at fsync=on: LOST");
    assertThat(latest("lost").resolve("report/rankings.md"))
        .content()
        .contains("## Acknowledged writes lost");
    assertNothingLeft();
  }

  @Test
  void ignixLosesAll() throws Exception {
    boolean installed =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "ignix")));
    if (!installed) {
      String reason = "ignix is not killed: there is no 'ignix' on the PATH";
      System.out.println(reason);
      abort(reason);
    }
    scenario("ignix", "[{engine: ignix, server: {process: true}}]", 1);

    Execution execution = kvrank("run", "ignix", "--set", "fsync=off");

    assertThat(execution.status()).as(execution.text()).isZero();
    assertAllLost("ignix", "ignix.r1");
    assertNothingLeft();
  }

  @Test
  void anEngineThatDoesNotComeBackIsAFinding() throws Exception {
    Path redis = executable();
    Path script = home.resolve("once.sh");
    Files.writeString(
        script,
        """
        #!/bin/sh
        if [ -e was-here ]; then
          echo 'I was here before'
          exit 3
        fi
        touch was-here
        exec '%s' "$@"
        """
            .formatted(redis));
    assertThat(script.toFile().setExecutable(true)).isTrue();
    scenario("once", "[{engine: redis, server: {process: '%s'}}]".formatted(script), 2);

    Execution execution = kvrank("run", "once", "--set", "fsync=on", "--allow-commands");

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(record("once", "redis.r1"))
        .contains("did not restart: redis is not ready: it exited with status 3")
        .contains("I was here before");
    assertThat(execution.text()).contains("did not restart after 2 of 2 crashes", "0 of 2");
    assertNothingLeft();
  }

  /**
   * Another user has a copy of what a server had, and sends it to the next one before the check.
   * One without a password would seem to have lost nothing.
   */
  @ParameterizedTest
  @CsvSource({"open, true", "redis, false"})
  void lostRecordsThatAnotherUserWritesBackAreNotTheEngines(String engine, boolean open)
      throws Exception {
    Path script = home.resolve("forgetful.sh");
    Files.writeString(
        script,
        """
        #!/bin/sh
        if [ -s appendonly.aof ]; then
          sed -n 's/^port //p' password.conf >'%1$s/port'
          mv appendonly.aof '%1$s/had'
        fi
        exec '%2$s' "$@"
        """
            .formatted(home, executable()));
    assertThat(script.toFile().setExecutable(true)).isTrue();
    Path folder = Files.createDirectory(home.resolve("bindings/open"));
    Files.writeString(
        folder.resolve("engine.yaml"),
        """
        description: A Redis without a password.
        install: "nothing: it is part of a test"
        binding:
          class: kvrank.resp.RespBinding
          module: resp
          properties: {host: "${host}", port: "${port}", timeout-millis: 30000}
        capabilities: [read, insert, update, delete]
        fsync: {on: {unsupported: it never syncs}, off: {}}
        server:
          port: 6379
          process: {executable: redis-server}
          files:
            password.conf: |
              port ${port}
              bind ${bind}
              appendonly yes
              save ""
          arguments: ["${data}/password.conf"]
          ready: {send: "PING\\r\\n", match: "\\\\+PONG"}
          facts: {version: {send: "INFO server\\r\\n", match: "redis_version:(\\\\S+)"}}
          reports:
            connections: {send: "INFO stats\\r\\n", match: "connections_received:(\\\\d+)\\r"}
        """);
    scenario("filled", "[{engine: %s, server: {process: '%s'}}]".formatted(engine, script), 1);
    AtomicInteger sent = new AtomicInteger();
    Thread attacker = new Thread(() -> writeBack(home.resolve("had"), sent), "attacker");
    attacker.start();
    try {
      Execution execution = kvrank("run", "filled", "--set", "fsync=off", "--allow-commands");
      int status = execution.status();
      assertThat(sent).as(execution.text()).hasPositiveValue();
      String run = engine + ".r1";
      if (open) {
        assertThat(status).as(execution.text()).isEqualTo(1);
        assertThat(record("filled", run))
            .contains("crash 1: another program connected ")
            .contains("\"cause\" : \"outsider\"");
      } else {
        assertThat(status).as(execution.text()).isZero();
        assertAllLost("filled", run);
      }
    } finally {
      attacker.interrupt();
      attacker.join();
    }
    assertNothingLeft();
  }

  /** Sends the commands of each log {@code had} to the server that has lost it. */
  private void writeBack(Path had, AtomicInteger sent) {
    while (!Thread.currentThread().isInterrupted()) {
      try (Socket server =
          Files.exists(had)
              ? new Socket(
                  InetAddress.getLoopbackAddress(),
                  Integer.parseInt(Files.readString(home.resolve("port")).strip()))
              : new Socket()) {
        if (server.isConnected()) {
          server.getOutputStream().write(Files.readAllBytes(had));
          server.getOutputStream().write("ECHO over\r\n".getBytes(StandardCharsets.US_ASCII));
          server.shutdownOutput();
          server.getInputStream().readAllBytes();
          Files.delete(had);
          sent.incrementAndGet();
        }
        Thread.sleep(1);
      } catch (IOException notYet) {
        // It does not listen yet, or it has ended.
      } catch (InterruptedException over) {
        return;
      }
    }
  }

  @Test
  void anExternalServerIsNotKilled() throws Exception {
    int port = RedisServer.freePort();
    Process external =
        new ProcessBuilder(
                executable().toString(),
                "--port",
                Integer.toString(port),
                "--appendonly",
                "yes",
                "--appendfsync",
                "no",
                "--save",
                "",
                "--auto-aof-rewrite-percentage",
                "0")
            .directory(Files.createDirectory(home.resolve("external")).toFile())
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("external.log").toFile())
            .start();
    try {
      scenario(
          "external", "[{engine: redis, server: {external: '127.0.0.1:%d'}}]".formatted(port), 1);
      Execution execution = kvrank("run", "external", "--set", "fsync=off");
      assertThat(execution.status()).as(execution.text()).isEqualTo(3);
      assertThat(execution.text()).contains("kvrank does not kill external servers");
      assertThat(external.isAlive()).isTrue();
    } finally {
      external.destroyForcibly().waitFor();
    }
  }

  /** At any moment: while it is written, while it is read, and by a signal that no hook sees. */
  @ParameterizedTest
  @CsvSource({
    "writes.log, redis, false",
    "writes.log, redis, true",
    "writes.log, rocksdb, false",
    "writes.log, rocksdb, true",
    "check.log, redis, false",
    "check.log, redis, true",
    "check.log, rocksdb, false",
    "check.log, rocksdb, true"
  })
  void anInterruptLeavesNothing(String moment, String engine, boolean hard) throws Exception {
    scenario("stop", "[" + (engine.equals("redis") ? REDIS : engine) + "]", 1_000);
    Execution execution = kvrank("run", "stop", "--set", "fsync=off");
    Path results = home.resolve("results/stop");
    execution.await(moment, () -> found(results, moment));
    List<ProcessHandle> started = execution.process().descendants().toList();
    assertThat(started).isNotEmpty();

    Execution.oneAtATime(
        () -> {
          if (hard) {
            execution.process().destroyForcibly();
          } else {
            execution.process().destroy();
          }
          assertThat(execution.status()).as(execution.text()).isEqualTo(hard ? 137 : 143);
          execution.await(
              "the end of its processes", () -> started.stream().noneMatch(ProcessHandle::isAlive));
        });
    execution.await("the end of its data", () -> !found(results, "data-"));
    assertNothingLeft();
    assertThat(found(results, "record.json")).isFalse();
  }

  private static boolean found(Path results, String name) {
    try (Stream<Path> files = Files.walk(results)) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith(name));
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  private void scenario(String name, String engines, int kills) throws IOException {
    scenario(
        name,
        """
        question: What is lost?
        engines: %s
        factors: {fsync: [on, off]}
        records: 500
        threads: 3
        phases: [load]
        verify: {after: crash, crashes: %d}
        repetitions: 1
        """
            .formatted(engines, kills));
  }

  /** The server that comes with the binding, as a file that can be run. */
  private Path executable() throws IOException {
    Path copy = Files.copy(bundledRedis(), home.resolve("redis-server"));
    assertThat(copy.toFile().setExecutable(true)).isTrue();
    return copy;
  }

  /** The sum of a number of all kills of a run. */
  private long sum(String scenario, String run, String field) throws IOException {
    Matcher numbers = Pattern.compile("\"" + field + "\" : (\\d+)").matcher(record(scenario, run));
    assertThat(numbers.results()).as(field + " of the kills of " + run).isNotEmpty();
    numbers.reset();
    return numbers.results().mapToLong(found -> Long.parseLong(found.group(1))).sum();
  }

  private long lost(String scenario, String run) throws IOException {
    return sum(scenario, run, "lostInserts")
        + sum(scenario, run, "lostUpdates")
        + sum(scenario, run, "lostDeletes");
  }

  private void assertKept(String scenario, String run) throws IOException {
    assertThat(sum(scenario, run, "acknowledged")).as(run).isPositive();
    assertThat(lost(scenario, run)).as(run).isZero();
    assertNothingStrange(scenario, run);
  }

  private void assertAllLost(String scenario, String run) throws IOException {
    assertThat(lost(scenario, run)).as(run).isPositive().isEqualTo(sum(scenario, run, "checked"));
    assertNothingStrange(scenario, run);
  }

  private void assertNothingStrange(String scenario, String run) throws IOException {
    assertThat(sum(scenario, run, "wrongValues")).as(run).isZero();
    assertThat(sum(scenario, run, "unexpectedKeys")).as(run).isZero();
  }
}
