package kvrank.run.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.failure.Cause;
import kvrank.failure.FailureException;
import kvrank.machine.Storage;
import kvrank.machine.SyncProbe;
import kvrank.results.Outcome;
import kvrank.run.durability.DeviceProbes;
import kvrank.run.measure.RunExecutor.Task;

/**
 * Probes the device of a run's data before the run and after it, when the run does not write there,
 * as far as it matters.
 */
record ProbedDevice(Task task, RunRecorder recorder, Path folder) {

  /** How long the device is watched before a run and after it, or twice as long only after it. */
  private static final Duration WATCH = Duration.ofMillis(300);

  /** How often it is probed again after a run whose durability is not proven. */
  private static final int MOST_AGAIN = 3;

  /** How long it is then synced, if durability is claimed. */
  private static final Duration SYNCS = Duration.ofMillis(300);

  /** A run without the probes. */
  interface Run {
    Outcome outcome() throws IOException, InterruptedException;
  }

  /** Returns the outcome of {@code run}, whose durability is judged by the probes. */
  Outcome around(Run run) throws IOException, InterruptedException {
    if (task.probe().isEmpty()) {
      Outcome outcome = run.outcome();
      recorder.judge(Optional.empty());
      return outcome;
    }
    List<SyncProbe> probes = new ArrayList<>(List.of(task.probe().get()));
    // If no flush is promised and hardly any was made, their origin does not matter.
    boolean promises = task.run().fsync().promises();
    if (promises) {
      probes.add(probe());
    }
    Outcome outcome = run.outcome();
    if (promises || !recorder.judge(Optional.of(new DeviceProbes(probes)))) {
      try {
        probes.add(probe());
        // Not the engine, but a disturbed disk may be the reason.
        for (int again = 0;
            promises
                && again < MOST_AGAIN
                && new DeviceProbes(probes).disturbed()
                && !recorder.judge(Optional.of(new DeviceProbes(probes)));
            again++) {
          probes.add(probe());
        }
      } catch (IOException e) {
        outcome = outcome instanceof Outcome.Completed ? ProcessRunExecutor.failed(e) : outcome;
      }
      recorder.judge(Optional.of(new DeviceProbes(probes)));
    }
    return outcome;
  }

  private SyncProbe probe() throws IOException, InterruptedException {
    if (!Files.exists(folder)) {
      throw new FailureException(
          Cause.OUTSIDER, "the folder of the data, '%s', was removed".formatted(folder));
    }
    boolean promises = task.run().fsync().promises();
    return SyncProbe.of(
        Storage.of(folder),
        folder,
        promises ? WATCH : WATCH.multipliedBy(2),
        promises ? SYNCS : Duration.ZERO);
  }
}
