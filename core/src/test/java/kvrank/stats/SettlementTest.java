package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import kvrank.Wording;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every end of repetitions names its reason. */
class SettlementTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final Map<String, String> POINT = Map.of("fsync", "off");
  private static final PhaseRecord GET =
      Runs.phase("get").at(POINT).operation("read", 1000.0).build();

  /** Returns four repetitions of a and b, of at most eight. */
  private static ExecutionResults results(PhaseRecord phase) {
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      for (String engine : List.of("a", "b")) {
        runs.add(Runs.run(engine).at(POINT).repetition(i).phases(phase).build());
      }
    }
    Manifest manifest =
        Runs.manifest("a", "b")
            .phases(phase.name())
            .repetitions(8)
            .untilSeparated(List.of(List.of("best"), List.of("neighbours")))
            .build();
    return Runs.results(manifest, runs);
  }

  private static ExecutionResults results(Manifest manifest) {
    return Runs.results(manifest, results(GET).runs());
  }

  /** Returns comparisons of a and b with these reasons not to be repeated. */
  private static List<OpenComparison> open(String... aside) {
    Group group = RankingIndex.of(results(GET)).phaseGroups().get(0);
    return Stream.of(aside)
        .map(reason -> new OpenComparison(group, "b", "a", "1.04x", reason))
        .toList();
  }

  /** Those beyond the fourth were only counted. */
  @Test
  void reasonsOfComparisonsThatAreNotListedAreCounted() {
    String noise = "set aside: at this noise about 40 repetitions would settle it";
    String failed = "failed twice in a row";
    List<OpenComparison> open = open(noise, noise, noise, failed, failed, noise, noise, "");
    wording.check(new Settlement(results(GET), open).summary());
    assertThat(new Settlement(results(GET), open("", "", "", "", "")).summary())
        .endsWith("; and 1 more");
  }

  @Test
  void comparisonsThatCouldBeRepeatedEndForAReason() {
    Manifest manifest = results(GET).manifest();
    Manifest most = Runs.from(manifest).repetitions(4).build();
    wording.check(new Settlement(results(most), open("")).end());
    wording.check(new Settlement(results(manifest.ended(4)), open("set aside: noise")).end());
    assertThat(new Settlement(results(manifest.ended(3)), open("")).end())
        .as("it was continued after that")
        .isEqualTo(", but it was not over: --resume continues it");
    assertThat(new Settlement(results(most), open("set aside: noise")).end()).isEmpty();
    assertThat(new Settlement(results(most), List.of()).end()).isEmpty();
  }

  /** It did not say why. */
  @Test
  void whereThereIsNothingToCompareTheReasonIsNamed() {
    PhaseRecord load = Runs.phase("load").at(POINT).operation("insert", 1000.0).build();
    wording.check(Settlement.of(results(load)).summary());
    ExecutionResults apart =
        Runs.results(
            Runs.from(results(GET).manifest()).phases("get", "set").build(),
            List.of(
                Runs.run("a").at(POINT).phases(GET).build(),
                Runs.run("b")
                    .at(POINT)
                    .phases(Runs.phase("set").at(POINT).operation("update", 9.0).build())
                    .build()));
    wording.check(Settlement.of(apart).summary());
  }
}
