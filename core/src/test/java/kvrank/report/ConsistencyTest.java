package kvrank.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.report.write.Reports;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.Merge;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import kvrank.stats.Standing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of one report do not contradict each other. */
class ConsistencyTest {

  private static final Pattern VERDICT =
      Pattern.compile("(\\S+) is fastest: (\\S+) k/s, (\\S+)x as fast as (\\S+)[ .]");

  private static final Pattern ROW = Pattern.compile(" *\\S+ +(e\\d) +(\\S+) k/s .*");

  /** Four engines of unequal noise, some of whose repetitions have no value. */
  private static ExecutionResults unbalanced(int seed) {
    Random random = new Random(seed);
    List<RunRecord> runs = new ArrayList<>();
    for (int e = 1; e <= 4; e++) {
      for (int repetition = 1; repetition <= 6; repetition++) {
        if (repetition < 4 || random.nextInt(3) > 0) {
          double noise = Math.exp(0.1 * e * random.nextGaussian());
          runs.add(
              Runs.run("e" + e)
                  .at(Map.of("fsync", "off"))
                  .repetition(repetition)
                  .throughput(20_000 * e * e * noise)
                  .build());
        }
      }
    }
    Manifest manifest = Runs.manifest("e1", "e2", "e3", "e4").phases("get").repetitions(6).build();
    return Runs.results(manifest, runs);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void ratiosAreThoseOfTheValuesShown(int seed) {
    ExecutionResults results = unbalanced(seed);
    assertRatios(RankingIndex.of(results));
    String text = Reports.of(results).console(120, false);
    Matcher verdict = VERDICT.matcher(text.replace('\n', ' '));
    if (!verdict.find()) {
      assertThat(text).contains("are not separated");
      return;
    }
    double first = value(text, verdict.group(1));
    assertThat(Double.parseDouble(verdict.group(2))).isEqualTo(first);
    double ratio = Double.parseDouble(verdict.group(3));
    assertThat(ratio).isCloseTo(first / value(text, verdict.group(4)), within(0.051 + ratio / 80));
  }

  private static double value(String text, String engine) {
    return text.lines()
        .map(ROW::matcher)
        .filter(row -> row.matches() && row.group(1).equals(engine))
        .mapToDouble(row -> Double.parseDouble(row.group(2)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void ratiosOfEveryRankingAreThoseOfItsValues() {
    Arrays.asList(
            Examples.quick(), Examples.ssdNofsync(), Merge.of(Examples.twoMachines()).results())
        .forEach(results -> assertRatios(RankingIndex.of(results)));
  }

  /** Three executions, of which only the first has reads of e1. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void ratiosOfMergedResultsAreThoseOfTheirValues(int seed) {
    List<ExecutionResults> executions = new ArrayList<>();
    for (int day = 0; day < 3; day++) {
      ExecutionResults results = unbalanced(seed + 10 * day);
      List<RunRecord> runs = new ArrayList<>();
      for (RunRecord run : results.runs()) {
        PhaseRecord get = run.phases().get(0);
        PhaseRecord set =
            Runs.phase("set").at(run.factors()).operation("update", 900.0 + runs.size()).build();
        boolean failed = day > 0 && run.engine().equals("e1");
        runs.add(run.with(failed ? List.of(set) : List.of(get, set)));
      }
      executions.add(
          new ExecutionResults(
              Path.of("results/" + day),
              Runs.from(results.manifest())
                  .phases("get", "set")
                  .planned(Instant.ofEpochSecond(day))
                  .build(),
              new Facts().put(Fact.HOST, "alpha"),
              runs,
              List.of()));
    }
    RankingIndex index = RankingIndex.of(Merge.of(executions));
    assertThat(index.phaseGroups()).hasSize(2);
    assertRatios(index);
  }

  private static void assertRatios(RankingIndex index) {
    for (Ranking ranking : index.rankings()) {
      List<Standing> standings = ranking.standings();
      for (Standing standing : standings) {
        double best = standings.get(0).estimate().value();
        if (!ranking.metric().counted() && best != 0) {
          double quotient = standing.estimate().value() / best;
          assertThat(standing.ratio().value())
              .as("%s of %s in %s", ranking.metric().id(), standing.engine(), ranking.group())
              .isCloseTo(quotient, within(1e-9 * quotient));
        }
      }
    }
  }
}
