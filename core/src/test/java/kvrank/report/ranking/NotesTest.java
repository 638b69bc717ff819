package kvrank.report.ranking;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import kvrank.Wording;
import kvrank.fact.Fact;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.results.RunRecord;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class NotesTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final Map<String, String> POINT = Map.of("fsync", "off");

  /** An engine that does not report its buffers and caches had no line, and none had writes. */
  @Test
  void whereTheDataIsHasEveryEngineWithAKnownSizeAndWhatItReadAndWrote() {
    RankingIndex index =
        RankingIndex.of(
            Runs.results(
                Runs.manifest("lmdb", "unknown").phases("get").build(),
                List.of(
                    run("lmdb", Map.of(Fact.MEMORY_AVAILABLE_BYTES, 256 << 20)),
                    run("unknown", Map.of()))));
    wording.check(new Notes(index).storage(index.phaseGroups().get(0)));
  }

  private static RunRecord run(String engine, Map<Fact, Integer> sizes) {
    Resources resources =
        new Resources(
            Optional.empty(),
            Optional.of(Runs.usage().readBytes(3 << 20).writtenBytes(2 << 20).build()),
            OptionalLong.empty(),
            Optional.empty());
    PhaseRecord phase =
        Runs.phase("get")
            .at(POINT)
            .operation("read", 1000.0)
            .resources(resources)
            .facts(Map.of(Fact.USER_LIVE_BYTES.label(), "1073741824"))
            .build();
    Map<String, String> facts = new TreeMap<>(Map.of(Fact.WAY.label(), "embedded"));
    sizes.forEach((fact, bytes) -> facts.put(fact.label(), Integer.toString(bytes)));
    return Runs.run(engine).at(POINT).phases(phase).facts(facts).build();
  }
}
