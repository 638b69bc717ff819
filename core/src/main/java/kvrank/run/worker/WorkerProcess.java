package kvrank.run.worker;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import kvrank.fact.Fact;
import kvrank.machine.MemoryGroup;
import kvrank.provision.host.DataFolder;
import kvrank.provision.host.Leftovers;
import kvrank.provision.server.Server;
import kvrank.results.GeneratorFiles;
import kvrank.results.RunDirectory;
import kvrank.worker.protocol.Host;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerSpec;

/**
 * A worker, or those of several machines as one: started, given commands, listened to, and ended.
 */
public final class WorkerProcess implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);

  /** How long a server that broke may take to be seen dead. */
  private static final int DEATH_POLLS = 10;

  private final Optional<MemoryGroup> group;
  private final Optional<DataFolder> temporary;
  private final WorkerLog log;
  private final LoadLauncher launcher;
  private final SortedMap<String, String> secrets;
  private final List<WorkerJvm> jvms = new ArrayList<>();
  private final BlockingQueue<WorkerMessage> messages = new LinkedBlockingQueue<>();

  private final long killsBefore = MemoryGroup.killsOfMachine();
  private StallDetector stallDetector = new StallDetector(0);
  private Optional<Generators> generators = Optional.empty();

  private WorkerProcess(
      Optional<MemoryGroup> group,
      Optional<DataFolder> temporary,
      Path log,
      LoadLauncher launcher,
      SortedMap<String, String> secrets) {
    this.group = group;
    this.temporary = temporary;
    this.log = new WorkerLog(log);
    this.launcher = launcher;
    this.secrets = secrets;
  }

  /** The worker, or what it works on, broke or took too long. */
  public static final class BrokenException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean late;

    public BrokenException(String message) {
      this(message, false);
    }

    private BrokenException(String message, boolean late) {
      super(message);
      this.late = late;
    }

    /** Returns whether nothing is known but that it took too long. */
    public boolean late() {
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
    WorkerProcess worker =
        new WorkerProcess(
            group, Optional.of(new DataFolder(temporary)), log, LoadLauncher.LOCAL, secrets);
    List<String> command = new ArrayList<>();
    group.ifPresent(limited -> command.addAll(limited.entry()));
    cpus.ifPresent(list -> command.addAll(List.of("taskset", "-c", list)));
    List<String> flags = new ArrayList<>(jvm);
    flags.add("-Djava.io.tmpdir=" + temporary);
    // A JVM takes %p for its pid there.
    String crashFile = worker.log.crashFile().toAbsolutePath().toString();
    flags.add("-XX:ErrorFile=" + crashFile.replace("%", "%%"));
    command.addAll(WorkerJvm.command(flags, classpath));
    worker.launch(command, ProcessBuilder.Redirect.to(log.toFile()), 0);
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
    Path log = directory.workerLog();
    WorkerProcess worker =
        new WorkerProcess(Optional.empty(), Optional.empty(), log, launcher, secrets);
    Generators generators =
        new Generators(
            machines,
            Host.build(classpath),
            new GeneratorFiles(directory, machines),
            worker::say,
            worker.messages::add);
    worker.generators = Optional.of(generators);
    try {
      for (List<String> command : launcher.commands(machines, WorkerJvm.command(jvm, classpath))) {
        worker.launch(command, ProcessBuilder.Redirect.appendTo(log.toFile()), worker.jvms.size());
      }
    } catch (IOException e) {
      worker.close();
      throw e;
    }
    generators.start();
    return worker;
  }

  /** Starts the process of the worker of that number, or that of all of them. */
  private void launch(List<String> command, ProcessBuilder.Redirect errors, int number)
      throws IOException {
    OptionalInt only = launcher.together() ? OptionalInt.empty() : OptionalInt.of(number);
    jvms.add(
        new WorkerJvm(
            new ProcessBuilder(command).redirectError(errors),
            log,
            () -> name(number),
            new MessageReader(only, this::heard)));
  }

  /** Returns what the process of that number is called in messages. */
  private String name(int number) {
    return launcher.together()
        ? "srun"
        : generators.map(several -> several.name(number)).orElse("the worker JVM");
  }

  private void heard(int worker, WorkerMessage message) {
    generators.ifPresentOrElse(
        several -> several.heard(worker, message), () -> messages.add(message));
  }

  /** Has the worker open the binding of {@code spec}, which has no secrets. */
  public void begin(WorkerSpec spec) {
    tell(new WorkerCommand.Spec(spec.with(secrets)));
  }

  /** Returns the workers of this machine. */
  public List<Long> pids() {
    return launcher.remote() ? List.of() : jvms.stream().map(WorkerJvm::pid).toList();
  }

  /** Gives a command to the worker, or to all of them. */
  public void tell(WorkerCommand command) {
    generators.ifPresent(several -> several.expect(true));
    say(command);
  }

  /** Gives a command to the first of the workers, the others stay as they are. */
  public void tellFirst(WorkerCommand command) {
    generators.ifPresent(several -> several.expect(false));
    say(generators.isPresent() ? new WorkerCommand.To(0, command) : command);
  }

  private void say(WorkerCommand command) {
    String line = command.encode() + "\n";
    jvms.forEach(jvm -> jvm.write(line));
  }

  /** Returns the next message, or empty after {@code wait}. */
  public Optional<WorkerMessage> next(Duration wait) throws InterruptedException {
    return Optional.ofNullable(messages.poll(wait.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** Returns the next message of {@code type}, or throws; {@code meanwhile} is given the others. */
  public <R extends WorkerMessage> R await(
      Class<R> type, Server server, Consumer<WorkerMessage> meanwhile)
      throws InterruptedException, BrokenException {
    stallDetector = new StallDetector(System.nanoTime());
    Optional<String> over = Optional.empty();
    while (over.isEmpty()) {
      WorkerMessage message = next(POLL).orElse(null);
      stallDetector.awake(System.nanoTime());
      if (type.isInstance(message)) {
        return type.cast(message);
      }
      if (message instanceof WorkerMessage.Failed failed) {
        boolean refused = generators.filter(Generators::refused).isPresent();
        throw new BrokenException(refused ? failed.message() : explained(failed.message(), server));
      }
      if (message instanceof WorkerMessage.Finished) {
        throw new BrokenException(why(message));
      }
      if (message instanceof WorkerMessage.Progress progress) {
        stallDetector.progressed(progress, System.nanoTime());
      }
      if (message != null) {
        meanwhile.accept(message);
      }
      refuseDeath(server);
      over = stallDetector.stalled(System.nanoTime());
    }
    dumpThreads();
    throw new BrokenException(over.get() + whereThreadsWere(), true);
  }

  /** Returns the longest that this process itself stood still in the last {@link #await}. */
  public long longestPause() {
    return stallDetector.longestPause();
  }

  /** Has the JVMs write to their logs where their threads are. */
  private void dumpThreads() throws InterruptedException {
    if (launcher.remote()) {
      return;
    }
    for (WorkerJvm jvm : jvms) {
      jvm.dumpThreads();
    }
    jvms.get(0).awaitEnd(POLL.multipliedBy(DEATH_POLLS));
  }

  private String whereThreadsWere() {
    return "; where its threads were is in " + log.file().getFileName();
  }

  /** Throws how the server or the worker has ended, if one of them has. */
  public void refuseDeath(Server server) throws BrokenException {
    Optional<String> death = server.death().or(this::death).map(this::ofMemory);
    if (death.isPresent()) {
      throw new BrokenException(death.get());
    }
  }

  /**
   * {@code message} with what the server says of it, or what is behind it: a server that is dying
   * is not always dead at once.
   */
  public String explained(String message, Server server) throws InterruptedException {
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

  /** Returns why the worker said {@code message} instead of what was expected. */
  public static String why(WorkerMessage message) {
    if (message instanceof WorkerMessage.Failed failed) {
      return failed.message();
    }
    return message instanceof WorkerMessage.Finished finished
        ? finished.result().facts().find(Fact.ENDED).orElse("which is unexpected")
        : "the worker said " + message;
  }

  /** If a worker has ended and everything that it said was heard: how, with its log's tail. */
  public Optional<String> death() {
    if (!messages.isEmpty()) {
      return Optional.empty();
    }
    return generators
        .flatMap(Generators::lost)
        .or(() -> jvms.stream().filter(WorkerJvm::ended).findFirst().map(WorkerJvm::ending));
  }

  /** Lets the worker close its binding and end, or kills it; returns what went wrong with that. */
  public Optional<String> stop(Duration patience) throws InterruptedException {
    tell(new WorkerCommand.Stop());
    Optional<String> problem = Optional.empty();
    long deadline = System.nanoTime() + patience.toNanos();
    for (WorkerJvm jvm : jvms) {
      if (!jvm.awaitEnd(Duration.ofNanos(deadline - System.nanoTime()))) {
        if (problem.isEmpty()) {
          dumpThreads();
        }
        jvm.end(false);
        problem =
            Optional.of(
                "it did not end within %d s and was killed".formatted(patience.toSeconds())
                    + whereThreadsWere());
      } else if (jvm.failed() && problem.isEmpty()) {
        problem = failure().or(() -> Optional.of(jvm.ending()));
      }
    }
    return problem;
  }

  /** Returns what the worker said last of a failure, if it has. */
  private Optional<String> failure() throws InterruptedException {
    Optional<WorkerMessage> message = next(POLL);
    while (message.isPresent() && !(message.get() instanceof WorkerMessage.Failed)) {
      message = next(POLL);
    }
    return message.map(WorkerProcess::why);
  }

  /** Kills the worker and waits; returns how it ended, as in {@code was killed by signal 9}. */
  public String kill() throws InterruptedException {
    return jvms.get(0).kill();
  }

  /**
   * Kills the worker if it still runs, and removes its temporary files. Idempotent, and safe in a
   * shutdown hook.
   */
  @Override
  public void close() {
    generators.ifPresent(Generators::close);
    jvms.forEach(jvm -> jvm.end(launcher.remote()));
    jvms.forEach(WorkerJvm::awaitEnd);
    try {
      if (temporary.isPresent()) {
        temporary.get().delete();
      }
    } catch (IOException e) {
      // It is gone already, or a system that clears its temporary files will see to it.
    }
  }
}
