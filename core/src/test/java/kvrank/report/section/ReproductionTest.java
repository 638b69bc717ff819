package kvrank.report.section;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.results.ExecutionResults;
import kvrank.stats.Merge;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;

class ReproductionTest {

  private static ExecutionResults by(int hour, String commit) {
    Facts environment = new Facts().put(Fact.HOST, "alpha");
    if (!commit.isEmpty()) {
      environment.put(Fact.COMMIT, "kvrank", commit);
    }
    return new ExecutionResults(
        Path.of("results/cache/" + hour),
        Runs.manifest("a").phases("get").planned(Runs.THEN.plus(Duration.ofHours(hour))).build(),
        environment,
        List.of(Runs.run("a").throughput(1000).build()),
        List.of());
  }

  private static List<Reproduction> of(ExecutionResults... executions) {
    return Reproduction.of(Merge.of(List.of(executions)).results());
  }

  @Test
  void namesTheCommitOfAClone() {
    String run = "./kvrank run scenario.yaml\n";
    String commit = "3907b1ee".repeat(5);
    assertThat(of(by(1, ""))).containsExactly(new Reproduction("kvrank 0.1.0", run));
    assertThat(of(by(1, commit), by(2, commit)))
        .containsExactly(
            new Reproduction(
                "kvrank 0.1.0+g3907b1e",
                "git checkout " + commit + "\nmvn -DskipTests package\n" + run));
    assertThat(of(by(1, commit), by(2, commit + "-dirty"), by(3, commit)))
        .extracting(Reproduction::by, each -> each.commands().lines().findFirst().orElseThrow())
        .containsExactly(
            tuple(
                "kvrank 0.1.0+g3907b1e, which made cache/1 and cache/3", "git checkout " + commit),
            tuple(
                "kvrank 0.1.0+g3907b1e-dirty, with changes that are in no commit, which made cache/2",
                "git checkout " + commit));
    assertThat(of(by(1, "x; rm -r results")))
        .as("a text of strangers is not a command")
        .containsExactly(new Reproduction("kvrank 0.1.0", run));
  }

  @Test
  void theSetupNamesEveryVersion() {
    ExecutionResults merged =
        Merge.of(List.of(by(1, "a".repeat(40)), by(2, "b".repeat(40)))).results();
    assertThat(new MeasurementSetup(RankingIndex.of(merged)).lines())
        .contains("Client: kvrank 0.1.0+gaaaaaaa and 0.1.0+gbbbbbbb");
  }
}
