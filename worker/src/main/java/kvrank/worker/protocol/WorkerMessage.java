package kvrank.worker.protocol;

import java.util.List;
import java.util.Optional;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Failure;

/** A message to the controller, one line of the worker's standard output. */
public sealed interface WorkerMessage {

  /** The binding is initialised and reports {@code facts}. */
  record Ready(Facts facts) implements WorkerMessage {
    public Ready {
      facts = EngineText.of(facts);
    }
  }

  /** A claim, a removal, a restoration or a reopening is done. */
  record Restored() implements WorkerMessage {}

  /**
   * The warm-up of {@code phase} is over.
   *
   * @param nanos since when requests count, by Linux's monotonic clock, which all processes share
   */
  record Measuring(String phase, long nanos) implements WorkerMessage {}

  /**
   * Progress of {@code phase}, about once a second.
   *
   * @param done in [0, 1]: 1 if the time of the phase is over, 0 while unknown
   * @param operations records so far, warm-up included
   * @param perSecond records per second since the last report
   */
  record Progress(String phase, double done, long operations, double perSecond)
      implements WorkerMessage {}

  /**
   * The writes of a crash test ended, as the engine was killed or failed.
   *
   * @param acknowledged the number of acknowledged writes of each thread
   */
  record WritesEnded(String reason, List<Long> acknowledged) implements WorkerMessage {
    public WritesEnded {
      reason = EngineText.of(reason);
      acknowledged = List.copyOf(acknowledged);
    }
  }

  /** The check of a crash test is done. */
  record CrashChecked(CrashFindings findings) implements WorkerMessage {}

  /** {@code result.phase()} is over and its files are written. */
  record Finished(PhaseResult result) implements WorkerMessage {}

  /**
   * Answers {@link WorkerCommand.Look}: {@link Fact#ALIVE_RECORDS}, {@link Fact#ALIVE_MOST} and
   * {@link Fact#ALIVE_SAMPLE} if records may expire or be evicted; otherwise {@link
   * Fact#CHECKED_RECORDS}, {@link Fact#CHECKED_WRONG} and {@link Fact#INCORRECT_EXAMPLE}; no facts
   * if unknown.
   */
  record Looked(Facts facts) implements WorkerMessage {}

  /** Answers {@link WorkerCommand.Report} and {@link WorkerCommand.Collect}. */
  record Reported(Facts facts) implements WorkerMessage {
    public Reported {
      facts = EngineText.of(facts);
    }
  }

  /** A generator waits for {@link WorkerCommand.Go}. */
  record Arrived() implements WorkerMessage {}

  /**
   * Answers {@link WorkerCommand.Clock}.
   *
   * @param epochNanos the time of day
   * @param nanos by {@link System#nanoTime}
   */
  record Clock(long round, long epochNanos, long nanos) implements WorkerMessage {}

  /** Appends {@code text} to the controller's {@code file}. */
  record Written(String file, String text) implements WorkerMessage {}

  /**
   * {@code phase} failed; the worker ends after this.
   *
   * @param cause as far as the worker can observe
   */
  record Failed(String phase, Cause cause, String message) implements WorkerMessage {
    public Failed {
      message = EngineText.of(message);
    }

    public Failure failure() {
      return new Failure(cause, message);
    }
  }

  /** Returns this as one line of ASCII, without a line end. */
  default String encode() {
    return RecordCodec.line(this);
  }

  /**
   * Returns the message in {@code line}; empty if it is other text.
   *
   * @throws IllegalArgumentException if it is a malformed message
   */
  static Optional<WorkerMessage> decode(String line) {
    return RecordCodec.ofLine(WorkerMessage.class, line);
  }
}
