package kvrank.worker.protocol;

/**
 * What the controller has a worker do: one line each on its standard input. First a {@link Spec},
 * then {@link Start} for each phase in order, and {@link Stop} after the last. The end of the input
 * means that the controller is gone, and ends the worker.
 */
public sealed interface WorkerCommand {

  /** Opens the binding of {@code spec}; answered by {@link WorkerMessage.Ready}. */
  record Spec(WorkerSpec spec) implements WorkerCommand {}

  /**
   * Makes sure, before the first phase on a server that belongs to somebody, that nothing of others
   * will be overwritten; answered by {@link WorkerMessage.Restored}.
   */
  record Claim() implements WorkerCommand {}

  /**
   * Removes, in place of all phases, the keys that another worker of the same spec inserted;
   * answered by {@link WorkerMessage.Restored}.
   */
  record Remove() implements WorkerCommand {}

  /** Does {@code phase}; answered by {@link WorkerMessage.Finished}. */
  record Start(String phase) implements WorkerCommand {}

  /**
   * Does a step of a sweep over {@code phase}; answered by {@link WorkerMessage.Finished}.
   *
   * @param rate operations per second of all threads together, or 0 for as fast as it goes
   * @param times how many times as long as the phase it is measured
   * @param name the name of the step
   */
  record StartAtRate(String phase, double rate, int times, String name) implements WorkerCommand {}

  /**
   * Brings back what the phase before deleted, and removes what it added; answered by {@link
   * WorkerMessage.Restored}.
   */
  record Restore() implements WorkerCommand {}

  /** Looks after a phase which records reads find; answered by {@link WorkerMessage.Looked}. */
  record Look() implements WorkerCommand {}

  /** Asks for the time; may come whenever the worker is one of several. */
  record Clock(long round) implements WorkerCommand {}

  /** Has all go on that have {@link WorkerMessage.Arrived}, at {@code nanos} of the own clock. */
  record Go(long nanos) implements WorkerCommand {}

  /** Closes the binding and ends the worker. */
  record Stop() implements WorkerCommand {}

  /** {@code command} to only one of several workers, the generator of that number. */
  record To(int generator, WorkerCommand command) implements WorkerCommand {}

  /** This as one line of ASCII, without its end. */
  default String encode() {
    return RecordCodec.line(this);
  }

  /**
   * The command that {@code line} encodes.
   *
   * @throws IllegalArgumentException if it encodes none
   */
  static WorkerCommand decode(String line) {
    return RecordCodec.ofLine(WorkerCommand.class, line)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the controller said '" + line + "', which is no command"));
  }
}
