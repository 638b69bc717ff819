package kvrank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import kvrank.OneAtATime;
import kvrank.scenario.NamedFiles;
import kvrank.scenario.NamedFiles.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** What a user types, and what is answered; with the files that kvrank comes with. */
class CommandLineTest {

  private final Installation installation =
      new Installation(
          new NamedFiles(Path.of(System.getProperty("kvrank.home")), List.of()), Map.of());
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int kvrank(String... words) {
    return Kvrank.run(installation, terminal(false, 0), words);
  }

  private Terminal terminal(boolean interactive, int width) {
    return new Terminal(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        interactive,
        false,
        width);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void listsEveryNameInALineOfItsOwn() {
    assertThat(kvrank("list")).isZero();

    for (Kind kind : Kind.values()) {
      assertThat(out()).contains(kind + "\n");
      for (String name : installation.namedFiles().names(kind)) {
        assertThat(out()).containsPattern("(?m)^  " + name + " +\\S.*$");
      }
    }
  }

  @Test
  void listsOneKindAlone() {
    assertThat(kvrank("list", "scenarios")).isZero();

    assertThat(out().lines()).hasSameSizeAs(installation.namedFiles().names(Kind.SCENARIOS));
  }

  @Test
  void wrapsTheLinesOfAListAtATerminalsEdge() {
    Kvrank.run(installation, terminal(true, 60), "list");

    assertThat(out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(60));
    String wrapped = out();
    out.reset();
    assertThat(kvrank("list")).isZero();
    assertThat(out().lines().count()).isLessThan(wrapped.lines().count());
    assertThat(wrapped.split("\\s+")).isEqualTo(out().split("\\s+"));
  }

  @Test
  void showsOnlyTheEnginesThatAreNamed() {
    assertThat(kvrank("engines", "noop")).isZero();
    assertThat(out()).startsWith("noop ").doesNotContain("redis");

    assertThat(kvrank("engines", "noop", "rocksbd")).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("unknown engine 'rocksbd'; did you mean 'rocksdb'?");
  }

  @Test
  void anEngineWithoutInstallationTextHasNoEmptyOne(@TempDir Path folder) throws Exception {
    Path engine = Files.createDirectories(folder.resolve("bindings/nowhere"));
    Files.writeString(
        engine.resolve("engine.yaml"),
        """
        description: A server that is not installed.
        binding: {class: kvrank.resp.RespBinding, module: resp}
        capabilities: [read, insert, update, delete]
        fsync: {on: {}, off: {}}
        server:
          port: 6379
          process: {executable: /not/there}
          ready: {send: "PING\\r\\n", match: "\\\\+PONG"}
        """);
    Installation more =
        new Installation(
            new NamedFiles(installation.namedFiles().home(), List.of(engine.getParent())),
            Map.of());

    assertThat(Kvrank.run(more, terminal(false, 0), "engines", "nowhere")).as(err()).isEqualTo(3);
    assertThat(out()).containsPattern("^nowhere +not available here").doesNotContain("to install:");
  }

  @Test
  @OneAtATime(OneAtATime.LEFTOVERS)
  void warnsOfAPasswordThatOthersCanRead(@TempDir Path folder) throws Exception {
    String warning = "warning: the password of 'redis' crosses the network to '192.0.2.1:6379'";
    assertThat(warned("plan", folder, "192.0.2.1:6379", "")).contains(warning);
    // No such server exists, so it is unavailable, and has got no password.
    assertThat(warned("run", folder, "kvrank.invalid:6379", ""))
        .contains("crosses the network to 'kvrank.invalid:6379'", "UNAVAILABLE");
    assertThat(warned("plan", folder, "192.0.2.1:6379", ", tls: true")).doesNotContain("warning");
    assertThat(warned("plan", folder, "127.0.0.1:6379", "")).doesNotContain("warning");
    assertThat(warned("plan", folder, "unix:/tmp/s", "")).doesNotContain("warning");
  }

  /** No server listens there, so it would be unavailable if it were asked. */
  @Test
  void aPlanLogsInWithNoKeyOfAClient(@TempDir Path folder) throws Exception {
    Path scenario =
        Files.writeString(
            folder.resolve("key.yaml"),
            """
            question: Who may connect?
            engines:
              - engine: redis
                server: {external: {address: '127.0.0.1:1', tls: true, cert: pem, key: pem}}
            fsync: as-is
            phases: [load, get]
            """);
    Files.setPosixFilePermissions(
        Files.writeString(folder.resolve("pem"), "-----BEGIN PRIVATE KEY-----"),
        PosixFilePermissions.fromString("rw-------"));

    assertThat(kvrank("plan", scenario.toString())).as(err()).isZero();
    assertThat(out()).doesNotContain("unavailable");
  }

  private String warned(String command, Path folder, String address, String access)
      throws Exception {
    err.reset();
    Path scenario =
        Files.writeString(
            folder.resolve("password.yaml"),
            """
            question: Who reads it?
            engines:
              - {engine: redis, server: {external: {address: '%s', password: {file: pw}%s}}}
            fsync: as-is
            phases: [load, get]
            """
                .formatted(address, access));
    Files.setPosixFilePermissions(
        Files.writeString(folder.resolve("pw"), "secret\n"),
        PosixFilePermissions.fromString("rw-------"));
    assertThat(kvrank(command, scenario.toString())).as(err()).isIn(0, ExitStatus.NOTHING_RAN);
    return err();
  }

  @Test
  void saysThatASettingReplacesAnother(@TempDir Path folder) throws Exception {
    Path counted =
        Files.writeString(
            folder.resolve("counted.yaml"),
            """
            question: How fast is it?
            engines: [noop]
            fsync: none
            phases: [get]
            measure: {operations: 1000}
            """);

    assertThat(kvrank("plan", counted.toString(), "--set", "duration=1s")).as(err()).isZero();
    assertThat(err()).contains("note: --set duration replaces 'operations: 1000' on line 5");
    err.reset();
    assertThat(kvrank("plan", counted.toString(), "--set", "operations=10")).isZero();
    assertThat(err()).doesNotContain("note:");
  }

  @Test
  void completesCommandsOptionsAndNames() {
    assertThat(kvrank("completion", "bash")).isZero();

    assertThat(out()).contains("validate", "--require-all", "ssd-nofsync", "workloads");
    assertThat(kvrank("completion", "fish")).isEqualTo(ExitStatus.INVALID_INPUT);
  }

  @Test
  void takesNamesWhereverAFileIsTaken() {
    assertThat(kvrank("validate", "quick", "redis", "zipfian")).isZero();
    assertThat(out()).contains("quick.yaml: valid", "engine.yaml: valid", "zipfian.yaml: valid");

    assertThat(kvrank("validate", "qiuck", "redis")).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("qiuck", "did you mean 'quick'?", "1 problem");
  }

  @Test
  void saysWhatACommandTakesThatIsGivenNothing() {
    List<String> commands =
        Kvrank.commandLine(installation, terminal(false, 0)).getSubcommands().values().stream()
            .map(CommandLine::getCommandSpec)
            .filter(spec -> spec.positionalParameters().stream().anyMatch(ArgSpec::required))
            .map(CommandSpec::name)
            .toList();
    assertThat(commands).contains("report", "capture");
    for (String command : commands) {
      assertThat(kvrank(command)).as(command).isEqualTo(ExitStatus.INVALID_INPUT);
      assertThat(err())
          .contains("'kvrank " + command + "' needs ", "for example 'kvrank " + command);
    }
    assertThat(kvrank("compare")).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err())
        .contains("or two RESULTS, a baseline and a candidate")
        .doesNotContain("positional", "index");
  }

  @Test
  void saysWhatACaptureCannotBegin(@TempDir Path folder) throws Exception {
    Path there = Files.writeString(folder.resolve("there.yaml"), "");
    Map<String, List<String>> wrong = new LinkedHashMap<>();
    wrong.put(
        "'localhost:6379' is not an address; use redis://HOST:PORT", List.of("localhost:6379"));
    wrong.put("rediss://HOST:PORT for TLS", List.of("redis://localhost:70000"));
    wrong.put("must not contain a user or password", List.of("redis://ann:hunter2@localhost:6379"));
    wrong.put("from 10s to 1h", List.of("redis://localhost:1", "--for", "9s"));
    wrong.put("a server at rediss://", List.of("redis://localhost:1", "--ca", "ca.pem"));
    wrong.put("a user needs a password", List.of("redis://localhost:1", "--user", "ann"));
    wrong.put(
        "the variable that --password-env names is empty or not set",
        List.of("redis://localhost:1", "--password-env", "NO_SUCH_PASSWORD"));
    wrong.put(
        "the file that --password-file names does not exist",
        List.of("redis://localhost:1", "--password-file", "/no/such"));
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    wrong.put(
        "', as '%s' is writable for all users".formatted(open),
        List.of(
            "redis://localhost:1",
            "--password-file",
            Files.writeString(open.resolve("password"), "x").toString()));
    wrong.put("exists; remove it", List.of("redis://localhost:1", "-o", there.toString()));
    wrong.put(
        "its folder does not exist; create it first",
        List.of("redis://localhost:1", "-o", folder + "/no/x"));
    for (Map.Entry<String, List<String>> each : wrong.entrySet()) {
      List<String> words = new ArrayList<>(List.of("capture"));
      words.addAll(each.getValue());
      if (!words.contains("-o")) {
        words.addAll(List.of("-o", folder.resolve("new.yaml").toString()));
      }
      err.reset();
      assertThat(kvrank(words.toArray(String[]::new))).isEqualTo(ExitStatus.INVALID_INPUT);
      assertThat(err()).contains(each.getKey()).doesNotContain("hunter2", "defect");
    }
    assertThat(folder.resolve("new.yaml")).doesNotExist();
  }

  @Test
  void saysOfWhatNoTraceIsMade(@TempDir Path folder) throws Exception {
    Path recorded = Files.writeString(folder.resolve("cut.csv"), "1,ann,3,9,7,get,0\n1,hunter2,");
    Path there = Files.writeString(folder.resolve("there.trace"), "");
    Map<String, List<String>> wrong = new LinkedHashMap<>();
    wrong.put("cut.csv:2: ends without a line break", List.of("import", recorded.toString()));
    wrong.put("unknown format 'twiter'", List.of("import", "twiter", recorded.toString()));
    wrong.put("has an unknown format; if each line is a request", List.of("import", "README.md"));
    wrong.put("core' is a folder; give a file", List.of("import", "core"));
    wrong.put("core: is a folder; name a file", List.of("fit", "core"));
    wrong.put(
        "unexpected argument 'more'; give [FORMAT] FILE",
        List.of("import", "meta", "README.md", "more"));
    wrong.put(
        "--columns is for the format csv: 'kvrank trace import csv FILE'",
        List.of("import", "--columns", "time,key", recorded.toString()));
    wrong.put(
        "unknown column 'kye'; use time, time-ms, time-us, time-ns, key, key-size, size, op, count,"
            + " hits, ttl, or - for one that is not read; did you mean 'key'?",
        List.of("import", "--columns", "time,kye", "csv", recorded.toString()));
    wrong.put(
        "--columns needs a column 'key'",
        List.of("import", "--columns", "time,-", "csv", recorded.toString()));
    wrong.put("there.trace: is not a kvrank trace", List.of("fit", there.toString()));
    for (Map.Entry<String, List<String>> each : wrong.entrySet()) {
      List<String> words = new ArrayList<>(List.of("trace"));
      words.addAll(each.getValue());
      words.replaceAll(
          word ->
              List.of("README.md", "core").contains(word)
                  ? Path.of(System.getProperty("kvrank.home"), word).toString()
                  : word);
      words.addAll(List.of("-o", folder.resolve("new").toString()));
      err.reset();
      assertThat(kvrank(words.toArray(String[]::new))).isEqualTo(ExitStatus.INVALID_INPUT);
      assertThat(err()).contains(each.getKey()).doesNotContain("ann", "hunter2", "defect");
    }
    assertThat(kvrank("trace", "show", there.toString())).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(kvrank("trace", "import", recorded.toString(), "-o", there.toString()))
        .isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("exists; remove it or give another name");
    assertThat(kvrank("trace", "import", recorded.toString(), "-o", folder + "/no/new"))
        .isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("no/new': its folder does not exist; create it first");
    Path part = Files.writeString(folder.resolve("new.part"), "");
    assertThat(kvrank("trace", "import", recorded.toString(), "-o", folder + "/new"))
        .isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("new.part: another import is writing it");
    Files.delete(part);
    assertThat(kvrank("trace")).isZero();
    assertThat(out()).contains("import", "show", "fit");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactlyInAnyOrder(recorded, there);
    }
  }

  @Test
  void saysHowASettingIsGiven() {
    assertThat(kvrank("plan", "quick", "--records", "5")).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("'--set records=5'");

    assertThat(kvrank("plan", "quick", "--records=9")).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("'--set records=9'");
  }

  @Test
  void refusesSeveralMachinesUnlessItIsSaidWhatStartsWorkersThere() {
    assertThat(kvrank("run", "quick", "--set", "machines=2")).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("'2' machines", "slurm[:PARTITION]");

    assertThat(kvrank("run", "quick", "--load-by", "slrum")).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("--load-by 'slrum'", "slurm[:PARTITION]", "ssh:HOST,…");
  }

  @Test
  void refusesAnAddressThatIsNoSingleOneOfThisMachine() {
    assertAddressRefused("0.0.0.0", "every address of this machine");
    assertAddressRefused("::", "every address of this machine");
    assertAddressRefused("", "every address of this machine");
    assertAddressRefused("192.0.2.1", "'192.0.2.1': this machine has no such address");
    assertAddressRefused("nowhere.invalid", "'nowhere.invalid': unknown host");
    assertAddressRefused(
        "127.0.0.2", "kvrank cannot set a password for the server of 'ignix'", "redis-vs-ignix");
    assertThat(kvrank("run", "quick", "--address", "127.0.0.2"))
        .isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("it needs --load-by");
    assertThat(kvrank("run", "redis-vs-ignix", "--load-by", "slurm"))
        .isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("'redis, ignix', which kvrank starts on the loopback interface");
  }

  @Test
  void refusesUnixSocketsThatOtherMachinesCannotReach(@TempDir Path folder) throws Exception {
    Path scenario =
        Files.writeString(
            folder.resolve("sockets.yaml"),
            """
            question: Which socket?
            engines:
              - {engine: redis, options: {transport: unix}}
              - {engine: redis, as: theirs, server: {external: "unix:/none"}}
            fsync: as-is
            phases: [load, get]
            """);
    assertThat(kvrank("run", scenario.toString(), "--load-by", "slurm"))
        .isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("other machines cannot reach the Unix socket of 'theirs'");
    assertThat(kvrank("run", scenario.toString(), "--load-by", "slurm", "--set", "fsync=off"))
        .isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("other machines cannot reach the Unix socket of 'redis, theirs'");
  }

  private void assertAddressRefused(String host, String why, String... scenario) {
    String name = scenario.length == 0 ? "quick" : scenario[0];
    assertThat(kvrank("run", name, "--load-by", "local", "--address", host))
        .as(host)
        .isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains(why);
  }

  @Test
  void saysHowAScenarioIsRun() {
    assertThat(kvrank("quick")).isEqualTo(ExitStatus.INVALID_INPUT);

    assertThat(err()).contains("'kvrank run quick'");
  }

  @Test
  void suggestsOptionsAndCommands() {
    assertThat(kvrank("run", "--require-al")).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("--require-all");

    assertThat(kvrank("valdate")).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("kvrank validate");

    assertThat(kvrank("rnu", "quick")).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("Did you mean: kvrank run?");

    assertThat(kvrank("run", "--pgn")).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("Did you mean: kvrank run --png?");
  }

  @Test
  void plansNoRunsOfAnEngineThatIsNotHere(@TempDir Path folder) throws Exception {
    Path scenario = folder.resolve("one.yaml");
    Files.writeString(
        scenario,
        """
        question: Which of them runs?
        engines: [noop, {engine: redis, server: {process: /not/there}}]
        fsync: off
        phases: [load]
        repetitions: 2
        """);

    assertThat(kvrank("plan", scenario.toString())).isZero();

    assertThat(out()).contains("2 runs, about").doesNotContain("redis-");
    assertThat(out()).containsPattern("Left out as unavailable:\n  redis: process: no executable");
    assertThat(kvrank("plan", scenario.toString(), "--engines", "redis"))
        .isEqualTo(ExitStatus.NOTHING_RAN);
  }

  @Test
  void aPlanSaysThatNoTimeToLiveEnds(@TempDir Path folder) throws Exception {
    Path scenario = folder.resolve("ttl.yaml");
    Files.writeString(
        scenario,
        """
        question: What is forgotten?
        engines: [noop]
        fsync: off
        measure: {warmup: 10s, duration: 10s}
        phases:
          - as: cache
            workload: {description: d, operations: {read: 1}, ttl: {share: 0.5, seconds: 60}}
        """);

    assertThat(kvrank("plan", scenario.toString(), "--set", "warmup=60s")).isZero();
    assertThat(err()).doesNotContain("to live");
    assertThat(kvrank("plan", scenario.toString())).isZero();
    assertThat(err())
        .containsPattern("no\\s+record\\s+expires:\\s+its\\s+time\\s+to\\s+live\\s+is\\s+60\\s+s");
  }

  @Test
  void eachPlanHasAnotherOrderUnlessItIsGiven(@TempDir Path folder) throws Exception {
    Path scenario = folder.resolve("copies.yaml");
    Files.writeString(
        scenario,
        """
        question: Are they equal?
        engines: [noop]
        copies: 5
        fsync: off
        phases: [load]
        """);
    Set<String> orders = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      orders.add(plan(scenario.toString()));
    }
    assertThat(orders).hasSizeGreaterThan(1);
    assertThat(plan(scenario.toString(), "--set", "order-seed=4711"))
        .isEqualTo(plan(scenario.toString(), "--set", "order-seed=4711"))
        .contains("order of runs: --set order-seed=4711;");
  }

  private String plan(String... arguments) {
    out.reset();
    assertThat(
            kvrank(Stream.concat(Stream.of("plan"), Stream.of(arguments)).toArray(String[]::new)))
        .isZero();
    return out();
  }

  @Test
  void comparesOnlyWhatHasTwoSides(@TempDir Path folder) throws Exception {
    assertThat(kvrank("compare", "--run", "quick")).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("--run needs --base or --head");
    for (String option : List.of("--shift=5%", "--across-machines")) {
      assertThat(kvrank("compare", "--run", "quick", "--base", folder.toString(), option))
          .isEqualTo(ExitStatus.INVALID_INPUT);
      assertThat(err()).contains("--shift and --across-machines are for several executions");
    }
    assertThat(kvrank("compare", "--base", "redis=redis:7.4", "quick"))
        .isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("--base and --head need --run");
    assertThat(kvrank("compare", "--run", "quick", "--base", folder.toString()))
        .isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("--base: '" + folder + "' has none of the engines");
    Path results = installation.namedFiles().home();
    results = results.resolve("core/src/test/resources/results-before-0.2.0");
    assertThat(kvrank("compare", results.toString())).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("has no rows NAME-base and NAME-head; give a baseline before it");
  }

  @Test
  void aPlanSaysWhatDifferenceItCanShow(@TempDir Path folder) throws Exception {
    Path scenario = folder.resolve("two.yaml");
    Files.writeString(
        scenario,
        """
        question: Which of them is faster?
        engines: [{engine: noop, as: one}, {engine: noop, as: other}]
        fsync: off
        phases: [load]
        repetitions: 5
        """);

    assertThat(kvrank("plan", scenario.toString())).isZero();
    assertThat(out())
        .containsPattern(
            "3 %: with\\s+5\\s+repetitions\\s+of\\s+2\\s+engines[^x]*1\\.07x[^;]*; 9\\s+show\\s+1\\.05x,")
        .containsPattern("10 %: with\\s+5\\s+repetitions\\s+of\\s+2\\s+engines[^x]*1\\.25x");
    assertThat(kvrank("plan", scenario.toString(), "--until-separated", "10s")).isZero();
    assertThat(out())
        .containsPattern("up to 20, until results are settled; 10s with waiting in total")
        .containsPattern(
            "5\\s+repetitions\\s+of\\s+2\\s+engines[^x]*1\\.10x\\s+can\\s+be\\s+found;\\s+with\\s+20,"
                + "\\s+one\\s+of\\s+1\\.03x");
    assertThat(err())
        .containsPattern(
            "budget\\s+of\\s+10s\\s+is\\s+less\\s+than\\s+the\\s+first\\s+5\\s+repetitions");
    assertThat(kvrank("plan", "quick", "--until-separated", "0s")).isEqualTo(2);
    assertThat(err()).contains("--until-separated: '0s' is not a duration").doesNotContain("--set");
    assertThat(kvrank("plan", "quick", "--repetitions", "few")).isEqualTo(2);
    assertThat(err()).contains("--repetitions: 'few' is not").doesNotContain("--set");
    assertThat(kvrank("plan", "quick", "--set", "until=interval")).isEqualTo(2);
    assertThat(err())
        .contains(
            "--set: until: expected separated; a scenario file may also have {ratio: 1.5} or");

    assertThat(kvrank("plan", "quick", "--until-separated", "10s", "--repetitions", "4"))
        .isEqualTo(ExitStatus.INVALID_INPUT);

    String two = Files.readString(scenario).replace("repetitions: 5", "repetitions: 2");
    assertThat(kvrank("plan", Files.writeString(scenario, two).toString())).isZero();
    assertThat(out()).contains("2 repetitions cannot distinguish a difference from noise; 3 can");
  }

  @Test
  void takesEnginesFromFoldersOfTheUsers(@TempDir Path folder) throws Exception {
    Path engine = Files.createDirectories(folder.resolve("bindings/redis-clone"));
    Files.writeString(
        engine.resolve("engine.yaml"),
        """
        description: A server that speaks Redis's protocol.
        binding: {class: kvrank.resp.RespBinding, module: resp}
        capabilities: [read, insert, update, delete, batch, pipeline, connections]
        fsync:
          on: {settings: {appendonly: "yes", appendfsync: always}}
          off: {settings: {appendonly: "yes", appendfsync: "no"}}
        server:
          port: 6379
          process: {executable: /bin/true}
          arguments: [--port, "${port}", --dir, "${data}", "${settings}"]
          setting: ["--{name}", "{value}"]
          ready: {send: "PING\\r\\n", match: "\\\\+PONG"}
        """);
    Path scenario = folder.resolve("one.yaml");
    Files.writeString(
        scenario, "{question: How fast is it, engines: [redis-clone], fsync: off, phases: [load]}");
    Installation more =
        new Installation(
            new NamedFiles(installation.namedFiles().home(), List.of(engine.getParent())),
            Map.of());

    assertThat(Kvrank.run(more, terminal(false, 0), "plan", scenario.toString(), "--debug"))
        .as(err())
        .isZero();
    assertThat(Kvrank.run(more, terminal(false, 0), "list", "engines")).isZero();

    assertThat(out()).contains("redis-clone.r3  load");
    assertThat(out()).containsPattern("(?m)^  redis-clone +A server that speaks");
    assertThat(kvrank("plan", scenario.toString())).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("no engine 'redis-clone'");
  }

  /** One who writes an engine sees the others, and what is wrong with that one. */
  @Test
  void listsTheOtherEnginesBesideOneThatIsWrong(@TempDir Path folder) throws Exception {
    for (String name : List.of("good", "wrong")) {
      Path engine = Files.createDirectories(folder.resolve("bindings").resolve(name));
      Files.writeString(
          engine.resolve("engine.yaml"),
          """
          description: A map.
          binding: {class: kvrank.resp.RespBinding}
          capabilities: [%s]
          fsync: {on: {unsupported: It has no file}, none: {}}
          embedded: true
          """
              .formatted(name.equals("good") ? "insert" : "insrt"));
    }
    Installation two = new Installation(new NamedFiles(folder, List.of()), Map.of());

    assertThat(Kvrank.run(two, terminal(false, 0), "engines")).isEqualTo(ExitStatus.INVALID_INPUT);

    assertThat(out()).containsPattern("good +embedded").doesNotContain("wrong");
    assertThat(err()).contains("bindings/wrong/engine.yaml:3:16", "did you mean 'insert'?");
  }

  @Test
  void aFolderOfEnginesThatIsNotThereIsAnError(@TempDir Path folder) {
    String folders = folder + ":" + folder.resolve("none");
    Installation wrong = Installation.locate(Map.of("KVRANK_BINDINGS", folders));

    assertThat(Kvrank.run(wrong, terminal(false, 0), "list", "engines"))
        .isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err())
        .contains(
            "KVRANK_BINDINGS: there is no folder '%s'; create it or name another"
                .formatted(folder.resolve("none")));
    assertThat(Installation.locate(Map.of()).missingBindings()).isEmpty();
  }

  @Test
  void saysWhichEnginesHaveNoLog(@TempDir Path folder) throws Exception {
    Path engine = Files.createDirectories(folder.resolve("bindings/heap"));
    Files.writeString(
        engine.resolve("engine.yaml"),
        """
        description: A map.
        binding: {class: kvrank.resp.RespBinding, module: resp}
        capabilities: [insert]
        fsync: {on: {unsupported: It has no file}, none: {}}
        embedded: true
        """);
    Path scenario = folder.resolve("one.yaml");
    Files.writeString(
        scenario, "{question: Which is it, engines: [heap, noop], fsync: off, phases: [load]}");
    Installation more =
        new Installation(
            new NamedFiles(installation.namedFiles().home(), List.of(engine.getParent())),
            Map.of());
    int status = Kvrank.run(more, terminal(false, 0), "plan", scenario.toString());
    assertThat(status).as(err()).isZero();
    assertThat(out()).contains("\nWithout a log, so ranked at fsync=none: heap\n");
    Kvrank.run(more, terminal(false, 0), "plan", scenario.toString(), "--set", "fsync=none");
    assertThat(out()).containsOnlyOnce("Without a log");
    String least = "fsync=at-least-everysec";
    Kvrank.run(more, terminal(false, 0), "plan", scenario.toString(), "--set", least);
    assertThat(out())
        .contains("heap: fsync: at-least-every-1s: It has no file")
        .contains("\nAt fsync=at-least-every-1s with the level every-1s: noop\n");
  }

  @Test
  void newestResultsAreThoseThatLatestPointsTo(@TempDir Path folder) throws Exception {
    Path newest = Files.createDirectories(folder.resolve("2026-11-21T120000Z"));
    Files.createSymbolicLink(folder.resolve("latest"), newest.getFileName());

    assertThat(installation.results(folder.toString())).isEqualTo(folder.resolve("latest"));
    assertThat(installation.results(newest.toString())).isEqualTo(newest);
  }

  @Test
  void wrapsLongTextUnderItsBeginning() {
    String wrapped = terminal(true, 40).wrapped("  redis  ", "one two three four five six seven");

    assertThat(wrapped).isEqualTo("  redis  one two three four five six\n         seven");
  }

  @Test
  void refusesWhatContradictsAResumedExecution() {
    for (String[] more :
        List.of(
            new String[] {"--set", "records=5"},
            new String[] {"--engines", "redis"},
            new String[] {"--out", "there"},
            new String[] {"quick"})) {
      List<String> words = new ArrayList<>(List.of("run", "--resume", "here"));
      words.addAll(List.of(more));

      assertThat(kvrank(words.toArray(String[]::new))).isEqualTo(ExitStatus.INVALID_INPUT);

      assertThat(err()).contains("--resume here continues what was started", "cannot be given");
    }
  }

  @Test
  void aResumedExecutionIsSaidWhatItLacks(@TempDir Path folder) {
    assertThat(kvrank("run", "--resume", "here", "--repetitions", "3", "--no-wait"))
        .isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains("--no-wait cannot be given").doesNotContain("--set repetitions");

    assertThat(kvrank("run", "--resume", folder.toString())).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(err()).contains(folder + ": is not a results directory, it has no plan.json");
  }

  @Test
  void thePasswordOfAnotherClientsOptionIsNotShown() {
    for (String option : List.of("-a", "-p")) {
      assertThat(kvrank("run", "quick", option, "HUNTER2")).isEqualTo(ExitStatus.INVALID_INPUT);
      assertThat(err()).contains(option).doesNotContain("HUNTER2");
    }
  }
}
