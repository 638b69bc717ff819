package kvrank.worker.protocol;

import java.util.List;

/**
 * A command to a worker, one line of its standard input: a {@link Spec}, {@link Start} for each
 * phase in order, and {@link Stop}. The end of input means that the controller is gone.
 */
public sealed interface WorkerCommand {

  /** Opens the binding; answered by {@link WorkerMessage.Ready}. */
  record Spec(WorkerSpec spec) implements WorkerCommand {}

  /**
   * Ensures that the run overwrites no foreign keys; answered by {@link WorkerMessage.Restored}.
   */
  record Claim() implements WorkerCommand {}

  /** Removes the keys of a run with the same spec; answered by {@link WorkerMessage.Restored}. */
  record Remove() implements WorkerCommand {}

  /** Runs {@code phase}; answered by {@link WorkerMessage.Finished}. */
  record Start(String phase) implements WorkerCommand {}

  /**
   * Runs the check of a crash test.
   *
   * @param acknowledged the number of acknowledged writes of each thread
   */
  record Check(String phase, List<Long> acknowledged) implements WorkerCommand {
    public Check {
      acknowledged = List.copyOf(acknowledged);
    }
  }

  /**
   * Runs a step of a sweep over {@code phase}; answered by {@link WorkerMessage.Finished}.
   *
   * @param rate operations per second of all threads, 0 for unlimited
   * @param times factor of the phase's measured time
   * @param name of the step
   */
  record StartAtRate(String phase, double rate, int times, String name) implements WorkerCommand {}

  /** Restores the population of the phase's start; answered by {@link WorkerMessage.Restored}. */
  record Restore() implements WorkerCommand {}

  /**
   * Closes the engine and opens it again, so that it has nothing in its own caches and buffers;
   * answered by {@link WorkerMessage.Restored}. Only for embedded engines.
   */
  record Reopen() implements WorkerCommand {}

  /** Asks for the engine's {@link WorkerMessage.Reported own figures}, between phases. */
  record Report() implements WorkerCommand {}

  /**
   * Collects all garbage and asks for the heap that remains, between phases; answered by {@link
   * WorkerMessage.Reported}.
   */
  record Collect() implements WorkerCommand {}

  /** Checks which records exist after a phase; answered by {@link WorkerMessage.Looked}. */
  record Look() implements WorkerCommand {}

  /** Asks a generator for the time, at any moment. */
  record Clock(long round) implements WorkerCommand {}

  /**
   * Lets all workers that have {@link WorkerMessage.Arrived} go on at {@code nanos} of their clock.
   */
  record Go(long nanos) implements WorkerCommand {}

  record Stop() implements WorkerCommand {}

  /** A command to the generator of that number only. */
  record To(int generator, WorkerCommand command) implements WorkerCommand {}

  /** Returns this as one line of ASCII, without a line end. */
  default String encode() {
    return RecordCodec.line(this);
  }

  /**
   * Returns the command in {@code line}.
   *
   * @throws IllegalArgumentException if it is not a command
   */
  static WorkerCommand decode(String line) {
    return RecordCodec.ofLine(WorkerCommand.class, line)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the controller said '" + line + "', which is not a command"));
  }
}
