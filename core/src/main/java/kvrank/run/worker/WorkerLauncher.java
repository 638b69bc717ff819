package kvrank.run.worker;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import kvrank.engine.BuiltModule;
import kvrank.engine.EngineDefinition;
import kvrank.engine.EngineDefinition.Binding;
import kvrank.failure.Cause;
import kvrank.failure.FailureException;
import kvrank.machine.CpuSets;
import kvrank.machine.MemoryGroup;
import kvrank.plan.PlannedPhase;
import kvrank.plan.RunSpec;
import kvrank.provision.host.Boot;
import kvrank.provision.host.JvmFlags;
import kvrank.results.RunDirectory;
import kvrank.scenario.CpuList;
import kvrank.scenario.MemoryLimit;

/** Starts the workers of runs, one after the other. */
public final class WorkerLauncher {

  private static final int SETTLE_SECONDS = 30;

  /** The system property with which launcher/archive-classes makes the archives of bindings. */
  private static final String ARCHIVES = "kvrank.archives";

  private final Path home;
  private final CpuSets cpus;
  private final Optional<LoadLauncher> launcher;
  private volatile CompletableFuture<Void> debt = CompletableFuture.completedFuture(null);
  private WorkerProcess current;
  private boolean aborted;

  /** Creates a launcher with kvrank's folder. */
  public WorkerLauncher(Path home, CpuSets cpus, Optional<LoadLauncher> launcher) {
    this.launcher = launcher;
    this.home = home;
    this.cpus = cpus;
  }

  public CpuSets cpus() {
    return cpus;
  }

  /** Returns the JVM flags of {@code run}'s workers; the harness never fills this heap. */
  public static List<String> jvm(RunSpec run) {
    long heap = MemoryLimit.heap(run.memory()) >> 20;
    List<String> jvm = new ArrayList<>(JvmFlags.WORKER);
    jvm.addAll(List.of("-Xms%dm".formatted(Math.min(256, heap)), "-Xmx%dm".formatted(heap)));
    jvm.addAll(run.engine().definition().binding().jvm());
    return List.copyOf(jvm);
  }

  /**
   * Starts a worker of {@code run}, which waits for a specification; killed after an abort.
   *
   * @param boot how it starts if its engine finds its data on a simulated disk
   */
  public synchronized WorkerProcess start(RunSpec run, Optional<Boot> boot, Path log)
      throws IOException {
    current = start(run, Optional.empty(), boot, log);
    return kept();
  }

  /** Starts the workers for the load of {@code run}, on one machine or several. */
  public synchronized WorkerProcess start(
      RunSpec run, Optional<MemoryGroup> group, RunDirectory directory) throws IOException {
    int machines = run.machines().orElse(1);
    boolean embedded = run.engine().definition().server().isEmpty();
    if (embedded || launcher.isEmpty() || (machines == 1 && !launcher.get().remote())) {
      current = start(run, group, Optional.empty(), directory.workerLog());
      return kept();
    }
    current =
        WorkerProcess.start(
            launcher.get(),
            machines,
            classpath(run),
            flags(run),
            run.engine().access().credentials(),
            directory);
    return kept();
  }

  private WorkerProcess kept() {
    if (aborted) {
      current.close();
    }
    return current;
  }

  /** Starts a worker that {@link #abort} lets end by itself. */
  public WorkerProcess startLast(RunSpec run, Path log) throws IOException {
    return start(run, Optional.empty(), Optional.empty(), log);
  }

  private WorkerProcess start(
      RunSpec run, Optional<MemoryGroup> group, Optional<Boot> boot, Path log) throws IOException {
    EngineDefinition engine = run.engine().definition();
    List<String> command = new ArrayList<>();
    cpus.worker(engine.server().isEmpty())
        .map(CpuList::label)
        .ifPresent(list -> command.addAll(List.of("taskset", "-c", list)));
    return WorkerProcess.start(
        group, boot, command, classpath(run), flags(run), run.engine().access().credentials(), log);
  }

  /** Returns the JVM's flags, with archives of the worker's and the binding's classes. */
  private List<String> flags(RunSpec run) {
    List<String> flags = new ArrayList<>(jvm(run));
    Path worker = archive(home.resolve("worker"));
    Path binding = archive(run.engine().definition().binding().module());
    if (!Files.exists(worker)) {
      return flags;
    }
    // A JVM uses an archive only if it fits.
    boolean makes = Boolean.getBoolean(ARCHIVES);
    boolean both = !makes && Files.exists(binding);
    flags.add("-XX:SharedArchiveFile=" + worker + (both ? File.pathSeparator + binding : ""));
    if (makes) {
      flags.add("-XX:ArchiveClassesAtExit=" + binding);
    }
    return flags;
  }

  private static Path archive(Path module) {
    return BuiltModule.target(module).resolve("classes.jsa");
  }

  /** Records that a run may leave keys on an external server. */
  public void owe() {
    debt = new CompletableFuture<>();
  }

  /** Returns whether no further run will be finished. */
  public synchronized boolean aborted() {
    return aborted;
  }

  /** Records that the keys of {@link #owe} are removed, or cannot be. */
  public void settle() {
    debt.complete(null);
  }

  /** Ends the current and later workers, except the last, which gets some time to remove keys. */
  public void abort() {
    synchronized (this) {
      aborted = true;
      if (current != null) {
        current.close();
      }
    }
    debt.copy().completeOnTimeout(null, SETTLE_SECONDS, TimeUnit.SECONDS).join();
  }

  /** Returns the class path; throws with build instructions if something is missing. */
  private String classpath(RunSpec run) throws IOException {
    Binding binding = run.engine().definition().binding();
    Set<Path> entries = new LinkedHashSet<>(built(home.resolve("worker")));
    Path module = binding.module();
    // A distribution has build results without the build.
    if (Files.exists(module.resolve("pom.xml")) || Files.exists(module.resolve("target"))) {
      entries.addAll(built(module));
    }
    entries.addAll(binding.classpath());
    for (PlannedPhase phase : run.supportedPhases()) {
      phase.spec().workload().hosted().ifPresent(hosted -> entries.addAll(hosted.classpath()));
    }
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static List<Path> built(Path module) throws IOException {
    BuiltModule built = BuiltModule.of(module);
    if (!built.isBuilt()) {
      throw new FailureException(
          Cause.HARNESS,
          module + ": is not built; run 'mvn -DskipTests package' in kvrank's folder first");
    }
    return built.classpath();
  }
}
