package kvrank.worker.protocol;

import java.util.function.Consumer;

/** Where the workers of all machines wait for each other. */
public interface MachineBarrier {

  /** For a single worker. */
  MachineBarrier NONE = leadNanos -> System.nanoTime() + leadNanos;

  /**
   * Waits for the others.
   *
   * @param leadNanos how far ahead the moment is for a single worker
   * @return the moment when all go on, by {@link System#nanoTime}; now if the controller's command
   *     came too late
   */
  long await(long leadNanos);

  static MachineBarrier of(CommandReader commands, Consumer<WorkerMessage> messages) {
    return leadNanos -> {
      messages.accept(new WorkerMessage.Arrived());
      try {
        return Math.max(((WorkerCommand.Go) commands.next()).nanos(), System.nanoTime());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return System.nanoTime();
      }
    };
  }
}
