package kvrank.run;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvrank.worker.WorkerMessage;

/** A worker JVM: started, told what to do line by line, listened to, and ended. */
final class WorkerProcess implements AutoCloseable {

  private final Process process;
  private final Path temporary;
  private final WorkerLog log;
  private final Writer commands;
  private final BlockingQueue<WorkerMessage> reports = new LinkedBlockingQueue<>();

  private WorkerProcess(Process process, Path temporary, Path log) {
    this.process = process;
    this.temporary = temporary;
    this.log = new WorkerLog(log);
    this.commands =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    Thread reader = new Thread(this::readReports, "worker-reports-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts a worker with this JVM's own {@code java}; it waits for {@link #begin}.
   *
   * @param cpus the CPUs that it runs on, as taskset takes them; empty for all
   * @param classpath what {@code java -cp} takes
   * @param jvm further flags
   * @param log where everything goes that the worker and the binding print
   */
  static WorkerProcess start(Optional<String> cpus, String classpath, List<String> jvm, Path log)
      throws IOException {
    // What a killed JVM leaves there, as the libraries that it unpacked, goes with it.
    Path temporary = Files.createTempDirectory("kvrank-worker-");
    List<String> command = new ArrayList<>();
    cpus.ifPresent(list -> command.addAll(List.of("taskset", "-c", list)));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(jvm);
    command.add("-cp");
    command.add(classpath);
    command.add("kvrank.worker.Main");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(log.toFile());
    return new WorkerProcess(builder.start(), temporary, log);
  }

  /**
   * Has the worker do what {@code spec} says: it reads the spec and opens the binding.
   *
   * @param spec the file that says what to do
   */
  void begin(Path spec) {
    try {
      tell("spec " + spec.toAbsolutePath());
    } catch (IOException gone) {
      // It has ended already, and death() says how.
    }
  }

  long pid() {
    return process.pid();
  }

  /** Says one line to the worker. */
  void tell(String line) throws IOException {
    commands.write(line);
    commands.write('\n');
    commands.flush();
  }

  /** Returns the next report, or empty after {@code wait}. */
  Optional<WorkerMessage> next(Duration wait) throws InterruptedException {
    return Optional.ofNullable(reports.poll(wait.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** If the worker has ended and everything that it said was heard: how, with its log's tail. */
  Optional<String> death() {
    if (process.isAlive() || !reports.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "the worker JVM (pid %d) %s%s".formatted(pid(), ending(process.exitValue()), log.tail()));
  }

  /** Lets the worker close its binding and end; kills it if it does not. */
  void stop(Duration patience) throws InterruptedException {
    try {
      tell("stop");
    } catch (IOException gone) {
      // It has ended already, which is what was wanted.
    }
    if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
    }
  }

  /**
   * Kills the worker by SIGKILL and waits for its end.
   *
   * @return how it ended, for example {@code was killed by signal 9}
   */
  String kill() throws InterruptedException {
    process.destroyForcibly();
    return ending(process.waitFor());
  }

  private static String ending(int status) {
    return status > 128
        ? "was killed by signal " + (status - 128)
        : "ended with exit status " + status;
  }

  /**
   * Kills the worker if it still runs, and removes its temporary files. Idempotent, and safe in a
   * shutdown hook.
   */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> files = Files.walk(temporary)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // It is gone already, or a system that clears its temporary files will see to it.
    }
  }

  private void readReports() {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line;
      while ((line = reader.readLine()) != null) {
        WorkerMessage.decode(line).ifPresent(reports::add);
      }
    } catch (IOException e) {
      // The worker was killed in the middle of a line; death() tells.
    }
  }
}
