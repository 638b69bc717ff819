package kvrank.run;

import java.time.Clock;
import kvrank.machine.CpuSets;
import kvrank.provision.Provisioner;
import kvrank.run.measure.RunExecutor;

/**
 * The instruments of an execution: they provide its engines, execute its runs and observe the
 * machine.
 *
 * @param cpus the CPUs of client and server
 * @param baselines the baselines of the harness itself
 * @param observer observes the load on the machine between runs
 */
record Instruments(
    Provisioner provisioner,
    CpuSets cpus,
    RunExecutor executor,
    HarnessBaselines baselines,
    QuietMachine.LoadObserver observer,
    Clock clock) {

  /** Ends the run in progress and stops all servers. Safe to call from a shutdown hook. */
  void abort() {
    executor.abort();
    baselines.executor().abort();
    provisioner.close();
  }
}
