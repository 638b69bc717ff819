package kvrank.run.worker;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.failure.Failure;
import kvrank.machine.Hindrance;
import kvrank.machine.JvmHeap;
import kvrank.machine.MachineCheck;
import kvrank.machine.MemoryGroup;
import kvrank.provision.host.Boot;
import kvrank.provision.host.Children;
import kvrank.provision.host.DataFolder;
import kvrank.provision.host.Leftovers;
import kvrank.provision.host.PidNamespace;
import kvrank.provision.server.Server;
import kvrank.results.GeneratorFiles;
import kvrank.results.RunDirectory;
import kvrank.worker.protocol.Host;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerSpec;

/** A worker, or those of several machines as one. */
public final class WorkerProcess implements AutoCloseable {

  /** A time limit that no wait reaches. */
  public static final Duration FOREVER = Duration.ofDays(365);

  private static final Duration POLL = Duration.ofMillis(100);

  /** Silence that is not worth a look at the processes. */
  private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How many polls a broken server may take to be seen dead. */
  private static final int DEATH_POLLS = 10;

  private final MachineCheck check;
  private final Optional<DataFolder> temporary;
  private final WorkerLog log;
  private final LoadLauncher launcher;
  private final SortedMap<String, String> secrets;
  private final List<WorkerJvm> jvms = new ArrayList<>();
  private final BlockingQueue<WorkerMessage> messages = new LinkedBlockingQueue<>();

  private StallDetector stallDetector = new StallDetector(0, StallDetector.LIMIT);
  private Optional<Path> heapLog = Optional.empty();
  private Optional<Generators> generators = Optional.empty();

  private WorkerProcess(
      Optional<MemoryGroup> group,
      Optional<DataFolder> temporary,
      Path log,
      LoadLauncher launcher,
      SortedMap<String, String> secrets) {
    this.check = new MachineCheck(group);
    this.temporary = temporary;
    this.log = new WorkerLog(log);
    this.launcher = launcher;
    this.secrets = secrets;
  }

  /** Starts a worker that waits for {@link #begin}; secrets must not get into files. */
  static WorkerProcess start(
      Optional<MemoryGroup> group,
      Optional<Boot> boot,
      List<String> prefix,
      String classpath,
      List<String> jvm,
      SortedMap<String, String> secrets,
      Path log)
      throws IOException {
    // Removed with leftovers of a killed JVM, such as unpacked libraries.
    Path temporary = Leftovers.workerFolder();
    WorkerProcess worker =
        new WorkerProcess(
            group, Optional.of(new DataFolder(temporary)), log, LoadLauncher.LOCAL, secrets);
    List<String> command = new ArrayList<>();
    group.ifPresent(limited -> command.addAll(limited.entry()));
    command.addAll(Boot.worker(boot));
    command.addAll(prefix);
    List<String> flags = new ArrayList<>(jvm);
    flags.add("-Djava.io.tmpdir=" + temporary);
    worker.heapLog = Optional.of(temporary.resolve("heap"));
    flags.add(JvmHeap.flag(worker.heapLog.get()));
    // A JVM replaces %p with its pid there.
    String crashFile = worker.log.crashFile().toAbsolutePath().toString();
    flags.add("-XX:ErrorFile=" + crashFile.replace("%", "%%"));
    command.addAll(WorkerJvm.command(flags, classpath));
    worker.launch(command, ProcessBuilder.Redirect.to(log.toFile()), 0);
    return worker;
  }

  /** Starts the workers of several machines as one, with files in {@code directory}. */
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

  private void launch(List<String> command, ProcessBuilder.Redirect errors, int number)
      throws IOException {
    OptionalInt only = launcher.together() ? OptionalInt.empty() : OptionalInt.of(number);
    jvms.add(
        new WorkerJvm(
            builder(command).redirectError(errors),
            enclosed(),
            log,
            () -> name(number),
            new MessageReader(only, this::heard)));
  }

  /** Commands that connect to other machines need the user's settings of their clients. */
  private ProcessBuilder builder(List<String> command) {
    return launcher.remote()
        ? new ProcessBuilder(command)
        : Children.builder(command, Children.mark());
  }

  /** Whether this is one worker, on this machine, and no process of it can outlive it. */
  private boolean enclosed() {
    return temporary.isPresent() && PidNamespace.problem().isEmpty();
  }

  private String name(int number) {
    return launcher.together()
        ? "srun"
        : generators.map(several -> several.name(number)).orElse("the worker JVM");
  }

  private void heard(int worker, WorkerMessage message) {
    generators.ifPresentOrElse(
        several -> several.heard(worker, message), () -> messages.add(message));
  }

  /** Makes the worker open the binding of {@code spec}, adding secrets and {@code credentials}. */
  public void begin(WorkerSpec spec, SortedMap<String, String> credentials) {
    tell(new WorkerCommand.Spec(spec.with(secrets).with(credentials)));
  }

  private LongStream processes() {
    return launcher.remote() ? LongStream.empty() : jvms.stream().mapToLong(WorkerJvm::holder);
  }

  public List<Long> pids() {
    return launcher.remote() ? List.of() : jvms.stream().map(WorkerJvm::pid).toList();
  }

  /** Returns the resident memory of the heap of a single local worker; empty if unknown. */
  public OptionalLong heapBytes() {
    return heapLog.isPresent()
        ? JvmHeap.resident(jvms.get(0).pid(), heapLog.get())
        : OptionalLong.empty();
  }

  /** Sends a command to all workers. */
  public void tell(WorkerCommand command) {
    generators.ifPresent(several -> several.expect(true));
    say(command);
  }

  /** Sends a command to the first worker only. */
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

  /** Returns the next message of {@code type}, or throws; {@code meanwhile} receives the others. */
  public <R extends WorkerMessage> R await(
      Class<R> type, Server server, Consumer<WorkerMessage> meanwhile)
      throws InterruptedException, BrokenException {
    return await(type, server, StallDetector.LIMIT, meanwhile);
  }

  /** Does the same, but throws after {@code limit} without a completed operation. */
  public <R extends WorkerMessage> R await(
      Class<R> type, Server server, Duration limit, Consumer<WorkerMessage> meanwhile)
      throws InterruptedException, BrokenException {
    return await(type, server, limit, FOREVER, meanwhile);
  }

  /** Does the same, but also throws after {@code most}, however many operations are completed. */
  public <R extends WorkerMessage> R await(
      Class<R> type,
      Server server,
      Duration limit,
      Duration most,
      Consumer<WorkerMessage> meanwhile)
      throws InterruptedException, BrokenException {
    long start = System.nanoTime();
    stallDetector = new StallDetector(start, limit);
    Hindrance hindrance = new Hindrance(start);
    long hindered = 0;
    Optional<String> over = Optional.empty();
    while (over.isEmpty()) {
      WorkerMessage message = next(POLL).orElse(null);
      stallDetector.awake(System.nanoTime());
      if (type.isInstance(message)) {
        return type.cast(message);
      }
      if (message instanceof WorkerMessage.Failed failed) {
        boolean refused = generators.filter(Generators::refused).isPresent();
        long silent = stallDetector.silent(System.nanoTime());
        Failure failure = hindrance.blamed(failed.failure(), silent);
        throw new BrokenException(refused ? failure : explained(failure, server));
      }
      if (message instanceof WorkerMessage.Finished
          || message instanceof WorkerMessage.WritesEnded) {
        throw new BrokenException(why(message));
      }
      if (message instanceof WorkerMessage.Progress progress) {
        stallDetector.progressed(progress, System.nanoTime());
      }
      if (message != null) {
        meanwhile.accept(message);
      }
      refuseDeath(server);
      long now = System.nanoTime();
      if (stallDetector.silent(now) < SHORT_NANOS) {
        hindered += hindrance.total();
        hindrance = new Hindrance(now);
      } else {
        hindrance.look(now, LongStream.concat(processes(), server.pid().stream()));
      }
      over = stallDetector.stalled(now, hindrance);
      long idle = stallDetector.paused() + hindered + hindrance.total();
      if (over.isEmpty() && Duration.ofNanos(now - start - idle).compareTo(most) > 0) {
        over = Optional.of("it was not done within %.0f s".formatted(most.toMillis() / 1e3));
      }
    }
    boolean stopped = !launcher.remote() && jvms.stream().anyMatch(WorkerJvm::stopped);
    if (stopped) {
      String text = over.get() + ": the worker JVM was stopped by a signal";
      throw new BrokenException(new Failure(Cause.OUTSIDER, text), true, !server.embedded());
    }
    dumpThreads();
    Failure failure =
        hindrance.blamed(
            new Failure(Cause.ENGINE, over.get() + whereThreadsWere()),
            stallDetector.silent(System.nanoTime()));
    throw new BrokenException(server.explained(failure), true, false);
  }

  /** Returns the longest pause of this process in the last {@link #await}. */
  public long longestPause() {
    return stallDetector.longestPause();
  }

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
    return "; its thread dump is in " + log.file().getFileName();
  }

  /** Throws with the ending of the server or the worker, if one has ended. */
  public void refuseDeath(Server server) throws BrokenException {
    // A worker that ends by itself does so because of its embedded engine, if it has one.
    Cause own = server.embedded() ? Cause.ENGINE : Cause.HARNESS;
    Optional<Failure> death = server.death();
    if (death.isPresent()) {
      throw new BrokenException(death.get());
    }
    death = death(own).map(server::explained);
    if (death.isPresent()) {
      throw new BrokenException(death.get(), false, !server.embedded());
    }
  }

  /**
   * Returns the server's death if that is behind {@code reported}; a dying server may take a
   * moment. Otherwise returns {@code reported} as the server explains it, with its last words.
   */
  public Failure explained(Failure reported, Server server) throws InterruptedException {
    Failure explained = server.explained(reported);
    for (int poll = 0; poll < DEATH_POLLS; poll++) {
      Optional<Failure> death = server.death();
      if (death.isPresent()) {
        return death.get();
      }
      next(POLL);
    }
    return new Failure(explained.cause(), explained.message() + server.lastWords());
  }

  /** Returns the failure behind an unexpected {@code message}. */
  public static Failure why(WorkerMessage message) {
    if (message instanceof WorkerMessage.Failed failed) {
      return failed.failure();
    }
    if (message instanceof WorkerMessage.WritesEnded ended) {
      return new Failure(Cause.ENGINE, ended.reason());
    }
    return message instanceof WorkerMessage.Finished
        ? new Failure(Cause.ENGINE, "which is unexpected")
        : new Failure(Cause.HARNESS, "the worker sent " + message);
  }

  /** Returns whether a worker has ended and all of its messages were read. */
  public boolean dead() {
    return death(Cause.HARNESS).isPresent();
  }

  /** Returns the end of a {@link #dead} worker; {@code own} is to blame if it ended by itself. */
  public Optional<Failure> death(Cause own) {
    if (!messages.isEmpty()) {
      return Optional.empty();
    }
    return generators
        .flatMap(Generators::lost)
        .or(() -> jvms.stream().filter(WorkerJvm::ended).findFirst().map(jvm -> end(jvm, own)));
  }

  private Failure end(WorkerJvm jvm, Cause own) {
    Ending ending = jvm.ending(own);
    return check.ofEnd(ending, ending.text());
  }

  /** Lets the worker close its binding and end, or kills it; returns the problem, if any. */
  public Optional<String> stop(Duration patience) throws InterruptedException {
    tell(new WorkerCommand.Stop());
    Optional<String> problem = Optional.empty();
    long deadline = System.nanoTime() + patience.toNanos();
    for (WorkerJvm jvm : jvms) {
      if (!jvm.awaitEnd(Duration.ofNanos(deadline - System.nanoTime()))) {
        if (problem.isEmpty()) {
          dumpThreads();
        }
        jvm.end(launcher.remote());
        problem =
            Optional.of(
                "it did not end within %d s and was killed".formatted(patience.toSeconds())
                    + whereThreadsWere());
      } else if (jvm.failed() && problem.isEmpty()) {
        problem = failure().or(() -> Optional.of(end(jvm, Cause.ENGINE))).map(Failure::message);
      }
    }
    return problem;
  }

  private Optional<Failure> failure() throws InterruptedException {
    Optional<WorkerMessage> message = next(POLL);
    while (message.isPresent() && !(message.get() instanceof WorkerMessage.Failed)) {
      message = next(POLL);
    }
    return message.map(WorkerProcess::why);
  }

  /**
   * Kills the worker and waits; returns the ending, as in {@code was killed by signal 9}.
   *
   * @param sent runs after the signal was sent
   */
  public String kill(Runnable sent) throws InterruptedException {
    return jvms.get(0).kill(sent);
  }

  /** Kills running workers and removes temporary files. Idempotent, and safe in a shutdown hook. */
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
      // It is gone, or the system clears temporary files.
    }
  }
}
