package kvrank.worker.protocol;

import java.util.Optional;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;

/** What a worker tells the controller: one line each on its standard output. */
public sealed interface WorkerMessage {

  /** The binding is initialised; {@code facts} are what it says of its engine. */
  record Ready(Facts facts) implements WorkerMessage {
    public Ready {
      facts = EngineText.of(facts);
    }
  }

  /** The server is as it was asked to be, for the next phase or for its owner. */
  record Restored() implements WorkerMessage {}

  /**
   * The warm-up of {@code phase} is over, what follows counts.
   *
   * @param nanos since when, by Linux's monotonic clock, which the processes of a machine share
   */
  record Measuring(String phase, long nanos) implements WorkerMessage {}

  /**
   * How far {@code phase} is, about once a second.
   *
   * @param done the share that is done, in [0, 1]: 1 if time ends the phase and is over; 0 as long
   *     as nothing is known of it
   * @param operations the number of records so far, warm-up included
   * @param perSecond records per second since the last report
   */
  record Progress(String phase, double done, long operations, double perSecond)
      implements WorkerMessage {}

  /** {@code result.phase()} is over and its files are written. */
  record Finished(PhaseResult result) implements WorkerMessage {}

  /**
   * Reads after a phase. Where records may be gone, {@code facts} are {@link Fact#ALIVE_RECORDS},
   * {@link Fact#ALIVE_MOST} and {@link Fact#ALIVE_SAMPLE}; else {@link Fact#CHECKED_RECORDS},
   * {@link Fact#CHECKED_WRONG} and {@link Fact#INCORRECT_EXAMPLE}. None if that cannot be told.
   */
  record Looked(Facts facts) implements WorkerMessage {}

  /** One of several workers waits for the others, and for when to go on. */
  record Arrived() implements WorkerMessage {}

  /**
   * The answer to a controller that asks for the time, and whether somebody is there.
   *
   * @param round what it asked with
   * @param epochNanos the time of day on this machine
   * @param nanos its {@link System#nanoTime}
   */
  record Clock(long round, long epochNanos, long nanos) implements WorkerMessage {}

  /** {@code text} belongs to the end of {@code file}, which is the controller's. */
  record Written(String file, String text) implements WorkerMessage {}

  /**
   * {@code phase} cannot go on; the worker ends after this.
   *
   * @param cause who is to blame, as far as the worker can observe
   */
  record Failed(String phase, Cause cause, String message) implements WorkerMessage {
    public Failed {
      message = EngineText.of(message);
    }
  }

  /** This as one line of ASCII, without its end. */
  default String encode() {
    return RecordCodec.line(this);
  }

  /**
   * The message that {@code line} encodes; nothing if it is other text.
   *
   * @throws IllegalArgumentException if it begins as a message and is none
   */
  static Optional<WorkerMessage> decode(String line) {
    return RecordCodec.ofLine(WorkerMessage.class, line);
  }
}
