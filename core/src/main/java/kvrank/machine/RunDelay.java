package kvrank.machine;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The time that threads of processes have run, and that they have waited for a CPU although they
 * could run, since they started; see proc(5) on {@code schedstat}.
 */
public record RunDelay(double runSeconds, double waitSeconds) {

  /** Returns the sums over all threads; 0 if they are unknown. */
  public static RunDelay of(List<Long> processes) {
    double[] sums =
        processes.stream()
            .flatMap(pid -> SystemFile.threads(Path.of("/proc", Long.toString(pid))).stream())
            .map(thread -> SystemFile.text(thread.resolve("schedstat")).orElse("0 0"))
            .map(text -> Arrays.stream(text.split(" ", -1)).mapToDouble(Double::parseDouble))
            .map(numbers -> numbers.limit(2).toArray())
            .reduce(new double[2], (a, b) -> new double[] {a[0] + b[0], a[1] + b[1]});
    return new RunDelay(sums[0] / 1e9, sums[1] / 1e9);
  }

  /** Returns the waiting share of the time since {@code before}, in [0, 1]. */
  public double shareSince(RunDelay before) {
    // The time of threads that have ended is unknown.
    double run = Math.max(0, runSeconds - before.runSeconds);
    double waited = Math.max(0, waitSeconds - before.waitSeconds);
    return waited == 0 ? 0 : waited / (run + waited);
  }
}
