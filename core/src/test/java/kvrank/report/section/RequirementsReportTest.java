package kvrank.report.section;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.Wording;
import kvrank.failure.Cause;
import kvrank.metric.Expectation;
import kvrank.metric.Metrics;
import kvrank.metric.Preference;
import kvrank.report.block.Block;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.report.block.Table.Style;
import kvrank.report.chart.Chart;
import kvrank.report.file.RankingFiles;
import kvrank.report.write.Console;
import kvrank.results.Durability;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.stats.ManifestBuilder;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import kvrank.stats.infer.Ratio;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RequirementsReportTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final String RATE = "get throughput > 1k";
  private static final String SIZE = "memory < 2GiB";

  private final Map<String, List<RunRecord>> runs = new LinkedHashMap<>();
  private final List<Expectation> expectations = new ArrayList<>();
  private Optional<Preference> prefer = Optional.empty();

  private void engine(String name, long mebibytes, double... throughputs) {
    List<RunRecord> records = new ArrayList<>();
    for (double throughput : throughputs) {
      records.add(
          Runs.run(name)
              .at("fsync", "at-least-every-1s")
              .repetition(records.size() + 1)
              .facts(Map.of("durability.level", name.equals("lmdb") ? "on" : "every-1s"))
              .phases(
                  Runs.phase("get")
                      .operation("read", throughput)
                      .memory((mebibytes << 20) + records.size())
                      .build())
              .build());
    }
    runs.put(name, records);
  }

  private void engine(String name, Outcome outcome) {
    List<RunRecord> records = new ArrayList<>();
    for (int repetition = 1; repetition <= 3; repetition++) {
      records.add(
          Runs.run(name)
              .at("fsync", "at-least-every-1s")
              .repetition(repetition)
              .outcome(outcome)
              .build());
    }
    runs.put(name, records);
  }

  private static List<Expectation.Cell> get() {
    return List.of(new Expectation.Cell(Optional.of("get"), Optional.empty()));
  }

  private RankingIndex index() {
    for (String engine : runs.keySet()) {
      expectations.add(
          new Expectation(RATE, engine, get(), Metrics.THROUGHPUT, false, 1000, new TreeMap<>()));
      expectations.add(
          new Expectation(
              "* " + SIZE, engine, get(), Metrics.MEMORY, true, 0x1p31, new TreeMap<>()));
    }
    ManifestBuilder manifest =
        Runs.manifest(List.copyOf(runs.keySet()))
            .phases("get")
            .factor("fsync", "at-least-every-1s")
            .repetitions(3)
            .expectations(expectations);
    prefer.ifPresent(manifest::prefer);
    ExecutionResults results =
        Runs.results(manifest.build(), runs.values().stream().flatMap(List::stream).toList());
    return RankingIndex.of(results);
  }

  private void everyKind() {
    prefer = Optional.of(new Preference("memory", get(), Metrics.MEMORY));
    engine("ssdb", 5000, 60, 61, 62);
    engine("rocksdb", 900, 1100, 900, 1200);
    engine("lmdb", 512, 3000, 3010, 3020);
    engine("redis", 412, 2000, 2010, 2020);
    engine("garnet", new Outcome.Unavailable("no container runtime"));
    engine("xodus", new Outcome.Failed("get", Cause.ENGINE, "the process ended"));
  }

  @Test
  void theVerdictNamesEachEngineOnce() {
    everyKind();
    wording.check(new RequirementsReport(index()).headline());
  }

  @Test
  void theTableHasASignAndAValueForEachRequirement() {
    everyKind();
    Table table = table(new RequirementsReport(index()));
    assertThat(table.columns())
        .extracting(Table.Heading::name)
        .containsExactly("engine", "requirements", RATE, SIZE, "fsync");
    assertThat(table.rows())
        .extracting(Table.Row::texts)
        .containsExactly(
            List.of("redis", "✓ meets all", "✓ 2.01 k/s ±1.2%", "✓ 412 MiB ±0.2%", "every-1s"),
            List.of("lmdb", "✓ meets all", "✓ 3.01 k/s ±0.8%", "✓ 512 MiB ±0.2%", "on"),
            List.of("rocksdb", "? not certain", "? 1.06 k/s ±44%", "✓ 900 MiB ±0.2%", "every-1s"),
            List.of("ssdb", "✗ fails 2 of 2", "✗ 61.0 /s ±4.2%", "✗ 4.9 GiB ±0.2%", "every-1s"),
            List.of("xodus", "✗ fails 2 of 2", "✗ failed", "✗ failed", ""));
    assertThat(table.rows().get(3).cells().get(2).style()).isEqualTo(Style.BROKEN);
  }

  /** The first chart was of another metric than the one that orders the engines. */
  @Test
  void theChartIsOfTheMetricThatOrdersTheEngines() {
    everyKind();
    RequirementsReport report = new RequirementsReport(index());
    assertThat(report.first())
        .contains(
            new Block.Heading(
                3, "Memory of get at fsync=at-least-every-1s, which orders the engines"));
    Block.Panel panel = (Block.Panel) report.first().get(2);
    Chart.Rows chart = (Chart.Rows) panel.figure().chart().get().orElseThrow();
    assertThat(chart.caption().title()).isEqualTo("Memory");
    assertThat(chart.rows())
        .extracting(row -> row.label() + " " + row.note())
        .containsExactly("redis 412 MiB", "lmdb 512 MiB", "rocksdb 900 MiB", "ssdb 4.9 GiB");
    assertThat(chart.rows()).allMatch(row -> row.dots().get(0).measure().hasInterval());
    prefer = Optional.empty();
    expectations.clear();
    assertThat(new RequirementsReport(index()).first())
        .doesNotHaveAnyElementsOfTypes(Block.Panel.class);
  }

  /** A verdict ordered engines by memory, but did not say by how much the first needs less. */
  @Test
  void theVerdictHasTheRatioOfTheFirstTwo() {
    prefer = Optional.of(new Preference("throughput", get(), Metrics.THROUGHPUT));
    engine("a", 10, 2000, 2040, 1980);
    engine("b", 10, 6000, 5900, 6040);
    RankingIndex index = index();
    Ratio ratio = index.decisive(index.phaseGroups().get(0)).verdict("b", "a").ratio();
    RequirementsReport report = new RequirementsReport(index);
    assertThat(report.hasInterval()).isTrue();
    assertThat(report.headline())
        .endsWith(
            "; the throughput of b is 3.0x that of a (%s)."
                .formatted(Quantities.ratios(ratio.low(), ratio.high())));
  }

  @Test
  void theReasonsOfMissingValuesAreBelow() {
    everyKind();
    assertThat(new RequirementsReport(index()).blocks())
        .contains(
            new Block.Items(List.of("xodus: failed: in phase get: the process ended"), false));
  }

  @Test
  void aFirstScreenHasVerdictAndTableAndTheRestIsInTheDetails() {
    everyKind();
    RequirementsReport report = new RequirementsReport(index());
    assertThat(report.first())
        .hasSize(4)
        .doesNotHaveAnyElementsOfTypes(Block.Items.class)
        .contains(
            new Block.Text(
                Block.Role.ANSWER,
                "Meets both requirements: redis (memory 412 MiB ±0.2%), lmdb (memory 512 MiB"
                    + " ±0.2%); the memory of lmdb is 1.2x that of redis."));
    assertThat(report.details())
        .hasSize(3)
        .element(2)
        .isEqualTo("xodus: failed: in phase get: the process ended");
    runs.clear();
    expectations.clear();
    engine("redis", 412, 2000);
    assertThat(new RequirementsReport(index()).first().toString()).contains("By value only");
  }

  @Test
  void aTerminalShowsColoursOnlyInAdditionToSigns() {
    everyKind();
    List<Block> blocks = new RequirementsReport(index()).blocks();
    String coloured = new Console(80, true).of(blocks);
    assertThat(coloured).contains("\u001b[32m✓ ", "\u001b[31m✗ ");
    assertThat(coloured.replaceAll("\u001b\\[\\d+m", ""))
        .isEqualTo(new Console(80, false).of(blocks));
  }

  @Test
  void enginesThatThePreferenceDoesNotSeparateAreNamed() {
    prefer = Optional.of(new Preference("throughput", get(), Metrics.THROUGHPUT));
    engine("a", 10, 2000, 2500, 3000);
    engine("b", 10, 2900, 2600, 2100);
    wording.check(new RequirementsReport(index()).headline());
  }

  /** The report named no tie if there are several phases. */
  @Test
  void enginesThatThePreferenceDoesNotSeparateWhereTheFirstIsWorstAreNamed() {
    List<Expectation.Cell> phases =
        List.of(
            new Expectation.Cell(Optional.of("get"), Optional.empty()),
            new Expectation.Cell(Optional.of("set"), Optional.empty()));
    prefer = Optional.of(new Preference("throughput", phases, Metrics.THROUGHPUT));
    engine("a", new double[] {9000, 9100, 9050}, new double[] {2000, 2500, 3000});
    engine("b", new double[] {5000, 5010, 5020}, new double[] {2900, 2600, 2100});
    assertThat(new RequirementsReport(index()).headline())
        .endsWith("; throughput does not separate b and a.");
    expectations.clear();
    engine("a", new double[] {9000, 9100, 9050}, new double[] {1500, 1510, 1490});
    engine("b", new double[] {5000, 5010, 5020}, new double[] {2900, 2910, 2890});
    assertThat(new RequirementsReport(index()).headline()).doesNotContain("does not separate");
  }

  private void engine(String name, double[] get, double[] set) {
    List<RunRecord> records = new ArrayList<>();
    for (int i = 0; i < get.length; i++) {
      records.add(
          Runs.run(name)
              .at("fsync", "at-least-every-1s")
              .repetition(i + 1)
              .phases(
                  Runs.phase("get").operation("read", get[i]).memory(1 << 20).build(),
                  Runs.phase("set").operation("update", set[i]).memory(1 << 20).build())
              .build());
    }
    runs.put(name, records);
  }

  @Test
  void withoutIntervalsTheValueDecidesAndTheVerdictNamesThat() {
    engine("redis", 412, 2000);
    wording.check(new RequirementsReport(index()).headline());
  }

  @Test
  void anEngineWhoseDurabilityIsNotProvenDoesNotMeetAll() {
    runs.put("redis", doubted());
    RequirementsReport report = new RequirementsReport(index());
    wording.check(report.headline());
    assertThat(table(report).rows().get(0).texts()).endsWith("at-least-every-1s, not proven");
  }

  private static List<RunRecord> doubted() {
    List<RunRecord> records = new ArrayList<>();
    for (int repetition = 1; repetition <= 3; repetition++) {
      records.add(
          Runs.run("redis")
              .at("fsync", "at-least-every-1s")
              .repetition(repetition)
              .phases(
                  Runs.phase("get")
                      .operation("read", 2000)
                      .memory(1 << 20)
                      .durability(Runs.durability(Durability.Verdict.NOT_PROVEN, 1, 5000, "few"))
                      .build())
              .build());
    }
    return records;
  }

  @Test
  void aRequirementThatNoEngineMeets() {
    engine("redis", 412, 200, 200, 200);
    wording.check(new RequirementsReport(index()).headline());
  }

  /** It failed 2 of 2, beside a question mark. */
  @Test
  void onlyBoundsThatAreCertainlyBrokenAreCounted() {
    engine("ssdb", 5000, 900, 950, 1100);
    RequirementsReport report = new RequirementsReport(index());
    assertThat(report.headline()).contains("Fails: ssdb (").doesNotContain(" more)");
    assertThat(table(report).rows().get(0).texts())
        .startsWith("ssdb", "✗ fails 1 of 2", "? 980 /s ±29%", "✗ 4.9 GiB ±0.2%");
  }

  @Test
  void programsGetTheVerdictOfEachEngine() throws Exception {
    everyKind();
    JsonNode json =
        JsonMapper.shared()
            .readTree(new RankingFiles(index()).json(List.of("the answer"), "the verdict"));
    JsonNode all = json.get("requirements");
    assertThat(all.get("verdict").stringValue()).isEqualTo("the verdict");
    assertThat(all.get("prefer").stringValue()).isEqualTo("memory");
    assertThat(all.get("engines"))
        .extracting(row -> row.get("verdict").stringValue())
        .containsExactly("meets all", "meets all", "not certain", "fails", "fails", "not judged");
    JsonNode memory = all.get("engines").get(0).get("results").get(1);
    assertThat(memory.get("requirement").stringValue()).isEqualTo(SIZE);
    assertThat(memory.get("value").asLong()).isBetween(412L << 20, (412L << 20) + 3);
    runs.clear();
    expectations.clear();
    engine("a", 1);
    JsonNode none = JsonMapper.shared().readTree(new RankingFiles(index()).json(List.of(), ""));
    assertThat(none.get("requirements").isNull()).isTrue();
  }

  private static Table table(RequirementsReport report) {
    return report.blocks().stream()
        .filter(Table.class::isInstance)
        .map(Table.class::cast)
        .findFirst()
        .orElseThrow();
  }
}
