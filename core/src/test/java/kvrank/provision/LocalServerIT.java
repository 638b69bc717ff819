package kvrank.provision;

import static kvrank.provision.Eventually.eventually;
import static kvrank.provision.Eventually.runs;
import static kvrank.provision.server.TestRedis.ask;
import static kvrank.provision.server.TestRedis.askAsStranger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import kvrank.binding.net.HostPort;
import kvrank.binding.net.UnixSocket;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.provision.server.ConnectionWatch;
import kvrank.provision.server.ListenAddress;
import kvrank.provision.server.Ports;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import org.junit.jupiter.api.Test;

/** What a server of this machine is while it runs: real Redis processes. */
class LocalServerIT extends LocalServers {

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
    assertThat(server.facts().asMap())
        .containsEntry("way", "bundled")
        .hasEntrySatisfying("released", year -> assertThat(year).matches("202[23]"))
        .containsEntry("address", "loopback")
        .containsEntry("engine.appendfsync", "always")
        .containsEntry("setting.appendfsync", "always")
        .containsEntry("setting.save", "")
        .containsEntry("pid", Long.toString(pid))
        .containsEntry("executable", folder.resolve("redis/redis-server").toString())
        .hasEntrySatisfying("engine.version", version -> assertThat(version).startsWith("6.2."));
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
  void reportsAfterAPhaseAndKeepsItsDataWhenItStops() throws Exception {
    Server server = start(redis.bundled().spec(), Fsync.OFF);
    long before = Long.parseLong(server.reports().parts(Fact.ENGINE).get("used_memory"));
    assertThat(ask(server, "SET a %s\r\n".formatted("b".repeat(60_000)), "\\+OK")).isPresent();
    assertThat(server.reports().parts(Fact.ENGINE))
        .containsOnlyKeys("connections", "used_memory")
        .hasEntrySatisfying(
            "used_memory", used -> assertThat(Long.parseLong(used)).isGreaterThan(before + 50_000));
    long pid = pid(server);
    server.stop();
    server.stop();
    assertThat(runs(pid)).isFalse();
    assertThat(data.resolve("appendonly.aof")).exists().content().contains("bbb");
    assertThat(server.reports()).isEqualTo(new Facts());
    server.close();
    assertThat(data).doesNotExist();
  }

  @Test
  void theNumberOfConnectionsIsNoPartOfTheEngine() throws Exception {
    Path executable = redis.executable();
    Path script = script("ulimit -n 500", "exec '" + executable + "' \"$@\"");
    Server server = start(redis.process(script).spec(), Fsync.OFF);
    assertThat(server.facts().asMap())
        .containsEntry("connections.limit", "468")
        .doesNotContainKey("engine.maxclients");
  }

  @Test
  void connectionsOfOthersAreCounted() throws Exception {
    Server server = start(redis.bundled().spec(), Fsync.OFF);
    assertThat(server.open()).isFalse();
    assertThat(server.clients()).isEmpty();
    assertThat(server.othersConnections(0)).as("workers do not count theirs").isEmpty();
    assertThat(server.othersConnections(1)).as("fewer than known are not others'").hasValue(0);
    server.reports();
    assertThat(server.silent()).isFalse();
    assertThat(ask(server, "PING\r\n", "PONG")).isPresent();
    assertThat(server.othersConnections(1)).hasValue(0);
    int port = Integer.parseInt(server.connection().get("port"));
    for (int stranger = 0; stranger < 4; stranger++) {
      assertThat(listens("127.0.0.1", port)).isTrue();
    }
    assertThat(server.othersConnections(1)).as("one is a worker's").hasValue(3);
    assertThat(server.othersConnections(1)).hasValue(0);
    server.kill();
    server.restart();
    assertThat(server.othersConnections(1)).hasValue(0);
    server.close();

    redis.open();
    server = start(redis.spec(), Fsync.OFF);
    assertThat(server.open()).isTrue();
    assertThat(ask(server, "PING\r\n", "PONG")).isPresent();
    assertThat(server.othersConnections(1)).hasValue(0);
    assertThat(listens("127.0.0.1", Integer.parseInt(server.connection().get("port")))).isTrue();
    assertThat(listens("127.0.0.1", Integer.parseInt(server.connection().get("port")))).isTrue();
    assertThat(server.othersConnections(1)).as("one is a worker's").hasValue(1);
    assertThat(server.othersConnections(1)).as("it may have stayed").hasValue(1);
    assertThat(server.clients()).hasValue(2);
  }

  @Test
  void connectionsThatOthersHadAtTheFirstCountAreTheirs() throws Exception {
    assumeThat(Path.of("/usr/bin/setsid")).exists();
    int port = freePort();
    use(local(Duration.ofSeconds(30), () -> port));
    String place = "<>/dev/tcp/127.0.0.1/" + port;
    String two =
        "until exec 3" + place + "; do sleep 0.01; done; exec 4" + place + "; cat <&3 2>/dev/null";
    String daemon = "(exec setsid timeout 60 bash -c '%s' 2>/dev/null &)".formatted(two);
    new ProcessBuilder("bash", "-c", daemon).start().waitFor();
    Server server = start(redis.bundled().spec(), Fsync.OFF);
    eventually(
        "they are counted, except for one as a worker's",
        () -> server.othersConnections(1).orElse(0) > 0);
    assertThat(server.crowded()).isFalse();
    assertThat(server.explained(new Failure(Cause.ENGINE, "it is full")).cause())
        .isEqualTo(Cause.OUTSIDER);
    assertThat(server.crowded()).isTrue();
    server.close();
  }

  @Test
  void aConnectionOfAnotherThatStaysIsSeen() throws Exception {
    Server server = start(redis.bundled().spec(), Fsync.OFF);
    int port = Integer.parseInt(server.connection().get("port"));
    String flood =
        "exec 3<>/dev/tcp/127.0.0.1/"
            + port
            + "; cat <&3 >/dev/null & while echo AUTH x >&3; do :; done";
    try (ConnectionWatch watch = server.watch(List.of(pid(server)));
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      assertThat(client.isConnected()).isTrue();
      // A stranger of an earlier test may still try a port that is in use again.
      eventually("no stranger is seen", () -> nothingSince(watch));
      Process stranger = new ProcessBuilder("bash", "-c", flood).start();
      try {
        eventually("the stranger is seen", () -> watch.end().orElseThrow().times() > 1);
        assertThat(watch.end().orElseThrow().users()).hasSize(1);
      } finally {
        stranger.descendants().forEach(ProcessHandle::destroyForcibly);
        stranger.destroyForcibly().waitFor();
      }
      watch.begin();
      eventually("the stranger is gone", () -> nothingSince(watch));
    }
    try (ConnectionWatch elsewhere = server.watch(List.of())) {
      assertThat(elsewhere.end()).as("clients on other machines are unknown").isEmpty();
    }
  }

  /** Returns whether nothing was seen since the start; otherwise starts again. */
  private static boolean nothingSince(ConnectionWatch watch) {
    boolean none = watch.end().filter(seen -> seen.times() == 0).isPresent();
    if (!none) {
      watch.begin();
    }
    return none;
  }

  @Test
  void isSilentWhileItHangsAndHasLastWords() throws Exception {
    Server server = start(redis.bundled().spec(), Fsync.OFF);
    assertThat(server.silent()).isFalse();
    server.listen();
    assertThat(server.lastWords()).isEmpty();
    signal(server, "-STOP");
    assertThat(server.silent()).isTrue();
    signal(server, "-CONT");
    assertThat(ask(server, "SAVE\r\n", "\\+OK")).isPresent();
    assertThat(server.lastWords()).contains("the server then logged:", "DB saved on disk");
    server.close();
    assertThat(server.silent()).isTrue();
  }

  private static void signal(Server server, String signal) throws Exception {
    String pid = Long.toString(pid(server));
    assertThat(new ProcessBuilder("kill", signal, pid).start().waitFor()).isZero();
  }

  @Test
  void runsOnTheCpusThatItIsGiven() throws Exception {
    use(
        new LocalProvisioner(
            System.getenv(), line -> {}, Optional.of("0"), ListenAddress.LOOPBACK));
    Server server = start(redis.bundled().spec(), Fsync.OFF);
    assertThat(Files.readString(Path.of("/proc/" + pid(server) + "/status")))
        .containsPattern("Cpus_allowed_list:\\s*0\n");
    server.close();
  }

  @Test
  void aServerForOtherMachinesListensOnlyThere() throws Exception {
    try (Socket held = new Socket()) {
      // No other server can listen there, and none at all addresses.
      held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      use(
          new LocalProvisioner(
              System.getenv(),
              line -> {},
              Optional.empty(),
              ListenAddress.of("127.0.0.2"),
              Duration.ofMinutes(1),
              new Ports(OptionalInt::empty, held::getLocalPort)));
      Server server = start(redis.bundled().spec(), Fsync.OFF);
      assertThat(server.facts().asMap())
          .containsEntry("address", "interface")
          .containsEntry("host", "127.0.0.2")
          .containsEntry("engine.appendfsync", "no");
      int port = (int) server.facts().whole(Fact.PORT);
      assertThat(listens("127.0.0.1", port)).isFalse();
      assertThat(listens("127.0.0.2", port)).isTrue();
      assertThat(askAsStranger(server, "PING\r\n", "(-NOAUTH)")).contains("-NOAUTH");
    }
  }

  @Test
  void aServerListensOnlyOnAPrivateUnixSocket() throws Exception {
    Server server = start(redis.bundled().option("transport", "unix").spec(), Fsync.OFF);
    assertThat(server.facts().asMap())
        .containsEntry("address", "unix")
        .containsEntry("engine.appendfsync", "no")
        .doesNotContainKeys("port", "setting.transport");
    String host = server.connection().get("host");
    Path socket = HostPort.socket(host).orElseThrow();
    assertThat(server.connection()).containsEntry("port", "0");
    assertThat(ask(server, "CONFIG GET port\r\n", "port\r\n\\$1\r\n(\\d)")).contains("0");
    assertThat(ProcessHandle.of(pid(server)).flatMap(process -> process.info().command()))
        .contains(redis.executable().toRealPath().toString());
    assertThat(Files.getPosixFilePermissions(socket.getParent()))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThat(askAsStranger(server, "PING\r\n", "(-NOAUTH)")).contains("-NOAUTH");
    for (int stranger = 0; stranger < 3; stranger++) {
      UnixSocket.connect(socket).close();
    }
    assertThat(server.othersConnections(1)).as("one is a worker's").hasValue(2);
    assertThat(ask(server, "SET a b\r\n", "\\+OK")).isPresent();
    server.kill();
    assertThat(socket).exists();
    server.restart();
    assertThat(server.connection()).containsEntry("host", host);
    assertThat(ask(server, "GET a\r\n", "\\$1\r\n(.)")).contains("b");
    server.close();
    assertThat(socket.getParent()).doesNotExist();
  }

  @Test
  void samplesTheProcessBehindASocketNotTheScriptAroundIt() throws Exception {
    Path executable = redis.executable();
    Path script = script("'" + executable + "' \"$@\" &", "wait");
    Server server = start(redis.process(script).option("transport", "unix").spec(), Fsync.OFF);
    long pid = pid(server);
    assertThat(ProcessHandle.of(pid).flatMap(process -> process.info().command()))
        .contains(executable.toRealPath().toString());
    server.close();
    eventually("the child of the script ends", () -> !runs(pid));
  }

  @Test
  void aServerNeedsAPasswordThatIsInNoFile() throws Exception {
    Server server = start(redis.bundled().spec(), Fsync.OFF);
    String password = server.credentials().get("password");
    assertThat(password).hasSize(64);
    assertThat(server.facts().toString()).doesNotContain(password);
    assertThat(askAsStranger(server, "PING\r\n", "(-NOAUTH)")).contains("-NOAUTH");
    assertThat(ask(server, "PING\r\n", "(\\+PONG)")).contains("+PONG");
    assertThat(Files.getPosixFilePermissions(data))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
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
    assertThat(askAsStranger(server, "PING\r\n", "(-NOAUTH)")).contains("-NOAUTH");
    assertThat(server.credentials().get("password")).hasSize(64).isNotEqualTo(password);

    redis.password("# ${password}\n");
    data = folder.resolve("open/data");
    assertThat(failure(Cause.ENGINE, redis.spec(), Fsync.OFF)).contains("without a password");
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
    Path executable = redis.executable();
    use(
        new LocalProvisioner(
            Map.of("PATH", executable.getParent() + ":/bin", "DOCKER_HOST", "unix:///none"),
            line -> {}));
    try (Server server = start(redis.spec(), Fsync.OFF)) {
      assertThat(server.facts().asMap())
          .containsEntry("way", "process")
          .containsEntry("engine.appendfsync", "no")
          .containsEntry("executable", executable.toString());
    }
    try (Server server = start(redis.process(executable).spec(), Fsync.OFF)) {
      assertThat(server.facts().asMap()).containsEntry("way", "process");
    }
  }

  @Test
  void samplesTheProcessThatListensNotTheScriptAroundIt() throws Exception {
    Path executable = redis.executable();
    Path script = script("'" + executable + "' \"$@\" &", "wait");
    Server server = start(redis.process(script).spec(), Fsync.OFF);
    long pid = pid(server);
    assertThat(ProcessHandle.of(pid).flatMap(process -> process.info().command()))
        .contains(executable.toRealPath().toString());
    server.close();
    eventually("the child of the script ends", () -> !runs(pid));
  }

  @Test
  void anExternalServerIsUsedAndLeftRunning() throws Exception {
    try (Server ours = start(redis.bundled().spec(), Fsync.OFF)) {
      assertThat(ask(ours, "CONFIG SET requirepass ''\r\n", "\\+OK")).isPresent();
      String place = "127.0.0.1:" + ours.connection().get("port");
      ServerSpec spec =
          provisioner
              .choose(
                  redis.by(ProvisionMethod.EXTERNAL, place).spec(),
                  Fsync.OFF,
                  folder.resolve("x"),
                  log)
              .orElseThrow();
      Server external = provisioner.start(spec);
      assertThat(external.connection())
          .containsOnlyKeys("host", "port")
          .containsEntry("port", ours.connection().get("port"));
      assertThat(external.facts().asMap())
          .containsEntry("way", "external")
          .containsEntry("address", "external")
          .containsEntry("engine.appendfsync", "no")
          .containsKey("engine.version");
      assertThat(external.pid()).isEmpty();
      assertThat(external.data()).isEmpty();
      assertThatThrownBy(external::kill)
          .hasMessage("redis was not killed: it runs already and is not kvrank's to kill");
      assertThat(external.changed()).isEmpty();
      assertThat(askAsStranger(ours, "CONFIG SET appendfsync always\r\n", "\\+OK")).isPresent();
      assertThat(external.changed()).hasValue("appendfsync was 'no' and is 'always'");
      assertThat(askAsStranger(ours, "CONFIG SET appendfsync no\r\n", "\\+OK")).isPresent();
      external.close();
      assertThat(ours.death()).isEmpty();
      assertThat(askAsStranger(ours, "PING\r\n", "PONG")).isPresent();
      // It does not have the durability that this asks for.
      ServerSpec on =
          provisioner.choose(redis.spec(), Fsync.ON, folder.resolve("x"), log).orElseThrow();
      assertThatThrownBy(() -> provisioner.start(on))
          .hasMessageContaining("asked for appendfsync=always and reports 'no'");
    }
  }

  @Test
  void anEmbeddedEngineHasOnlyAFolder() throws Exception {
    try (Server server = start(redis.embedded(), Fsync.ON)) {
      assertThat(server.connection()).containsOnlyKeys("data");
      assertThat(server.facts().asMap()).containsEntry("way", "embedded");
      assertThat(data).isDirectory();
      Files.writeString(data.resolve("file"), "");
      assertThatThrownBy(server::kill).hasMessage("lib has no process of its own");
      server.restart();
      assertThat(data.resolve("file")).exists();
    }
    assertThat(data).doesNotExist();
  }
}
