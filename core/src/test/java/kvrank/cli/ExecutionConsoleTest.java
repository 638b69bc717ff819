package kvrank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import kvrank.engine.ProvisionMethod;
import kvrank.plan.Plan;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.provision.MethodStatus;
import kvrank.provision.MethodStatus.State;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.TestHome;
import kvrank.stats.Runs;
import kvrank.worker.protocol.WorkerMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an execution shows on a terminal of 80 columns. */
class ExecutionConsoleTest {

  private static final Pattern SHARE = Pattern.compile("\\] +(\\d+) %");

  @TempDir private Path folder;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Plan plan;
  private ExecutionConsole console;

  @BeforeEach
  void begin() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("two.yaml"),
            """
            question: Which one?
            engines: [redis, rocksdb]
            fsync: off
            phases: [get, {as: a-phase-whose-name-fills-the-line-of-a-terminal, workload: set}]
            repetitions: 2
            """);
    Path home = TestHome.in(folder.resolve("home"));
    plan = Planner.plan(new ScenarioReader(home).read(file, List.of(), List.of()));
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    console = new ExecutionConsole(plan, new Terminal(stream, stream, true, false, 80), () -> {});
  }

  private String shown() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private static RunRecord record(RunSpec run, Outcome outcome) {
    return Runs.run(run.engine().label())
        .outcome(outcome)
        .phases(
            Runs.phase("get").operation("read", 100.0).build(),
            new PhaseRecord(
                "slow", "set", false, new Outcome.Undetermined("p99 needs 1000"), new TreeMap<>()))
        .build();
  }

  @Test
  void embeddedEnginesShareALine() {
    MethodStatus process =
        new MethodStatus(ProvisionMethod.PROCESS, State.AVAILABLE, "/usr/bin/redis-server");
    MethodStatus embedded =
        new MethodStatus(ProvisionMethod.EMBEDDED, State.AVAILABLE, "in the worker's own JVM");
    List<EngineSpec> engines = plan.scenario().engines();
    console.surveyed(engines.get(1), List.of(embedded));
    console.surveyed(engines.get(0), List.of(process));
    console.surveyed(engines.get(1), List.of(embedded));
    console.warned("the machine is busy");

    assertThat(shown().replace("\r\033[K", "").lines())
        .containsExactly(
            "  redis          process: /usr/bin/redis-server",
            "  embedded, in the worker's own JVM: rocksdb, rocksdb",
            "  warning: the machine is busy");
  }

  /** A phase began at the share of the run before it, and more repetitions took some back. */
  @Test
  void theShareThatIsDoneNeverFalls() {
    List<RunSpec> runs = plan.guaranteedRuns();
    console.began(runs.subList(0, 2), Set.of());
    console.started(runs.get(0), 1, 2);
    console.finished(runs.get(0), record(runs.get(0), new Outcome.Completed()));
    console.started(runs.get(1), 2, 2);
    console.phase(runs.get(1), "get");
    console.looked("not settled", runs);
    console.started(runs.get(1), 2, 6);
    console.progress(runs.get(1), new WorkerMessage.Progress("get", 0.5, 1000, 500));

    List<Integer> shares =
        SHARE.matcher(shown()).results().map(r -> Integer.valueOf(r.group(1))).toList();
    assertThat(shares).hasSize(5).isSorted().contains(50);
  }

  @Test
  void theTimeLeftIsVisibleIfTheLineIsCut() {
    RunSpec run = plan.runs().get(0);
    console.began(plan.guaranteedRuns(), Set.of());
    console.started(run, 1, 4);
    console.phase(run, "a-phase-whose-name-fills-the-line-of-a-terminal");

    List<String> bars =
        Pattern.compile("\\[[#.]+\\][^\\r\\n]*")
            .matcher(shown())
            .results()
            .map(MatchResult::group)
            .toList();
    assertThat(bars)
        .hasSize(2)
        .allSatisfy(
            bar -> assertThat(bar).hasSizeLessThan(80).containsPattern("\\d s left, run 1/4 "));
    assertThat(bars.get(1)).endsWith("…");
  }

  @Test
  void anEngineThatIsMissingHasNoLines() {
    console.began(plan.guaranteedRuns(), Set.of("redis"));
    for (RunSpec run : plan.guaranteedRuns()) {
      boolean missing = run.engine().label().equals("redis");
      console.started(run, 1, 2);
      console.finished(
          run, record(run, missing ? new Outcome.Unavailable("no") : new Outcome.Completed()));
    }

    assertThat(shown()).doesNotContain("redis").containsOnlyOnce("rocksdb.r1 completed");
  }

  /** A search that found nothing took three minutes, and its line said nothing about it. */
  @Test
  void aPhaseWithoutAResultIsNamed() {
    RunSpec run = plan.runs().get(0);
    console.began(plan.guaranteedRuns(), Set.of());
    console.started(run, 1, 4);
    console.finished(run, record(run, new Outcome.Completed()));

    assertThat(shown()).contains("get 100 /s, slow undetermined (p99 needs 1000);");
  }
}
