package kvrank.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.fact.Fact;
import kvrank.plan.PlannedPhase;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.results.PhaseRecord;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.run.measure.RunExecutor;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.TestHome;
import kvrank.stats.Runs;
import kvrank.workload.ClientGroup;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ceiling, by workers that are scripted. */
class HarnessBaselinesTest {

  @TempDir private Path folder;
  private final Samples samples = new Samples();
  private HarnessBaselines baselines;
  private ScenarioReader reader;
  private RunSpec run;
  private ResultsDirectory results;

  @BeforeEach
  void oneRun() throws Exception {
    reader = new ScenarioReader(TestHome.in(folder.resolve("home")));
    run = run("redis");
    results = ResultsDirectory.create(folder.resolve("results"), Instant.EPOCH);
    baselines = new HarnessBaselines(samples, Optional.of(run.engine().definition()));
  }

  /** A single sample was 475 k/s in one execution and 8.46 M/s in the next. */
  @Test
  void theCeilingIsTheBestOfThreeWorkers() throws Exception {
    assertThat(ceiling()).isEqualTo("8460000");
    assertThat(samples.executed)
        .containsExactly("noop.ceiling", "noop.ceiling.2", "noop.ceiling.3");
  }

  @Test
  void aMeasuredBaselineIsReused() throws Exception {
    ceiling();
    assertThat(ceiling()).isEqualTo("8460000");
    assertThat(samples.executed).hasSize(3);
  }

  @Test
  void aBrokenSampleIsMeasuredAgain() throws Exception {
    Path cut = results.run("noop.ceiling").record();
    Files.createDirectories(cut.getParent());
    Files.writeString(cut, "{");
    assertThat(ceiling()).isEqualTo("8460000");
  }

  @Test
  void aRowsNameMayBeLongerThanItsFolder() throws Exception {
    run = run("{engine: redis, as: %s}".formatted("x".repeat(200)));
    assertThat(ceiling()).isEqualTo("8460000");
    assertThat(samples.executed).contains("noop.ceiling");
  }

  /** The ceiling had all operations in equal shares, in every thread. */
  @Test
  void groupsOfThreadsKeepTheirOperationsWithoutTheirRates() throws Exception {
    run =
        run(
            "redis",
            "{as: mixed, groups: {writer: {workload: set, threads: 1, rate: 9}, readers: get}}");
    ceiling();
    assertThat(run.phases().get(1).groups())
        .extracting(ClientGroup::name, ClientGroup::mix, ClientGroup::threads)
        .containsExactlyElementsOf(
            samples.last.phases().get(1).groups().stream()
                .map(each -> tuple(each.name(), each.mix(), each.threads()))
                .toList());
    assertThat(samples.last.phases().get(1).groups())
        .hasSize(2)
        .allMatch(each -> !each.pacing().open());
  }

  /** A run may have thousands of phases. */
  @Test
  void phasesThatDifferOnlyByNameRateAndLengthAreMeasuredOnce() throws Exception {
    run = run("redis", "get, {workload: get, as: again, rate: 9, duration: 7s}, set");
    RunRecord record =
        Runs.run("redis")
            .phases(phase("get", 100_000), phase("again", 100_000), phase("set", 100_000))
            .build();
    List<PhaseRecord> phases = baselines.addTo(record, run, results).phases();

    assertThat(samples.last.phases())
        .extracting(PlannedPhase::name)
        .containsExactly("load", "get", "set");
    assertThat(phases)
        .extracting(each -> each.facts().text(Fact.HARNESS_CEILING))
        .containsExactly("8460000", "8460000", "");
  }

  private static PhaseRecord phase(String name, double throughput) {
    return Runs.phase(name).operation("read", throughput).build();
  }

  private RunSpec run(String engine) throws Exception {
    return run(engine, "get");
  }

  private RunSpec run(String engine, String phase) throws Exception {
    Path file = folder.resolve("one.yaml");
    String scenario = "question: Which one?\nengines: [%s]\nfsync: off\nphases: [%s]\n";
    Files.writeString(file, scenario.formatted(engine, phase) + "repetitions: 1");
    return Planner.plan(reader.read(file, List.of(), List.of())).runs().get(0);
  }

  private String ceiling() throws Exception {
    RunRecord record = Runs.run("redis").throughput(100_000).build();
    return baselines.addTo(record, run, results).phases().get(0).facts().text(Fact.HARNESS_CEILING);
  }

  /** Reaches another throughput each time. */
  private static final class Samples implements RunExecutor {

    private final List<String> executed = new ArrayList<>();
    private RunSpec last;

    @Override
    public RunRecord execute(Task task) {
      executed.add(task.run().id());
      last = task.run();
      double reached = List.of(475_000.0, 8_460_000.0, 7_180_000.0).get(executed.size() - 1);
      RunRecord made = Runs.run("noop").throughput(reached).build();
      return new RunRecord(
          task.run().key(),
          made.outcome(),
          made.note(),
          made.facts(),
          made.phases(),
          made.started(),
          made.ended(),
          made.crashTest());
    }

    @Override
    public void abort() {}
  }
}
