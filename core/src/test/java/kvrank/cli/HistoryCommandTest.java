package kvrank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.results.Json;
import kvrank.results.Manifest;
import kvrank.results.PhaseRecord;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.scenario.NamedFiles;
import kvrank.stats.ManifestBuilder;
import kvrank.stats.PhaseBuilder;
import kvrank.stats.Runs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code kvrank history} on executions whose change is known. */
class HistoryCommandTest {

  @TempDir private Path folder;

  private final Random random = new Random(5);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private Path scenario;
  private int hour;
  private double machine = 1;

  @BeforeEach
  void createFolder() throws IOException {
    scenario = Files.createDirectory(folder.resolve("made-up"));
  }

  private int kvrank(Object... arguments) {
    out.reset();
    List<String> words = new ArrayList<>(List.of("history"));
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    return Kvrank.run(
        new Installation(new NamedFiles(folder, List.of()), Map.of()),
        new Terminal(stream, stream, false, false, 160),
        words.toArray(new String[0]));
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8).replaceAll("\\s+", " ");
  }

  /** Writes an execution of the engines a, at {@code speed}, and b. */
  private Path execution(double speed, Facts identity, String a, String b) throws IOException {
    hour++;
    List<RunRecord> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= 5; repetition++) {
      runs.add(
          Runs.run(a)
              .at("fsync", "off")
              .repetition(repetition)
              .throughput(100_000 * speed * machine * Math.exp(0.03 * random.nextGaussian()))
              .build());
      runs.add(
          Runs.run(b)
              .at("fsync", "off")
              .repetition(repetition)
              .throughput(50_000 * machine * Math.exp(0.03 * random.nextGaussian()))
              .build());
    }
    String name = b.endsWith("-head") ? "example-base-head" : "example";
    return execution(Runs.manifest(a, b).scenario(name).phases("get"), identity, runs);
  }

  /** Writes an execution of five repetitions. */
  private Path execution(ManifestBuilder request, Facts identity, List<RunRecord> runs)
      throws IOException {
    Manifest plain = request.factor("fsync", "off").repetitions(5).build();
    Manifest manifest =
        Runs.from(plain).runs(runs).planned(Runs.THEN.plus(Duration.ofHours(hour))).build();
    ResultsDirectory results =
        ResultsDirectory.create(scenario, Runs.THEN.plus(Duration.ofHours(hour)));
    results.begin("question: Which?\n", Json.file(manifest), identity);
    for (RunRecord run : runs) {
      Files.createDirectories(results.run(run.id()).path());
      results.run(run.id()).write(run);
    }
    return results.path();
  }

  private static Facts commit(int i) {
    return new Facts()
        .put(Fact.HOST, "alpha")
        .put(Fact.COMMIT, "kvrank", shortCommit(i) + "0".repeat(30));
  }

  /** Writes executions whose engine a is 5 % slower from {@code place} on. */
  private void history(int executions, int place) throws IOException {
    for (int i = 0; i < executions; i++) {
      execution(i < place ? 1 : 0.95, commit(i), "a", "b");
    }
  }

  private static String shortCommit(int i) {
    return "%010x".formatted(0xabc000L + i);
  }

  @Test
  void findsAPlantedChangeAndWritesItEverywhere() throws IOException {
    history(40, 25);

    assertThat(kvrank(scenario, "--tolerance", "2%", "--recent", "20")).as(text()).isEqualTo(1);
    assertThat(text())
        .doesNotContain("More false alarms")
        .contains("1 line got worse in the last 20 executions", shortCommit(25), "−5.")
        .contains("at most 4 of 100 histories have any change in any of their 2 lines");
    assertThat(kvrank(scenario, "--tolerance", "2%", "--recent", "10"))
        .as("the change is older")
        .isZero();
    assertThat(kvrank(scenario, "--tolerance", "20%", "--recent", "20")).as(text()).isZero();

    Path files = folder.resolve("files");
    assertThat(kvrank(scenario, "--csv", "--json", "--out", files)).as(text()).isZero();
    assertThat(files.resolve("history.html")).content().contains("<svg", shortCommit(25));
    assertThat(files.resolve("history.md")).content().contains("| changed at |", "▁");
    otava(files);
    others(files);
  }

  /** As Otava's importer reads it: a number in each cell, and columns that the tests name. */
  private static void otava(Path files) throws IOException {
    Map<String, Map<String, Map<String, Object>>> config =
        new Yaml().load(Files.readString(files.resolve("otava.yaml")));
    Map<String, Object> test = config.get("tests").get("history");
    List<String> lines = Files.readAllLines(files.resolve(test.get("file").toString()));
    assertThat(lines.get(0))
        .isEqualTo("time,commit,a-get-at-fsync-off-throughput,b-get-at-fsync-off-throughput");
    assertThat(lines).hasSize(41);
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      assertThat(Double.parseDouble(cells[2])).isBetween(80_000.0, 120_000.0);
    }
    assertThat(test).containsEntry("time_column", "time");
    assertThat(test.get("metrics"))
        .isEqualTo(
            Map.of(
                "a-get-at-fsync-off-throughput", Map.of("direction", 1),
                "b-get-at-fsync-off-throughput", Map.of("direction", 1)));
  }

  private static void others(Path files) throws IOException {
    JsonMapper json = JsonMapper.shared();
    JsonNode bigger = json.readTree(Files.readString(files.resolve("bigger-is-better.json")));
    assertThat(bigger).hasSize(2);
    for (JsonNode entry : bigger) {
      assertThat(entry.propertyNames()).contains("name", "unit", "value", "range");
      assertThat(entry.get("value").isNumber()).isTrue();
    }
    assertThat(json.readTree(Files.readString(files.resolve("smaller-is-better.json")))).isEmpty();
    JsonNode bencher = json.readTree(Files.readString(files.resolve("bencher.json")));
    for (JsonNode benchmark : bencher) {
      JsonNode measure = benchmark.get("throughput");
      assertThat(measure.get("lower_value").doubleValue())
          .isLessThan(measure.get("value").doubleValue());
      assertThat(measure.get("upper_value").doubleValue())
          .isGreaterThan(measure.get("value").doubleValue());
    }
  }

  @Test
  void executionsAreNamedByLabelElseCommitElseTime() throws IOException {
    execution(1, commit(1).put(Fact.LABEL, "v1.0"), "a", "b");
    execution(1, commit(2).put(Fact.COMMIT, "a", "b".repeat(40)), "a", "b");
    execution(1, new Facts().put(Fact.HOST, "alpha"), "a", "b");

    assertThat(kvrank(scenario, "--out", folder.resolve("files"))).as(text()).isZero();

    assertThat(text()).contains("3 executions, from v1.0 (2026-01-02) to 2026-01-02T06:04");
    assertThat(folder.resolve("files/history.html")).content().contains("bbbbbbbbbb");
  }

  @Test
  void ordersByTimeOrAsGiven() throws IOException {
    List<Path> executions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      executions.add(execution(1, commit(i), "a", "b"));
    }
    Object[] reversed = {executions.get(2), executions.get(1), executions.get(0)};
    kvrank(reversed);
    assertThat(text()).contains("from " + shortCommit(0));
    kvrank(executions.get(2), executions.get(1), executions.get(0), "--as-given");
    assertThat(text()).contains("from " + shortCommit(2));
  }

  @Test
  void theHeadOfAComparisonContinuesTheLine() throws IOException {
    execution(1, commit(1), "a", "b");
    execution(1, commit(2), "a-base", "a-head");

    assertThat(kvrank(scenario)).as(text()).isZero();

    assertThat(text()).contains(" a get at fsync=off throughput 2 ");
    assertThat(text()).doesNotContain("a-base", "a-head");
  }

  @Test
  void otherMachinesAreOtherLines() throws IOException {
    for (int i = 0; i < 2; i++) {
      execution(1, commit(i), "a", "b");
      execution(1, commit(i).put(Fact.HOST, "beta"), "a", "b");
    }
    kvrank(scenario);
    assertThat(text())
        .contains("of their 4 lines", "on alpha", "on beta", "host differs (alpha, beta)");
    kvrank(scenario, "--across-machines");
    assertThat(text()).contains("of their 2 lines").doesNotContain("on alpha");

    assertThat(kvrank(scenario, "--csv", "--out", folder.resolve("files"))).isZero();
    assertThat(folder.resolve("files/history-02.csv")).exists();
  }

  @Test
  void aDriftingMachineIsNamed() throws IOException {
    for (int i = 0; i < 30; i++) {
      machine = 1 + 0.2 * Math.sin(i);
      execution(1, commit(i), "a", "b");
    }
    kvrank(scenario);
    assertThat(text()).contains("More false alarms than stated are likely", "is correlated (0.");
  }

  @Test
  void factsThatOlderResultsLackDoNotDivideALine() throws IOException {
    execution(1, commit(1), "a", "b");
    execution(1, commit(2).put(Fact.STORAGE_MODEL, "disk"), "a", "b");
    kvrank(scenario);
    assertThat(text()).contains("of their 2 lines").doesNotContain("kept apart");
    execution(1, commit(3), "a", "b");
    execution(1, commit(4).put(Fact.STORAGE_MEDIUM, "HDD"), "a", "b");
    kvrank(scenario);
    assertThat(text()).contains("of their 2 lines");
  }

  @Test
  void refusesWhatIsNoHistory() throws IOException {
    Path one = execution(1, commit(1), "a", "b");
    assertThat(kvrank(one)).as("a single execution").isZero();
    assertThat(text()).contains("1 execution");
    assertThat(kvrank(folder.resolve("nothing"))).isEqualTo(2);
    assertThat(text()).contains("nothing: does not exist");
    assertThat(kvrank(one, "--csv")).isEqualTo(2);
    assertThat(text()).contains("need --out DIR");
    assertThat(kvrank(one, "--recent", "0")).isEqualTo(2);
  }

  /**
   * Writes an execution of a and b, which read at a given rate, and perhaps as fast as they can.
   */
  private void paced(boolean free) throws IOException {
    hour++;
    Map<String, String> point = Map.of("fsync", "off");
    List<RunRecord> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= 5; repetition++) {
      for (String engine : List.of("a", "b")) {
        PhaseBuilder paced =
            Runs.phase("paced")
                .at(point)
                .operation("read", Runs.operation(20, 1e6, Map.of()))
                .facts(Map.of("rate.asked", "20", "rate.achieved", "20"));
        List<PhaseRecord> phases = new ArrayList<>(List.of(paced.build()));
        if (free) {
          phases.add(Runs.phase("get").at(point).operation("read", 1000.0 + repetition).build());
        }
        runs.add(Runs.run(engine).at(point).repetition(repetition).phases(phases).build());
      }
    }
    ManifestBuilder request = Runs.manifest("a", "b").scenario("example");
    execution(free ? request.phases("paced", "get") : request.phases("paced"), commit(hour), runs);
  }

  /** There was no line and no word about it. */
  @Test
  void tooFewRequestsForAPercentileHaveNoLineAndANote() throws IOException {
    String note =
        "paced, read at fsync=off: no line of a, b, as p99 decides at a given rate and has no value"
            + " (too few requests: 200; p99 needs 1,000)";
    paced(false);
    assertThat(kvrank(scenario, "--out", folder.resolve("files"))).as(text()).isZero();
    assertThat(text()).contains("example: nothing to follow", note);
    assertThat(folder.resolve("files/history.html")).content().contains("nothing to follow", note);

    paced(true);
    assertThat(kvrank(scenario)).as(text()).isZero();
    assertThat(text())
        .contains("example: no change", note)
        .contains("Each line follows the metric that decides its phase", "of their 2 lines");
  }

  @Test
  void anExecutionWithoutAnEngineIsAGap() throws IOException {
    history(3, 3);
    Path last = execution(1, commit(3), "a", "b");
    for (String id : manifestRuns(last)) {
      if (id.startsWith("b")) {
        Files.delete(last.resolve("runs").resolve(id).resolve("record.json"));
      }
    }

    assertThat(kvrank(scenario)).as(text()).isZero();

    assertThat(text()).contains("Left out or kept apart", "has no record of 5 of 10 runs");
    assertThat(text()).contains(" b get at fsync=off throughput 3 ");
  }

  private static List<String> manifestRuns(Path results) throws IOException {
    try (Stream<Path> runs = Files.list(results.resolve("runs"))) {
      return runs.map(run -> run.getFileName().toString()).toList();
    }
  }
}
