package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import kvrank.metric.Metrics;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import org.junit.jupiter.api.Test;

/** A fast engine that writes more in 10 s needs more in the end, although it loaded less. */
class ResourceRankingTest {

  private static final List<String> ENGINES = List.of("fast", "slow");

  private static PhaseBuilder phase(String name, String operation, String engine, int repetition) {
    boolean more = engine.equals("fast") != name.equals("load");
    long mebibytes = more ? 400 : 100;
    return Runs.phase(name)
        .at(Map.of("fsync", "off", "duration", "10s", "warmup", "2s"))
        .operation(operation, engine.equals("fast") ? 90_000 : 10_000)
        .memory((mebibytes << 20) + repetition)
        .footprint((mebibytes << 21) + repetition);
  }

  private static RankingIndex index(
      Map<String, String> operations, UnaryOperator<PhaseBuilder> as) {
    List<RunRecord> runs = new ArrayList<>();
    List<String> phases = operations.keySet().stream().sorted().toList();
    for (String engine : ENGINES) {
      for (int i = 1; i <= 3; i++) {
        int repetition = i;
        List<PhaseRecord> records =
            phases.stream()
                .map(name -> phase(name.substring(2), operations.get(name), engine, repetition))
                .map(phase -> as.apply(phase).build())
                .toList();
        runs.add(
            Runs.run(engine).at("fsync", "off").repetition(repetition).phases(records).build());
      }
    }
    List<String> names = phases.stream().map(name -> name.substring(2)).toList();
    return RankingIndex.of(
        Runs.results(Runs.manifest(ENGINES).phases(names).repetitions(3).build(), runs));
  }

  /** Returns for example {@code slow < fast after load}, of memory. */
  private static String memory(RankingIndex index) {
    List<Group> point = index.phaseGroupsByPoint().iterator().next();
    ResourceRanking memory = ResourceRanking.memory(index, point).orElseThrow();
    ResourceRanking storage = ResourceRanking.storage(index, point).orElseThrow();
    assertThat(memory.ranking().metric()).isEqualTo(Metrics.MEMORY);
    assertThat(storage.ranking().metric()).isEqualTo(Metrics.FOOTPRINT);
    assertThat(storage.equalWork()).isEqualTo(memory.equalWork());
    assertThat(storage.ranking().group()).isEqualTo(memory.ranking().group());
    List<String> order = memory.ranking().standings().stream().map(Standing::engine).toList();
    return "%s after %s%s"
        .formatted(
            String.join(" < ", order),
            memory.ranking().group().phase(),
            memory.equalWork() ? "" : ", not ranked");
  }

  @Test
  void enginesAreComparedAfterTheLoadThoughOneWritesMoreLater() {
    Map<String, String> operations =
        Map.of("1 load", "insert", "2 get", "read", "3 set", "update", "4 scan", "range-scan");
    assertThat(memory(index(operations, phase -> phase))).isEqualTo("fast < slow after load");
  }

  @Test
  void withoutAValueOfTheLoadTheLastPhaseBeforeUnequalWritesCounts() {
    Map<String, String> operations =
        Map.of("1 get", "read", "2 scan", "range-scan", "3 set", "update", "4 miss", "read");
    assertThat(memory(index(operations, phase -> phase))).isEqualTo("slow < fast after scan");
  }

  @Test
  void valuesAfterUnequalWorkAreNotRanked() {
    for (String writing : List.of("update", "delete", "fill", "read-modify-write", "w:insert")) {
      Map<String, String> operations = Map.of("1 set", writing, "2 get", "read");
      assertThat(memory(index(operations, phase -> phase)))
          .as(writing)
          .isEqualTo("slow < fast after get, not ranked");
    }
  }

  @Test
  void aNumberOfWritesIsEqualWorkWithoutAWarmUp() {
    Map<String, String> operations = Map.of("1 set", "update");
    assertThat(
            Stream.of("0s", "2s", "steady-within-2s")
                .map(
                    warmup ->
                        index(
                            operations,
                            phase -> phase.at("operations", "50000").at("warmup", warmup)))
                .map(ResourceRankingTest::memory))
        .containsExactly(
            "slow < fast after set",
            "slow < fast after set, not ranked",
            "slow < fast after set, not ranked");
    for (String uneven : List.of("fill", "writers:update")) {
      assertThat(
              memory(
                  index(
                      Map.of("1 set", uneven),
                      phase -> phase.at("operations", "50000").at("warmup", "0s"))))
          .as("%s depends on the engine", uneven)
          .endsWith("not ranked");
    }
  }

  /** An engine without a value would be missing, or be compared with another measure. */
  @Test
  void memoryForDataCountsIfEachEngineHasIt() {
    Map<String, String> empty = Map.of("memory.emptyAnonymousBytes", "1048576");
    for (boolean all : new boolean[] {true, false}) {
      List<RunRecord> runs = new ArrayList<>();
      for (RunRecord run : index(Map.of("1 load", "insert"), phase -> phase).results().runs()) {
        boolean known = all || run.engine().equals("slow");
        runs.add(known ? Runs.from(run).facts(empty).build() : run);
      }
      RankingIndex index =
          RankingIndex.of(
              Runs.results(Runs.manifest(ENGINES).phases("load").repetitions(3).build(), runs));
      assertThat(ResourceRanking.memory(index, index.phaseGroups()).orElseThrow().ranking())
          .extracting(Ranking::metric)
          .isEqualTo(all ? Metrics.DATA_MEMORY : Metrics.MEMORY);
    }
  }

  @Test
  void thereIsNoneWithoutValues() {
    RankingIndex index =
        RankingIndex.of(
            Runs.results(
                Runs.manifest("one").build(), List.of(Runs.run("one").throughput(100).build())));
    assertThat(ResourceRanking.memory(index, index.phaseGroups())).isEmpty();
    assertThat(ResourceRanking.storage(index, index.phaseGroups())).isEmpty();
  }
}
