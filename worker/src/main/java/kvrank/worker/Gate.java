package kvrank.worker;

import java.util.function.Consumer;

/** Where workers wait for each other, to go on at one moment. */
interface Gate {

  /** Of a worker that is alone. */
  Gate ALONE = leadNanos -> System.nanoTime() + leadNanos;

  /**
   * Waits for the others.
   *
   * @param leadNanos how far ahead the moment is if there are none
   * @return the moment when all go on, as {@link System#nanoTime} tells it; shortly ahead, or now
   *     if the controller's word came too late
   */
  long pass(long leadNanos);

  /** Returns the gate of a worker that is one of several. */
  static Gate of(CommandReader commands, Consumer<WorkerMessage> reports) {
    return leadNanos -> {
      reports.accept(new WorkerMessage.Arrived());
      try {
        return Math.max(((WorkerCommand.Go) commands.next()).nanos(), System.nanoTime());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return System.nanoTime();
      }
    };
  }
}
