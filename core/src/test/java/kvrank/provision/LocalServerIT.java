package kvrank.provision;

import static kvrank.provision.Eventually.eventually;
import static kvrank.provision.Eventually.runs;
import static kvrank.provision.server.TestRedis.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.ListenAddress;
import kvrank.provision.server.ProcessStarter;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import kvrank.provision.server.TestRedis;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.Fsync;
import kvrank.scenario.ProvisionMethod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real Redis processes. */
class LocalServerIT {

  @TempDir Path folder;

  private Path data;
  private Path log;
  private TestRedis redis;
  private LocalProvisioner provisioning;

  @BeforeEach
  void setUp() {
    data = folder.resolve("run/data");
    log = folder.resolve("run/server.log");
    redis = new TestRedis(folder.resolve("redis"));
    provisioning = new LocalProvisioner(System.getenv(), line -> {});
  }

  @AfterEach
  void tearDown() {
    provisioning.close();
  }

  private static LocalProvisioner local(Duration startLimit, IntSupplier ports) {
    return new LocalProvisioner(
        System.getenv(), line -> {}, Optional.empty(), ListenAddress.LOOPBACK, startLimit, ports);
  }

  private Server start(EngineSpec engine, Fsync fsync)
      throws ProvisionException, InterruptedException {
    return provisioning.start(provisioning.choose(engine, fsync, data, log).orElseThrow());
  }

  private static long pid(Server server) {
    return server.pid().orElseThrow();
  }

  /** A start that is expected to fail: the message. */
  private String failure(EngineSpec engine, Fsync fsync) {
    Throwable failure = catchThrowable(() -> start(engine, fsync));
    assertThat(failure).isInstanceOf(ProvisionException.class);
    assertThat(data).doesNotExist();
    return failure.getMessage();
  }

  private Path script(String... lines) throws IOException {
    Path file = folder.resolve("script.sh");
    Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  @Test
  void startsAServerAndLeavesNothingButItsLog() throws Exception {
    Server server = start(redis.bundled().spec(), Fsync.ON);
    long pid = pid(server);
    assertThat(ask(server, "SET a b\r\n", "\\+OK")).isPresent();
    assertThat(ask(server, "GET a\r\n", "\\$1\r\n(.)")).contains("b");
    assertThat(server.connection())
        .containsOnlyKeys("data", "host", "port")
        .containsEntry("host", "127.0.0.1")
        .containsEntry("data", data.toString());
    assertThat(server.facts())
        .containsEntry("way", "bundled")
        .containsEntry("address", "loopback")
        .containsEntry("appendfsync", "always")
        .containsEntry("setting.appendfsync", "always")
        .containsEntry("setting.save", "")
        .containsEntry("pid", Long.toString(pid))
        .containsEntry("executable", folder.resolve("redis/redis-server").toString())
        .hasEntrySatisfying("version", version -> assertThat(version).startsWith("6.2."));
    assertThat(server.data()).contains(data);
    assertThat(data.resolve("appendonly.aof")).exists();
    assertThat(data.resolve("note.txt")).hasContent("data is in " + data + "\n");
    assertThat(server.death()).isEmpty();
    server.close();
    server.close();
    assertThat(runs(pid)).isFalse();
    assertThat(data).doesNotExist();
    assertThat(log).content().contains("Ready to accept connections");
  }

  @Test
  void saysWhatItIsAskedAfterAPhaseAndLeavesItsDataWhenItStops() throws Exception {
    Server server = start(redis.bundled().spec(), Fsync.OFF);
    long before = Long.parseLong(server.reports().get("used_memory"));
    assertThat(ask(server, "SET a %s\r\n".formatted("b".repeat(60_000)), "\\+OK")).isPresent();
    assertThat(server.reports())
        .containsOnlyKeys("used_memory")
        .hasEntrySatisfying(
            "used_memory", used -> assertThat(Long.parseLong(used)).isGreaterThan(before + 50_000));
    long pid = pid(server);
    server.stop();
    server.stop();
    assertThat(runs(pid)).isFalse();
    assertThat(data.resolve("appendonly.aof")).exists().content().contains("bbb");
    assertThat(server.reports()).isEmpty();
    server.close();
    assertThat(data).doesNotExist();
  }

  @Test
  void isSilentWhileItHangsAndSaysItsLastWords() throws Exception {
    Server server = start(redis.bundled().spec(), Fsync.OFF);
    assertThat(server.silent()).isFalse();
    server.listen();
    assertThat(server.lastWords()).isEmpty();
    signal(server, "-STOP");
    assertThat(server.silent()).isTrue();
    signal(server, "-CONT");
    assertThat(ask(server, "SAVE\r\n", "\\+OK")).isPresent();
    assertThat(server.lastWords()).contains("its server then said:", "DB saved on disk");
    server.close();
    assertThat(server.silent()).isTrue();
  }

  private static void signal(Server server, String signal) throws Exception {
    String pid = Long.toString(pid(server));
    assertThat(new ProcessBuilder("kill", signal, pid).start().waitFor()).isZero();
  }

  @Test
  void runsOnTheCpusThatItIsGiven() throws Exception {
    provisioning.close();
    provisioning =
        new LocalProvisioner(System.getenv(), line -> {}, Optional.of("0"), ListenAddress.LOOPBACK);
    Server server = start(redis.bundled().spec(), Fsync.OFF);
    assertThat(Files.readString(Path.of("/proc/" + pid(server) + "/status")))
        .containsPattern("Cpus_allowed_list:\\s*0\n");
    server.close();
  }

  @Test
  void aServerThatOthersReachAsksForAPasswordThatStandsNowhere() throws Exception {
    provisioning.close();
    ListenAddress address = ListenAddress.of("127.0.0.2");
    provisioning = new LocalProvisioner(System.getenv(), line -> {}, Optional.empty(), address);
    String password = address.credentials().get("password");
    Server server = start(redis.bundled().spec(), Fsync.OFF);
    assertThat(password).hasSize(64);
    assertThat(server.facts())
        .containsEntry("address", "interface")
        .containsEntry("host", "127.0.0.2")
        .containsEntry("appendfsync", "no");
    assertThat(server.facts().toString()).doesNotContain(password);
    assertThat(ask(server, "PING\r\n", "(-NOAUTH)")).contains("-NOAUTH");
    assertThat(ask(server, "AUTH " + password + "\r\n", "(\\+OK)")).contains("+OK");
    int port = Integer.parseInt(server.facts().get("port"));
    assertThat(listens("127.0.0.1", port)).isFalse();
    assertThat(listens("127.0.0.2", port)).isTrue();
    assertThat(Files.readString(Path.of("/proc/" + pid(server) + "/cmdline")))
        .doesNotContain(password);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(password);
      }
    }
    server.kill();
    server.restart();
    assertThat(ask(server, "PING\r\n", "(-NOAUTH)")).contains("-NOAUTH");

    redis.password("# ${password}\n");
    data = folder.resolve("open/data");
    assertThat(failure(redis.spec(), Fsync.OFF)).contains("without a password");
  }

  private static boolean listens(String host, int port) throws IOException {
    try (Socket client = new Socket(InetAddress.getByName(host), port)) {
      return client.isConnected();
    } catch (ConnectException e) {
      return false;
    }
  }

  @Test
  void runsAnExecutableFromThePathAndByItsOwnPath() throws Exception {
    Path executable = redis.unpack();
    assertThat(executable.toFile().setExecutable(true)).isTrue();
    provisioning.close();
    provisioning =
        new LocalProvisioner(
            Map.of("PATH", executable.getParent() + ":/bin", "DOCKER_HOST", "unix:///none"),
            line -> {});
    try (Server server = start(redis.spec(), Fsync.OFF)) {
      assertThat(server.facts())
          .containsEntry("way", "process")
          .containsEntry("appendfsync", "no")
          .containsEntry("executable", executable.toString());
    }
    try (Server server =
        start(redis.by(ProvisionMethod.PROCESS, executable.toString()).spec(), Fsync.OFF)) {
      assertThat(server.facts()).containsEntry("way", "process");
    }
  }

  @Test
  void samplesTheProcessThatListensNotTheScriptAroundIt() throws Exception {
    Path executable = redis.unpack();
    assertThat(executable.toFile().setExecutable(true)).isTrue();
    Path script = script("'" + executable + "' \"$@\" &", "wait");
    Server server = start(redis.by(ProvisionMethod.PROCESS, script.toString()).spec(), Fsync.OFF);
    long pid = pid(server);
    assertThat(ProcessHandle.of(pid).flatMap(process -> process.info().command()))
        .contains(executable.toRealPath().toString());
    server.close();
    eventually("the child of the script ends", () -> !runs(pid));
  }

  @Test
  void noticesAKillAndSaysBySignalWhatItWas() throws Exception {
    try (Server server = start(redis.bundled().spec(), Fsync.OFF)) {
      assertThat(ProcessHandle.of(pid(server)).orElseThrow().destroyForcibly()).isTrue();
      eventually("the death is noticed", () -> server.death().isPresent());
      assertThat(server.death().orElseThrow())
          .startsWith("redis was killed by SIGKILL (exit status 137). The end of its log (" + log)
          .contains("Ready to accept connections");
    }
    assertThat(data).doesNotExist();
  }

  @Test
  void aKilledServerComesBackOnItsData() throws Exception {
    Server server = start(redis.bundled().spec(), Fsync.ON);
    long first = pid(server);
    assertThat(ask(server, "SET a b\r\n", "\\+OK")).isPresent();
    assertThat(server.kill()).isEqualTo("was killed by SIGKILL (exit status 137)");
    assertThat(runs(first)).isFalse();
    assertThat(server.death()).isPresent();

    server.restart();

    assertThat(server.death()).isEmpty();
    assertThat(pid(server)).isNotEqualTo(first);
    assertThat(server.facts()).containsEntry("pid", Long.toString(pid(server)));
    assertThat(ask(server, "GET a\r\n", "\\$1\r\n(.)")).contains("b");
    long second = pid(server);
    server.close();
    assertThat(runs(second)).isFalse();
    assertThat(data).doesNotExist();
  }

  @Test
  void aKillReachesWhatAScriptStarted() throws Exception {
    Path executable = redis.unpack();
    assertThat(executable.toFile().setExecutable(true)).isTrue();
    Path script = script("'" + executable + "' \"$@\" &", "wait");
    try (Server server =
        start(redis.by(ProvisionMethod.PROCESS, script.toString()).spec(), Fsync.OFF)) {
      long pid = pid(server);
      server.kill();
      assertThat(runs(pid)).isFalse();
      server.restart();
      assertThat(ask(server, "PING\r\n", "PONG")).isPresent();
    }
  }

  @Test
  void aServerThatDoesNotComeBackIsShownByTheEndOfItsLog() throws Exception {
    Server server = start(redis.bundled().spec(), Fsync.ON);
    server.kill();
    Files.writeString(data.resolve("appendonly.aof"), "no command of Redis\r\n");
    assertThatThrownBy(server::restart)
        .isInstanceOf(ProvisionException.class)
        .hasMessageStartingWith("redis is not ready: it exited with status 1. The end of its log")
        .hasMessageContaining("Bad file format");
    assertThat(data).isDirectory();
    server.close();
    assertThat(data).doesNotExist();
  }

  @Test
  void closingInTheMiddleOfARestartEndsIt() throws Exception {
    Path executable = redis.unpack();
    assertThat(executable.toFile().setExecutable(true)).isTrue();
    Path pidFile = folder.resolve("pid");
    Path script =
        script(
            "if [ -e again ]; then",
            "  echo $$ >'" + folder + "/new'",
            "  mv '" + folder + "/new' '" + pidFile + "'",
            "  exec sleep 1000",
            "fi",
            "touch again",
            "exec '" + executable + "' \"$@\"");
    Server server = start(redis.by(ProvisionMethod.PROCESS, script.toString()).spec(), Fsync.OFF);
    server.kill();
    CompletableFuture<Throwable> restart =
        CompletableFuture.supplyAsync(() -> catchThrowable(server::restart));
    long pid = silentPid();
    provisioning.close();
    assertThat(runs(pid)).isFalse();
    assertThat(data).doesNotExist();
    assertThat(restart.get())
        .isInstanceOf(ProvisionException.class)
        .hasMessageContaining("it was stopped while it started");
  }

  @Test
  void aBadSettingIsShownByTheEndOfTheLog() {
    assertThat(failure(redis.bundled().setting("no-such-setting", "7").spec(), Fsync.OFF))
        .startsWith("redis is not ready: it exited with status 1. The end of its log (" + log)
        .contains("no-such-setting \"7\"")
        .contains("Bad directive or wrong number of arguments");
  }

  @Test
  void aServerThatReportsAnotherSettingThanAskedForIsRefused() {
    assertThat(failure(redis.bundled().setting("appendfsync", "everysec").spec(), Fsync.ON))
        .startsWith(
            "redis is not ready: it was asked for appendfsync=always and reports 'everysec'");
    assertThat(
            failure(redis.expectWhenOn("sync", "yes").option("appendfsync", "no").spec(), Fsync.ON))
        .startsWith("redis is not ready: it was asked for sync=yes and does not report it");
  }

  @Test
  void aSilentServerIsGivenUp() throws IOException {
    provisioning.close();
    provisioning = local(Duration.ofMillis(300), () -> ProcessStarter.freePort("127.0.0.1"));
    Path script = script("echo waiting", "exec sleep 1000");
    assertThat(failure(redis.by(ProvisionMethod.PROCESS, script.toString()).spec(), Fsync.OFF))
        .contains("it did not answer its ping at [127.0.0.1:")
        .contains("] for 0 s, though its process (pid ")
        .contains(") runs. The end of its log")
        .endsWith("waiting");
  }

  @Test
  void aWrongAnswerToThePingIsShown() {
    provisioning.close();
    provisioning = local(Duration.ofMillis(1200), () -> ProcessStarter.freePort("127.0.0.1"));
    assertThat(failure(redis.bundled().setting("requirepass", "x").spec(), Fsync.OFF))
        .startsWith(
            "redis is not ready: it answered its ping with '-NOAUTH Authentication required.' at");
  }

  @Test
  void anExecutableThatCannotRunIsSaidToBeSo() throws IOException {
    Path file = Files.write(folder.resolve("broken"), new byte[] {0x7f, 'E', 'L', 'F', 0});
    assertThat(file.toFile().setExecutable(true)).isTrue();
    assertThat(failure(redis.by(ProvisionMethod.PROCESS, file.toString()).spec(), Fsync.OFF))
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
      assertThat(folder.resolve("ours.log")).content().contains("Address already in use");
      assertThat(other.death()).isEmpty();
    }
  }

  private static IntSupplier firstThenFree(int first) {
    Iterator<Integer> ports = List.of(first).iterator();
    return () -> ports.hasNext() ? ports.next() : ProcessStarter.freePort("127.0.0.1");
  }

  @Test
  void refusesADataFolderThatExistsAndLeavesItAlone() throws Exception {
    Files.createDirectories(data);
    Path kept = Files.writeString(data.resolve("kept"), "");
    assertThatThrownBy(() -> start(redis.bundled().spec(), Fsync.OFF))
        .isInstanceOf(ProvisionException.class)
        .hasMessageContaining("exists already");
    assertThat(kept).exists();
  }

  @Test
  void anUnknownPlaceholderStartsNothing() {
    assertThat(failure(redis.bundled().setting("dir", "${dada}").spec(), Fsync.OFF))
        .isEqualTo(
            "redis is not ready: unknown placeholder '${dada}' in '${dada}' of redis;"
                + " known here are [bind, data, executable, port].");
    assertThat(log).doesNotExist();
  }

  @Test
  void closingStopsAllAndTakesNoMore() throws Exception {
    Server one = start(redis.bundled().spec(), Fsync.OFF);
    ServerSpec next =
        provisioning
            .choose(redis.spec(), Fsync.OFF, folder.resolve("two"), folder.resolve("two.log"))
            .orElseThrow();
    Server two = provisioning.start(next);
    provisioning.close();
    provisioning.close();
    assertThat(runs(pid(one))).isFalse();
    assertThat(runs(pid(two))).isFalse();
    assertThat(data).doesNotExist();
    assertThat(folder.resolve("two")).doesNotExist();
    assertThatThrownBy(() -> provisioning.start(next))
        .isInstanceOf(ProvisionException.class)
        .hasMessageContaining("kvrank is ending");
  }

  /** A script that tells its pid in {@code pid}, and never answers. */
  private EngineSpec silent() throws IOException {
    Path script =
        script(
            "echo $$ >'" + folder + "/new'",
            "mv '" + folder + "/new' '" + folder + "/pid'",
            "exec sleep 1000");
    return redis.by(ProvisionMethod.PROCESS, script.toString()).spec();
  }

  private long silentPid() throws Exception {
    Path file = folder.resolve("pid");
    eventually("the script runs", () -> Files.exists(file));
    return Long.parseLong(Files.readString(file).strip());
  }

  @Test
  void closingInTheMiddleOfAStartEndsIt() throws Exception {
    EngineSpec engine = silent();
    CompletableFuture<Throwable> start =
        CompletableFuture.supplyAsync(() -> catchThrowable(() -> start(engine, Fsync.OFF)));
    long pid = silentPid();
    provisioning.close();
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

  @Test
  void aServerThatIgnoresSigtermIsKilled() throws Exception {
    Path executable = redis.unpack();
    assertThat(executable.toFile().setExecutable(true)).isTrue();
    Path script = script("trap '' TERM", "'" + executable + "' \"$@\" &", "while :; do wait; done");
    Server server = start(redis.by(ProvisionMethod.PROCESS, script.toString()).spec(), Fsync.OFF);
    long pid = pid(server);
    server.close();
    eventually("the server is killed", () -> !runs(pid));
    assertThat(data).doesNotExist();
  }

  @Test
  void anExternalServerIsUsedAndLeftRunning() throws Exception {
    try (Server ours = start(redis.bundled().spec(), Fsync.OFF)) {
      String place = "127.0.0.1:" + ours.connection().get("port");
      ServerSpec spec =
          provisioning
              .choose(
                  redis.by(ProvisionMethod.EXTERNAL, place).spec(),
                  Fsync.OFF,
                  folder.resolve("x"),
                  log)
              .orElseThrow();
      Server external = provisioning.start(spec);
      assertThat(external.connection())
          .containsOnlyKeys("host", "port")
          .containsEntry("port", ours.connection().get("port"));
      assertThat(external.facts())
          .containsEntry("way", "external")
          .containsEntry("address", "external")
          .containsEntry("appendfsync", "no")
          .containsKey("version");
      assertThat(external.pid()).isEmpty();
      assertThat(external.data()).isEmpty();
      assertThatThrownBy(external::kill)
          .hasMessage("redis was not killed: it runs already and is not kvrank's to kill");
      external.close();
      assertThat(ours.death()).isEmpty();
      assertThat(ask(ours, "PING\r\n", "PONG")).isPresent();
      // It does not have the durability that this asks for.
      ServerSpec on =
          provisioning.choose(redis.spec(), Fsync.ON, folder.resolve("x"), log).orElseThrow();
      assertThatThrownBy(() -> provisioning.start(on))
          .hasMessageContaining("asked for appendfsync=always and reports 'no'");
    }
  }

  @Test
  void anEmbeddedEngineHasAFolderAlone() throws Exception {
    EngineSpec engine = new EngineSpec("lib", redis.embedded(), new TreeMap<>(), Optional.empty());
    try (Server server = start(engine, Fsync.ON)) {
      assertThat(server.connection()).containsOnlyKeys("data");
      assertThat(server.facts()).containsEntry("way", "embedded");
      assertThat(data).isDirectory();
      Files.writeString(data.resolve("file"), "");
      assertThatThrownBy(server::kill).hasMessage("lib has no process of its own");
      server.restart();
      assertThat(data.resolve("file")).exists();
    }
    assertThat(data).doesNotExist();
  }
}
