package kvrank.run.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import kvrank.machine.Hindrance;
import kvrank.worker.protocol.WorkerMessage;

/**
 * Detects a stuck worker: no completed operation for a limit, no end after its own time, or a pace
 * far below its best in a phase that ends by a count. Times are nanoseconds of one clock.
 */
public final class StallDetector {

  /** The usual limit: the longest time without an operation, and after the phase's own time. */
  public static final Duration LIMIT = Duration.ofSeconds(60);

  /** A worker below this share of its best pace is stuck, … */
  private static final double SLOWEST = 0.01;

  /** … if the rest would take more than this many times the limit. */
  private static final double LONGEST_REST = 60;

  /** A caller that polls ten times a second was suspended if it did not for this long. */
  private static final long NOTICED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Duration limit;
  private long woken;
  private long longestPause;
  private long paused;
  private long prolonged;
  private long operations = -1;
  private double done;

  /** The start of the newest stretch of the limit, and the progress by then. */
  private long stretch;

  private double doneBefore;

  /** The largest progress in one stretch. */
  private double best;

  StallDetector(long now, Duration limit) {
    this.limit = limit;
    woken = now;
    prolonged = now;
    stretch = now;
  }

  /** Records that the caller runs; its suspensions do not count against the worker. */
  void awake(long now) {
    long pause = now - woken;
    woken = now;
    longestPause = Math.max(longestPause, pause);
    if (pause > NOTICED_NANOS) {
      paused += pause;
      prolonged += pause;
      stretch += pause;
    }
  }

  /** Returns the longest time between two calls of {@link #awake}. */
  long longestPause() {
    return longestPause;
  }

  /** Returns the time in which the caller was suspended. */
  long paused() {
    return paused;
  }

  /** Returns the time since the last completed operation, or since the worker may begin. */
  long silent(long now) {
    return now - prolonged;
  }

  void progressed(WorkerMessage.Progress progress, long now) {
    done = progress.done();
    // Restored records before a phase are reported too, and count from 0.
    if (progress.operations() != operations && done < 1) {
      operations = progress.operations();
      prolonged = now;
    }
    if (done < doneBefore || done == 0) {
      stretch = now;
      doneBefore = done;
      best = 0;
    }
  }

  /**
   * Returns the reason why the worker is stuck; empty if it is not.
   *
   * @param hindrance of worker and server while it was {@link #silent}
   */
  Optional<String> stalled(long now, Hindrance hindrance) {
    if (hindrance.over(silent(now), limit)) {
      return Optional.of(
          (done < 1
                  ? "no operation was answered for %d s"
                  : "some requests were not answered within %d s of its end")
              .formatted(limit.toSeconds()));
    }
    if (now - stretch < limit.toNanos()) {
      return Optional.empty();
    }
    double pace = (done - doneBefore) * limit.toNanos() / (now - stretch);
    stretch = now;
    doneBefore = done;
    best = Math.max(best, pace);
    return pace < SLOWEST * best && (1 - done) > LONGEST_REST * pace
        ? Optional.of(
            "%.2g %% of it was done in the last %d s, %.2g %% in its best; the rest would take more than an hour"
                .formatted(100 * pace, limit.toSeconds(), 100 * best))
        : Optional.empty();
  }
}
