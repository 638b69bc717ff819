package kvrank.provision;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static kvrank.provision.Eventually.runs;
import static kvrank.provision.server.TestRedis.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import kvrank.Skip;
import kvrank.engine.Fsync;
import kvrank.failure.Cause;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.Ports;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import kvrank.scenario.EngineSpec;
import org.junit.jupiter.api.Test;

/** Real Redis processes that do not become ready. */
class FailedStartIT extends LocalServers {

  private int portsAsked;

  @Test
  void aBadSettingIsShownByTheEndOfTheLog() {
    assertThat(
            failure(
                Cause.ENGINE, redis.bundled().setting("no-such-setting", "7").spec(), Fsync.OFF))
        .startsWith("redis is not ready: it exited with status 1. The end of its log (" + log)
        .contains("no-such-setting \"7\"")
        .contains("Bad directive or wrong number of arguments");
  }

  @Test
  void aServerThatReportsAnotherSettingThanAskedForIsRefused() {
    assertThat(
            failure(
                Cause.ENGINE, redis.bundled().setting("appendfsync", "everysec").spec(), Fsync.ON))
        .startsWith(
            "redis is not ready: it was asked for appendfsync=always and reports 'everysec'");
    assertThat(
            failure(
                Cause.ENGINE,
                redis.expectWhenOn("sync", "yes").option("appendfsync", "no").spec(),
                Fsync.ON))
        .startsWith("redis is not ready: it was asked for sync=yes and does not report it");
  }

  @Test
  void aSocketWhosePathIsTooLongStartsNothing() {
    String temporary = System.getProperty("java.io.tmpdir");
    System.setProperty("java.io.tmpdir", folder.resolve("t".repeat(100)).toString());
    try {
      assertThat(
              failure(Cause.MACHINE, redis.bundled().option("transport", "unix").spec(), Fsync.OFF))
          .contains("and a Unix socket 107 at most")
          .contains("-Djava.io.tmpdir=DIR");
    } finally {
      System.setProperty("java.io.tmpdir", temporary);
    }
    assertThat(folder.resolve("t".repeat(100))).isEmptyDirectory();
  }

  @Test
  void aSilentServerIsGivenUp() throws IOException {
    use(local(Duration.ofSeconds(6), LocalServers::freePort));
    Path script = script("echo waiting", "exec sleep 1000");
    assertThat(failure(Cause.ENGINE, redis.process(script).spec(), Fsync.OFF))
        .contains("it did not answer its ping at [127.0.0.1:")
        .contains("] for 6 s, though its process (pid ")
        .contains(") runs. The end of its log")
        .endsWith("waiting");
  }

  @Test
  void aWrongAnswerToThePingIsShown() {
    use(local(Duration.ofSeconds(6), LocalServers::freePort));
    assertThat(failure(Cause.ENGINE, redis.bundled().setting("requirepass", "x").spec(), Fsync.OFF))
        .startsWith(
            "redis is not ready: it refused the login with '-WRONGPASS invalid username-password pair"
                + " or user is disabled.' at [");
  }

  @Test
  void anExecutableThatCannotRunIsReported() throws IOException {
    Path file = Files.write(folder.resolve("broken"), new byte[] {0x7f, 'E', 'L', 'F', 0});
    assertThat(file.toFile().setExecutable(true)).isTrue();
    assertThat(failure(Cause.ENGINE, redis.process(file).spec(), Fsync.OFF))
        .startsWith("redis is not ready: ")
        .containsAnyOf("cannot be run", "exited with status");
  }

  @Test
  void doesNotMistakeAnotherServerOnTheSamePortForItsOwn() throws Exception {
    try (Server other = start(redis.bundled().spec(), Fsync.OFF);
        LocalProvisioner racing =
            local(
                Duration.ofSeconds(30),
                firstThenFree(Integer.parseInt(other.connection().get("port"))))) {
      Path ours = folder.resolve("ours");
      ServerSpec spec =
          racing.choose(redis.spec(), Fsync.OFF, ours, folder.resolve("ours.log")).orElseThrow();
      try (Server server = racing.start(spec)) {
        assertThat(server.connection().get("port")).isNotEqualTo(other.connection().get("port"));
        assertThat(server.connection()).containsEntry("data", ours.toString());
        assertThat(ask(server, "PING\r\n", "PONG")).isPresent();
      }
      // A slow process may be stopped before it logs that its port is in use.
      assertThat(portsAsked).isEqualTo(2);
      assertThat(other.death()).isEmpty();
    }
  }

  @Test
  void aProgramThatListensInsteadOfTheServerDoesNotGetThePassword() throws Exception {
    StringWriter received = new StringWriter();
    ServerSocket stranger = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread thread =
        new Thread(
            () -> {
              while (!stranger.isClosed()) {
                try (Socket client = stranger.accept()) {
                  received.write(new String(client.getInputStream().readAllBytes(), US_ASCII));
                } catch (IOException e) {
                  // The test has ended.
                }
              }
            });
    thread.start();
    try (LocalProvisioner racing =
        local(Duration.ofSeconds(30), firstThenFree(stranger.getLocalPort()))) {
      ServerSpec spec = racing.choose(redis.bundled().spec(), Fsync.OFF, data, log).orElseThrow();
      try (Server server = racing.start(spec)) {
        assertThat(ask(server, "PING\r\n", "PONG")).isPresent();
      }
    } finally {
      stranger.close();
    }
    thread.join();
    assertThat(portsAsked).isEqualTo(2);
    assertThat(received.toString()).doesNotContain("AUTH");
  }

  @Test
  void aPortThatAnotherProgramAlwaysTakesIsNotTheEnginesFault() throws Exception {
    try (ServerSocket stranger = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      use(local(Duration.ofSeconds(30), stranger::getLocalPort));
      assertThat(failure(Cause.OUTSIDER, redis.bundled().spec(), Fsync.OFF))
          .startsWith(
              "redis is not ready: a program of user %s (pid %d) listens at 127.0.0.1:%d instead;"
                      .formatted(
                          Files.getAttribute(Path.of("/proc/self"), "unix:uid"),
                          ProcessHandle.current().pid(),
                          stranger.getLocalPort())
                  + " stop that program");
    }
  }

  @Test
  void aServerHasAPortThatOtherUsersCannotTake() throws Exception {
    requireReservedPorts();
    try (Server server = start(redis.bundled().spec(), Fsync.OFF)) {
      assertThat(port(server)).isLessThan(1024);
    }
  }

  /** As memcached with {@code --user}, which drops its rights before it listens. */
  @Test
  void aServerThatCannotBindSuchAPortGetsAnother() throws Exception {
    requireReservedPorts();
    String drop = "--bounding-set=-net_bind_service --inh-caps=-net_bind_service";
    Path script =
        script(
            "echo start >>'" + folder + "/starts'",
            "exec setpriv " + drop + " '" + redis.executable() + "' \"$@\"");
    Path starts = folder.resolve("starts");
    try (Server server = start(redis.process(script).spec(), Fsync.OFF)) {
      assertThat(port(server)).isGreaterThanOrEqualTo(1024);
      assertThat(starts).hasContent("start\nstart");
      server.kill();
      server.restart();
      assertThat(starts).hasContent("start\nstart\nstart");
    }
  }

  private static int port(Server server) {
    return Integer.parseInt(server.connection().get("port"));
  }

  private static void requireReservedPorts() throws IOException {
    Path start = Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start");
    if (!Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)
        || !Files.readAllLines(start).equals(List.of("1024"))) {
      Skip.test("ports below 1024", "only root has them, where they are reserved");
    }
  }

  private Ports.Source firstThenFree(int first) {
    return () -> portsAsked++ == 0 ? first : freePort();
  }

  @Test
  void refusesAnExistingDataFolderAndKeepsIt() throws Exception {
    Files.createDirectories(data);
    Path kept = Files.writeString(data.resolve("kept"), "");
    assertThatThrownBy(() -> start(redis.bundled().spec(), Fsync.OFF))
        .isInstanceOf(ProvisionException.class)
        .hasMessageContaining("exists already");
    assertThat(kept).exists();
  }

  @Test
  void anUnknownPlaceholderStartsNothing() {
    assertThat(failure(Cause.INPUT, redis.bundled().setting("dir", "${dada}").spec(), Fsync.OFF))
        .isEqualTo(
            "redis is not ready: unknown placeholder '${dada}' in '${dada}' of redis;"
                + " known here are [bind, data, executable, port].");
    assertThat(log).doesNotExist();
  }

  @Test
  void closingInTheMiddleOfAStartEndsIt() throws Exception {
    EngineSpec engine = silent();
    CompletableFuture<Throwable> start =
        CompletableFuture.supplyAsync(() -> catchThrowable(() -> start(engine, Fsync.OFF)));
    long pid = silentPid();
    provisioner.close();
    assertThat(runs(pid)).isFalse();
    assertThat(data).doesNotExist();
    assertThat(start.get())
        .isInstanceOf(ProvisionException.class)
        .hasMessageStartingWith("redis is not ready: it was stopped while it started");
  }

  @Test
  void anInterruptedStartLeavesNothing() throws Exception {
    EngineSpec engine = silent();
    FutureTask<Server> start = new FutureTask<>(() -> start(engine, Fsync.OFF));
    Thread thread = new Thread(start);
    thread.start();
    long pid = silentPid();
    thread.interrupt();
    assertThatThrownBy(start::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(runs(pid)).isFalse();
    assertThat(data).doesNotExist();
  }
}
