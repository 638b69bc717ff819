package kvrank.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static kvrank.provision.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kvrank.binding.net.Endpoint;
import kvrank.capture.KnownTraffic;
import kvrank.provision.server.TestRedis;
import kvrank.scenario.NamedFiles;
import kvrank.scenario.Scenario;
import kvrank.scenario.read.ScenarioReader;
import kvrank.workload.Workload;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Operation;
import kvrank.workload.value.Ttl;
import kvrank.workload.value.ValueSizes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Captures of a real Redis, several at a time: they wait more than they compute. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class CaptureIT {

  /** A capture ends early if the server slows down, for any reason. */
  private static final int MOST_ATTEMPTS = 5;

  /** Half widths of an interval of 95 % in 4.5 standard errors, beyond which is 1 of 100,000. */
  private static final double WIDTHS = 4.5 / 1.96;

  /** Parts of every key and every value, which no other text may have. */
  private static final String IN_KEYS = "ann@example.org";

  private static final String IN_VALUES = "hunter2";

  private static final int ANSWER_MILLIS = 10_000;

  /** With characters that MONITOR escapes. */
  private static final String ODD_KEYS = IN_KEYS + "\"\\\n\u0007\u0000é:";

  @TempDir Path folder;

  private final Installation installation =
      new Installation(
          new NamedFiles(Path.of(System.getProperty("kvrank.home")), List.of()), Map.of());
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private Process redis;
  private int port;

  /** The server's statistics of commands before the last capture. */
  private String before = "";

  private void start(String... settings) throws Exception {
    Path executable = new TestRedis(folder.resolve("redis")).unpack();
    assertThat(executable.toFile().setExecutable(true)).isTrue();
    eventually(
        "the server answers",
        () -> {
          // Another process may have taken its port.
          if (redis == null || !redis.isAlive()) {
            launch(executable, settings);
          }
          return asked("PING").matches("(?s)[+-].*");
        });
  }

  private void launch(Path executable, String... settings) throws IOException {
    port = TestRedis.freePort();
    Path data = Files.createDirectories(folder.resolve("data"));
    List<String> command = new ArrayList<>(List.of(executable.toString()));
    command.addAll(List.of("--port", String.valueOf(port), "--bind", "127.0.0.1", "--save", ""));
    command.addAll(List.of("--dir", data.toString()));
    command.addAll(List.of(settings));
    redis =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("redis.log").toFile())
            .start();
  }

  @AfterEach
  void stop() throws Exception {
    if (redis != null) {
      redis.destroyForcibly().waitFor();
    }
  }

  /** Returns the first that the server answers to lines. */
  private String asked(String... lines) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(ANSWER_MILLIS);
      OutputStream out = socket.getOutputStream();
      InputStream in = socket.getInputStream();
      byte[] answer = new byte[1 << 16];
      int length = 0;
      for (String line : lines) {
        out.write((line + "\r\n").getBytes(UTF_8));
        length = Math.max(0, in.read(answer));
      }
      return new String(answer, 0, length, ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns whether the server counts at least {@code least} of {@code name} in its statistics. */
  private boolean hasCount(String name, long least) {
    Matcher count = Pattern.compile(name + ":(\\d+)").matcher(asked("INFO stats"));
    return count.find() && Long.parseLong(count.group(1)) >= least;
  }

  private KnownTraffic traffic(int keys, double exponent) {
    return KnownTraffic.zipf(endpoint(), IN_KEYS + ":", text(), keys, exponent)
        .ttlOfKeys(0.2, 3_600);
  }

  private Endpoint endpoint() {
    return new Endpoint("127.0.0.1", port, Duration.ofSeconds(60));
  }

  private static String text() {
    String token = IN_VALUES + "-";
    return IntStream.range(0, 1_000)
        .mapToObj(i -> token + i * 7_919 % 1_000)
        .reduce("", String::concat);
  }

  private int kvrank(String... words) {
    PrintStream stream = new PrintStream(said, true, UTF_8);
    List<String> all = new ArrayList<>(List.of("capture"));
    all.addAll(List.of(words));
    all.addAll(List.of("--debug", "-o", folder.resolve("captured.yaml").toString()));
    return Kvrank.run(
        installation, new Terminal(stream, stream, false, false, 0), all.toArray(String[]::new));
  }

  private void capture(String... words) {
    int status = attempted(words);
    assertThat(status).as(said()).isZero();
  }

  /** Returns the status of a capture, which is repeated if the message asks for that. */
  private int attempted(String... words) {
    int status;
    int attempts = 0;
    do {
      said.reset();
      before = asked("INFO commandstats");
      status = kvrank(words);
      attempts++;
    } while (status == ExitStatus.RUN_FAILED
        && attempts < MOST_ATTEMPTS
        && said().contains("try again when the server is less busy"));
    return status;
  }

  /** Returns a captured file with each comment as one line. */
  private String comments() throws IOException {
    return Files.readString(folder.resolve("captured.yaml")).replaceAll("\\s*\\n\\s*# ", " ");
  }

  /**
   * Returns the largest distance of a share from the truth, by the interval that the file states
   * before {@code what}: the slower the machine, the fewer accesses a capture sees.
   */
  private double error(String what) throws IOException {
    Matcher stated = Pattern.compile("\\+- (\\d+\\.\\d+) % " + what).matcher(comments());
    assertThat(stated.find()).as(comments()).isTrue();
    double width = Double.parseDouble(stated.group(1)) / 100;
    assertThat(width).isBetween(0.001, 0.1);
    return WIDTHS * width;
  }

  private String address() {
    return "redis://127.0.0.1:" + port;
  }

  private String said() {
    return said.toString(UTF_8);
  }

  /** Checks files except for the server's own, and all output. */
  private void nothingIsRevealed() throws IOException {
    assertThat(said()).doesNotContain(IN_KEYS, "ann", IN_VALUES);
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files =
          all.filter(Files::isRegularFile)
              .filter(file -> !file.startsWith(folder.resolve("redis")))
              .toList();
    }
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      assertThat(Files.readString(file, ISO_8859_1))
          .as(file.toString())
          .doesNotContain(IN_KEYS, IN_VALUES);
    }
  }

  private Scenario captured() throws Exception {
    Path file = folder.resolve("captured.yaml");
    ScenarioReader reader = installation.reader();
    assertThat(reader.validate(file)).isEmpty();
    return reader.read(file, List.of(), List.of());
  }

  private void refused(String... reasons) throws IOException {
    assertThat(said()).contains(reasons).doesNotContain("defect");
    assertThat(said().lines().filter(line -> line.startsWith("kvrank: "))).hasSize(1);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(Path::getFileName).map(Path::toString))
          .doesNotContain("captured.yaml", "captured.yaml.part");
    }
    said.reset();
  }

  @Test
  void findsAKnownLoadAndRevealsNothing() throws Exception {
    start();
    int keys = 20_000;
    try (KnownTraffic traffic = traffic(keys, 0.9)) {
      traffic.start(2, 2_000);
      capture(address(), "--for", "20s", "--accesses", "--exact", "--values");
    }
    nothingIsRevealed();

    Scenario scenario = captured();
    Workload workload = scenario.phases().get(1).workload();
    Map<Operation, Integer> weights = workload.mix().weights();
    assertThat(weights.keySet()).containsExactly(Operation.READ, Operation.UPDATE);
    assertThat(weights.get(Operation.READ)).isCloseTo(9_000, within(50));
    assertThat(workload.mix().keys().distribution()).isEqualTo(Distribution.ZIPFIAN);
    assertThat(workload.mix().keys().exponent()).isCloseTo(0.9, within(0.04));
    int[] lengths = IntStream.range(0, keys).map(KnownTraffic::length).sorted().toArray();
    ValueSizes sizes = workload.valueShape().orElseThrow().sizes();
    // 2,300 keys; all within 4.5 standard errors.
    assertThat(sizes.mean())
        .isCloseTo(Arrays.stream(lengths).average().orElseThrow(), within(55.0));
    assertThat(share(sizes, 100)).isCloseTo(share(lengths, 100), within(0.045));
    assertThat(share(sizes, 99)).isCloseTo(share(lengths, 99), within(0.035));
    assertThat(share(sizes, 1_500)).isCloseTo(share(lengths, 1_500), within(0.03));
    assertThat(workload.valueShape().orElseThrow().compressibility()).isGreaterThan(0.5);
    assertThat(workload.keyShape().orElseThrow().perPrefix()).isBetween(90L, 110L);
    Matcher ttl =
        Pattern.compile("so it is a comment: ttl: \\{share: ([0-9.]+), seconds: 3600}")
            .matcher(comments());
    assertThat(ttl.find()).as(comments()).isTrue();
    assertThat(Double.parseDouble(ttl.group(1)))
        .isCloseTo(0.2, within(error("if all keys count alike")));
    assertThat(comments())
        .contains("20.00 % of the existing keys have a time to live", "So keys are zipfian.")
        .contains("Monitored writes set a time to live of 3600 s")
        .containsPattern("get 8?9\\d?\\.\\d+ %, set 1?[019]\\.\\d+ %")
        .contains("100.00 % of the server's reads found their key")
        // The capture's own are thousands. Others of the machine may ask a port for its owner.
        .containsPattern("Not included: \\d{1,2} others")
        .contains("Cost of sampling to the server", "Cost of MONITOR to the server");
  }

  @Test
  void writesTimesToLiveThatEndWithinARunAndWhatFollowsAMiss() throws Exception {
    start();
    try (KnownTraffic traffic = traffic(5_000, 0.7).ttlOfKeys(0.2, 5).fills()) {
      traffic.start(2, 2_000);
      eventually("keys expire", () -> hasCount("expired_keys", 100));
      capture(address(), "--for", "15s", "--accesses");
    }
    nothingIsRevealed();

    Scenario scenario = captured();
    Workload workload = scenario.phases().get(1).workload();
    Ttl ttl = workload.ttl().orElseThrow();
    assertThat(ttl.seconds()).isEqualTo(5);
    assertThat(ttl.share()).isCloseTo(0.2, within(error("of [\\d,]+ keys that were read")));
    assertThat(workload.mix().fill()).isTrue();
    assertThat(workload.mix().weights().get(Operation.READ))
        .isGreaterThan(50 * workload.mix().weights().getOrDefault(Operation.UPDATE, 0));
    assertThat(Files.readString(folder.resolve("captured.yaml")))
        .contains("measure: {warmup: 5s}", "engines: [redis, valkey, kvrocks, badger, tidesdb]");
  }

  /**
   * What is written with a time to live and not again in time is missing among the keys that exist:
   * they seem fewer, more evenly popular, and to expire less often.
   */
  @Test
  void findsTimesToLiveOfWritesThatSurvivorsDoNotShow() throws Exception {
    start();
    int keys = 20_000;
    try (KnownTraffic traffic =
        KnownTraffic.zipf(endpoint(), ODD_KEYS, text(), keys, 1.05).ttlOfWrites(0.3, 5)) {
      traffic.start(2, 1_500);
      eventually("keys expire", () -> hasCount("expired_keys", 5_500));
      capture(address(), "--for", "10s");
      assertThat(said()).contains("warning: the share of the writes that set a time to live");
      assertThat(captured().phases().get(1).workload().ttl()).isEmpty();
      Files.delete(folder.resolve("captured.yaml"));
      said.reset();
      capture(address(), "--for", "30s", "--accesses");
    }
    nothingIsRevealed();

    assertThat(said()).doesNotContain("warning");
    Workload workload = captured().phases().get(1).workload();
    Ttl ttl = workload.ttl().orElseThrow();
    assertThat(ttl.seconds()).isEqualTo(5);
    assertThat(ttl.share()).isCloseTo(0.3, within(error("if all keys count alike")));
    assertThat(workload.mix().keys().exponent()).isCloseTo(1.05, within(0.03));
    String file = Files.readString(folder.resolve("captured.yaml"));
    Matcher found = Pattern.compile("(?m)^records: (\\d+)").matcher(file);
    assertThat(found.find()).as(file).isTrue();
    assertThat(Double.parseDouble(found.group(1))).isCloseTo(keys, within(0.1 * keys));
  }

  @Test
  void findsThatPopularKeysHaveLongerValues() throws Exception {
    start();
    try (KnownTraffic traffic =
        KnownTraffic.hotspot(endpoint(), ODD_KEYS, text(), 10_000, 500, 0.7)
            .lengths(rank -> rank < 500 ? 4_000 : 100)) {
      traffic.start(2, 500);
      capture(address(), "--for", "10s");
      assertThat(said().replaceAll("\\s+", " "))
          .contains("warning: Reads return", "Lengths may depend on popularity: use --accesses.");
      Files.delete(folder.resolve("captured.yaml"));
      said.reset();
      capture(address(), "--for", "20s", "--accesses");
    }
    nothingIsRevealed();

    assertThat(said()).doesNotContain("warning");
    Workload workload = captured().phases().get(1).workload();
    assertThat(workload.mix().keys().distribution()).isEqualTo(Distribution.HOTSPOT);
    List<ValueSizes.Part> parts = workload.valueShape().orElseThrow().sizes().parts();
    assertThat(parts).hasSize(2);
    assertThat(parts.get(0).records()).isCloseTo(0.05, within(0.01));
    double hot = workload.mix().keys().hotOperations();
    double read = hot * parts.get(0).sizes().mean() + (1 - hot) * parts.get(1).sizes().mean();
    assertThat(read).isCloseTo(2_830, within(200.0));
    assertThat(workload.valueShape().orElseThrow().sizes().mean()).isCloseTo(295, within(60.0));
  }

  @Test
  void writesACacheThatEvictsAsOne() throws Exception {
    start("--maxmemory", "8mb", "--maxmemory-policy", "allkeys-lru", "--maxmemory-samples", "10");
    int keys = 20_000;
    try (KnownTraffic traffic = traffic(keys, 0.9).ttlOfKeys(0.2, 3_600).fills()) {
      traffic.start(2, 3_000);
      eventually("keys are evicted", () -> hasCount("evicted_keys", 1_000));
      capture(address(), "--for", "20s", "--accesses");
    }
    nothingIsRevealed();

    Scenario scenario = captured();
    Workload workload = scenario.phases().get(1).workload();
    assertThat(workload.mix().fill()).isTrue();
    assertThat(workload.mix().keys().exponent()).isCloseTo(0.9, within(0.05));
    String file = Files.readString(folder.resolve("captured.yaml"));
    Matcher found = Pattern.compile("records: (\\d+)(?s:.*)maxmemory: (\\d+)KiB").matcher(file);
    assertThat(found.find()).as(file).isTrue();
    System.out.printf("a cache: found %s of %d keys%n", found.group(1), keys);
    // Redis evicts the oldest of ten keys, and so hits less often than the LRU cache of the model.
    assertThat(Double.parseDouble(found.group(1))).as(file).isCloseTo(keys, within(0.15 * keys));
    assertThat(found.group(2)).isEqualTo("8192");
    assertThat(file)
        .contains(
            "fsync: none", "policy allkeys-lru", "keys per second (maxmemory 8,388,608 bytes");
  }

  private static double share(int[] lengths, int bytes) {
    return Arrays.stream(lengths).filter(each -> each <= bytes).count() / (double) lengths.length;
  }

  private static double share(ValueSizes sizes, int bytes) {
    if (!sizes.parts().isEmpty()) {
      return sizes.parts().stream()
          .mapToDouble(part -> part.records() * share(part.sizes(), bytes))
          .sum();
    }
    double all = sizes.bins().stream().mapToDouble(ValueSizes.Bin::weight).sum();
    return sizes.bins().stream()
            .mapToDouble(
                bin ->
                    bin.weight()
                        * Math.min(
                            1,
                            Math.max(0, (bytes - bin.min() + 1.0) / (bin.max() - bin.min() + 1.0))))
            .sum()
        / all;
  }

  @Test
  void looksOnlyWhereItIsAskedToAndKnowsLengthsToAClassOfMemory() throws Exception {
    start("--maxmemory", "1gb", "--maxmemory-policy", "allkeys-lru");
    int keys = 5_000;
    try (KnownTraffic traffic = traffic(keys, 0.9)) {
      traffic.start(2, 500);
      capture(address(), "--for", "10s");
    }
    String calls = asked("INFO commandstats");
    assertThat(calls)
        .contains("cmdstat_randomkey", "cmdstat_pttl", "cmdstat_memory")
        .doesNotContain("cmdstat_monitor", "cmdstat_strlen", "cmdstat_getrange", "cmdstat_config")
        .doesNotContain("cmdstat_keys", "cmdstat_scan", "cmdstat_dump", "cmdstat_debug");
    // One, and 50 each tenth of 4 of the 10 seconds; what they cost was measured with so many.
    assertThat(calls("randomkey")).isEqualTo(2_001);
    assertThat(calls("pttl")).isEqualTo(2_001);
    assertThat(calls("ping")).isLessThan(50);
    assertThat(calls("info")).isLessThan(70);
    ValueSizes sizes = captured().phases().get(1).workload().valueShape().orElseThrow().sizes();
    int[] lengths = IntStream.range(0, keys).map(KnownTraffic::length).sorted().toArray();
    double mean = Arrays.stream(lengths).average().orElseThrow();
    assertThat(sizes.mean()).isCloseTo(mean, within(0.12 * mean));
    assertThat(share(sizes, 1_500)).isCloseTo(share(lengths, 1_500), within(0.08));
    nothingIsRevealed();
  }

  @Test
  void asksForExactLengthsWhereAnAccessDecidesNothing() throws Exception {
    start();
    int keys = 5_000;
    try (KnownTraffic traffic = traffic(keys, 0.9)) {
      traffic.start(2, 500);
      capture(address(), "--for", "10s");
    }
    assertThat(calls("strlen")).isEqualTo(2_001);
    assertThat(asked("INFO commandstats")).doesNotContain("cmdstat_memory");
    ValueSizes sizes = captured().phases().get(1).workload().valueShape().orElseThrow().sizes();
    int[] lengths = IntStream.range(0, keys).map(KnownTraffic::length).sorted().toArray();
    assertThat(share(sizes, 100)).isCloseTo(share(lengths, 100), within(0.06));
    assertThat(share(sizes, 99)).isCloseTo(share(lengths, 99), within(0.06));
  }

  @Test
  void asksForFewLongKeysAndForNoneThatNoWorkloadHas() throws Exception {
    start();
    set(IN_KEYS + "k".repeat(60_000));
    set(IN_KEYS + "l".repeat(60_000));
    try (KnownTraffic traffic = traffic(2, 0.9)) {
      traffic.start(2, 500);
      capture(address(), "--for", "10s");
      assertThat(calls("randomkey")).isLessThan(200);
      nothingIsRevealed();

      set(IN_KEYS + "k".repeat(5_000_000));
      Files.delete(folder.resolve("captured.yaml"));
      assertThat(kvrank(address(), "--for", "10s")).isEqualTo(ExitStatus.RUN_FAILED);
      refused("its keys are longer than 65,535 bytes");
    }
    nothingIsRevealed();
  }

  private void set(String key) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String set = "*3\r\n$3\r\nSET\r\n$" + key.length() + "\r\n" + key + "\r\n$1\r\nx\r\n";
      socket.getOutputStream().write(set.getBytes(UTF_8));
      assertThat(socket.getInputStream().read()).isEqualTo('+');
    }
  }

  /** Returns the number of calls of a command in the last capture. */
  private long calls(String command) {
    return calls(asked("INFO commandstats"), command) - calls(before, command);
  }

  private static long calls(String statistics, String command) {
    Matcher found = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)").matcher(statistics);
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  @Test
  void saysWhatIsWrongWithAServerInALine() throws Exception {
    start("--requirepass", "opensesame");
    assertThat(kvrank(address())).isEqualTo(ExitStatus.RUN_FAILED);
    refused("it requires a password", "--password-file");
    assertThat(kvrank("rediss://127.0.0.1:" + port)).isEqualTo(ExitStatus.RUN_FAILED);
    refused("no connection", "if the server does not use TLS, give redis://");

    Path password = Files.writeString(folder.resolve("password"), "sesame\n");
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
    String[] login = {address(), "--password-file", password.toString(), "--for", "10s"};
    assertThat(kvrank(login)).isEqualTo(ExitStatus.RUN_FAILED);
    refused("it rejects this password");

    Files.writeString(password, "opensesame\n");
    assertThat(kvrank(login)).isEqualTo(ExitStatus.RUN_FAILED);
    refused("it has no keys");

    asked("AUTH opensesame", "SET " + IN_KEYS + " " + IN_VALUES);
    assertThat(attempted(login)).isEqualTo(ExitStatus.RUN_FAILED);
    refused("no client read or wrote a key", "while it is in use");

    asked("AUTH opensesame", "ACL SETUSER looker on >opensesame ~* +@read +info +ping");
    assertThat(kvrank(with(login, "--user", "looker", "--accesses")))
        .isEqualTo(ExitStatus.RUN_FAILED);
    refused("its access list denies MONITOR to this user", "+monitor");
    asked("AUTH opensesame", "ACL SETUSER looker -randomkey");
    assertThat(kvrank(with(login, "--user", "looker"))).isEqualTo(ExitStatus.RUN_FAILED);
    refused("its access list denies RANDOMKEY to this user", "+randomkey");
    nothingIsRevealed();
    assertThat(said()).doesNotContain("opensesame");
  }

  private static String[] with(String[] words, String... more) {
    return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void refusesAMemberOfACluster() throws Exception {
    start("--cluster-enabled", "yes");

    assertThat(kvrank(address())).isEqualTo(ExitStatus.RUN_FAILED);

    refused("it is a member of a cluster", "a server that has all of them");
  }

  @Test
  void endsWhenTheServerSlowsDown() throws Exception {
    start();
    AtomicBoolean slow = new AtomicBoolean();
    try (KnownTraffic traffic = traffic(1_000, 0.9)) {
      traffic.start(2, 100);
      // A capture that another process slowed down before has ended too early.
      for (int attempt = 1; attempt <= MOST_ATTEMPTS && !slow.get(); attempt++) {
        said.reset();
        asked("CONFIG RESETSTAT");
        Thread thread = new Thread(() -> slowDown(slow));
        thread.start();
        try {
          assertThat(kvrank(address(), "--for", "60s")).isEqualTo(ExitStatus.RUN_FAILED);
        } finally {
          thread.interrupt();
          thread.join();
        }
      }
    }

    assertThat(slow).isTrue();
    refused("stopped after", "the server slows down", "try again when the server is less busy");
    nothingIsRevealed();
  }

  /** Slows the server down once a capture samples keys: it knows the server's speed by then. */
  private void slowDown(AtomicBoolean slow) {
    while (!Thread.currentThread().isInterrupted()) {
      if (slow.get()) {
        asked("DEBUG SLEEP 0.1");
      } else {
        LockSupport.parkNanos(10_000_000);
        slow.set(calls(asked("INFO commandstats"), "randomkey") >= 10);
      }
    }
  }

  static List<String> answersOfOthers() {
    return List.of(
        "HTTP/1.1 400 Bad Request\r\n\r\n",
        "+HELLO " + IN_KEYS + "\r\n",
        "+" + "P".repeat(2_000_000),
        "$2000000000\r\n",
        "*1\r\n".repeat(100_000),
        "");
  }

  @ParameterizedTest
  @MethodSource("answersOfOthers")
  void saysThatSomethingElseIsNoRedis(String answer) throws Exception {
    try (ServerSocket other = new ServerSocket(0)) {
      port = other.getLocalPort();
      Thread thread = new Thread(() -> answer(other, answer));
      thread.start();

      assertThat(kvrank(address())).isEqualTo(ExitStatus.RUN_FAILED);

      refused("127.0.0.1:" + port, answer.isEmpty() ? "no answer within" : "not Redis's protocol");
      thread.join();
    }
  }

  @Test
  void saysThatNoServerListens() throws Exception {
    try (Socket closed = new Socket()) {
      closed.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      port = closed.getLocalPort();

      assertThat(kvrank(address())).isEqualTo(ExitStatus.RUN_FAILED);

      refused("127.0.0.1:" + port + ": no connection");
    }
  }

  private static void answer(ServerSocket server, String answer) {
    try (Socket socket = server.accept()) {
      InputStream in = socket.getInputStream();
      byte[] request = new byte[1_000];
      assertThat(in.read(request)).isPositive();
      socket.getOutputStream().write(answer.getBytes(UTF_8));
      socket.getOutputStream().flush();
      assertThat(in.read(request)).isEqualTo(-1);
    } catch (SocketException e) {
      // It had enough before the answer's end.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
