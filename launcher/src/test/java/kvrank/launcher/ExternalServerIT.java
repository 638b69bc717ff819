package kvrank.launcher;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers of others: their data is not touched, and none of ours is left. */
class ExternalServerIT extends InstalledKvrank {

  private static final int FOREIGN = 5_000;

  private final List<RedisServer> servers = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (RedisServer server : servers) {
      server.close();
    }
  }

  @Test
  void anEmptyServerIsEmptyAfterEachRun() throws Exception {
    RedisServer redis = redis();
    scenario("ours", "'%s'".formatted(redis.address()), "[load, set-get, insert, set-delete]", "2");
    Files.writeString(
        home.resolve("workloads/set-delete.yaml"),
        "description: d\noperations: {insert: 1, delete: 1}\nkeys: {distribution: uniform}\n");
    Files.writeString(
        home.resolve("workloads/insert.yaml"),
        "description: d\noperations: {insert: 1}\nkeys: {distribution: uniform}\n");

    Execution execution = kvrank("run", "ours");

    // The second repetition would have been refused, had the first one left anything.
    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(redis.contents()).isEmpty();
    assertThat(runFolder("ours", "redis.r1").resolve("removal.log")).doesNotExist();
  }

  @Test
  void aServerThatIsNotEmptyIsNotWrittenTo() throws Exception {
    RedisServer redis = redis();
    // Keys such as kvrank's own, in another database than the one it would use.
    redis.ask("SELECT", "3");
    for (int i = 0; i < 20; i++) {
      redis.ask("SET", "%016d".formatted(i), "theirs");
    }
    SortedMap<String, String> before = redis.contents();
    scenario("refused", "'%s'".formatted(redis.address()), "[load, set-get, delete]", "1");

    Execution execution = kvrank("run", "refused");

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(execution.text())
        .contains(
            "'%s' is not empty: it holds 20 keys; nothing was written".formatted(redis.address()),
            "external: {address: \"%s\", may-share: true}".formatted(redis.address()));
    assertThat(redis.contents()).isEqualTo(before);
  }

  @Test
  void foreignKeysSurviveEveryWorkload() throws Exception {
    RedisServer redis = redis();
    for (int i = 0; i < FOREIGN; i++) {
      redis.ask("SELECT", Integer.toString(i % 2));
      // Some are what kvrank's keys would be without a prefix.
      redis.ask("SET", i % 5 == 0 ? "%032d".formatted(i) : "theirs:" + i, "value " + i);
    }
    SortedMap<String, String> before = redis.contents();
    String phases;
    try (Stream<Path> files = Files.list(home.resolve("workloads"))) {
      phases =
          files
              .map(file -> file.getFileName().toString().replace(".yaml", ""))
              .sorted()
              .filter(name -> !name.equals("load"))
              .collect(Collectors.joining(", ", "[load, ", "]"));
    }
    String shared = "{address: '%s', may-share: true}".formatted(redis.address());
    scenario("shared", shared, phases, "1");

    Execution execution =
        Execution.start(
            home, home, "run", "shared", "--set", "key-bytes=32", "--set", "value-bytes=64");

    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(before).hasSize(FOREIGN);
    assertThat(redis.contents()).isEqualTo(before);
  }

  @Test
  void aServerThatWouldEvictForeignKeysIsNotWrittenTo() throws Exception {
    RedisServer redis = redis("--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru");
    redis.ask("SET", "theirs", "value");
    SortedMap<String, String> before = redis.contents();
    String shared = "{address: '%s', may-share: true}".formatted(redis.address());
    scenario("evicting", shared, "[load, set-get]", "1");

    Execution execution = kvrank("run", "evicting", "--set", "key-bytes=32");

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(execution.text())
        .contains("would evict them to make room (maxmemory-policy allkeys-lru)");
    assertThat(redis.contents()).isEqualTo(before);
  }

  @Test
  void aServerThatEvictsIsACache() throws Exception {
    RedisServer redis = redis("--maxmemory", "3mb", "--maxmemory-policy", "allkeys-lru");
    scenario("lossy", "'%s'".formatted(redis.address()), "[load, set-get]", "1");

    Execution execution =
        kvrank("run", "lossy", "--set", "records=20_000", "--set", "value-bytes=1_000");

    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(execution.text()).containsPattern("(?m)^ *rank .*hit ratio");
    assertThat(record("lossy", "redis.r1")).contains("a cache: its server may evict records");
  }

  @Test
  void aServerThatAcceptsTooFewConnectionsIsNotWrittenTo() throws Exception {
    RedisServer redis = redis("--maxclients", "40");
    scenario("crowded", "'%s'".formatted(redis.address()), "[load, set-get]", "1");

    Execution execution = kvrank("run", "crowded", "--set", "threads=64");

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(execution.text().replaceAll("\\s+", " "))
        .contains(
            "the server accepts 40 connections (maxclients), and 66 are needed; raise that limit or lower 'threads'");
    assertThat((String) redis.ask("INFO", "commandstats")).doesNotContain("cmdstat_set:");
  }

  @Test
  void aServerThatBecomesAReplicaIsTheReason() throws Exception {
    RedisServer redis = redis();
    scenario("demoted", "'%s'".formatted(redis.address()), "[load, set]", "1");
    Execution execution = Execution.start(home, home, "run", "demoted", "--set", "duration=60s");
    Path timeline = runFolder("demoted", "redis.r1").resolve("timeline.csv");
    execution.await("the phase", () -> !execution.process().isAlive() || holds(timeline, "\nset,"));

    redis.ask("REPLICAOF", "127.0.0.1", "1");

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(execution.text().replaceAll("\\s+", " "))
        .contains(
            "in phase set: the server was changed meanwhile: role was 'master' and is 'slave': 1000 requests",
            "READONLY");
  }

  @Test
  void aPasswordStandsNowhere() throws Exception {
    String secret = "not-to-be-told-4711";
    RedisServer redis = redis("--requirepass", secret);
    redis.ask("AUTH", secret);
    redis.ask("ACL", "SETUSER", "ann", "on", "~*", "&*", "+@all", ">" + secret);
    Files.writeString(home.resolve("password"), secret + "\n");
    Files.setPosixFilePermissions(
        home.resolve("password"), PosixFilePermissions.fromString("rw-------"));
    String allowed = home.resolve("password").toString();
    for (String user : List.of("", "user: ann, ")) {
      String access =
          "{address: '%s', %spassword: {file: ../password}}".formatted(redis.address(), user);
      scenario("secret", access, "[load, set-get]", "1");
      Execution execution = kvrank("run", "secret", "--allow-secret", allowed);
      assertThat(execution.status()).as(execution.text()).isZero();
      assertThat(latest("secret").resolve("scenario.yaml"))
          .content()
          .contains("file: " + home.resolve("password"));
    }
    Files.writeString(home.resolve("password"), "wrong-" + secret);
    Execution refused = kvrank("run", "secret", "--allow-secret", allowed);
    assertThat(refused.status()).as(refused.text()).isEqualTo(3);
    assertThat(refused.text()).contains("-WRONGPASS");

    assertThat(redis.contents()).isEmpty();
    Files.delete(home.resolve("password"));
    removeLinks();
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), ISO_8859_1))
            .as(file.toString())
            .doesNotContain(secret);
      }
    }
  }

  @Test
  void aServerIsSpokenToInPrivate() throws Exception {
    certificate();
    int port = RedisServer.freePort();
    List<String> options =
        List.of("--tls-port", Integer.toString(port), "--tls-auth-clients", "yes");
    List<String> files = List.of("--tls-cert-file", own("crt"), "--tls-key-file", own("key"));
    List<String> more = List.of("--tls-ca-cert-file", own("crt"));
    RedisServer redis =
        redis(Stream.of(options, files, more).flatMap(List::stream).toArray(String[]::new));
    String access = "{address: '127.0.0.1:%d', tls: true%s}";
    String client = ", cert: ../own.crt, key: ../own.key";
    scenario("tls", access.formatted(port, ", ca: ../own.crt" + client), "[load, set-get]", "1");
    scenario("distrusted", access.formatted(port, client), "[load, set-get]", "1");
    scenario("anonymous", access.formatted(port, ", ca: ../own.crt"), "[load, set-get]", "1");

    String[] allowed = {"--allow-secret", own("crt"), "--allow-secret", own("key")};
    Execution execution = kvrank(with(allowed, "run", "tls"));
    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(redis.contents()).isEmpty();
    Execution distrusted = kvrank(with(allowed, "run", "distrusted"));
    assertThat(distrusted.status()).as(distrusted.text()).isEqualTo(3);
    Execution anonymous = kvrank("run", "anonymous");
    assertThat(anonymous.status()).as(anonymous.text()).isEqualTo(3);
    assertThat(anonymous.text()).contains("certificate");
  }

  @Test
  void aServerIsReachedThroughItsSocket() throws Exception {
    Path socket = Files.createTempDirectory("kvrank").resolve("s");
    RedisServer redis = redis("--unixsocket", socket.toString());
    scenario("socket", "'unix:" + socket + "'", "[load, set-get]", "1");

    Execution execution = kvrank("run", "socket", "--set", "threads=2", "--set", "connections=4");

    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(record("socket", "redis.r1")).contains("\"host\" : \"unix:" + socket + "\"");
    assertThat((String) redis.ask("INFO", "commandstats")).contains("cmdstat_set:calls=");
    assertThat(redis.contents()).isEmpty();
    redis.close();
    Files.deleteIfExists(socket);
    Files.delete(socket.getParent());
  }

  private static String[] with(String[] more, String... arguments) {
    return Stream.of(arguments, more).flatMap(Stream::of).toArray(String[]::new);
  }

  private String own(String ending) {
    return home.resolve("own." + ending).toString();
  }

  /** Makes a certificate of this host, which vouches for itself. */
  private void certificate() throws Exception {
    String request =
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1"
            + " -addext subjectAltName=IP:127.0.0.1 -keyout own.key -out own.crt";
    Process made;
    try {
      made =
          new ProcessBuilder(request.split(" "))
              .directory(home.toFile())
              .redirectErrorStream(true)
              .redirectOutput(home.resolve("openssl.log").toFile())
              .start();
    } catch (IOException e) {
      String reason = "no server with TLS: there is no 'openssl' on the PATH";
      System.out.println(reason);
      abort(reason);
      throw e;
    }
    assertThat(made.waitFor()).as(Files.readString(home.resolve("openssl.log"))).isZero();
  }

  @Test
  void anInterruptRemovesOurKeys() throws Exception {
    RedisServer redis = redis();
    redis.ask("SET", "theirs", "1");
    SortedMap<String, String> before = redis.contents();
    String shared = "{address: '%s', may-share: true}".formatted(redis.address());
    scenario("stopped", shared, "[load, set-get]", "1");
    Execution execution =
        Execution.start(
            home, home, "run", "stopped", "--set", "key-bytes=32", "--set", "duration=60s");
    Path timeline = runFolder("stopped", "redis.r1").resolve("timeline.csv");
    execution.await(
        "the phase", () -> !execution.process().isAlive() || holds(timeline, "\nset-get,"));

    execution.process().destroy();

    assertThat(execution.status()).as(execution.text()).isEqualTo(143);
    assertThat(redis.contents()).isEqualTo(before);
  }

  private static boolean holds(Path file, String text) {
    try {
      return Files.readString(file).contains(text);
    } catch (IOException notYet) {
      return false;
    }
  }

  private void scenario(String name, String external, String phases, String repetitions)
      throws IOException {
    scenario(
        name,
        """
        question: Is anything touched?
        engines: [{engine: redis, server: {external: %s}, options: {index: lexical}}]
        fsync: as-is
        records: 2_000
        phases: %s
        measure: {warmup: 0s, duration: 200ms}
        repetitions: %s
        """
            .formatted(external, phases, repetitions));
  }

  private RedisServer redis(String... options) throws Exception {
    RedisServer redis = RedisServer.start(home, options);
    servers.add(redis);
    return redis;
  }
}
