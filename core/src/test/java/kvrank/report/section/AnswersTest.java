package kvrank.report.section;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import kvrank.report.CrashExamples;
import kvrank.report.Report;
import kvrank.report.block.Block;
import kvrank.report.ranking.Notes;
import kvrank.report.ranking.RankingTables;
import kvrank.report.write.Console;
import kvrank.report.write.Markdown;
import kvrank.results.Durability.Verdict;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.Merge;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;

class AnswersTest {

  private static final Map<String, String> POINT = Map.of("fsync", "off");

  private static Answers answers(Map<String, List<Double>> samples) {
    return new Answers(index(samples));
  }

  private static RankingIndex index(Map<String, List<Double>> samples) {
    List<RunRecord> runs = new ArrayList<>();
    new TreeMap<>(samples)
        .forEach(
            (engine, values) -> {
              for (int i = 0; i < values.size(); i++) {
                runs.add(
                    Runs.run(engine).at(POINT).repetition(i + 1).throughput(values.get(i)).build());
              }
            });
    int repetitions = samples.values().stream().mapToInt(List::size).max().orElse(1);
    return RankingIndex.of(
        Runs.results(
            Runs.manifest(List.copyOf(new TreeMap<>(samples).keySet()))
                .phases("get")
                .repetitions(repetitions)
                .build(),
            runs));
  }

  @Test
  void endWithTheCommandThatGoesOnWhereItWouldHelp() {
    List<Double> steady = List.of(100.0, 100.2, 99.8);
    assertThat(next(steady, List.of(50.0, 50.2, 49.8))).as("separated").isEmpty();
    assertThat(next(steady, steady)).as("equal within 10 %").isEmpty();
    assertThat(next(List.of(100.0, 104.0, 96.0), List.of(102.0, 95.0, 100.0)))
        .isEqualTo(
            "Not settled; for an answer: ./kvrank run it/scenario.yaml --repetitions 5; runs vary"
                + " by 3.8 %, so that many detect 1.1x");
    assertThat(next(List.of(100.0, 130.0, 75.0), List.of(90.0, 125.0, 80.0)))
        .contains("--repetitions", "that many detect 1.2x");
    assertThat(next(List.of(100.0, 900.0, 10.0), List.of(500.0, 20.0, 100.0)))
        .startsWith("Not settled, and runs vary by ")
        .contains("Stop what else uses this machine");
    assertThat(next(List.of(100.0), List.of(99.0))).endsWith("--resume it --repetitions 3");
  }

  private static String next(List<Double> redis, List<Double> ssdb) {
    return new Report(index(Map.of("redis", redis, "ssdb", ssdb))).next("it");
  }

  @Test
  void haveTheValuesOfEachEngine() {
    Answers answers =
        answers(
            Map.of("redis", List.of(21e4, 21.1e4, 20.9e4), "rocksdb", List.of(1e5, 1.01e5, 9.9e4)));
    assertThat(answers.headline()).isEqualTo("redis is fastest in the only comparison.");
    assertThat(answers.sentences())
        .containsExactly(
            "get at fsync=off: redis 210 k/s, p99 14.3 µs; rocksdb 100 k/s, p99 30.0 µs (0.48x,"
                + " 0.47–0.49x)");
  }

  @Test
  void callNoiseNoWinnerAndNotEqual() {
    List<Double> wide = List.of(80.0, 100.0, 120.0);
    Answers answers = answers(Map.of("redis", wide, "ignix", List.of(110.0, 75.0, 99.0)));
    assertThat(answers.headline())
        .isEqualTo("In the only comparison the best engines are not separated.");
    assertThat(answers.sentences().get(0))
        .contains("ignix 93.5 /s (not separated: 0.95x, 0.55–1.64x)");
  }

  @Test
  void callEqualOnlyWhatTheIntervalShowsToBe() {
    List<Double> narrow = List.of(100.0, 100.2, 99.8);
    Answers answers = answers(Map.of("redis", narrow, "ignix", narrow));
    assertThat(answers.headline())
        .isEqualTo("In the only comparison the best engines are equal within 10 %.");
    assertThat(answers.sentences().get(0)).contains("(equal within 10 %)");
  }

  @Test
  void sayWhatOneRepetitionCannotTell() {
    Answers answers = answers(Map.of("redis", List.of(200.0), "rocksdb", List.of(100.0)));
    assertThat(answers.headline())
        .isEqualTo(
            "By value only (ranks need at least 3 repetitions), redis comes first"
                + " in the only comparison.");
    assertThat(answers.sentences().get(0)).contains("(0.50x, n=1)");
  }

  @Test
  void haveTheRangeOfTheBestWhereThereAreManyPoints() {
    List<RunRecord> runs = new ArrayList<>();
    List<String> threads = new ArrayList<>();
    for (int i = 1; i <= 13; i++) {
      threads.add(Integer.toString(i));
      for (int repetition = 1; repetition <= 3; repetition++) {
        Map<String, String> point = Map.of("fsync", "off", "threads", Integer.toString(i));
        runs.add(
            Runs.run("redis")
                .at(point)
                .repetition(repetition)
                .throughput(1000.0 * i + repetition)
                .build());
        runs.add(
            Runs.run("ssdb")
                .at(point)
                .repetition(repetition)
                .throughput(100.0 * i + repetition)
                .build());
      }
    }
    Answers answers =
        new Answers(
            RankingIndex.of(
                Runs.results(
                    Runs.manifest("redis", "ssdb")
                        .phases("get")
                        .factor("threads", threads)
                        .repetitions(3)
                        .build(),
                    runs)));
    assertThat(answers.sentences())
        .containsExactly(
            "get (13 factor points): redis is fastest in all 13 comparisons; the best value is 1.00"
                + " k/s to 13.0 k/s, the second best (ssdb) 102 /s to 1.30 k/s");
  }

  /** Each phase had the reason again, and no other engine than the first. */
  @Test
  void nameTheSecondOfEachOfManyPhases() {
    List<String> phases = IntStream.rangeClosed(1, 13).mapToObj(i -> "p" + i).toList();
    List<RunRecord> runs = new ArrayList<>();
    for (String engine : List.of("redis", "ssdb")) {
      double speed = engine.equals("redis") ? 100 : 200;
      runs.add(
          Runs.run(engine)
              .at(POINT)
              .phases(
                  phases.stream()
                      .map(phase -> Runs.phase(phase).at(POINT).operation("read", speed).build())
                      .toList())
              .build());
    }
    Manifest manifest = Runs.manifest("redis", "ssdb").phases(phases).build();
    Answers answers = new Answers(RankingIndex.of(Runs.results(manifest, runs)));
    assertThat(answers.headline())
        .isEqualTo(
            "By value only (ranks need at least 3 repetitions), ssdb comes first"
                + " in all 13 comparisons.");
    assertThat(answers.sentences())
        .hasSize(13)
        .contains(
            "p1 at fsync=off: ssdb 200 /s, p99 15.0 ms (n=1); redis 100 /s, p99 30.0 ms (0.50x,"
                + " n=1)");
  }

  /** The reason stands in the headline alone. */
  @Test
  void nameTheSecondWhereThereAreManyPoints() {
    List<RunRecord> runs = new ArrayList<>();
    List<String> threads = new ArrayList<>();
    for (int i = 1; i <= 13; i++) {
      threads.add(Integer.toString(i));
      Map<String, String> point = Map.of("fsync", "off", "threads", Integer.toString(i));
      runs.add(Runs.run("redis").at(point).throughput(1000.0 * i).build());
      runs.add(Runs.run("ssdb").at(point).throughput((i == 1 ? 1100 : 100.0) * i).build());
    }
    Manifest manifest =
        Runs.manifest("redis", "ssdb").phases("get").factor("threads", threads).build();
    assertThat(new Answers(RankingIndex.of(Runs.results(manifest, runs))).sentences())
        .containsExactly(
            "get (13 factor points): by value only, redis comes first in 12 of 13 comparisons, ssdb"
                + " comes first in 1 of 13 comparisons; the best value is 1.10 k/s to 13.0 k/s, the"
                + " second best (redis, ssdb) 200 /s to 1.30 k/s");
  }

  /** They were left out of these. */
  @Test
  void sayWhatNamedComparisonsCameToAtManyPoints() {
    List<RunRecord> runs = new ArrayList<>();
    List<String> threads = new ArrayList<>();
    for (int i = 1; i <= 13; i++) {
      threads.add(Integer.toString(i));
      for (int repetition = 1; repetition <= 4; repetition++) {
        Map<String, String> point = Map.of("fsync", "off", "threads", Integer.toString(i));
        runs.add(
            Runs.run("redis")
                .at(point)
                .repetition(repetition)
                .throughput(1000.0 * i + repetition)
                .build());
        runs.add(
            Runs.run("ssdb")
                .at(point)
                .repetition(repetition)
                .throughput((i < 3 ? 1000.0 : 100.0) * i + repetition)
                .build());
        runs.add(
            Runs.run("ignix")
                .at(point)
                .repetition(repetition)
                .throughput(5000.0 * i + repetition)
                .build());
      }
    }
    List<String> engines = List.of("redis", "ssdb", "ignix");
    Manifest asked =
        Runs.manifest(engines)
            .phases("get")
            .factor("threads", threads)
            .repetitions(4)
            .untilSeparated(List.of(List.of("redis", "ssdb"), List.of("best")))
            .build();
    assertThat(new Answers(RankingIndex.of(Runs.results(asked, runs))).sentences())
        .containsExactly(
            "get (13 factor points), as requested: redis and ssdb are equal within 10 % in 2 of 13"
                + " comparisons; redis is faster than ssdb in 11 of 13 comparisons",
            "get (13 factor points): ignix is fastest in all 13 comparisons; the best value is 5.00"
                + " k/s to 65.0 k/s, the second best (redis) 1.00 k/s to 13.0 k/s");
  }

  /** A rate that both keep makes throughputs that differ by chance. */
  @Test
  void sayByWhatANamedComparisonIsJudgedWhereARateIsGiven() {
    Map<String, Double> both = Map.of("read", 1000.0);
    RankingIndex index = openLoop(both, List.of(List.of("b", "a")));
    assertThat(new Answers(index).sentences().get(0))
        .startsWith("get at fsync=off, as requested: a is better than b by read p99, 0.50x");
    assertThat(
            new Answers(RankingIndex.of(Merge.of(List.of(index.results(), index.results()))))
                .sentences()
                .get(0))
        .as("of several executions")
        .startsWith("get at fsync=off, as requested: a is better than b by read p99, 0.50x");
  }

  /** Some have a latency for a metric, which was shown as a rate. */
  @Test
  void haveNoRangeOfTheBestWherePointsGoByDifferentMetrics() {
    List<RunRecord> runs = new ArrayList<>();
    List<String> rates = new ArrayList<>();
    for (int i = 1; i <= 13; i++) {
      rates.add(Integer.toString(i));
      for (int repetition = 1; repetition <= 3; repetition++) {
        for (String engine : List.of("a", "b")) {
          PhaseRecord phase = Runs.phase("get").at(POINT).operation("read", 2000.0).build();
          runs.add(
              Runs.run(engine)
                  .at(Map.of("fsync", "off", "rate", Integer.toString(i)))
                  .repetition(repetition)
                  .phases(
                      i == 1
                          ? phase
                          : Runs.from(phase)
                              .facts(Map.of("rate.asked", "2000", "rate.achieved", "2000"))
                              .build())
                  .build());
        }
      }
    }
    Manifest manifest =
        Runs.manifest("a", "b").phases("get").factor("rate", rates).repetitions(3).build();
    assertThat(new Answers(RankingIndex.of(Runs.results(manifest, runs))).sentences())
        .singleElement()
        .asString()
        .startsWith("get (13 factor points): ")
        .doesNotContain("the best value is");
  }

  /** Not by the first of them by name; fills follow from reads, and have no start of their own. */
  @Test
  void goByTheReadsOfAnOpenLoop() {
    assertThat(openLoop(Map.of("delete", 20.0, "fill", 900.0, "read", 1000.0)).sentences())
        .containsExactly("get at fsync=off: a read p99 3.00 ms; b read p99 6.00 ms (2.0x)");
  }

  @Test
  void goByTheMostFrequentOperationOfAnOpenLoopWithoutReads() {
    assertThat(
            openLoop(Map.of("delete", 200.0, "fill", 900.0, "insert", 300.0, "update", 250.0))
                .sentences())
        .singleElement()
        .asString()
        .startsWith("get at fsync=off: a insert p99 3.00 ms; ");
    assertThat(openLoop(Map.of("delete", 200.0, "fill", 900.0, "read", 10.0)).sentences())
        .as("too few reads for a p99")
        .singleElement()
        .asString()
        .startsWith("get at fsync=off: a delete p99 3.00 ms; ");
    assertThat(openLoop(Map.of("fill", 900.0, "read", 10.0)).sentences())
        .as("too few reads, and fills")
        .singleElement()
        .asString()
        .startsWith("get at fsync=off: a 910 /s, fill p99 3.00 ms; ");
  }

  /** A rate that both keep makes their throughputs differ by chance. */
  @Test
  void theTableOfAnOpenLoopIsInTheOrderOfTheAnswer() {
    RankingIndex index =
        phases(
            (engine, repetition) -> {
              double speed = engine.equals("a") ? 990 : 1_000;
              double mean = (engine.equals("a") ? 1e6 : 2e6) + repetition;
              PhaseRecord phase =
                  Runs.phase("get")
                      .at(POINT)
                      .operation("read", Runs.operation(speed, mean, Map.of()))
                      .build();
              return Runs.from(phase)
                  .facts(Map.of("rate.asked", "1000", "rate.achieved", "1000"))
                  .build();
            });
    assertThat(new Answers(index).sentences().get(0)).contains(": a read p99 3.00 ms; b ");
    Notes notes = new Notes(index);
    List<Block> table =
        new PhaseReport(index, new RankingTables(index, notes), notes)
            .ranking(index.phaseGroups().get(0));
    assertThat(Markdown.of(table).replaceAll(" +", " "))
        .containsSubsequence(
            "| rank | engine | p99 | ± | throughput | p50 |",
            "| 1 | a | 3.00 ms |",
            "| 990 /s |",
            "| 2 | b | 6.00 ms |",
            "| 1.00 k/s |");
  }

  /** Of engine b every request takes twice as long. */
  private static Answers openLoop(Map<String, Double> throughputs) {
    return new Answers(openLoop(throughputs, List.of()));
  }

  private static RankingIndex openLoop(
      Map<String, Double> throughputs, List<List<String>> compare) {
    return phases(
        compare,
        (engine, repetition) -> {
          PhaseRecord phase = Runs.phase("get").at(POINT).operations(throughputs).build();
          for (Map.Entry<String, Double> each : throughputs.entrySet()) {
            double mean = engine.equals("a") ? 1e6 : 2e6;
            phase =
                Runs.from(phase)
                    .operation(
                        each.getKey(), Runs.operation(each.getValue(), mean + repetition, Map.of()))
                    .build();
          }
          return Runs.from(phase)
              .facts(Map.of("rate.asked", "1000", "rate.achieved", "1000"))
              .build();
        });
  }

  /** A cache that holds nothing has hardly less throughput than one that holds all. */
  @Test
  void nameTheHitRatioWhereReadsMayMiss() {
    RankingIndex index =
        phases(
            (engine, repetition) ->
                Runs.phase("get")
                    .at(POINT)
                    .operation("read", 1000.0 + repetition)
                    .facts(
                        engine.equals("a")
                            ? Map.of("reads.hits", "46", "reads.misses", "9954")
                            : Map.of("reads.hits", "9900", "reads.misses", "100"))
                    .build());
    assertThat(new Answers(index).sentences().get(0))
        .contains("a 1.00 k/s, hit ratio 0.46 %, p99 ", "b 1.00 k/s, hit ratio 99.0 %, p99 ");
    Notes notes = new Notes(index);
    List<Block> table =
        new PhaseReport(index, new RankingTables(index, notes), notes)
            .ranking(index.phaseGroups().get(0));
    assertThat(new Console(100, false).of(table)).contains("hit ratio", "0.46 %", "99.0 %");
    assertThat(Markdown.of(table)).contains("hit ratio", "0.46 %", "99.0 %");
  }

  /** It was the best without a word. */
  @Test
  void doNotHideThatTheDurabilityOfTheFirstIsNotProven() {
    RankingIndex index =
        phases(
            (engine, repetition) -> {
              double speed = engine.equals("a") ? 1e5 : 570;
              return Runs.phase("get")
                  .at(POINT)
                  .operation("update", speed + repetition)
                  .durability(
                      Runs.durability(
                          engine.equals("a") ? Verdict.NOT_PROVEN : Verdict.PROVEN,
                          3,
                          1_000,
                          "few"))
                  .build();
            });
    assertThat(new Answers(index).headline())
        .isEqualTo("a is fastest in the only comparison, but its durability is not proven.");
  }

  private static RankingIndex phases(BiFunction<String, Integer, PhaseRecord> phase) {
    return phases(List.of(), phase);
  }

  private static RankingIndex phases(
      List<List<String>> compare, BiFunction<String, Integer, PhaseRecord> phase) {
    List<RunRecord> runs = new ArrayList<>();
    for (String engine : List.of("a", "b")) {
      for (int i = 1; i <= 4; i++) {
        runs.add(Runs.run(engine).at(POINT).repetition(i).phases(phase.apply(engine, i)).build());
      }
    }
    Manifest manifest = Runs.manifest("a", "b").phases("get").repetitions(4).build();
    return RankingIndex.of(
        Runs.results(
            compare.isEmpty() ? manifest : Runs.from(manifest).untilSeparated(compare).build(),
            runs));
  }

  @Test
  void claimNothingWithoutARival() {
    assertThat(answers(Map.of("redis", List.of(200.0))).headline())
        .isEqualTo("Only redis could be measured: there is nothing to compare.");
  }

  @Test
  void leaveTheLoadOutUnlessItIsAllThereIs() {
    RunRecord both =
        Runs.run("a")
            .at(POINT)
            .phases(
                Runs.phase("load").at(POINT).operation("insert", 10.0).build(),
                Runs.phase("get").at(POINT).operation("read", 10.0).build())
            .build();
    ExecutionResults results =
        Runs.results(Runs.manifest("a").phases("load", "get").build(), List.of(both));
    assertThat(new Answers(RankingIndex.of(results)).sentences())
        .singleElement()
        .asString()
        .startsWith("get ");
    RunRecord load = Runs.run("a").at(POINT).phases(both.phases().subList(0, 1)).build();
    ExecutionResults loads = Runs.results(Runs.manifest("a").phases("load").build(), List.of(load));
    assertThat(new Answers(RankingIndex.of(loads)).sentences())
        .singleElement()
        .asString()
        .startsWith("load ");
  }

  @Test
  void whatAKillTestFoundIsSaid() {
    List<String> answers = CrashReport.answers(RankingIndex.of(CrashExamples.killed()));
    assertThat(answers.get(0))
        .startsWith("killed at fsync=off, redis")
        .contains("lost no acknowledged write; ")
        .contains("redis-no-persistence lost 111,000 of 144,000");
    assertThat(answers.get(1)).startsWith("killed at fsync=on, redis");
  }
}
