package kvrank.run.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import kvrank.worker.protocol.WorkerMessage;

/**
 * Detects a worker that is stuck: it completes no operation for {@link #LIMIT}, it does not end
 * after its own time, or a phase that ends by a count falls far below its own best pace. Times are
 * nanoseconds of one clock.
 */
public final class StallDetector {

  /** Without one more operation in this time, or as long after its own time, a worker is stuck. */
  public static final Duration LIMIT = Duration.ofSeconds(60);

  /** What gets on by less than this share of its best pace is stuck, too, … */
  private static final double SLOWEST = 0.01;

  /** … if the rest would take longer than so many times the limit. */
  private static final double LONGEST_REST = 60;

  /** Who asks ten times a second stood still if it did not for so long. */
  private static final long NOTICED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private long woken;
  private long longestPause;
  private long prolonged;
  private long operations = -1;
  private double done;

  /** When the newest stretch of {@link #LIMIT} began, and what was done by then. */
  private long stretch;

  private double doneBefore;

  /** The most that was done in one. */
  private double best;

  StallDetector(long now) {
    woken = now;
    prolonged = now;
    stretch = now;
  }

  /**
   * Records that the waiting side was running at {@code now}. If it was suspended before, that time
   * does not count against the worker.
   */
  void awake(long now) {
    long pause = now - woken;
    woken = now;
    longestPause = Math.max(longestPause, pause);
    if (pause > NOTICED_NANOS) {
      prolonged += pause;
      stretch += pause;
    }
  }

  /** Returns the longest time between two calls of {@link #awake}. */
  long longestPause() {
    return longestPause;
  }

  /** Records the progress that the worker reported. */
  void progressed(WorkerMessage.Progress progress, long now) {
    done = progress.done();
    // What is brought back before a phase is reported, too, and counts from 0 on.
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

  /** Returns why the worker is stuck; empty if it is not. */
  Optional<String> stalled(long now) {
    if (now - prolonged > LIMIT.toNanos()) {
      return Optional.of(
          (done < 1
                  ? "no operation was answered for %d s"
                  : "some requests were not answered within %d s of its end")
              .formatted(LIMIT.toSeconds()));
    }
    if (now - stretch < LIMIT.toNanos()) {
      return Optional.empty();
    }
    double pace = (done - doneBefore) * LIMIT.toNanos() / (now - stretch);
    stretch = now;
    doneBefore = done;
    best = Math.max(best, pace);
    return pace < SLOWEST * best && (1 - done) > LONGEST_REST * pace
        ? Optional.of(
            "%.2g %% of it was done in the last %d s, %.2g %% in its best; the rest would take more than an hour"
                .formatted(100 * pace, LIMIT.toSeconds(), 100 * best))
        : Optional.empty();
  }
}
