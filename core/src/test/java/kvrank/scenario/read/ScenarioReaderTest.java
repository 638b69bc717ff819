package kvrank.scenario.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static kvrank.scenario.Repetitions.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import kvrank.Wording;
import kvrank.engine.Capability;
import kvrank.engine.EngineDefinition;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.input.Consent;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.input.Secret;
import kvrank.metric.Expectation;
import kvrank.metric.Metrics;
import kvrank.metric.Preference;
import kvrank.scenario.CrashTest;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.Medium;
import kvrank.scenario.NamedFiles;
import kvrank.scenario.NamedFiles.Kind;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Repetitions;
import kvrank.scenario.Scenario;
import kvrank.scenario.Setting;
import kvrank.workload.HostedWorkload;
import kvrank.workload.Workload;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ScenarioReaderTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final String SMALL =
      """
      question: Which one?
      engines: [redis, rocksdb]
      fsync: off
      phases: [get]
      """;

  @TempDir private Path folder;
  private ScenarioReader reader;

  @BeforeEach
  void home() throws IOException {
    reader = new ScenarioReader(TestHome.in(folder));
  }

  @Test
  void aListOfAnOptionsValuesMakesARowForEach() throws Exception {
    Scenario scenario =
        read(
            """
            question: Which one?
            engines:
              - redis
              - {engine: redis, options: {io-threads: [1, 2], hz: 10, save: ["", "3600 1"]}}
              - rocksdb
            fsync: off
            phases: [get]
            expect: ["redis get throughput > 1k at io-threads=2", "rocksdb get throughput > 1k"]
            """);
    assertThat(scenario.engines())
        .extracting(EngineSpec::label)
        .containsExactly(
            "redis",
            "redis io-threads=1 save=",
            "redis io-threads=1 save=3600 1",
            "redis io-threads=2 save=",
            "redis io-threads=2 save=3600 1",
            "rocksdb");
    assertThat(scenario.engines().get(4).options())
        .isEqualTo(Map.of("io-threads", "2", "hz", "10", "save", "3600 1"));
    assertThat(scenario.engines().get(4).row().options())
        .isEqualTo(Map.of("io-threads", "2", "save", "3600 1"));
    assertThat(scenario.engines())
        .extracting(engine -> engine.row().folder())
        .doesNotHaveDuplicates()
        .allMatch(folder -> folder.matches("[A-Za-z0-9._-]+"))
        .contains("redis.io-threads-2.save-3600.1");
    assertThat(scenario.expectations())
        .extracting(Expectation::engine)
        .containsExactly("redis io-threads=2 save=", "redis io-threads=2 save=3600 1", "rocksdb");
  }

  @Test
  void fillsInDefaultsAndTheLoad() throws Exception {
    Scenario scenario = read(SMALL);
    assertThat(scenario.name()).isEqualTo("x");
    assertThat(scenario.repetitions()).isEqualTo(Repetitions.fixed(3));
    assertThat(scenario.seed()).isEqualTo(42);
    assertThat(scenario.medium()).isEqualTo(Medium.ANY);
    assertThat(scenario.factors().keySet()).containsExactly(Setting.values());
    assertThat(scenario.factors())
        .containsEntry(Setting.FSYNC, List.of("off"))
        .containsEntry(Setting.RATE, List.of("max"))
        .containsEntry(Setting.KEY_BYTES, List.of(""));
    assertThat(scenario.phases()).extracting(PhaseSpec::name).containsExactly("load", "get");
    assertThat(scenario.phases()).extracting(PhaseSpec::load).containsExactly(true, false);
  }

  @Test
  void readsWhenThereAreEnoughRepetitions() throws Exception {
    Repetitions separated =
        new Repetitions(
            3,
            20,
            1.1,
            Optional.empty(),
            Repetitions.RANKS,
            Optional.of(Duration.ofMinutes(20)),
            PATIENCE);
    assertThat(read(SMALL + "repetitions: {until: separated}\nbudget: 20m\n").repetitions())
        .isEqualTo(separated);
    assertThat(
            read(SMALL + "repetitions: {at-least: 4, at-most: 9, until: {interval: 5%}}\n")
                .repetitions())
        .isEqualTo(
            new Repetitions(4, 9, 1.1, Optional.of(0.05), List.of(), Optional.empty(), PATIENCE));
    assertThat(read(SMALL + "repetitions: {until: {ratio: 1.5}}\n").repetitions())
        .isEqualTo(
            new Repetitions(
                3, 20, 1.5, Optional.empty(), Repetitions.RANKS, Optional.empty(), PATIENCE));
    assertThat(
            read(SMALL + "repetitions: {until: separated, compare: [best, [redis, rocksdb]]}\n")
                .repetitions()
                .compare())
        .containsExactly(List.of("best"), List.of("redis", "rocksdb"));
    assertThat(read(SMALL, "until=separated", "budget=20m").repetitions()).isEqualTo(separated);
    assertThat(
            read(SMALL + "repetitions: {until: separated}\nbudget: 20m\n", "repetitions=5")
                .repetitions())
        .isEqualTo(Repetitions.fixed(5));
  }

  @Test
  void aSecretThatIsNotThereIsAProblemOfThePlanAlone() throws Exception {
    String yaml =
        """
        question: q
        engines:
          - engine: redis
            server: {external: {address: "h:1", password: {env: KVRANK_NO_SUCH_VARIABLE}}}
          - engine: redis
            as: other
            server: {external: {address: "h:1", user: ann, password: {file: no-such-file}}}
        fsync: as-is
        phases: [get]
        """;

    InvalidInputException e = catchThrowableOfType(InvalidInputException.class, () -> read(yaml));

    assertThat(e.problems())
        .as("without a name, which may be the password instead")
        .extracting(problem -> problem.line() + " " + problem.message() + problem.excerpt())
        .containsExactly(
            "4 no environment variable has this name",
            "7 no file with this name next to the scenario");
    assertThat(reader.validate(file())).isEmpty();
  }

  @Test
  void filesAreRecognisedByAnyOfTheirKeys() throws Exception {
    for (String yaml :
        List.of(
            "description: A cart.\ntransaction: [{read: 1}, {update: 1}]",
            "charts: [{file: a, title: A, metric: throughput, rows: threads}]")) {
      Files.writeString(file(), yaml, UTF_8);
      assertThat(reader.validate(file())).as(yaml).isEmpty();
    }
  }

  /** They were searched among the names in workloads/ and tables/. */
  @Test
  void filesThatEndWithYmlArePaths() throws Exception {
    Files.writeString(folder.resolve("my.yml"), "description: Mine.\noperations: {read: 1}");
    Files.writeString(
        folder.resolve("table.yml"),
        "{title: T, metric: throughput, rows: engine, columns: phase}");
    Scenario scenario =
        read(SMALL.replace("[get]", "[{workload: my.yml, as: mine}]") + "tables: [table.yml]\n");
    assertThat(scenario.phases()).extracting(PhaseSpec::name).contains("mine");
    assertThat(scenario.tables()).hasSize(1);
  }

  private List<String> problemsOf(Consent consent, String server) throws Exception {
    Files.writeString(
        file(),
        SMALL.replaceFirst("engines: .*", "engines: [{engine: redis, server: {" + server + "}}]"));
    try {
      new ScenarioReader(new NamedFiles(folder, List.of()), consent)
          .read(file(), List.of(), List.of());
      return List.of();
    } catch (InvalidInputException e) {
      return e.problems().stream().map(Problem::message).toList();
    }
  }

  private static Path secret(Path file, String text) throws IOException {
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void onlyAllowedSecretsAreRead(@TempDir Path elsewhere) throws Exception {
    Path token = secret(elsewhere.resolve("token"), "geheim\n");
    Files.createSymbolicLink(folder.resolve("link"), token);
    secret(folder.resolve("own"), "password\n");
    String external = "external: {address: 'h:1', password: {%s}}";

    assertThat(problemsOf(Consent.NONE, external.formatted("file: own"))).isEmpty();
    Path below = secret(Files.createDirectory(folder.resolve("x")).resolve("token"), "x\n");
    for (Path file : List.of(token, folder.resolve("link"), below)) {
      assertThat(problemsOf(Consent.NONE, external.formatted("file: " + file)))
          .containsExactly(
              "the file '%1$s' is not in the scenario's folder; move it, or add --allow-secret %1$s"
                  .formatted(file));
    }
    Path hidden = secret(folder.resolve(".token"), "x\n");
    Files.createSymbolicLink(folder.resolve("shown"), hidden);
    for (Path file : List.of(hidden, folder.resolve("shown"))) {
      assertThat(problemsOf(Consent.NONE, external.formatted("file: " + file)))
          .containsExactly(
              "the file '%1$s' is hidden; move it, or add --allow-secret %1$s".formatted(file));
    }
    wording.check(problemsOf(Consent.NONE, external.formatted("env: PATH")));
    Consent both = new Consent(Set.of("PATH", token.toString()), programs -> false);
    assertThat(problemsOf(both, external.formatted("env: PATH"))).isEmpty();
    assertThat(problemsOf(both, external.formatted("file: link"))).isEmpty();
  }

  @Test
  void onlyAllowedKeysOfClientsAreUsed(@TempDir Path elsewhere) throws Exception {
    Path key = secret(elsewhere.resolve("key"), "-----BEGIN PRIVATE KEY-----");
    Path ca = Files.writeString(elsewhere.resolve("ca"), "-----BEGIN CERTIFICATE-----");
    Files.writeString(folder.resolve("cert"), "-----BEGIN CERTIFICATE-----");
    secret(folder.resolve("own"), "-----BEGIN PRIVATE KEY-----");
    String external =
        "external: {address: 'h:1', tls: true, ca: %s, cert: cert, key: %s}".formatted(ca, "%s");

    assertThat(problemsOf(Consent.NONE, external.formatted("own"))).isEmpty();
    Path below = secret(Files.createDirectory(folder.resolve(".x")).resolve("key"), "x");
    for (Path file : List.of(key, below)) {
      assertThat(problemsOf(Consent.NONE, external.formatted(file)))
          .containsExactly(
              "the file '%1$s' is not in the scenario's folder; move it, or add --allow-secret %1$s"
                  .formatted(file));
    }
    Consent allowed = new Consent(Set.of(key.toString()), programs -> false);
    assertThat(problemsOf(allowed, external.formatted(key))).isEmpty();
  }

  @Test
  void aFileThatIsNoPasswordIsNoSecret() throws Exception {
    for (String text : List.of("-----BEGIN OPENSSH PRIVATE KEY-----", "a\nb", "x".repeat(5000))) {
      Files.writeString(folder.resolve("own"), text);
      assertThat(problemsOf(Consent.NONE, "external: {address: 'h:1', password: {file: own}}"))
          .singleElement(STRING)
          .contains("a password is one line")
          .doesNotContain(text);
    }
  }

  @Test
  void commandsBeforeRunsNeedConsent() throws Exception {
    Path scenario = folder.resolve("trim.yaml");
    Files.writeString(
        scenario,
        """
        question: Which?
        engines: [rocksdb]
        fsync: off
        phases: [get]
        prepare: [sync, fstrim .]
        """);
    NamedFiles files = new NamedFiles(folder, List.of());
    ScenarioReader refusing = new ScenarioReader(files, Consent.NONE);
    assertThatThrownBy(() -> refusing.read(scenario, List.of(), List.of()))
        .hasMessageContaining("would run 'sync', which does not come with kvrank")
        .hasMessageContaining("would run 'fstrim .'")
        .hasMessageContaining("--allow-commands");
    List<String> asked = new ArrayList<>();
    ScenarioReader asking = new ScenarioReader(files, new Consent(Set.of(), asked::addAll));
    assertThat(asking.read(scenario, List.of(), List.of()).prepare())
        .containsExactly("sync", "fstrim .")
        .isEqualTo(asked);
  }

  @Test
  void programsOfAForeignScenarioNeedConsent() throws Exception {
    for (String server :
        List.of(
            "process: /tmp/x", "container: 'evil/redis:7.2'", "container: 'redis.evil/redis'")) {
      String program = server.replaceFirst(".*: ", "").replace("'", "");
      assertThat(problemsOf(Consent.NONE, server))
          .containsExactly(
              "would run '%s', which does not come with kvrank; if you trust this scenario, add"
                      .formatted(program)
                  + " --allow-commands");
      List<String> asked = new ArrayList<>();
      assertThat(problemsOf(new Consent(Set.of(), asked::addAll), server)).isEmpty();
      assertThat(asked).containsExactly(program);
    }
    for (String server : List.of("process: true", "container: 'redis:8'", "bundled: true")) {
      assertThat(problemsOf(Consent.NONE, server)).isEmpty();
    }
    Files.createDirectory(folder.resolve("scenarios"));
    Path shipped = Files.move(file(), folder.resolve("scenarios/x.yaml"));
    Files.writeString(shipped, Files.readString(shipped).replace("bundled: true", "process: /x"));
    ScenarioReader reader = new ScenarioReader(new NamedFiles(folder, List.of()), Consent.NONE);
    reader.read(shipped, List.of(), List.of());
    Path own = Files.createSymbolicLink(folder.resolve("own.yaml"), shipped);
    reader.read(own, List.of(), List.of());
    // Another user, who can replace the link, may have had another file there when it was read.
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path link = Files.createSymbolicLink(shared.resolve("x.yaml"), shipped);
    assertThatThrownBy(() -> reader.read(link, List.of(), List.of()))
        .hasMessageContaining("would run '/x', which does not come with kvrank");
  }

  @Test
  void anEngineThatAnotherUserCanChangeIsRefused() throws Exception {
    Path bindings = Files.createDirectory(folder.resolve("drop-in"));
    Path engine = Files.createDirectory(bindings.resolve("mine"));
    Files.copy(
        TestHome.PROJECT.resolve("bindings/noop/engine.yaml"), engine.resolve("engine.yaml"));
    Path built = Files.createDirectories(engine.resolve("target/native"));
    Path library = Files.createFile(built.resolve("mine.so"));
    NamedFiles named = new NamedFiles(TestHome.PROJECT, List.of(bindings));
    ScenarioReader reader = new ScenarioReader(named, Consent.NONE);
    assertThat(reader.engine("mine")).isPresent();
    for (Path open : List.of(bindings, engine, engine.resolve("engine.yaml"), library)) {
      Set<PosixFilePermission> mode = Files.getPosixFilePermissions(open);
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
      assertThatThrownBy(() -> reader.engine("mine"))
          .hasMessageContaining("as '%s' is writable for all users (chmod o-w)".formatted(open));
      Files.setPosixFilePermissions(open, mode);
    }
  }

  @Test
  void aProgramIsShownInOneLine() throws Exception {
    assertThat(problemsOf(Consent.NONE, "process: \"/tmp/x\\\\r/usr/bin/redis\\\\n\\\\tserver\""))
        .singleElement(STRING)
        .startsWith("would run '/tmp/x\uFFFD/usr/bin/redis\uFFFD\uFFFDserver', which");
  }

  @Test
  void aSecretIsReadWithoutWhatAnEditorAdds() throws Exception {
    Path secret = file().resolveSibling("secret");
    for (String text : List.of("pass word", "\uFEFFpass word\r\n", "pass word\n")) {
      secret(secret, text);
      assertThat(new Secret(Secret.Source.FILE, secret.toString()).read()).isEqualTo("pass word");
    }
  }

  @Test
  void readsCopiesAsRows() throws Exception {
    Scenario scenario = read(SMALL + "copies: 2\nexpect: [redis-2 get throughput > 1]\n");
    assertThat(scenario.engines())
        .extracting(EngineSpec::label)
        .containsExactly("redis-1", "redis-2", "rocksdb-1", "rocksdb-2");
    assertThat(scenario.engines()).extracting(EngineSpec::asked).containsOnly("redis", "rocksdb");
  }

  @Test
  void readsFactorsInTheOrderOfTheFileAndInOneForm() throws Exception {
    Scenario scenario =
        read(
            SMALL
                + """
                records: 1_000_000
                rate: 2.50e3
                measure: {warmup: 1500ms, duration: 60s}
                factors: {threads: [8, 1], value-bytes: [1_024]}
                """);
    assertThat(scenario.factors())
        .containsEntry(Setting.RECORDS, List.of("1000000"))
        .containsEntry(Setting.RATE, List.of("2500"))
        .containsEntry(Setting.WARMUP, List.of("1500ms"))
        .containsEntry(Setting.DURATION, List.of("1m"))
        .containsEntry(Setting.THREADS, List.of("8", "1"))
        .containsEntry(Setting.VALUE_BYTES, List.of("1024"));
  }

  @Test
  void readsNumbersWithPrefixes() throws Exception {
    Scenario scenario =
        read(
            SMALL
                + """
                records: 10M
                rate: 2.5k
                value-bytes: 4KiB
                expect: ["redis read p99 < 2ms at records=10_000k"]
                """,
            "threads=1k");
    assertThat(scenario.factors())
        .containsEntry(Setting.RECORDS, List.of("10000000"))
        .containsEntry(Setting.RATE, List.of("2500"))
        .containsEntry(Setting.VALUE_BYTES, List.of("4096"))
        .containsEntry(Setting.THREADS, List.of("1000"));
    assertThat(scenario.expectations().get(0).point()).containsEntry("records", "10000000");
  }

  @Test
  void readsEnginesWithOptionsAndServers() throws Exception {
    Scenario scenario =
        read(
            """
            question: Which one?
            engines:
              - {engine: redis, as: lexical, options: {index: lexical, appendfsync: no}}
              - {engine: redis, server: {bundled: true}}
              - {engine: kvrocks, server: {external: "10.0.0.7:6666"}}
            fsync: off
            phases: [get]
            """);
    assertThat(scenario.engines())
        .extracting(EngineSpec::label)
        .containsExactly("lexical", "redis", "kvrocks");
    assertThat(scenario.engines().get(0).settings(Fsync.OFF)).containsEntry("appendfsync", "no");
    assertThat(scenario.engines().get(0).capabilities()).contains(Capability.PREFIX_SCAN);
    assertThat(scenario.engines().get(1).server())
        .contains(new ServerChoice(ProvisionMethod.BUNDLED, ""));
    assertThat(scenario.engines().get(2).server())
        .contains(new ServerChoice(ProvisionMethod.EXTERNAL, "10.0.0.7:6666"));
  }

  @Test
  void durabilityHasLevels() throws Exception {
    String text =
        """
        question: Which one?
        engines: [redis]
        factors: {fsync: [on, {every: 100ms}, everysec, off, none, as-is]}
        phases: [get]
        """;
    assertThat(read(text).factors())
        .containsEntry(
            Setting.FSYNC, List.of("on", "every-100ms", "every-1s", "off", "none", "as-is"));
    assertThat(read(SMALL.replace("fsync: off", "fsync: {every: 1000ms}")).factors())
        .containsEntry(Setting.FSYNC, List.of("every-1s"));
  }

  @Test
  void durabilityCanHaveAMinimum() throws Exception {
    for (String form : List.of("{at-least: everysec}", "{at-least: {every: 1s}}")) {
      assertThat(read(SMALL.replace("fsync: off", "fsync: " + form)).factors())
          .containsEntry(Setting.FSYNC, List.of("at-least-every-1s"));
    }
    assertThat(read(SMALL, "fsync=at-least-everysec").factors())
        .containsEntry(Setting.FSYNC, List.of("at-least-every-1s"));
  }

  @Test
  void aWarmUpMayLastUntilThroughputIsSteady() throws Exception {
    String within = "measure: {warmup: {until: steady, at-most: 30m}}\n";
    assertThat(read(SMALL + within).factors())
        .containsEntry(Setting.WARMUP, List.of("steady-within-30m"));
    assertThat(read(SMALL, "warmup=steady-within-90s").factors())
        .containsEntry(Setting.WARMUP, List.of("steady-within-90s"));
    assertThat(problems(List.of("warmup=steady-within-30m", "rate=100"), List.of()))
        .singleElement()
        .asString()
        .contains("'get' warms up until it is steady", "a 'rate', which decides the throughput");
  }

  @Test
  void anExpectationMayBeAboutEveryEngine() throws Exception {
    for (String form : List.of("* get read p99 < 2ms", "get read p99 < 2ms", "p99 < 2ms")) {
      Scenario scenario = read(SMALL + "expect: [\"" + form + "\"]\n");
      assertThat(scenario.expectations())
          .extracting(Expectation::engine)
          .containsExactly("redis", "rocksdb");
      assertThat(scenario.expectations())
          .extracting(Expectation::requirement)
          .containsOnly(form.replace("* ", ""));
    }
  }

  @Test
  void anExpectationMayBeAboutAGroupOfThreads() throws Exception {
    String groups = "{as: mixed, duration: 1s, groups: {writers: set, readers: get}}";
    Scenario scenario =
        read(
            SMALL.replaceFirst("phases: .*", "phases: [" + groups + "]")
                + "expect: [redis readers:read p99 < 2ms, redis mixed throughput > 1]\n");
    assertThat(scenario.expectations())
        .flatExtracting(Expectation::cells)
        .containsExactly(
            new Expectation.Cell(Optional.of("mixed"), Optional.of("readers:read")),
            new Expectation.Cell(Optional.of("mixed"), Optional.empty()));
  }

  @Test
  void aPhaseHasAtMostSixteenGroups() throws Exception {
    String phase = "phases: [{as: mixed, duration: 1s, groups: {%s}}]";
    for (int number : List.of(16, 17)) {
      String groups =
          IntStream.range(0, number).mapToObj("g%d: get"::formatted).collect(joining(", "));
      Files.writeString(file(), SMALL.replaceFirst("phases: .*", phase.formatted(groups)));
      assertThat(reader.validate(file()))
          .extracting(Problem::message)
          .isEqualTo(number == 16 ? List.of() : List.of("has 17 groups; at most 16 are allowed"));
    }
  }

  @Test
  void anExpectationMayBeRelativeToAnotherRow() throws Exception {
    Scenario scenario =
        read(
            SMALL
                + """
                expect:
                  - redis get throughput > 90% of rocksdb
                  - get throughput > 50.5% of best
                  - p99 < 150 % of redis
                """);
    assertThat(scenario.expectations())
        .extracting(Expectation::engine, Expectation::bound, e -> e.other().orElseThrow())
        .containsExactly(
            tuple("redis", 0.9, "rocksdb"),
            tuple("redis", 0.505, "best"),
            tuple("rocksdb", 0.505, "best"),
            tuple("rocksdb", 1.5, "redis"));
  }

  @Test
  void readsThePreference() throws Exception {
    assertThat(read(SMALL + "prefer: memory\n").prefer())
        .contains(
            new Preference(
                "memory",
                List.of(new Expectation.Cell(Optional.of("get"), Optional.empty())),
                Metrics.MEMORY));
    assertThat(read(SMALL + "prefer: get read p99\n").prefer().orElseThrow().cells())
        .containsExactly(new Expectation.Cell(Optional.of("get"), Optional.of("read")));
    assertThat(read(SMALL).prefer()).isEmpty();
  }

  @Test
  void readsAnotherPlatformsBundledExecutable() throws Exception {
    Scenario scenario =
        read(
            """
            question: Which one?
            engines: [{engine: redis, server: {bundled: linux-amd64}}]
            fsync: off
            phases: [get]
            """);
    assertThat(scenario.engines().get(0).server())
        .contains(new ServerChoice(ProvisionMethod.BUNDLED, "linux-amd64"));
  }

  @Test
  void readsEnginesWhoseBindingIsStillToCome() throws Exception {
    Scenario scenario =
        read(
            """
            question: Which one?
            engines: [tidesdb]
            fsync: on
            phases: [prefix-scan]
            """);
    EngineSpec engine = scenario.engines().get(0);
    assertThat(engine.definition().planned())
        .hasValueSatisfying(r -> assertThat(r).contains("no binding yet"));
    assertThat(engine.capabilities()).as("nothing is refused").contains(Capability.PREFIX_SCAN);
  }

  @Test
  void readsPhasesWithTheirOwnSettings() throws Exception {
    Scenario scenario =
        read(
            """
            question: Which one?
            engines: [redis]
            fsync: off
            measure: {operations: 1_000}
            phases:
              - {workload: load, batch: 100}
              - {workload: get, as: get-single, threads: 1, duration: 5s}
              - {workload: {description: Mine., operations: {read: 1}}, as: mine}
            """);
    assertThat(scenario.phases())
        .extracting(PhaseSpec::name)
        .containsExactly("load", "get-single", "mine");
    assertThat(scenario.phases().get(0).settings()).isEqualTo(Map.of(Setting.BATCH, "100"));
    assertThat(scenario.phases().get(1).settings())
        .isEqualTo(Map.of(Setting.THREADS, "1", Setting.DURATION, "5s", Setting.OPERATIONS, ""));
    assertThat(scenario.phases().get(2).workload().mix().weights())
        .isEqualTo(new TreeMap<>(Map.of(Operation.READ, 1)));
  }

  @Test
  void readsWorkloadsThatLieBesideTheScenario() throws Exception {
    Files.writeString(
        folder.resolve("mine.yaml"), "description: Mine.\noperations: {read: 1}\n", UTF_8);
    Workload workload = read(SMALL.replace("[get]", "[./mine.yaml]")).phases().get(1).workload();
    assertThat(workload.name()).isEqualTo("mine");
  }

  @Test
  void readsPropertyFilesOfYcsb() throws Exception {
    Files.copy(
        TestHome.RESOURCES.resolve("valid/workload-of-ycsb"), folder.resolve("workload-of-ycsb"));
    Workload workload =
        read(SMALL.replace("[get]", "[{workload: {ycsb: workload-of-ycsb}}]"))
            .phases()
            .get(1)
            .workload();
    assertThat(workload.name()).isEqualTo("workload-of-ycsb");
    assertThat(workload.mix().weights())
        .isEqualTo(Map.of(Operation.READ, 10, Operation.UPDATE, 9, Operation.RANGE_SCAN, 1));
    assertThat(workload.mix().keys())
        .isEqualTo(new KeyChoice(Distribution.HOTSPOT, 0.99, 0.1, 0.8));
    assertThat(workload.valueShape()).contains(ValueShape.fixed(500));
    assertThat(workload.mix().scanRecords())
        .isEqualTo(ValueSizes.between(1, 99, ValueSizes.Spread.UNIFORM));
  }

  @Test
  void aPropertyFileThatNamesAnotherClassIsHosted() throws Exception {
    Files.writeString(folder.resolve("trace"), "workload=a.Trace\nfile = x.csv\n", UTF_8);
    Files.createDirectories(folder.resolve("classes/a"));
    Files.writeString(folder.resolve("classes/a/Trace.class"), "", UTF_8);
    String yaml =
        SMALL.replace(
            "[get]", "[{workload: {ycsb: trace, classpath: [classes]}}, {workload: get}]");
    Scenario scenario = read(yaml);
    Workload workload = scenario.phases().get(1).workload();
    assertThat(workload.name()).isEqualTo("trace");
    assertThat(workload.operations()).isEmpty();
    assertThat(workload.hosted())
        .contains(
            new HostedWorkload(
                "a.Trace",
                new TreeMap<>(Map.of("workload", "a.Trace", "file", "x.csv")),
                List.of(folder.resolve("classes").toAbsolutePath())));
    assertThat(scenario.phases().get(0).load()).isTrue();
    assertThat(scenario.phases().get(0).workload()).isEqualTo(workload);
    Files.setPosixFilePermissions(
        folder.resolve("classes/a/Trace.class"), PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThatThrownBy(() -> read(yaml))
        .hasMessageContaining("/Trace.class' is writable for all users (chmod o-w)");
  }

  @Test
  void aClassForYcsbBringsItsOwnLoad() throws Exception {
    Scenario scenario =
        read(
            SMALL.replace(
                "[get]",
                "[{workload: {class: com.yahoo.ycsb.workloads.RestWorkload, properties: {table: x}}}]"));
    assertThat(scenario.phases())
        .extracting(PhaseSpec::name)
        .containsExactly("load", "RestWorkload");
    String type = "site.ycsb.workloads.RestWorkload";
    assertThat(scenario.phases().get(0).workload().hosted())
        .contains(new HostedWorkload(type, new TreeMap<>(Map.of("table", "x")), List.of()));
  }

  @Test
  void overridesReplaceWhatTheFileSays() throws Exception {
    Scenario scenario =
        read(
            SMALL + "measure: {duration: 9s}\nfactors: {threads: [1, 8]}\n",
            "threads=4",
            "value-bytes=64, 1024",
            "operations=500",
            "fsync=on",
            "repetitions=1",
            "seed=-7",
            "medium=ssd",
            "data=/data/a,b");
    assertThat(scenario.factors())
        .containsEntry(Setting.THREADS, List.of("4"))
        .containsEntry(Setting.VALUE_BYTES, List.of("64", "1024"))
        .containsEntry(Setting.OPERATIONS, List.of("500"))
        .containsEntry(Setting.FSYNC, List.of("on"));
    assertThat(scenario.repetitions()).isEqualTo(Repetitions.fixed(1));
    assertThat(scenario.seed()).isEqualTo(-7);
    assertThat(scenario.medium()).isEqualTo(Medium.SSD);
    assertThat(scenario.data()).contains(Path.of("/data/a,b"));
  }

  @Test
  void aKillTestIsAskedForBesideTheCheckOfValues() throws Exception {
    assertThat(read(SMALL).crashTest()).isEmpty();
    assertCrashes(read(SMALL + "verify: values\n"), "values", 0);
    assertCrashes(read(SMALL + "verify: crash\n"), "none", 3);
    assertCrashes(read(SMALL + "verify: {after: crash}\n"), "none", 3);
    String both = SMALL + "verify: {after: crash, crashes: 5, values: true}\n";
    assertCrashes(read(both), "values", 5);
    assertCrashes(read(both, "crashes=7"), "values", 7);
    assertCrashes(read(both, "verify=crash"), "none", 3);
    assertCrashes(read(both, "verify=crash", "crashes=1"), "none", 1);
    assertCrashes(read(both, "verify=values"), "values", 0);
    assertCrashes(read(SMALL, "crashes=2"), "none", 2);
    assertThat(read(both, "verify=none,values").crashTest()).isEmpty();
  }

  private static void assertCrashes(Scenario scenario, String verify, int crashes) {
    assertThat(scenario.factors()).containsEntry(Setting.VERIFY, List.of(verify));
    assertThat(scenario.crashTest().map(CrashTest::crashes).orElse(0)).isEqualTo(crashes);
  }

  @Test
  void aPowerCutHasADiskOfItsOwn() throws Exception {
    assertThat(read(SMALL + "verify: power-cut\n").crashTest()).contains(CrashTest.POWER_CUT);
    assertThat(read(SMALL, "verify=power-cut", "crashes=2").crashTest())
        .contains(CrashTest.POWER_CUT.times(2));
    String whole =
        "verify: {after: power-cut, crashes: 5, keep: [some, none], sector: 512, filesystem: xfs,"
            + " sync: 2ms, lifetime: 40s, values: true}\n";
    Scenario scenario = read(SMALL + whole);
    assertThat(scenario.factors()).containsEntry(Setting.VERIFY, List.of("values"));
    assertThat(scenario.crashTest())
        .contains(
            new CrashTest(
                5,
                Optional.of(
                    new CrashTest.PowerCut(
                        List.of(CrashTest.Keep.SOME, CrashTest.Keep.NONE),
                        512,
                        CrashTest.FileSystem.XFS,
                        Duration.ofMillis(2),
                        Optional.of(Duration.ofSeconds(40))))));
  }

  @Test
  void aCrashTestDoesNotVary() {
    wording.check(problems(List.of("verify=none,values", "crashes=2"), List.of()));
  }

  @Test
  void aFixedNumberOfRepetitionsHasNoBudget() {
    wording.check(problems(List.of("repetitions=3", "budget=20s"), List.of()));
  }

  @Test
  void overridesMayStateWhatIsRequired() throws Exception {
    assertThat(read(SMALL.replace("fsync: off\n", ""), "fsync=on,off").factors())
        .containsEntry(Setting.FSYNC, List.of("on", "off"));
  }

  @Test
  void reportsProblemsOfTheCommandLineWithoutAPosition() {
    assertThat(
            problems(
                List.of("thread=1", "records", "seed=x", "batch=2,two", "pipeline=4", "batch=3"),
                List.of("redsi")))
        .containsExactlyInAnyOrder(
            "--set: thread: unknown key 'thread'; did you mean 'threads'?",
            "--set: 'records' is not of the form KEY=VALUE",
            "--set: seed: 'x' is not a whole number",
            "--set: batch: is set twice; keep one of the two",
            "--set: batch: phase 'load' has batch '3' and pipeline '4'; one of them must be 1",
            "--set: batch: phase 'get' has batch '3' and pipeline '4'; one of them must be 1",
            "--engines: " + file() + " has no engine 'redsi'; did you mean 'redis'?");
  }

  /** Otherwise, --resume would refuse the resolved scenario. */
  @Test
  void tablesMayNameValuesThatTheCommandLineReplaced() throws Exception {
    String table =
        "tables: [{title: T, metric: throughput, where: {threads: 8}, rows: engine,"
            + " columns: phase}]\n";
    assertThat(read(SMALL + "threads: 8\n" + table, "threads=1").tables()).hasSize(1);
    assertThat(read(SMALL + "threads: 1\norder-seed: 7\n" + table).tables()).hasSize(1);
  }

  @Test
  void keepsOnlyTheEnginesThatAreAskedFor() throws Exception {
    Files.writeString(file(), SMALL, UTF_8);
    assertThat(reader.read(file(), List.of(), List.of("rocksdb")).engines())
        .extracting(EngineSpec::label)
        .containsExactly("rocksdb");
  }

  @Test
  void listsTheEnginesOfItsHome() {
    assertThat(new NamedFiles(folder, List.of()).names(Kind.ENGINES))
        .containsExactly(
            "chronicle-map", "ignix", "kvrocks", "redis", "rocksdb", "ssdb", "tidesdb");
  }

  @Test
  void readsEverythingThatAnEngineStates() throws Exception {
    EngineDefinition redis = reader.readEngine(folder.resolve("bindings/redis/engine.yaml"));
    assertThat(redis.binding().module()).isEqualTo(folder.resolve("bindings/resp"));
    assertThat(redis.settings()).containsEntry("save", "").containsEntry("appendonly", "yes");
    assertThat(redis.level(Fsync.OFF).settings()).containsEntry("appendfsync", "no");
    assertThat(redis.level(Fsync.OFF).note()).isPresent();
    assertThat(redis.server().orElseThrow().ready().send()).isEqualTo("PING\r\n");
    assertThat(redis.server().orElseThrow().entrypoint()).containsExactly("redis-server");
    EngineDefinition rocksdb = reader.readEngine(folder.resolve("bindings/rocksdb/engine.yaml"));
    assertThat(rocksdb.embedded()).isTrue();
  }

  @Test
  void survivesAnchorsThatMultiply() {
    StringBuilder bomb = new StringBuilder("a: &a [x, x]\n");
    for (char c = 'b'; c < 'z'; c++) {
      char before = (char) (c - 1);
      bomb.append(c).append(": &").append(c).append(" [*").append(before).append(", *");
      bomb.append(before).append("]\n");
    }
    InvalidInputException e =
        catchThrowableOfType(InvalidInputException.class, () -> read(SMALL + bomb));
    assertThat(e.problems()).isNotEmpty();
  }

  private List<String> problems(List<String> overrides, List<String> engines) {
    InvalidInputException e =
        catchThrowableOfType(
            InvalidInputException.class,
            () -> {
              Files.writeString(file(), SMALL, UTF_8);
              reader.read(file(), overrides, engines);
            });
    return e.problems().stream().map(Problem::oneLine).toList();
  }

  private Path file() {
    return folder.resolve("x.yaml");
  }

  private Scenario read(String yaml, String... overrides) throws Exception {
    Files.writeString(file(), yaml, UTF_8);
    return reader.read(file(), List.of(overrides), List.of());
  }
}
