package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.Wording;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.metric.Expectation;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Preference;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MergeTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final Map<String, String> OFF = Map.of("fsync", "off");

  private String host = "alpha";
  private String version = "7.2";
  private String way = "bundled";
  private String image = "";
  private Map<String, String> settings = OFF;
  private List<String> phases = List.of("get");
  private List<Expectation> expectations = List.of();
  private Optional<Preference> prefer = Optional.empty();
  private Map<String, String> others = Map.of();
  private int hour;

  /** One execution with engines a and b, three repetitions each. */
  private ExecutionResults execution(String... engines) {
    hour++;
    List<RunRecord> runs = new ArrayList<>();
    for (String engine : engines) {
      for (int repetition = 1; repetition <= 3; repetition++) {
        List<PhaseRecord> done = new ArrayList<>();
        for (String phase : phases) {
          done.add(
              Runs.phase(phase)
                  .at(settings)
                  .operation("read", 1000.0 + hour + repetition)
                  .facts(others)
                  .build());
        }
        RunRecord run = Runs.run(engine).at(settings).repetition(repetition).phases(done).build();
        Map<String, String> facts =
            new TreeMap<>(
                Map.of(
                    "engine.version",
                    version,
                    "way",
                    way,
                    "executable",
                    ".running/%d/server".formatted(hour),
                    "connections.limit",
                    Integer.toString(hour),
                    "pid",
                    Integer.toString(hour * repetition),
                    "footprint.closedBytes",
                    Integer.toString(hour),
                    "memory.emptyAnonymousBytes",
                    Integer.toString(hour),
                    "memory.peakBytes",
                    Integer.toString(hour)));
        if (!image.isEmpty()) {
          facts.putAll(Map.of("imageDigest", "a@sha256:" + image, "imageId", "sha256:" + image));
        }
        runs.add(Runs.from(run).facts(facts).build());
      }
    }
    Map<String, List<String>> factors = new TreeMap<>();
    settings.forEach((setting, value) -> factors.put(setting, List.of(value)));
    Manifest plain = Runs.manifest(engines).phases(phases).factors(factors).repetitions(3).build();
    ManifestBuilder stated = Runs.from(plain).expectations(List.copyOf(expectations));
    prefer.ifPresent(stated::prefer);
    Manifest manifest = stated.planned(plain.planned().plus(Duration.ofHours(hour))).build();
    return new ExecutionResults(
        Path.of("results/example/" + hour),
        manifest,
        new Facts()
            .put(Fact.HOST, host)
            .put(Fact.STORAGE_MEDIUM, "SSD")
            .put(Fact.LOAD_AVERAGE, hour),
        runs,
        List.of("file " + hour));
  }

  private static List<Ranking> throughputs(Merge merge) {
    return Rankings.of(merge.results()).stream()
        .filter(ranking -> ranking.metric().equals(Metrics.THROUGHPUT))
        .filter(ranking -> ranking.group().operation().isEmpty())
        .toList();
  }

  @Test
  void oneExecutionIsItself() {
    ExecutionResults one = execution("a");
    assertThat(Merge.of(List.of(one))).isEqualTo(new Merge(one, List.of()));
    assertThatThrownBy(() -> Merge.of(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void repetitionsOfTheSameBecomeMoreSamples() {
    Merge merge = Merge.of(List.of(execution("a", "b"), execution("a", "b")));
    assertThat(merge.differences()).isEmpty();
    assertThat(merge.results().unreadable()).containsExactly("file 1", "file 2");
    assertThat(throughputs(merge)).hasSize(1);
    assertThat(throughputs(merge).get(0).standings())
        .allSatisfy(standing -> assertThat(standing.estimate().samples()).isEqualTo(6));
    assertThat(throughputs(merge).get(0).excluded()).isEmpty();
  }

  @Test
  void doesNotDependOnTheOrder() {
    ExecutionResults one = execution("a", "b");
    ExecutionResults other = execution("c", "d");
    assertThat(throughputs(Merge.of(List.of(one, other))).get(0).standings())
        .isEqualTo(throughputs(Merge.of(List.of(other, one))).get(0).standings());
  }

  @Test
  void anEngineIsMissingOnlyWhereItWasPlanned() {
    ExecutionResults both = execution("a", "b");
    ExecutionResults lost = execution("a");
    ExecutionResults shorter =
        new ExecutionResults(
            lost.directory(),
            lost.manifest(),
            lost.environment(),
            lost.runs().subList(0, 2),
            List.of());
    List<Ranking> rankings = throughputs(Merge.of(List.of(both, shorter)));
    assertThat(rankings.get(0).standing("b").orElseThrow().estimate().samples()).isEqualTo(3);
    assertThat(rankings.get(0).excluded()).isEmpty();
    assertThat(rankings.get(1).excluded())
        .containsExactly(new Excluded("a", Absence.MISSING, "no record", 1, 3));
  }

  /** Each pair would be compared by another execution: ratios could go round in a circle. */
  @Test
  void executionsThatShareSomeEnginesAreRankedSeparately() {
    Merge merge = Merge.of(List.of(execution("a", "b"), execution("b", "c"), execution("a", "b")));
    wording.check(merge.differences());
    assertThat(throughputs(merge))
        .extracting(ranking -> ranking.group().point())
        .containsExactly(
            "fsync=off, execution=example/1, example/3", "fsync=off, execution=example/2");
  }

  /** They completed the load in each execution. */
  @Test
  void enginesThatShareNoExecutionInAPhaseAreNamed() {
    phases = List.of("load", "get");
    ExecutionResults first = withoutGet(execution("a", "b", "c"), "a");
    ExecutionResults second = withoutGet(execution("a", "b", "c"), "b");
    assertThat(Merge.of(List.of(first, second, execution("a", "b", "c"))).differences()).isEmpty();
    wording.check(Merge.of(List.of(first, second)).differences());
  }

  private static ExecutionResults withoutGet(ExecutionResults results, String engine) {
    List<RunRecord> runs =
        results.runs().stream()
            .map(run -> run.engine().equals(engine) ? run.with(run.phases().subList(0, 1)) : run)
            .toList();
    return Runs.with(results, runs);
  }

  @Test
  void theSameExecutionCountsOnce() {
    ExecutionResults one = execution("a");
    ExecutionResults copy =
        new ExecutionResults(
            Path.of("copy"), one.manifest(), one.environment(), one.runs(), one.unreadable());
    Merge merge = Merge.of(List.of(one, copy));
    assertThat(merge.results()).isEqualTo(one);
    wording.check(merge.differences());
  }

  private ExecutionResults by(String commit) {
    ExecutionResults results = execution("a");
    return new ExecutionResults(
        results.directory(),
        results.manifest(),
        new Facts(results.environment()).put(Fact.COMMIT, "kvrank", commit),
        results.runs(),
        List.of());
  }

  @Test
  void commitsOfAVersionAreMergedAndNamed() {
    ExecutionResults one = by("1".repeat(40));
    assertThat(Merge.of(List.of(one, by("1".repeat(40)))).differences()).isEmpty();
    Merge merge = Merge.of(List.of(one, by("2".repeat(40) + "-dirty"), execution("a")));
    wording.check(merge.differences());
    assertThat(throughputs(merge)).hasSize(1);
    assertThat(by("1; rm -r results").version()).as("not a commit").isEqualTo("0.1.0");
  }

  @Test
  void mostlyDisturbedExecutionsAreNamed() {
    ExecutionResults quiet = execution("a", "b");
    ExecutionResults half = execution("a", "b");
    others = Map.of("others.cpuShare", "0.43");
    ExecutionResults busy = execution("a", "b");
    List<RunRecord> mixed = new ArrayList<>(half.runs().subList(0, 3));
    mixed.addAll(busy.runs().subList(3, 6));
    assertThat(Merge.of(List.of(quiet, Runs.with(half, mixed))).differences()).isEmpty();
    wording.check(Merge.of(List.of(quiet, busy)).differences());
    wording.check(Merge.of(List.of(busy, execution("a", "b"))).differences());
    assertThat(Merge.of(List.of(quiet, execution("c", "d"))).differences())
        .anyMatch(each -> each.contains("example/5 (6 of 6 runs), and no quiet execution"));
    host = "beta";
    assertThat(Merge.of(List.of(quiet, execution("a", "b"))).differences())
        .anyMatch(each -> each.contains("example/6 (6 of 6 runs), and no quiet execution"));
  }

  @Test
  void hostsAreNotRankedAgainstEachOther() {
    ExecutionResults alpha = execution("a");
    host = "beta";
    ExecutionResults beta = execution("b");
    Merge merge = Merge.of(List.of(alpha, beta));
    wording.check(merge.differences());
    assertThat(throughputs(merge))
        .hasSize(2)
        .allSatisfy(ranking -> assertThat(ranking.standings()).hasSize(1))
        .allSatisfy(ranking -> assertThat(ranking.excluded()).isEmpty())
        .extracting(ranking -> ranking.group().point())
        .containsExactly("fsync=off, host=alpha", "fsync=off, host=beta");
  }

  @Test
  void aHostThatIsNotRecordedIsNotTakenForAnother() {
    ExecutionResults one = execution("a");
    ExecutionResults other = execution("a");
    List<ExecutionResults> unknown =
        List.of(one, other).stream()
            .map(
                each ->
                    new ExecutionResults(
                        each.directory(), each.manifest(), new Facts(), each.runs(), List.of()))
            .toList();
    assertThat(throughputs(Merge.of(unknown))).hasSize(2);
  }

  @Test
  void durabilityClassesAreNotRankedAgainstEachOther() {
    ExecutionResults off = execution("a");
    settings = Map.of("fsync", "on");
    Merge merge = Merge.of(List.of(off, execution("b")));
    wording.check(merge.differences());
    assertThat(throughputs(merge)).hasSize(2);
  }

  @Test
  void versionsOfAnEngineKeepRowsOfTheirOwn() {
    ExecutionResults recent = execution("a", "b");
    version = "7.0";
    Merge merge = Merge.of(List.of(recent, execution("a")));
    wording.check(merge.differences());
    assertThat(throughputs(merge)).hasSize(1);
    assertThat(throughputs(merge).get(0).standings())
        .extracting(Standing::engine)
        .containsExactlyInAnyOrder("a (version 7.2)", "a (version 7.0)", "b");
  }

  /** A tag can name another image tomorrow. */
  @Test
  void imagesOfOneTagKeepRowsOfTheirOwn() {
    image = "1".repeat(64);
    ExecutionResults before = execution("a");
    image = "2".repeat(64);
    Merge merge = Merge.of(List.of(before, execution("a")));
    assertThat(merge.differences())
        .contains(
            "a differs: imageDigest is a@sha256:111111111111… (example/1),"
                + " a@sha256:222222222222… (example/2)");
    assertThat(throughputs(merge).get(0).standings())
        .extracting(Standing::engine)
        .containsExactlyInAnyOrder(
            "a (imageDigest a@sha256:111111111111…)", "a (imageDigest a@sha256:222222222222…)");
  }

  @Test
  void anotherExecutableIsAnotherEngineUnlessItIsBundled() {
    way = "process";
    wording.check(Merge.of(List.of(execution("a"), execution("a"))).differences());
    way = "bundled";
    assertThat(Merge.of(List.of(execution("a"), execution("a"))).differences()).isEmpty();
  }

  @Test
  void aPhaseAfterOthersIsAnotherPhase() {
    phases = List.of("load", "get");
    ExecutionResults direct = execution("a");
    phases = List.of("load", "delete", "get");
    Merge merge = Merge.of(List.of(direct, execution("a")));
    wording.check(merge.differences());
    assertThat(throughputs(merge))
        .extracting(ranking -> ranking.group().phase())
        .containsExactly("load", "get (after load)", "delete", "get (after load, delete)");
  }

  @Test
  void aPhaseThatAllowsErrorsIsAnotherPhase() {
    ExecutionResults strict = execution("a");
    ExecutionResults tolerant = execution("a");
    List<RunRecord> runs =
        tolerant.runs().stream()
            .map(
                run ->
                    run.with(
                        List.of(
                            Runs.phase("get")
                                .at(Map.of("fsync", "off", "errors", "allowed"))
                                .operation("read", 1000.0)
                                .build())))
            .toList();
    Merge merge =
        Merge.of(
            List.of(
                strict,
                new ExecutionResults(
                    tolerant.directory(),
                    tolerant.manifest(),
                    tolerant.environment(),
                    runs,
                    List.of())));
    assertThat(String.join("; ", merge.differences()))
        .matches("get differs: errors is (none) \\(example/1\\), allowed \\(example/2\\)");
    assertThat(throughputs(merge))
        .extracting(ranking -> ranking.group().phase())
        .containsExactly("get (errors none)", "get (errors allowed)");
  }

  @Test
  void expectationsAreKeptForTheirOwnMachineRowAndPhase() {
    Expectation bound =
        new Expectation(
            "a get throughput > 1",
            "a",
            List.of(new Expectation.Cell(Optional.of("get"), Optional.empty())),
            Metrics.THROUGHPUT,
            false,
            1,
            new TreeMap<>());
    expectations = List.of(bound);
    ExecutionResults alpha = execution("a", "b");
    host = "beta";
    version = "7.0";
    ExecutionResults beta = execution("a");
    expectations = List.of();
    ExecutionResults none = execution("b");

    ExecutionResults merged = Merge.of(List.of(alpha, beta, none)).results();

    assertThat(merged.manifest().expectations())
        .extracting(Expectation::engine)
        .containsExactly("a (version 7.2)", "a (version 7.0)");
    assertThat(ExpectationResult.of(merged))
        .extracting(each -> each.group().point(), each -> each.verdict())
        .containsExactly(
            tuple("fsync=off, host=alpha", ExpectationResult.Verdict.MET),
            tuple("fsync=off, host=beta", ExpectationResult.Verdict.MET));
  }

  @Test
  void relativeExpectationsAndThePreferenceFollowNewNames() {
    List<Expectation.Cell> get =
        List.of(new Expectation.Cell(Optional.of("get"), Optional.empty()));
    expectations =
        List.of(
            new Expectation(
                "b get throughput > 10% of a",
                "b", get, Metrics.THROUGHPUT, false, 0.1, new TreeMap<>(), Optional.of("a")));
    prefer = Optional.of(new Preference("memory", get, Metrics.MEMORY));
    ExecutionResults first = execution("a", "b");
    version = "7.0";
    ExecutionResults merged = Merge.of(List.of(first, execution("a", "b"))).results();

    assertThat(merged.manifest().prefer()).isEqualTo(prefer);
    assertThat(merged.manifest().expectations())
        .extracting(Expectation::engine, bound -> bound.other().orElseThrow())
        .containsExactly(
            tuple("b (version 7.2)", "a (version 7.2)"),
            tuple("b (version 7.0)", "a (version 7.0)"));
    assertThat(ExpectationResult.of(merged))
        .extracting(ExpectationResult::verdict)
        .containsOnly(ExpectationResult.Verdict.MET);
  }

  /** Copies of the records of many executions would take as much memory again. */
  @Test
  void runsThatGetNoOtherNameAreNotCopied() {
    List<ExecutionResults> executions = List.of(execution("a", "b"), execution("a", "b"));
    assertThat(Merge.of(executions).results().runs())
        .usingElementComparator((one, other) -> one == other ? 0 : 1)
        .containsExactlyElementsOf(
            executions.stream().flatMap(each -> each.runs().stream()).toList());
  }

  /** A metric that an index was made without must not look like a metric without values. */
  @Test
  void anIndexOfSomeMetricsHasTheirRankingsAndRefusesOthers() {
    Merge merge = Merge.of(List.of(execution("a", "b"), execution("a", "b")));
    List<Metric> some = List.of(Metrics.THROUGHPUT, Metrics.LATENCY_P99, Metrics.ERRORS);
    RankingIndex index = RankingIndex.of(merge, some);
    RankingIndex all = RankingIndex.of(merge);
    Group group = all.phaseGroups().get(0);
    for (Metric metric : some) {
      assertThat(index.ranking(group, metric).map(Ranking::standings))
          .isEqualTo(all.ranking(group, metric).map(Ranking::standings));
    }
    assertThat(index.throughput(group).verdict("a", "b"))
        .isEqualTo(all.throughput(group).verdict("a", "b"));
    assertThatThrownBy(() -> index.ranking(group, Metrics.MEMORY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Metrics.MEMORY.id());
  }
}
