package kvrank.run;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.plan.RunSpec;
import kvrank.provision.Provisioner;
import kvrank.provision.ServerSpec;
import kvrank.results.Crash;
import kvrank.results.CrashTest;
import kvrank.results.RunDirectory;

/** Kills the engine of a run again and again, each time on fresh data. */
final class CrashTestRunner {

  private final RunSpec run;
  private final Provisioner provisioner;
  private final Workers workers;
  private final RunDirectory directory;
  private final Path data;
  private final RunListener listener;

  /**
   * @param data the folder of the run's own data, beside which those of the kills are made
   */
  CrashTestRunner(
      RunSpec run,
      Provisioner provisioner,
      Workers workers,
      RunDirectory directory,
      Path data,
      RunListener listener) {
    this.run = requireNonNull(run, "run is null");
    this.provisioner = requireNonNull(provisioner, "provisioner is null");
    this.workers = requireNonNull(workers, "workers is null");
    this.directory = requireNonNull(directory, "directory is null");
    this.data = requireNonNull(data, "data is null");
    this.listener = requireNonNull(listener, "listener is null");
  }

  /** Every kill of the run; the first one that cannot be done ends the test, with the reason. */
  CrashTest all() throws IOException, InterruptedException {
    Optional<String> impossible = run.noKillTest();
    if (impossible.isPresent()) {
      return new CrashTest(List.of(), "unsupported: " + impossible.get());
    }
    List<Crash> kills = new ArrayList<>();
    for (int number = 1; number <= run.kills(); number++) {
      listener.phase(run, "kill " + number);
      try {
        kills.add(round(number).run(provisioner));
      } catch (CrashTrial.BrokenException e) {
        return new CrashTest(kills, "kill %d: %s".formatted(number, e.getMessage()));
      }
    }
    return new CrashTest(kills, "");
  }

  private CrashTrial round(int number) throws CrashTrial.BrokenException {
    Path folder = directory.kill(number);
    Path own = data.resolveSibling(data.getFileName() + ".kill-" + number);
    ServerSpec server =
        provisioner
            .choose(run.engine(), run.fsync(), own, folder.resolve("server.log"))
            .orElseThrow(() -> new CrashTrial.BrokenException("it cannot be had any more"));
    return new CrashTrial(run, workers, server, folder, run.seed() + number);
  }
}
