package kvrank.report.section;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import kvrank.Wording;
import kvrank.failure.Cause;
import kvrank.report.CrashExamples;
import kvrank.report.block.Block;
import kvrank.report.ranking.Notes;
import kvrank.report.ranking.OverviewTables;
import kvrank.report.write.Console;
import kvrank.report.write.Markdown;
import kvrank.results.Durability.Verdict;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.scenario.read.TableReader;
import kvrank.stats.Group;
import kvrank.stats.Merge;
import kvrank.stats.RankingIndex;
import kvrank.stats.RunBuilder;
import kvrank.stats.Runs;
import kvrank.table.TableRequest;
import kvrank.table.TableSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AnswersTest {

  @RegisterExtension final Wording wording = new Wording();

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
    wording.check(next(List.of(100.0, 104.0, 96.0), List.of(102.0, 95.0, 100.0)));
    assertThat(next(List.of(100.0, 130.0, 75.0), List.of(90.0, 125.0, 80.0)))
        .contains("--repetitions", "to detect 1.2x");
    assertThat(next(List.of(100.0, 900.0, 10.0), List.of(500.0, 20.0, 100.0)))
        .startsWith("Not settled, and runs vary by ")
        .contains("Stop whatever else uses this machine");
    assertThat(next(List.of(100.0), List.of(99.0))).endsWith("--resume it --repetitions 3");
  }

  private static String next(List<Double> redis, List<Double> ssdb) {
    return NextStep.of(index(Map.of("redis", redis, "ssdb", ssdb)), "it");
  }

  @Test
  void haveTheValuesOfEachEngine() {
    Answers answers =
        answers(
            Map.of("redis", List.of(21e4, 21.1e4, 20.9e4), "rocksdb", List.of(1e5, 1.01e5, 9.9e4)));
    wording.check(answers.verdict());
    wording.check(answers.sentences());
  }

  @Test
  void callNoiseNoWinnerAndNotEqual() {
    List<Double> wide = List.of(80.0, 100.0, 120.0);
    wording.check(answers(Map.of("redis", wide, "ignix", List.of(110.0, 75.0, 99.0))).verdict());
  }

  @Test
  void callEqualOnlyWhatTheIntervalShowsToBe() {
    List<Double> narrow = List.of(100.0, 100.2, 99.8);
    wording.check(answers(Map.of("redis", narrow, "ignix", List.of(99.9, 100.1, 99.7))).verdict());
  }

  @Test
  void sayWhatOneRepetitionCannotTell() {
    Answers answers = answers(Map.of("redis", List.of(200.0), "rocksdb", List.of(100.0)));
    wording.check(answers.verdict());
  }

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
                .throughput((i < 3 ? 999.0 : 100.0) * i + repetition)
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
    wording.check(new Answers(RankingIndex.of(Runs.results(asked, runs))).sentences());
  }

  /** A rate that both keep makes throughputs that differ by chance. */
  @Test
  void sayByWhatANamedComparisonIsJudgedWhereARateIsGiven() {
    Map<String, Double> both = Map.of("read", 1000.0);
    RankingIndex index = openLoop(both, List.of(List.of("b", "a")));
    String sentence = new Answers(index).sentences().get(0);
    wording.check(sentence);
    assertThat(
            new Answers(RankingIndex.of(Merge.of(List.of(index.results(), index.results()))))
                .sentences()
                .get(0))
        .as("of several executions")
        .isEqualTo(sentence);
  }

  /** Not by the first of them by name; fills follow from reads, and have no start of their own. */
  @Test
  void goByTheReadsOfAnOpenLoop() {
    wording.check(openLoop(Map.of("delete", 20.0, "fill", 900.0, "read", 1000.0)).verdict());
  }

  @Test
  void goByTheMostFrequentOperationOfAnOpenLoopWithoutReads() {
    wording.check(
        openLoop(Map.of("delete", 200.0, "fill", 900.0, "insert", 300.0, "update", 250.0))
            .verdict());
    // Too few reads for a p99.
    wording.check(openLoop(Map.of("delete", 200.0, "fill", 900.0, "read", 10.0)).verdict());
    wording.check(openLoop(Map.of("fill", 900.0, "read", 10.0)).verdict());
  }

  /** Throughputs that the rate fixes had ranks, and a named comparison of them a ratio. */
  @Test
  void tooFewRequestsInAnOpenLoopGiveNoRanks() {
    RankingIndex index = openLoop(Map.of("read", 10.0), List.of(List.of("b", "a")));
    wording.check(new Answers(index).sentences());
    Notes notes = new Notes(index);
    PhaseReport report = new PhaseReport(index, new OverviewTables(index, notes), notes);
    assertThat(Markdown.of(report.ranking(index.phaseGroups().get(0))).replaceAll(" +", " "))
        .containsSubsequence(
            "There are no ranks, as there are too few requests for a p99: read has 100 in a run, and"
                + " 1,000 are needed; measure longer.",
            "| engine | throughput | p50 |",
            "| a | 10.0 /s |",
            "| b | 10.0 /s |")
        .doesNotContain("rank |", "±", "separated", "equal");
    assertThat(NextStep.of(index, "it")).isEmpty();
  }

  /** A rate that both keep makes their throughputs differ by chance. */
  /** The sentence had no metric, below requirements of several. */
  @Test
  void nameTheMetricThatDoesNotSeparateEngines() {
    RankingIndex index =
        phases(
            (engine, repetition) -> {
              double mean = (repetition + engine.charAt(0)) % 2 == 0 ? 1e6 : 2e6;
              PhaseRecord phase =
                  Runs.phase("get")
                      .at(POINT)
                      .operation("read", Runs.operation(1_000, mean, Map.of()))
                      .build();
              return Runs.from(phase)
                  .facts(Map.of("rate.asked", "1000", "rate.achieved", "1000"))
                  .build();
            });
    wording.check(new Answers(index).verdict());
  }

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
    wording.check(new Answers(index).verdict().get(0));
    Notes notes = new Notes(index);
    List<Block> table =
        new PhaseReport(index, new OverviewTables(index, notes), notes)
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
    Notes notes = new Notes(index);
    List<Block> table =
        new PhaseReport(index, new OverviewTables(index, notes), notes)
            .ranking(index.phaseGroups().get(0));
    assertThat(new Console(100, false).of(table)).contains("hit ratio", "0.46 %", "99.0 %");
    assertThat(Markdown.of(table)).contains("hit ratio", "0.46 %", "99.0 %");
  }

  /** It was the best without a word. */
  @Test
  void doNotHideThatTheFlushesOfTheFirstContradictItsLevel() {
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
    wording.check(new Answers(index).verdict());
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
  void nameThePlacesIfThereAreManyComparisons() {
    List<RunRecord> runs = new ArrayList<>();
    List<String> threads = List.of("1", "2", "4", "8");
    for (String each : threads) {
      for (int repetition = 1; repetition <= 3; repetition++) {
        Map<String, String> point = Map.of("fsync", "off", "threads", each);
        for (String engine : List.of("redis", "ssdb")) {
          runs.add(
              Runs.run(engine)
                  .at(point)
                  .repetition(repetition)
                  .throughput((engine.equals("redis") ? 1000 : 100) + repetition)
                  .build());
        }
      }
    }
    Manifest manifest =
        Runs.manifest("redis", "ssdb")
            .phases("get")
            .factor("threads", threads)
            .repetitions(3)
            .build();
    wording.check(new Answers(RankingIndex.of(Runs.results(manifest, runs))).verdict());
    List<RunRecord> two =
        runs.stream()
            .filter(run -> List.of("1", "8").contains(run.factors().get("threads")))
            .toList();
    // Each by name if there are few.
    wording.check(new Answers(RankingIndex.of(Runs.results(manifest, two))).verdict());
  }

  /** "in 2" had no subject, and no reader understood it. */
  @Test
  void nameEngineAndPlaceOfEachResult() {
    Map<String, Map<String, Double>> speeds =
        Map.of(
            "1", Map.of("a", 400.0, "b", 100.0, "c", 50.0),
            "2", Map.of("a", 300.0, "b", 100.0, "c", 50.0),
            "4", Map.of("a", 100.0, "b", 100.1, "c", 50.0),
            "8", Map.of("a", 100.0, "b", 100.1, "c", 100.2));
    wording.check(new Answers(threads(speeds, 0.001)).verdict());
    wording.check(new Answers(threads(speeds, 0.9)).verdict());
  }

  /** Eight lines named 24 engines and where each of them may be the best. */
  @Test
  void countEnginesThatAreNotSeparatedIfTheyAreMany() {
    Map<String, Map<String, Double>> speeds = new TreeMap<>();
    List<String> points = List.of("1", "2", "4", "8");
    for (int point = 0; point < points.size(); point++) {
      Map<String, Double> at = new TreeMap<>();
      for (char engine = 'a'; engine < 'n'; engine++) {
        // One engine is far behind, another one at each point.
        at.put("" + engine, engine == 'a' + point ? 1e-9 : 100.0 + engine);
      }
      speeds.put(points.get(point), at);
    }
    wording.check(new Answers(threads(speeds, 0.9)).verdict());
  }

  /** A reader of the page had to search the columns for the highest figures. */
  @Test
  void nameTheBestValuesWhereEnginesAreNotSeparated() {
    Map<String, Map<String, Double>> speeds =
        Map.of(
            "1", Map.of("a", 200.0, "b", 100.0, "c", 0.001),
            "2", Map.of("a", 100.0, "b", 0.001, "c", 200.0),
            "4", Map.of("a", 0.001, "b", 100.0, "c", 200.0),
            "8", Map.of("a", 0.001, "b", 100.0, "c", 200.0));
    wording.check(new Answers(threads(speeds, 0.9)).verdict());
  }

  /** Returns the phase get of three repetitions at each number of threads. */
  private static RankingIndex threads(Map<String, Map<String, Double>> speeds, double noise) {
    List<RunRecord> runs = new ArrayList<>();
    new TreeMap<>(speeds)
        .forEach(
            (threads, engines) ->
                new TreeMap<>(engines)
                    .forEach(
                        (engine, speed) -> {
                          for (int i = 1; i <= 3; i++) {
                            int place = (i + engine.charAt(0) + threads.charAt(0)) % 3 - 1;
                            runs.add(
                                Runs.run(engine)
                                    .at(Map.of("fsync", "off", "threads", threads))
                                    .repetition(i)
                                    .throughput(speed * Math.exp(noise * place))
                                    .build());
                          }
                        }));
    Manifest manifest =
        Runs.manifest("a", "b", "c")
            .phases("get")
            .factor("threads", List.copyOf(new TreeMap<>(speeds).keySet()))
            .repetitions(3)
            .build();
    return RankingIndex.of(Runs.results(manifest, runs));
  }

  @Test
  void nameTheLeastMemoryOverAllFactorPoints() {
    List<RunRecord> runs = new ArrayList<>();
    for (String threads : List.of("1", "2")) {
      Map<String, String> point = Map.of("fsync", "off", "threads", threads);
      for (int i = 1; i <= 3; i++) {
        for (String engine : List.of("redis", "ssdb", "lmdb")) {
          long mib = engine.equals("redis") ? 10 : engine.equals("ssdb") ? 200 : 100;
          boolean embedded = engine.equals("lmdb");
          RunRecord run =
              Runs.run(engine)
                  .at(point)
                  .repetition(i)
                  .phases(
                      Runs.phase("get")
                          .at(point)
                          .operation("read", 100.0)
                          .memory((mib << 20) + (threads.equals("2") ? 2 << 20 : 0) + i)
                          .footprint(4096)
                          .embedded(embedded)
                          .build())
                  .build();
          runs.add(
              Runs.from(run).facts(Map.of("way", embedded ? "embedded" : "container")).build());
        }
      }
    }
    Manifest manifest =
        Runs.manifest("redis", "ssdb", "lmdb")
            .phases("get")
            .factor("threads", List.of("1", "2"))
            .repetitions(3)
            .build();
    Answers answers = new Answers(RankingIndex.of(Runs.results(manifest, runs)));
    wording.check(answers.sentences());
    wording.check(answers.missing());
    wording.check(answers.belowMissing());
    assertThat(answers.inShort()).isEmpty();
  }

  /** The memory of an embedded engine includes the client's JVM, which says little about it. */
  @Test
  void nameTheLeastMemoryForDataIfItIsKnownOfEveryEngine() {
    wording.check(ofMemory(Map.of("memory.emptyAnonymousBytes", "1048576")));
    wording.check(ofMemory(Map.of()));
  }

  /** Returns the sentences about a server with these facts and an embedded engine, both emptied. */
  private static List<String> ofMemory(Map<String, String> facts) {
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      for (String engine : List.of("redis", "lmdb")) {
        boolean embedded = engine.equals("lmdb");
        Map<String, String> all = new TreeMap<>(Map.of("way", embedded ? "embedded" : "process"));
        if (!embedded) {
          all.putAll(facts);
        }
        runs.add(
            Runs.run(engine)
                .at(POINT)
                .repetition(i)
                .facts(all)
                .phases(holding("get", embedded, 30 << 20, i), holding("delete", embedded, 0, i))
                .build());
      }
    }
    Manifest manifest =
        Runs.manifest("redis", "lmdb").phases("get", "delete").repetitions(3).build();
    return new Answers(RankingIndex.of(Runs.results(manifest, runs))).sentences();
  }

  private static PhaseRecord holding(String name, boolean embedded, long footprint, int more) {
    return Runs.phase(name)
        .at(POINT)
        .operation("read", 100.0)
        .memory((embedded ? 96L << 20 : 11L << 20) + more)
        .footprint(footprint)
        .embedded(embedded)
        .build();
  }

  /** A faster engine writes more in a phase of a fixed time, and then needs more. */
  @Test
  void nameMemoryAfterUnequalWorkWithoutRanks() {
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      for (String engine : List.of("redis", "lmdb")) {
        boolean embedded = engine.equals("lmdb");
        PhaseRecord set =
            Runs.from(holding("set", embedded, 4096, i))
                .at(Map.of("fsync", "off", "duration", "10s"))
                .operation("update", 100.0)
                .build();
        Map<String, String> facts = Map.of("way", embedded ? "embedded" : "process");
        runs.add(
            Runs.run(engine).at(POINT).repetition(i).facts(facts).phases(List.of(set)).build());
      }
    }
    Manifest manifest = Runs.manifest("redis", "lmdb").phases("set").repetitions(3).build();
    wording.check(new Answers(RankingIndex.of(Runs.results(manifest, runs))).sentences());
  }

  @Test
  void nameWhatIsMissingAndWhere() {
    List<RunRecord> runs = new ArrayList<>();
    for (String threads : List.of("1", "8")) {
      Map<String, String> point = Map.of("fsync", "off", "threads", threads);
      runs.add(Runs.run("redis").at(point).throughput(100).build());
      runs.add(Runs.run("ssdb").at(point).outcome(new Outcome.Unavailable("no Docker")).build());
      boolean fails = threads.equals("8");
      runs.add(
          fails
              ? Runs.run("ignix")
                  .at(point)
                  .outcome(new Outcome.Failed("get", Cause.ENGINE, "connection refused"))
                  .build()
              : Runs.run("ignix").at(point).throughput(90).build());
    }
    Manifest manifest =
        Runs.manifest("redis", "ssdb", "ignix")
            .phases("get")
            .factor("threads", List.of("1", "8"))
            .build();
    Answers answers = new Answers(RankingIndex.of(Runs.results(manifest, runs)));
    wording.check(answers.sentences());
    wording.check(answers.missing());
    assertThat(answers.belowMissing()).isEqualTo(answers.sentences());
    assertThat(answers.inShort()).containsExactly(answers.missing());
  }

  /** {@code and 2 more} left out two of them. */
  @Test
  void nameEveryEngineThatIsMissing() {
    List<RunRecord> runs = new ArrayList<>();
    List<String> engines = List.of("a", "b", "c", "d", "e", "f", "g", "h");
    for (String engine : engines) {
      for (String other : engines) {
        RunBuilder run = Runs.run(engine).at(Map.of("fsync", "off", "cores", other));
        boolean fails = engine.equals(other) || engine.equals("a");
        Outcome failed = new Outcome.Failed("get", Cause.ENGINE, "no core " + other);
        runs.add(fails ? run.outcome(failed).build() : run.throughput(100).build());
      }
    }
    Manifest manifest = Runs.manifest(engines).phases("get").factor("cores", engines).build();
    Answers answers = new Answers(RankingIndex.of(Runs.results(manifest, runs)));
    assertThat(answers.sentences().get(0)).contains("; and ", " more");
    wording.check(answers.missing());
    assertThat(answers.belowMissing()).isEqualTo(answers.sentences());
  }

  @Test
  void countTheRepetitionsThatAreMissing() {
    List<RunRecord> runs = new ArrayList<>();
    for (String engine : List.of("redis", "ssdb")) {
      for (int i = 1; i <= 3; i++) {
        boolean fails = engine.equals("ssdb") && i == 2;
        runs.add(
            fails
                ? Runs.run(engine)
                    .at(POINT)
                    .repetition(i)
                    .outcome(new Outcome.Failed("get", Cause.ENGINE, "connection refused"))
                    .build()
                : Runs.run(engine).at(POINT).repetition(i).throughput(100 + i).build());
      }
    }
    Manifest manifest = Runs.manifest("redis", "ssdb").phases("get").repetitions(3).build();
    Answers answers = new Answers(RankingIndex.of(Runs.results(manifest, runs)));
    wording.check(answers.missing());
    assertThat(answers.sentences()).containsExactly(answers.missing());
    assertThat(answers.inShort()).containsExactly(answers.missing());
  }

  /** What an engine cannot do at one level was listed nowhere, as it is ranked at another. */
  @Test
  void nameTheLevelThatAnEngineDoesNotHave() {
    List<RunRecord> runs = new ArrayList<>();
    for (String fsync : List.of("on", "off")) {
      runs.add(Runs.run("redis").at("fsync", fsync).throughput(100).build());
      runs.add(
          fsync.equals("off")
              ? Runs.run("ssdb").at("fsync", fsync).throughput(100).build()
              : Runs.run("ssdb")
                  .at("fsync", fsync)
                  .outcome(new Outcome.Unsupported("fsync: on: SSDB has no fsync option"))
                  .build());
    }
    runs.add(Runs.run("caffeine").at("fsync", "none").throughput(100).build());
    Manifest manifest =
        Runs.manifest("redis", "ssdb", "caffeine")
            .phases("get")
            .factor("fsync", List.of("on", "off"))
            .build();
    wording.check(new Answers(RankingIndex.of(Runs.results(manifest, runs))).sentences());
  }

  /** Reasons in a line were lost for one that has values in another phase. */
  @Test
  void nameTheEngineThatCannotDoAPhaseOrFindsNoRate() {
    List<RunRecord> runs = new ArrayList<>();
    for (String engine : List.of("redis", "rocksdb")) {
      boolean able = engine.equals("rocksdb");
      runs.add(
          Runs.run(engine)
              .at(POINT)
              .phases(
                  Runs.phase("get").at(POINT).operation("read", 100.0).build(),
                  able
                      ? Runs.phase("scan").at(POINT).operation("read", 100.0).build()
                      : Runs.phase("scan", new Outcome.Unsupported("redis has no range-scan")),
                  able
                      ? Runs.phase("below-1ms").at(POINT).operation("read", 100.0).build()
                      : Runs.phase("below-1ms", new Outcome.BoundNotMet("p99 is 2 ms")))
              .build());
    }
    Manifest manifest =
        Runs.manifest("redis", "rocksdb").phases("get", "scan", "below-1ms").build();
    wording.check(new Answers(RankingIndex.of(Runs.results(manifest, runs))).sentences());
  }

  @Test
  void countEnginesBeyondTheFirst() {
    Map<String, List<Double>> equal = new TreeMap<>();
    for (String engine : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
      equal.put(engine, List.of(80.0, 100.0, 120.0));
    }
    assertThat(answers(equal).verdict())
        .singleElement()
        .asString()
        .endsWith(", and 2 more are equal within 10 %.");
  }

  @Test
  void claimNothingWithoutARival() {
    wording.check(answers(Map.of("redis", List.of(200.0))).verdict());
  }

  @Test
  void aTableWithoutTheLoadDoesNotAskForIt() {
    for (boolean load : new boolean[] {true, false}) {
      Map<String, Object> table =
          Map.of(
              "title", "x",
              "metric", "throughput",
              "where", Map.of("load", load),
              "rows", "engine",
              "columns", "phase");
      assertThat(TableReader.read(new TableRequest(table)).map(TableSpec::asksForLoad))
          .contains(load);
    }
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
    assertThat(new Answers(RankingIndex.of(results)).groups())
        .extracting(Group::phase)
        .containsExactly("get");
    PhaseRecord set = Runs.phase("set").load().at(POINT).operation("insert", 10.0).build();
    RunRecord named = Runs.run("a").at(POINT).phases(set, both.phases().get(1)).build();
    assertThat(
            new Answers(
                    RankingIndex.of(
                        Runs.results(
                            Runs.manifest("a").phases("set", "get").build(), List.of(named))))
                .groups())
        .extracting(Group::phase)
        .containsExactly("set", "get");
    RunRecord load = Runs.run("a").at(POINT).phases(both.phases().subList(0, 1)).build();
    ExecutionResults loads = Runs.results(Runs.manifest("a").phases("load").build(), List.of(load));
    assertThat(new Answers(RankingIndex.of(loads)).groups())
        .extracting(Group::phase)
        .containsExactly("load");
  }

  @Test
  void whatAKillTestFoundIsSaid() {
    List<String> answers = CrashAnswers.of(RankingIndex.of(CrashExamples.killed()));
    wording.check(answers.subList(0, 3));
    assertThat(answers.get(0) + answers.get(1)).doesNotContain("kvrocks lost no", "kvrocks and");
  }

  @Test
  void whyNoPowerWasCutIsSaid() {
    wording.check(CrashAnswers.of(RankingIndex.of(CrashExamples.impossible("load"))));
  }
}
