package kvrank.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvrank.plan.CrashTestSpec;
import kvrank.plan.RunSpec;
import kvrank.provision.Provisioner;
import kvrank.provision.ServerSpec;
import kvrank.results.Crash;
import kvrank.results.CrashTest;
import kvrank.results.RunDirectory;

/** Crashes the engine of a run again and again, each time on fresh data. */
final class CrashTestRunner {

  private final RunSpec run;
  private final Provisioner provisioner;
  private final Workers workers;
  private final RunDirectory directory;
  private final Path data;
  private final RunListener listener;

  /**
   * @param data the folder of the run's own data, beside which those of the crashes are made
   */
  CrashTestRunner(
      RunSpec run,
      Provisioner provisioner,
      Workers workers,
      RunDirectory directory,
      Path data,
      RunListener listener) {
    this.run = run;
    this.provisioner = provisioner;
    this.workers = workers;
    this.directory = directory;
    this.data = data;
    this.listener = listener;
  }

  /** Does every crash; the first one that cannot be done ends the test, with the reason. */
  CrashTest all(CrashTestSpec test) throws IOException, InterruptedException {
    if (test.unsupported().isPresent()) {
      return new CrashTest(List.of(), "unsupported: " + test.unsupported().get());
    }
    List<Crash> crashes = new ArrayList<>();
    for (int number = 1; number <= test.crashes(); number++) {
      listener.phase(run, "crash " + number);
      try {
        crashes.add(trial(number, test.threads()).run(provisioner));
      } catch (CrashTrial.BrokenException e) {
        return new CrashTest(crashes, "crash %d: %s".formatted(number, e.getMessage()));
      }
    }
    return new CrashTest(crashes, "");
  }

  private CrashTrial trial(int number, int threads) throws CrashTrial.BrokenException {
    Path folder = directory.crash(number);
    Path own = data.resolveSibling(data.getFileName() + ".crash-" + number);
    ServerSpec server =
        provisioner
            .choose(run.engine(), run.fsync(), own, folder.resolve("server.log"))
            .orElseThrow(() -> new CrashTrial.BrokenException("it is no longer available"));
    return new CrashTrial(run, threads, workers, server, folder, run.key().seed() + number);
  }
}
