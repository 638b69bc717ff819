package kvrank.scenario.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import kvrank.engine.EngineDefinition;
import kvrank.engine.Exchange;
import kvrank.engine.Fsync;
import kvrank.engine.ServerDefinition.Cluster;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.MemoryLimit;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Scenario;
import kvrank.scenario.Setting;
import kvrank.scenario.Shapes;
import kvrank.workload.key.KeyShape;
import kvrank.workload.value.ValueShape;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Everything that ships reads without a problem. */
class ShippedFilesTest {

  @TestFactory
  Stream<DynamicTest> scenariosWorkloadsAndTablesAreValid() throws IOException {
    ScenarioReader reader = new ScenarioReader(TestHome.PROJECT);
    List<Path> files = new ArrayList<>();
    for (String kind : List.of("workloads", "scenarios", "tables")) {
      files.addAll(yaml(kind));
    }
    return files.stream().map(file -> valid(reader, file));
  }

  @TestFactory
  Stream<DynamicTest> enginesAreValid() throws IOException {
    ScenarioReader reader = new ScenarioReader(TestHome.PROJECT);
    return TestHome.engineFiles().stream().map(file -> valid(reader, file));
  }

  /** Each would lead a server's clients or files elsewhere, or leave it running. */
  @TestFactory
  Stream<DynamicTest> whatKvrankDecidesIsNoOption(@TempDir Path folder) {
    return Stream.of(
            "redis port dir bind unixsocket pidfile logfile daemonize requirepass masterauth replicaof",
            "redis cluster-enabled include loadmodule aclfile user rename-command supervised slaveof",
            "redis protected-mode host DIR tls-port syslog-enabled sentinel bind-source-addr",
            "redis-32bit dir daemonize unixsocket",
            "valkey dir daemonize requirepass primaryauth",
            "keydb dir daemonize active-replica storage-provider",
            "kvrocks dir daemonize log-dir backup-dir requirepass slaveof namespace.a",
            "memcached listen liste port daemon user unix-socket unix_socket memory-file pidfile auth-file",
            "ignix bind port unixsocket",
            "ssdb host port work_dir",
            "rocksdb dir",
            "pebble dir library",
            "h2-mvstore dir")
        .map(row -> List.of(row.split(" ", -1)))
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.toString(), () -> refused(row.get(0), row.subList(1, row.size()), folder)));
  }

  private static void refused(String engine, List<String> names, Path folder) throws IOException {
    Path file = folder.resolve("one.yaml");
    // Each on its own line: what follows a password in a line is not shown.
    String map = String.join(": x,\n  ", names) + ": x";
    Files.writeString(
        file,
        "question: Whose?\nengines: [{engine: %s, options: {%s}}]\nfsync: off\nphases: [get]"
            .formatted(engine, map));
    assertThat(new ScenarioReader(TestHome.PROJECT).validate(file))
        .extracting(Problem::path)
        .containsExactlyElementsOf(
            names.stream().map(name -> "engines[0].options." + name).toList());
  }

  /** A reserved name counts cut off, too, and must not hit what an engine states itself. */
  @Test
  void whatEnginesStateIsAnOption() throws Exception {
    for (EngineDefinition engine : TestHome.engines()) {
      assertThat(engine.settings().keySet()).as(engine.name()).noneMatch(engine::reserves);
      engine
          .fsync()
          .values()
          .forEach(
              level ->
                  assertThat(level.settings().keySet())
                      .as(engine.name())
                      .noneMatch(engine::reserves));
    }
  }

  /** A longer key of SSDB was written without an error and then not found. */
  @Test
  void keysThatAnEngineLosesAreOverItsLimit() throws Exception {
    EngineDefinition ssdb =
        new ScenarioReader(TestHome.PROJECT)
            .readEngine(TestHome.PROJECT.resolve("bindings/ssdb/engine.yaml"));
    assertThat(ssdb.limits().keyBytes()).isEqualTo(255);
  }

  /** More bytes could change what a greedy dot matches, so kvrank waits for them. */
  @Test
  void formsOfAnswersEndWithTheirAnswer() throws Exception {
    for (EngineDefinition engine : TestHome.engines()) {
      engine
          .server()
          .ifPresent(
              server ->
                  assertThat(
                          Stream.of(
                                  Stream.of(server.ready()),
                                  server.login().values().stream(),
                                  server.facts().values().stream(),
                                  server.reports().values().stream(),
                                  server.cluster().map(Cluster::nodes).stream())
                              .flatMap(each -> each)
                              .map(Exchange::match))
                      .as(engine.name())
                      .noneMatch(match -> match.matches("(?s).*(?<!\\\\)\\.[*+](?![?+]).*")));
    }
  }

  /** Asked of the definitions, as {@link kvrank.plan.Planner} does. */
  @Test
  void cachesGiveUpRecordsAsTheyAreTold() throws Exception {
    for (EngineDefinition engine : TestHome.engines()) {
      EngineSpec asked = EngineSpec.of(engine).evicting(new MemoryLimit(64 << 20));
      switch (engine.name()) {
        case "redis", "redis-32bit", "valkey", "keydb" -> {
          assertThat(asked.settings(Fsync.NONE))
              .containsEntry("maxmemory", "67108864")
              .containsEntry("maxmemory-policy", "allkeys-lru");
          assertThat(asked.definition().level(Fsync.NONE).facts())
              .containsEntry("maxmemory", "67108864")
              .containsEntry("appendonly", "no");
        }
        case "memcached" -> {
          assertThat(asked.settings(Fsync.NONE))
              .containsEntry("memory-limit", "64")
              // memcached refuses to start with more than half of its memory.
              .containsEntry("max-item-size", "512k");
          assertThat(asked.definition().server().orElseThrow().arguments())
              .doesNotContain("--disable-evictions")
              .contains("--user=root");
          assertThat(asked.definition().level(Fsync.NONE).facts()).containsEntry("evictions", "on");
        }
        case "caffeine" ->
            assertThat(asked.properties(Fsync.NONE)).containsEntry("most-bytes", "67108864");
        case "noop" -> assertThat(engine.eviction()).isPresent();
        default -> assertThat(engine.eviction()).as(engine.name()).isEmpty();
      }
    }
  }

  @Test
  void scenarioEmbeddedHasEveryEmbeddedEngine() throws Exception {
    ScenarioReader reader = new ScenarioReader(TestHome.PROJECT);
    Path file = TestHome.PROJECT.resolve("scenarios/embedded.yaml");
    assertThat(reader.read(file, List.of(), List.of()).engines())
        .extracting(EngineSpec::label)
        .containsExactlyInAnyOrderElementsOf(embedded());
  }

  /** But those whose modules the machine of CI cannot fetch. */
  @Test
  void continuousIntegrationRequiresEveryEmbeddedEngine() throws Exception {
    String script = Files.readString(TestHome.PROJECT.resolve(".ci/run"));
    String required = script.split("KVRANK_REQUIRE_ENGINES=", 2)[1].split("\n", 2)[0];
    List<String> engines = new ArrayList<>(embedded());
    engines.removeAll(List.of("cznic-kv", "nutsdb", "pogreb", "sniper"));
    assertThat(required.split(",")).containsAll(engines);
  }

  @Test
  void everyModuleOfABindingIsBuilt() throws Exception {
    String modules =
        Files.readString(TestHome.PROJECT.resolve("bindings/pom.xml"))
            + Files.readString(TestHome.PROJECT.resolve("pom.xml")).replace("bindings/", "");
    try (Stream<Path> folders = Files.list(TestHome.PROJECT.resolve("bindings"))) {
      assertThat(folders.filter(folder -> Files.exists(folder.resolve("pom.xml"))))
          .extracting(folder -> "<module>" + folder.getFileName() + "</module>")
          .allSatisfy(module -> assertThat(modules).contains(module));
    }
  }

  /** By the name that begins the description of the engine. */
  @Test
  void readmeNamesEveryEmbeddedEngineInJava() throws Exception {
    String readme = Files.readString(TestHome.PROJECT.resolve("README.md"));
    for (EngineDefinition engine : TestHome.engines()) {
      if (embedded().contains(engine.name()) && Files.exists(engine.folder().resolve("pom.xml"))) {
        assertThat(readme).contains(engine.description().split(",| Java Edition", 2)[0]);
      }
    }
  }

  /** Names the embedded engines but that which does nothing. */
  private static List<String> embedded() throws IOException, InvalidInputException {
    return TestHome.engines().stream()
        .filter(EngineDefinition::embedded)
        .map(EngineDefinition::name)
        .filter(name -> !name.equals("noop"))
        .toList();
  }

  @Test
  void ssdScenariosHaveTheDataOfTheirReference() throws Exception {
    ScenarioReader reader = new ScenarioReader(TestHome.PROJECT);
    for (String name : List.of("ssd-fsync", "ssd-nofsync")) {
      Scenario scenario =
          reader.read(
              TestHome.PROJECT.resolve("scenarios/" + name + ".yaml"),
              List.of("records=4000000"),
              List.of());
      Map<Setting, String> point =
          Map.of(
              Setting.KEY_BYTES, scenario.factors().get(Setting.KEY_BYTES).get(0),
              Setting.VALUE_BYTES, scenario.factors().get(Setting.VALUE_BYTES).get(0));
      assertThat(Shapes.keys(scenario.phases(), point)).isEqualTo(new KeyShape(9, 100));
      assertThat(Shapes.values(scenario.phases(), point)).isEqualTo(ValueShape.fixed(256));
      assertThat(scenario.phases())
          .extracting(PhaseSpec::name)
          .containsExactly("load", "prefix-scan", "set", "get", "set-get", "delete");
    }
  }

  /** Badger opens if 15 % of a write buffer are at least 1 MiB; it failed in each run. */
  @Test
  void memoryLimitsLeaveBadgerTheWriteBuffersThatItNeeds() throws Exception {
    ScenarioReader reader = new ScenarioReader(TestHome.PROJECT);
    for (Path file : yaml("scenarios")) {
      Scenario scenario = reader.read(file, List.of(), List.of());
      if (scenario.engines().stream().anyMatch(e -> e.definition().name().equals("badger"))) {
        for (String limit : scenario.factors().getOrDefault(Setting.MEMORY, List.of())) {
          assertThat(15 * MemoryLimit.writeBuffer(MemoryLimit.of(limit)) / 100)
              .as("%s with %s", file, limit)
              .isGreaterThanOrEqualTo(1 << 20);
        }
      }
    }
  }

  private static DynamicTest valid(ScenarioReader reader, Path file) {
    return DynamicTest.dynamicTest(
        TestHome.PROJECT.relativize(file).toString(),
        () -> assertThat(reader.validate(file)).extracting(Problem::oneLine).isEmpty());
  }

  static List<Path> yaml(String folder) throws IOException {
    try (Stream<Path> files = Files.list(TestHome.PROJECT.resolve(folder))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }
}
