package kvrank.report.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import kvrank.report.Examples;
import kvrank.report.block.Table;
import kvrank.report.file.RankingFiles;
import kvrank.results.RunRecord;
import kvrank.stats.ManifestBuilder;
import kvrank.stats.Merge;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import kvrank.stats.infer.Ratio;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FactorRatiosTest {

  /** The slow repetition is slow for every engine at every point. */
  private static final double[] MACHINE = {1, 0.5, 0.98, 1.03};

  private static final double[] NOISE = {1.01, 1, 0.99, 1.005};

  private final List<RunRecord> runs = new ArrayList<>();

  private void runs(String engine, Map<String, String> point, int repetitions, double speed) {
    Map<String, String> all = new TreeMap<>(point);
    all.put("fsync", "off");
    for (int i = 0; i < repetitions; i++) {
      double noise = MACHINE[i] * NOISE[(i + runs.size()) % NOISE.length];
      runs.add(Runs.run(engine).at(all).repetition(i + 1).throughput(speed * noise).build());
    }
  }

  private RankingIndex index(Map<String, List<String>> factors) {
    ManifestBuilder manifest = Runs.manifest("a", "b").phases("get").repetitions(4);
    factors.forEach(manifest::factor);
    return RankingIndex.of(Runs.results(manifest.build(), runs));
  }

  private static Ratio only(FactorRatios ratios, String engine) {
    assertThat(ratios.all()).hasSize(1);
    return ratios.of(ratios.all().keySet().iterator().next(), engine).orElseThrow();
  }

  /** A report over numbers of threads did not say how much they change. */
  @Test
  void theRatioIsThatOfTheValuesAndItsIntervalLeavesOutTheMachine() {
    for (String threads : List.of("16", "1", "4")) {
      double number = Double.parseDouble(threads);
      runs("a", Map.of("threads", threads), 4, 100 * number);
      runs("b", Map.of("threads", threads), 4, 100 + number / 100);
    }
    RankingIndex index = index(Map.of("threads", List.of("16", "1", "4")));
    FactorRatios ratios = new FactorRatios(index);
    assertThat(ratios.all().keySet())
        .extracting(FactorRatios.Ends::label)
        .containsExactly("threads=16 vs. 1");
    for (String engine : List.of("a", "b")) {
      Ratio ratio = only(ratios, engine);
      double[] values =
          index.phaseGroups().stream()
              .mapToDouble(g -> index.decisive(g).standing(engine).orElseThrow().estimate().value())
              .toArray();
      assertThat(ratio.value()).isCloseTo(values[0] / values[1], within(1e-9 * ratio.value()));
      assertThat(ratio.hasInterval()).isTrue();
    }
    assertThat(only(ratios, "a").low()).as("the machine halved the speed").isGreaterThan(12);
    assertThat(only(ratios, "a").high()).isLessThan(20);
    assertThat(only(ratios, "b").low()).isLessThan(1);
    assertThat(only(ratios, "b").high()).isGreaterThan(1);
    assertThat(ratios.of(ratios.all().keySet().iterator().next(), "c")).isEmpty();
  }

  @Test
  void eachFactorIsComparedAtEachPointOfTheOthers() {
    for (String threads : List.of("1", "8")) {
      for (String batch : List.of("1", "100")) {
        double speed = Double.parseDouble(threads) * Math.sqrt(Double.parseDouble(batch));
        runs("a", Map.of("threads", threads, "batch", batch), 4, 100 * speed);
        runs("b", Map.of("threads", threads, "batch", batch), 4, 50 * speed);
      }
    }
    RankingIndex index = index(Map.of("threads", List.of("1", "8"), "batch", List.of("1", "100")));
    assertThat(new FactorRatios(index).all().keySet())
        .extracting(ends -> ends.label() + " at " + ends.others())
        .containsExactly(
            "batch=100 vs. 1 at fsync=off, threads=1",
            "batch=100 vs. 1 at fsync=off, threads=8",
            "threads=8 vs. 1 at fsync=off, batch=1",
            "threads=8 vs. 1 at fsync=off, batch=100");
    List<Table> tables = new OverviewTables(index, new Notes(index)).effects(index.phaseGroups());
    assertThat(tables)
        .extracting(Table::caption)
        .containsExactly("batch=100 vs. 1 in get", "threads=8 vs. 1 in get");
    assertThat(tables.get(1).columns().get(0).name()).isEqualTo("threads=8 vs. 1 at");
    assertThat(tables.get(1).rows().get(0).texts().get(1)).startsWith("8.0x (");
  }

  @Test
  void programsGetTheRatios() throws Exception {
    runs("a", Map.of("threads", "1"), 4, 100);
    runs("a", Map.of("threads", "2"), 4, 300);
    RankingIndex index = index(Map.of("threads", List.of("1", "2")));
    JsonNode json =
        JsonMapper.shared()
            .readTree(new RankingFiles(index).json(List.of(), ""))
            .get("factorRatios");
    assertThat(json).hasSize(1);
    JsonNode found = json.get(0);
    Ratio ratio = only(new FactorRatios(index), "a");
    assertThat(found.get("engine").asString()).isEqualTo("a");
    assertThat(found.get("metric").asString()).isEqualTo("throughput");
    assertThat(found.get("from").get("threads").asString()).isEqualTo("1");
    assertThat(found.get("to").get("threads").asString()).isEqualTo("2");
    assertThat(found.get("ratio").get("value").asDouble()).isEqualTo(ratio.value());
    assertThat(found.get("ratio").get("low").asDouble()).isEqualTo(ratio.low());
  }

  @Test
  void twoRepetitionsHaveNoInterval() {
    runs("a", Map.of("threads", "1"), 2, 100);
    runs("a", Map.of("threads", "2"), 2, 200);
    Ratio ratio = only(new FactorRatios(index(Map.of("threads", List.of("1", "2")))), "a");
    assertThat(ratio.hasInterval()).isFalse();
    assertThat(ratio.value()).isCloseTo(2, within(0.05));
  }

  @Test
  void namesOfValuesAreInTheOrderOfTheScenario() {
    runs("a", Map.of("order", "random"), 3, 100);
    runs("a", Map.of("order", "ascending"), 3, 200);
    FactorRatios ratios = new FactorRatios(index(Map.of("order", List.of("random", "ascending"))));
    assertThat(ratios.all().keySet())
        .extracting(FactorRatios.Ends::label)
        .containsExactly("order=ascending vs. random");
  }

  /** No repetition has both, so what differs may be the day. */
  @Test
  void levelsOfFsyncAndMachinesAreNotCompared() {
    RankingIndex merged = RankingIndex.of(Merge.of(Examples.twoMachines()));
    assertThat(merged.phaseGroups()).hasSizeGreaterThan(2);
    assertThat(new FactorRatios(merged).all()).isEmpty();
    assertThat(new FactorRatios(RankingIndex.of(Examples.quick())).all()).isEmpty();
  }
}
