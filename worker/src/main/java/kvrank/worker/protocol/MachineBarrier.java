package kvrank.worker.protocol;

import java.util.function.Consumer;

/** Where the workers of all machines wait for each other, to go on at one moment. */
public interface MachineBarrier {

  /** Of a worker that is alone. */
  MachineBarrier NONE = leadNanos -> System.nanoTime() + leadNanos;

  /**
   * Waits for the others.
   *
   * @param leadNanos how far ahead the moment is if there are none
   * @return the moment when all go on, as {@link System#nanoTime} tells it; shortly ahead, or now
   *     if the controller's word came too late
   */
  long await(long leadNanos);

  /** Returns the barrier of a worker that is one of several. */
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
