package kvrank.run;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import kvrank.engine.EngineDefinition;
import kvrank.machine.CpuSets;
import kvrank.machine.QuietLook;
import kvrank.provision.Provisioner;
import kvrank.run.measure.Preparation;
import kvrank.run.measure.ProcessRunExecutor;
import kvrank.run.measure.RunExecutor;
import kvrank.run.worker.LoadLauncher;
import kvrank.run.worker.WorkerLauncher;
import kvrank.scenario.Scenario;

/**
 * The environment of an execution's runs.
 *
 * @param home kvrank's folder, as built
 * @param noop the engine that measures the harness; empty to skip that
 * @param launcher starts workers on other machines; empty if the load comes from this one
 * @param keepData whether the data folders of runs are kept
 */
public record RunEnvironment(
    Provisioner provisioner,
    Path home,
    CpuSets cpus,
    Optional<EngineDefinition> noop,
    Optional<LoadLauncher> launcher,
    boolean keepData) {

  /** Returns instruments that execute the runs of {@code scenario} in processes. */
  Instruments instruments(Scenario scenario) {
    Optional<Path> data = scenario.data();
    Preparation preparation = new Preparation(scenario.prepare());
    Clock clock = Clock.systemUTC();
    RunExecutor executor =
        new ProcessRunExecutor(
            provisioner,
            new WorkerLauncher(home, cpus, launcher),
            data,
            keepData,
            preparation,
            clock);
    RunExecutor harness =
        new ProcessRunExecutor(
            provisioner,
            new WorkerLauncher(home, cpus.ofHarness(), Optional.empty()),
            data,
            false,
            new Preparation(List.of()),
            clock);
    HarnessBaselines baselines = new HarnessBaselines(harness, noop);
    return new Instruments(provisioner, cpus, executor, baselines, QuietLook::now, clock);
  }
}
