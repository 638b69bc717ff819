package kvrank.run;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import kvrank.machine.CpuSets;
import kvrank.provision.Provisioner;
import kvrank.scenario.EngineDefinition;

/**
 * What the runs of an execution are done by.
 *
 * @param engines does the runs of the plan
 * @param harness does the runs that show what the harness reaches without an engine
 * @param noop the engine that does nothing; empty to know no baselines
 */
record Executors(RunExecutor engines, RunExecutor harness, Optional<EngineDefinition> noop) {

  /**
   * Returns executors that start processes.
   *
   * @param home kvrank's own folder
   * @param dataParent the folder for data directories; empty for each run's own folder
   * @param cpus what client and server run on
   */
  static Executors ofProcesses(
      Provisioner provisioner,
      Path home,
      Optional<Path> dataParent,
      CpuSets cpus,
      Optional<EngineDefinition> noop,
      Clock clock) {
    WorkerClasspath classpath = new WorkerClasspath(home);
    return new Executors(
        new ProcessRunExecutor(provisioner, new Workers(classpath, cpus), dataParent, clock),
        new ProcessRunExecutor(
            provisioner, new Workers(classpath, cpus.ofHarness()), dataParent, clock),
        noop);
  }

  void abort() {
    engines.abort();
    harness.abort();
  }
}
