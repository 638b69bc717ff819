package kvrank.run;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.machine.CpuSets;
import kvrank.machine.SyncProbe;
import kvrank.plan.RunSpec;
import kvrank.provision.Provisioner;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.scenario.EngineDefinition;

/** Does the runs of a plan one after the other; a run that breaks does not hinder the next. */
public final class ScenarioRunner {

  private final RunExecutor executor;
  private final RunExecutor harness;
  private final Optional<EngineDefinition> noop;
  private volatile boolean aborted;

  /**
   * @param home kvrank's own folder
   * @param dataParent the folder for data directories; empty for each run's own folder
   * @param cpus what client and server run on
   * @param noop the engine that shows what the harness itself can reach; empty to leave that out
   * @param probe what was found of the device under the data directories; empty if it was not
   *     looked at
   */
  public ScenarioRunner(
      Provisioner provisioner,
      Path home,
      Optional<Path> dataParent,
      CpuSets cpus,
      Optional<EngineDefinition> noop,
      Optional<SyncProbe> probe,
      Clock clock) {
    this.noop = requireNonNull(noop, "noop is null");
    requireNonNull(home, "home is null");
    WorkerClasspath classpath = new WorkerClasspath(home);
    this.executor = new RunExecutor(provisioner, classpath, dataParent, cpus, probe, clock);
    this.harness =
        new RunExecutor(provisioner, classpath, dataParent, cpus.ofHarness(), probe, clock);
  }

  /**
   * Does every run that has no record yet.
   *
   * @throws IOException if the results cannot be written
   */
  public void run(List<RunSpec> runs, ResultsDirectory results, RunListener listener)
      throws IOException, InterruptedException {
    HarnessBaselines baselines = new HarnessBaselines(harness, noop, results);
    for (int i = 0; i < runs.size() && !aborted; i++) {
      RunSpec run = runs.get(i);
      RunDirectory directory = results.run(run.id());
      if (directory.complete()) {
        listener.skipped(run, i + 1, runs.size());
        continue;
      }
      listener.started(run, i + 1, runs.size());
      SortedMap<String, HarnessBaseline> baseline =
          run.unsupported().isPresent() ? Collections.emptySortedMap() : baselines.of(run);
      RunRecord record = executor.execute(run, directory, baseline, listener);
      if (aborted) {
        return;
      }
      directory.write(record);
      listener.finished(run, record);
    }
  }

  /** Ends the run in progress without a record, and begins no other. For a shutdown hook. */
  public void abort() {
    aborted = true;
    executor.abort();
    harness.abort();
  }
}
