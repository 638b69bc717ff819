package kvrank.run;

import java.time.Clock;
import kvrank.machine.CpuSets;
import kvrank.provision.Provisioner;
import kvrank.run.measure.RunExecutor;

/** Provides an execution's engines, executes its runs and observes the machine. */
record Instruments(
    Provisioner provisioner,
    CpuSets cpus,
    RunExecutor executor,
    HarnessBaselines baselines,
    QuietMachine.LoadObserver observer,
    Clock clock) {

  /** Ends the current run and stops all servers. Safe to call from a shutdown hook. */
  void abort() {
    executor.abort();
    baselines.executor().abort();
    provisioner.close();
  }
}
