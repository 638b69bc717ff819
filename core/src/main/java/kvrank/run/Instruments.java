package kvrank.run;

import java.time.Clock;
import kvrank.machine.CpuSets;
import kvrank.provision.Provisioner;
import kvrank.run.measure.RunExecutor;

/**
 * Provides an execution's engines, executes its runs and observes the machine.
 *
 * @param cpus the CPUs of client and server
 * @param observer the load on the machine between runs
 */
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
