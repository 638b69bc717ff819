package kvrank.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import kvrank.machine.MemoryGroup;
import kvrank.provision.host.DataFolder;
import kvrank.provision.host.Leftovers;
import kvrank.provision.server.Server;
import kvrank.results.GeneratorFiles;
import kvrank.results.RunDirectory;
import kvrank.scenario.Reason;
import kvrank.worker.Host;
import kvrank.worker.MessageLines;
import kvrank.worker.WorkerCommand;
import kvrank.worker.WorkerMessage;
import kvrank.worker.WorkerSpec;

/**
 * A worker JVM, or those of several machines: started, told what to do line by line, listened to,
 * and ended.
 */
final class WorkerProcess implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);

  /** How long a server that broke may take to be seen dead. */
  private static final int DEATH_POLLS = 10;

  private static final int LOG_LINES = 10;

  /** As much of a log is read as anybody has said something of use in. */
  private static final int MOST_BYTES = 1 << 20;

  /** How the runtimes of Go and Rust begin to say why they end the process. */
  private static final Pattern CAUSE =
      Pattern.compile("(panic|fatal error): .*|thread '.*' panicked.*");

  /** What a JVM says, when native code crashes it, of the reason and of whose code it was. */
  private static final Pattern CRASHED =
      Pattern.compile(
          "(?s)# +([^\n]+?)(?: at pc=[^\n]*)?, pid=.*?# Problematic frame:\n# ([^\n]*)");

  /** A JVM writes where its threads are to its log, and no core where it was started. */
  private static final List<String> AFTERMATH =
      List.of("-XX:+DisplayVMOutputToStderr", "-XX:-CreateCoredumpOnCrash");

  /** A line of one of several workers that are started by one process. */
  private static final Pattern LABELLED = Pattern.compile(" *([0-9]+): (.*)");

  private final List<Process> processes = new ArrayList<>();
  private final List<Writer> commands = new ArrayList<>();
  private final Optional<MemoryGroup> group;
  private final Optional<DataFolder> temporary;
  private final Path log;
  private final BlockingQueue<WorkerMessage> reports = new LinkedBlockingQueue<>();

  private final long killsBefore = MemoryGroup.killsOfMachine();
  private StallDetector stallDetector = new StallDetector(0);
  private Optional<Generators> generators = Optional.empty();
  private LoadLauncher launcher = LoadLauncher.LOCAL;
  private SortedMap<String, String> secrets = new TreeMap<>();

  private WorkerProcess(Optional<MemoryGroup> group, Optional<DataFolder> temporary, Path log) {
    this.group = group;
    this.temporary = temporary;
    this.log = log;
  }

  /** The worker, or what it works on, broke or took too long. */
  static final class BrokenException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean late;

    BrokenException(String message) {
      this(message, false);
    }

    private BrokenException(String message, boolean late) {
      super(message);
      this.late = late;
    }

    /** Returns whether nothing is known but that it took too long. */
    boolean late() {
      return late;
    }
  }

  /**
   * Starts a worker with this JVM's own {@code java}; it waits for {@link #begin}.
   *
   * @param group the control group that it is in, with a server, if it is in one of its own
   * @param cpus the CPUs that it runs on, as taskset takes them; empty for all
   * @param classpath what {@code java -cp} takes
   * @param secrets properties of the binding that are in no file
   * @param log where everything goes that the worker and the binding print
   */
  static WorkerProcess start(
      Optional<MemoryGroup> group,
      Optional<String> cpus,
      String classpath,
      List<String> jvm,
      SortedMap<String, String> secrets,
      Path log)
      throws IOException {
    // What a killed JVM leaves there, as the libraries that it unpacked, goes with it.
    Path temporary = Leftovers.workerFolder();
    List<String> command = new ArrayList<>();
    group.ifPresent(limited -> command.addAll(limited.entry()));
    cpus.ifPresent(list -> command.addAll(List.of("taskset", "-c", list)));
    List<String> flags = new ArrayList<>(jvm);
    flags.add("-Djava.io.tmpdir=" + temporary);
    // A JVM takes %p for its pid there.
    flags.add("-XX:ErrorFile=" + crashFile(log).toAbsolutePath().toString().replace("%", "%%"));
    command.addAll(java(flags, classpath));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    WorkerProcess worker = new WorkerProcess(group, Optional.of(new DataFolder(temporary)), log);
    worker.secrets = secrets;
    worker.launch(builder, "0");
    return worker;
  }

  /**
   * Starts the workers of several machines, which are heard as one, with properties of the binding
   * that are in no file; what they measure and print goes to {@code directory}.
   */
  static WorkerProcess start(
      LoadLauncher launcher,
      int machines,
      String classpath,
      List<String> jvm,
      SortedMap<String, String> secrets,
      RunDirectory directory)
      throws IOException {
    WorkerProcess worker =
        new WorkerProcess(Optional.empty(), Optional.empty(), directory.workerLog());
    Generators all =
        new Generators(
            machines,
            Host.build(classpath),
            new GeneratorFiles(directory, machines),
            worker::say,
            worker.reports::add);
    worker.generators = Optional.of(all);
    worker.launcher = launcher;
    worker.secrets = secrets;
    List<List<String>> commands = launcher.commands(machines, java(jvm, classpath));
    try {
      for (int i = 0; i < commands.size(); i++) {
        ProcessBuilder builder =
            new ProcessBuilder(commands.get(i))
                .redirectError(ProcessBuilder.Redirect.appendTo(directory.workerLog().toFile()));
        worker.launch(builder, launcher.together() ? "" : Integer.toString(i));
      }
    } catch (IOException e) {
      worker.close();
      throw e;
    }
    all.start();
    return worker;
  }

  private static List<String> java(List<String> jvm, String classpath) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(AFTERMATH);
    command.addAll(jvm);
    command.addAll(List.of("-cp", classpath, "kvrank.worker.Main"));
    return command;
  }

  /** Starts a process, the worker of that number; without one its lines have such numbers. */
  private void launch(ProcessBuilder builder, String label) throws IOException {
    Process process = builder.start();
    processes.add(process);
    commands.add(process.outputWriter(StandardCharsets.UTF_8));
    Thread reader = new Thread(() -> read(process, label), "worker-reports-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Has the worker open the binding of {@code spec}, which has no secrets. */
  void begin(WorkerSpec spec) {
    tell(new WorkerCommand.Spec(spec.with(secrets)));
  }

  /** Returns the workers of this machine. */
  List<Long> pids() {
    return launcher.remote() ? List.of() : processes.stream().map(Process::pid).toList();
  }

  /** Gives a command to the worker, or to all of them. */
  void tell(WorkerCommand command) {
    generators.ifPresent(all -> all.expect(true));
    say(command);
  }

  /** Gives a command to the first of the workers, the others stay as they are. */
  void tellFirst(WorkerCommand command) {
    generators.ifPresent(all -> all.expect(false));
    say(generators.isPresent() ? new WorkerCommand.To(0, command) : command);
  }

  private void say(WorkerCommand command) {
    String line = command.encode() + "\n";
    for (Writer writer : commands) {
      try {
        writer.write(line);
        writer.flush();
      } catch (IOException gone) {
        // It has ended already, and death() says how.
      }
    }
  }

  /** Returns the next report, or empty after {@code wait}. */
  Optional<WorkerMessage> next(Duration wait) throws InterruptedException {
    return Optional.ofNullable(reports.poll(wait.toMillis(), TimeUnit.MILLISECONDS));
  }

  /**
   * Returns the next report of {@code type}, or throws; {@code meanwhile} is told of the others.
   */
  <R extends WorkerMessage> R await(Class<R> type, Server server, Consumer<WorkerMessage> meanwhile)
      throws InterruptedException, BrokenException {
    stallDetector = new StallDetector(System.nanoTime());
    Optional<String> over = Optional.empty();
    while (over.isEmpty()) {
      WorkerMessage report = next(POLL).orElse(null);
      stallDetector.awake(System.nanoTime());
      if (type.isInstance(report)) {
        return type.cast(report);
      }
      if (report instanceof WorkerMessage.Failed failed) {
        boolean refused = generators.filter(Generators::refused).isPresent();
        throw new BrokenException(refused ? failed.message() : explained(failed.message(), server));
      }
      if (report instanceof WorkerMessage.Finished) {
        throw new BrokenException(why(report));
      }
      if (report instanceof WorkerMessage.Progress progress) {
        stallDetector.progressed(progress, System.nanoTime());
      }
      if (report != null) {
        meanwhile.accept(report);
      }
      refuseDeath(server);
      over = stallDetector.stalled(System.nanoTime());
    }
    askWhere();
    throw new BrokenException(
        over.get() + "; where its threads were is in " + log.getFileName(), true);
  }

  /** Returns the longest that this process itself stood still in the last {@link #await}. */
  long longestPause() {
    return stallDetector.longestPause();
  }

  /** Has the JVM write to its log where its threads are, if it can still stop them. */
  private void askWhere() throws InterruptedException {
    String pids = pids().stream().map(String::valueOf).collect(Collectors.joining(" "));
    if (pids.isEmpty()) {
      return;
    }
    try {
      new ProcessBuilder("sh", "-c", "kill -QUIT " + pids).start().waitFor();
      processes.get(0).waitFor(DEATH_POLLS * POLL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IOException e) {
      // Then it is not known.
    }
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

  /** How a process ended, with the reason if that was a limit of its memory, or the machine's. */
  private String ofMemory(String death) {
    boolean starved =
        death.matches("(?s).*was killed by (?:SIGKILL|signal 9\\b).*")
            && MemoryGroup.killsOfMachine() > killsBefore;
    return group
        .flatMap(MemoryGroup::verdict)
        .or(() -> Optional.of("killed by the kernel for want of memory").filter(any -> starved))
        .map(why -> why + ": " + death)
        .orElse(death);
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

  /** If a worker has ended and everything that it said was heard: how, with its log's tail. */
  Optional<String> death() {
    if (!reports.isEmpty()) {
      return Optional.empty();
    }
    return generators
        .flatMap(Generators::lost)
        .or(() -> processes.stream().filter(each -> !each.isAlive()).findFirst().map(this::end));
  }

  private String end(Process process) {
    String what =
        launcher.together()
            ? "srun"
            : generators.map(all -> all.name(processes.indexOf(process))).orElse("the worker JVM");
    return "%s (pid %d) %s%s"
        .formatted(
            what,
            process.pid(),
            ending(process.exitValue()),
            crash(log).orElseGet(() -> tail(log)));
  }

  private static Path crashFile(Path log) {
    return log.resolveSibling("hs_err-" + log.getFileName());
  }

  /** Returns where native code crashed, for a message, if its JVM left that beside {@code log}. */
  static Optional<String> crash(Path log) {
    Path file = crashFile(log);
    try (InputStream in = Files.newInputStream(file)) {
      Matcher said = CRASHED.matcher(new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
      return said.find()
          ? Optional.of(
              ": %s in %s; see %s"
                  .formatted(said.group(1), said.group(2).replaceAll(" +", " "), file))
          : Optional.empty();
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  /** Returns the end of a log, for a message: from the cause on, if native code left one. */
  static String tail(Path log) {
    List<String> lines;
    try (FileChannel channel = FileChannel.open(log)) {
      channel.position(Math.max(0, channel.size() - MOST_BYTES));
      InputStream in = Channels.newInputStream(channel);
      lines = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return "; its log cannot be read: " + Reason.of(e);
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

  /** Lets the worker close its binding and end, or kills it; returns what went wrong with that. */
  Optional<String> stop(Duration patience) throws InterruptedException {
    tell(new WorkerCommand.Stop());
    Optional<String> problem = Optional.empty();
    long deadline = System.nanoTime() + patience.toNanos();
    for (Process process : processes) {
      if (!process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        if (problem.isEmpty()) {
          askWhere();
        }
        process.destroyForcibly();
        problem =
            Optional.of(
                "it did not end within %d s and was killed; where its threads were is in %s"
                    .formatted(patience.toSeconds(), log.getFileName()));
      } else if (process.exitValue() != 0 && problem.isEmpty()) {
        problem = failure().or(() -> Optional.of(end(process)));
      }
    }
    return problem;
  }

  /** Returns what the worker said last of a failure, if it has. */
  private Optional<String> failure() throws InterruptedException {
    Optional<WorkerMessage> report = next(POLL);
    while (report.isPresent() && !(report.get() instanceof WorkerMessage.Failed)) {
      report = next(POLL);
    }
    return report.map(WorkerProcess::why);
  }

  /** Kills the worker and waits; returns how it ended, as in {@code was killed by signal 9}. */
  String kill() throws InterruptedException {
    return ending(processes.get(0).destroyForcibly().waitFor());
  }

  private static String ending(int status) {
    // ssh ends with 255 where its connection did.
    return status > 128 && status < 255
        ? "was killed by signal " + (status - 128)
        : "ended with exit status " + status;
  }

  /**
   * Kills the worker if it still runs, and removes its temporary files. Idempotent, and safe in a
   * shutdown hook.
   */
  @Override
  public void close() {
    generators.ifPresent(Generators::close);
    for (Process process : processes) {
      if (launcher.remote()) {
        // It ends those that it started, which it cannot when it is killed.
        process.destroy();
        process.onExit().completeOnTimeout(process, 5, TimeUnit.SECONDS).join();
      }
      process.destroyForcibly();
    }
    for (Process process : processes) {
      process.onExit().completeOnTimeout(process, 5, TimeUnit.SECONDS).join();
    }
    try {
      if (temporary.isPresent()) {
        temporary.get().delete();
      }
    } catch (IOException e) {
      // It is gone already, or a system that clears its temporary files will see to it.
    }
  }

  private void read(Process process, String label) {
    Map<String, MessageLines> begun = new HashMap<>();
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        Matcher labelled = LABELLED.matcher(line);
        if (!label.isEmpty() || labelled.matches()) {
          String from = label.isEmpty() ? labelled.group(1) : label;
          begun
              .computeIfAbsent(from, any -> new MessageLines())
              .join(label.isEmpty() ? labelled.group(2) : line)
              .flatMap(WorkerMessage::decode)
              .ifPresent(message -> heard(Integer.parseInt(from), message));
        }
      }
    } catch (IOException e) {
      // The worker was killed in the middle of a line; death() tells.
    }
  }

  private void heard(int worker, WorkerMessage message) {
    generators.ifPresentOrElse(all -> all.heard(worker, message), () -> reports.add(message));
  }
}
