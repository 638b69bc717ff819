package kvrank.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import kvrank.workload.Slice;

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

  /** After a phase: look which records reads find. */
  static final String LOOK = "look";

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

  /** Before the spec itself in Base64, for a machine that has not the controller's files. */
  static final String SPEC_TEXT = "spec-text ";

  /** Before a number that {@link WorkerMessage.Clock} answers with; comes all the time. */
  static final String CLOCK = "clock ";

  /** Before the moment at which all go on that have arrived, by the worker's own clock. */
  static final String GO = "go ";

  /** Before the number of the only worker that a line is for, and that before the line. */
  private static final String TO = "@";

  /** A worker that is one of several and hears nothing for so long is cut off. */
  private static final long SILENCE_NANOS = 10_000_000_000L;

  private final BufferedReader input;
  private final Runnable gone;
  private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
  private Optional<Generator> generator = Optional.empty();
  private volatile long heard = System.nanoTime();

  /** One of several workers: what lines for it alone begin with, and who hears its answers. */
  private record Generator(String prefix, Consumer<WorkerMessage> answers) {}

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

  /**
   * Starts to listen, as one of several workers of one controller: answers when it asks for the
   * time, and takes it for gone when it is silent.
   */
  void listen(Slice slice, Consumer<WorkerMessage> answers) {
    generator = Optional.of(new Generator(TO + slice.part() + " ", answers));
    listen();
    Thread watch = new Thread(this::watch, "controller-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private void watch() {
    try {
      while (System.nanoTime() - heard < SILENCE_NANOS) {
        TimeUnit.SECONDS.sleep(1);
      }
      gone.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    boolean stopped = false;
    try {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        heard = System.nanoTime();
        String command = mine(line.strip());
        if (command.startsWith(CLOCK)) {
          answer(Long.parseLong(command.substring(CLOCK.length())));
        } else if (!command.isEmpty()) {
          commands.add(command);
        }
        if (command.equals(STOP)) {
          stopped = true;
          break;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!stopped) {
        gone.run();
      }
    }
  }

  /** Returns what {@code line} says to this worker; empty if it is for another one. */
  private String mine(String line) {
    if (!line.startsWith(TO)) {
      return line;
    }
    return generator.filter(each -> line.startsWith(each.prefix())).isPresent()
        ? line.substring(line.indexOf(' ') + 1)
        : "";
  }

  private void answer(long round) {
    Instant now = Instant.now();
    long epochNanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    generator.ifPresent(
        each ->
            each.answers().accept(new WorkerMessage.Clock(round, epochNanos, System.nanoTime())));
  }

  /**
   * Waits to be told what to do.
   *
   * @throws WorkerException if something else is said first
   */
  WorkerSpec spec() throws WorkerException, IOException, InterruptedException {
    String command = next();
    if (command.startsWith(SPEC_TEXT)) {
      byte[] text = Base64.getDecoder().decode(command.substring(SPEC_TEXT.length()));
      return WorkerSpec.of(new String(text, StandardCharsets.US_ASCII));
    }
    if (!command.startsWith(SPEC)) {
      throw new WorkerException("", "the controller said '" + command + "' before a spec");
    }
    return WorkerSpec.read(Path.of(command.substring(SPEC.length())));
  }

  /** Waits for the moment to go on at. */
  long go() throws InterruptedException {
    return Long.parseLong(next().substring(GO.length()));
  }

  /** Waits for the next command. */
  String next() throws InterruptedException {
    return commands.take();
  }
}
