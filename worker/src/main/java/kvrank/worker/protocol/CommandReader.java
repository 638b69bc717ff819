package kvrank.worker.protocol;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import kvrank.workload.request.Slice;

/** Reads the controller's commands. If input ends before {@code Stop}, the controller is gone. */
public final class CommandReader {

  /** A generator that receives nothing for this long ends. */
  private static final long SILENCE_NANOS = 10_000_000_000L;

  private final BufferedReader input;
  private final Runnable gone;

  /** Each returns a command, or throws the error of an invalid line. */
  private final BlockingQueue<Supplier<WorkerCommand>> commands = new LinkedBlockingQueue<>();

  private Optional<Generator> generator = Optional.empty();
  private volatile long heard = System.nanoTime();

  private record Generator(int number, Consumer<WorkerMessage> answers) {}

  /**
   * @param gone called by another thread when the controller is gone
   */
  public CommandReader(InputStream input, Runnable gone) {
    this.input = new BufferedReader(new InputStreamReader(input, StandardCharsets.US_ASCII));
    this.gone = gone;
  }

  public void listen() {
    Thread listener = new Thread(this::read, "commands");
    listener.setDaemon(true);
    listener.start();
  }

  /** Starts to listen as a generator: answers clock requests and detects a silent controller. */
  public void listen(Slice slice, Consumer<WorkerMessage> answers) {
    generator = Optional.of(new Generator(slice.part(), answers));
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
      while (!stopped) {
        String line = input.readLine();
        if (line == null) {
          break;
        }
        heard = System.nanoTime();
        stopped = take(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!stopped) {
        gone.run();
      }
    }
  }

  /** Answers or queues the command in {@code line}; returns whether it is the last one. */
  private boolean take(String line) {
    WorkerCommand command;
    try {
      command = WorkerCommand.decode(line);
    } catch (IllegalArgumentException e) {
      commands.add(
          () -> {
            throw e;
          });
      return false;
    }
    if (command instanceof WorkerCommand.To one) {
      if (generator.filter(self -> self.number() == one.generator()).isEmpty()) {
        return false;
      }
      command = one.command();
    }
    if (command instanceof WorkerCommand.Clock clock) {
      answer(clock.round());
    } else {
      WorkerCommand mine = command;
      commands.add(() -> mine);
    }
    return command instanceof WorkerCommand.Stop;
  }

  private void answer(long round) {
    Instant now = Instant.now();
    long epochNanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    generator.ifPresent(
        self ->
            self.answers().accept(new WorkerMessage.Clock(round, epochNanos, System.nanoTime())));
  }

  /**
   * Waits for the next command.
   *
   * @throws IllegalArgumentException if the line is not a command
   */
  public WorkerCommand next() throws InterruptedException {
    return commands.take().get();
  }
}
