package kvrank.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import kvrank.machine.MemoryGroup;
import kvrank.provision.DataFolder;
import kvrank.provision.Leftovers;
import kvrank.provision.Server;
import kvrank.worker.WorkerMessage;

/** A worker JVM: started, told what to do line by line, listened to, and ended. */
final class WorkerProcess implements AutoCloseable {

  /** Without one more operation in this time, a worker is stuck. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration POLL = Duration.ofMillis(100);

  /** How long a server that broke may take to be seen dead. */
  private static final int DEATH_POLLS = 10;

  private static final int LOG_LINES = 10;

  /** How the runtimes of Go and Rust begin to say why they end the process. */
  private static final Pattern CAUSE =
      Pattern.compile("(panic|fatal error): .*|thread '.*' panicked.*");

  private final Process process;
  private final Optional<MemoryGroup> group;
  private final Path temporary;
  private final Path log;
  private final Writer commands;
  private final BlockingQueue<WorkerMessage> reports = new LinkedBlockingQueue<>();

  private WorkerProcess(Process process, Optional<MemoryGroup> group, Path temporary, Path log) {
    this.process = process;
    this.group = group;
    this.temporary = temporary;
    this.log = log;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    Thread reader = new Thread(this::readReports, "worker-reports-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** The worker, or what it works on, broke or fell silent. */
  static final class BrokenException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean silent;

    BrokenException(String message) {
      this(message, false);
    }

    private BrokenException(String message, boolean silent) {
      super(message);
      this.silent = silent;
    }

    /** Returns whether nothing is known but that nothing came. */
    boolean silent() {
      return silent;
    }
  }

  /**
   * Starts a worker with this JVM's own {@code java}; it waits for {@link #begin}.
   *
   * @param group the control group that it is in, with a server, if it is in one of its own
   * @param cpus the CPUs that it runs on, as taskset takes them; empty for all
   * @param classpath what {@code java -cp} takes
   * @param secrets variables of its environment, which no other user sees
   * @param log where everything goes that the worker and the binding print
   */
  static WorkerProcess start(
      Optional<MemoryGroup> group,
      Optional<String> cpus,
      String classpath,
      List<String> jvm,
      Map<String, String> secrets,
      Path log)
      throws IOException {
    // What a killed JVM leaves there, as the libraries that it unpacked, goes with it.
    Path temporary = Leftovers.workerFolder();
    List<String> command = new ArrayList<>();
    group.ifPresent(limited -> command.addAll(limited.entry()));
    cpus.ifPresent(list -> command.addAll(List.of("taskset", "-c", list)));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(jvm);
    command.addAll(List.of("-cp", classpath, "kvrank.worker.Main"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().putAll(secrets);
    return new WorkerProcess(builder.start(), group, temporary, log);
  }

  /** Has the worker do what the file {@code spec} says: it reads that and opens the binding. */
  void begin(Path spec) {
    tell("spec " + spec.toAbsolutePath());
  }

  long pid() {
    return process.pid();
  }

  /** Says one line to the worker. */
  void tell(String line) {
    try {
      commands.write(line + "\n");
      commands.flush();
    } catch (IOException gone) {
      // It has ended already, and death() says how.
    }
  }

  /** Returns the next report, or empty after {@code wait}. */
  Optional<WorkerMessage> next(Duration wait) throws InterruptedException {
    return Optional.ofNullable(reports.poll(wait.toMillis(), TimeUnit.MILLISECONDS));
  }

  /**
   * Returns the next report of {@code type}; progress prolongs the patience.
   *
   * @param server what the worker talks to
   * @param meanwhile is told of the reports before it
   * @throws BrokenException if it does not come
   */
  <R extends WorkerMessage> R await(Class<R> type, Server server, Consumer<WorkerMessage> meanwhile)
      throws InterruptedException, BrokenException {
    long operations = -1;
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() <= deadline) {
      WorkerMessage report = next(POLL).orElse(null);
      if (type.isInstance(report)) {
        return type.cast(report);
      }
      if (report instanceof WorkerMessage.Failed failed) {
        throw new BrokenException(explained(failed.message(), server));
      }
      if (report instanceof WorkerMessage.Finished) {
        throw new BrokenException(why(report));
      }
      // What is brought back before a phase is reported, too, and counts from 0 on.
      if (report instanceof WorkerMessage.Progress progress
          && progress.operations() != operations) {
        operations = progress.operations();
        deadline = System.nanoTime() + PATIENCE.toNanos();
      }
      if (report != null) {
        meanwhile.accept(report);
      }
      refuseDeath(server);
    }
    throw new BrokenException(
        "nothing was heard of the worker for %d s".formatted(PATIENCE.toSeconds()), true);
  }

  /** Throws how the server or the worker has ended, if one of them has. */
  void refuseDeath(Server server) throws BrokenException {
    Optional<String> death = server.death().or(this::death).map(this::ofMemory);
    if (death.isPresent()) {
      throw new BrokenException(death.get());
    }
  }

  /**
   * {@code message} with what the server says of it, or what is behind it: a server that is dying
   * is not always dead at once.
   */
  String explained(String message, Server server) throws InterruptedException {
    for (int poll = 0; poll < DEATH_POLLS; poll++) {
      Optional<String> death = server.death().map(this::ofMemory);
      if (death.isPresent()) {
        return death.get();
      }
      next(POLL);
    }
    return message + server.lastWords();
  }

  /** How a process ended, with the reason if that was the limit of its memory. */
  private String ofMemory(String death) {
    return group.flatMap(MemoryGroup::verdict).map(why -> why + ": " + death).orElse(death);
  }

  /** Returns why the worker said {@code report} instead of what was expected. */
  static String why(WorkerMessage report) {
    if (report instanceof WorkerMessage.Failed failed) {
      return failed.message();
    }
    return report instanceof WorkerMessage.Finished finished
        ? finished.result().facts().getOrDefault("ended", "which is unexpected")
        : "the worker said " + report;
  }

  /** If the worker has ended and everything that it said was heard: how, with its log's tail. */
  Optional<String> death() {
    return process.isAlive() || !reports.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the worker JVM (pid %d) %s%s"
                .formatted(pid(), ending(process.exitValue()), tail(log)));
  }

  /** Returns the end of a log, for a message: from the cause on, if native code left one. */
  static String tail(Path log) {
    List<String> lines;
    try {
      lines = Files.readAllLines(log, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "; its log cannot be read: " + e.getMessage();
    }
    if (lines.isEmpty()) {
      return "";
    }
    int cause = lines.size() - 1;
    while (cause >= 0 && !CAUSE.matcher(lines.get(cause)).matches()) {
      cause--;
    }
    int last = Math.max(0, lines.size() - LOG_LINES);
    int start = cause < 0 ? last : Math.min(cause, last);
    List<String> tail = lines.subList(start, Math.min(lines.size(), start + LOG_LINES));
    return "; the end of " + log.getFileName() + ":\n  " + String.join("\n  ", tail);
  }

  /** Lets the worker close its binding and end; kills it if it does not. */
  void stop(Duration patience) throws InterruptedException {
    tell("stop");
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
    process.onExit().completeOnTimeout(process, 5, TimeUnit.SECONDS).join();
    try {
      new DataFolder(temporary).delete();
    } catch (IOException e) {
      // It is gone already, or a system that clears its temporary files will see to it.
    }
  }

  private void readReports() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        WorkerMessage.decode(line).ifPresent(reports::add);
      }
    } catch (IOException e) {
      // The worker was killed in the middle of a line; death() tells.
    }
  }
}
