package kvrank.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** What the controller says, line by line. If it falls silent before {@code stop}, it is gone. */
final class Commands {

  static final String START = "start ";

  /**
   * After the name of a phase, for a step of a sweep: {@code RATE times N as NAME}. The rate is in
   * operations per second, 0 for none; the step is measured N times as long as the phase.
   */
  static final String RATE = " rate ";

  /** Before a phase: bring back what the one before deleted, and remove what it added. */
  static final String RESTORE = "restore";

  /**
   * Before the first phase, on a server that belongs to somebody: make sure that nothing of others
   * will be overwritten.
   */
  static final String CLAIM = "claim";

  /** In place of all phases: remove the keys that another worker of the same spec inserted. */
  static final String REMOVE = "remove";

  static final String STOP = "stop";

  /** Before the path of the spec, where the command line does not have it. */
  static final String SPEC = "spec ";

  private final BufferedReader input;
  private final Runnable gone;
  private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();

  /**
   * @param gone what to do when the controller is gone; called by another thread
   */
  Commands(InputStream input, Runnable gone) {
    this.input = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
    this.gone = gone;
  }

  /** Starts to listen. */
  void listen() {
    Thread listener = new Thread(this::read, "commands");
    listener.setDaemon(true);
    listener.start();
  }

  private void read() {
    boolean stopped = false;
    try {
      String line = input.readLine();
      while (line != null && !stopped) {
        commands.add(line.strip());
        stopped = line.strip().equals(STOP);
        line = stopped ? null : input.readLine();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!stopped) {
        gone.run();
      }
    }
  }

  /**
   * Waits to be told what to do.
   *
   * @throws WorkerException if something else is said first
   */
  String specFile() throws WorkerException, InterruptedException {
    String command = next();
    if (!command.startsWith(SPEC)) {
      throw new WorkerException("", "the controller said '" + command + "' before a spec");
    }
    return command.substring(SPEC.length());
  }

  /** Waits for the next command. */
  String next() throws InterruptedException {
    return commands.take();
  }
}
