package kvrank.run;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.machine.CpuSets;
import kvrank.machine.Footprint;
import kvrank.machine.ProcessWatch;
import kvrank.plan.RunSpec;
import kvrank.provision.ProvisionException;
import kvrank.provision.Provisioner;
import kvrank.provision.Server;
import kvrank.provision.ServerSpec;
import kvrank.provision.WayStatus;
import kvrank.results.Outcome;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.scenario.CpuList;
import kvrank.worker.WorkerSpec;

/** Takes one run through its life: server, worker, phases, record. Failure is data. */
final class RunExecutor {

  /**
   * The worker's JVM: one stop-the-world collector without concurrent threads that would compete
   * with the engine for cores, and a heap that the harness never fills.
   */
  private static final List<String> JVM =
      List.of("-XX:+UseParallelGC", "-Xms256m", "-Xmx2g", "-XX:-UsePerfData");

  private final Provisioner provisioner;
  private final WorkerClasspath classpath;
  private final Optional<Path> dataParent;
  private final Clock clock;
  private final CpuSets cpus;
  private volatile WorkerProcess current;

  /**
   * @param dataParent the folder for data directories; empty for the run's own folder
   * @param cpus what workers run on
   */
  RunExecutor(
      Provisioner provisioner,
      WorkerClasspath classpath,
      Optional<Path> dataParent,
      CpuSets cpus,
      Clock clock) {
    this.cpus = requireNonNull(cpus, "cpus is null");
    this.provisioner = requireNonNull(provisioner, "provisioner is null");
    this.classpath = requireNonNull(classpath, "classpath is null");
    this.dataParent = requireNonNull(dataParent, "dataParent is null");
    this.clock = requireNonNull(clock, "clock is null");
  }

  /**
   * Does the run; always returns a record, whatever happens to the engine.
   *
   * @param ceilings what the harness reaches without an engine, by phase
   */
  RunRecord execute(
      RunSpec run,
      RunDirectory directory,
      SortedMap<String, Ceiling> ceilings,
      RunListener listener)
      throws IOException, InterruptedException {
    RunRecorder recorder = new RunRecorder(run, clock.instant());
    if (run.unsupported().isPresent()) {
      return recorder.end(new Outcome.Unsupported(run.unsupported().get()), clock.instant());
    }
    clear(directory.path());
    Files.createDirectories(directory.path());
    Path data = dataParent.orElse(directory.path()).resolve("data-" + run.id());
    Optional<ServerSpec> server =
        provisioner.choose(run.engine(), run.fsync(), data, directory.serverLog());
    Outcome outcome =
        server.isEmpty()
            ? new Outcome.Unavailable(missing(provisioner.survey(run.engine()), run))
            : onServer(server.get(), run, directory, recorder, ceilings, listener);
    return recorder.end(outcome, clock.instant());
  }

  /** Ends the worker of a run in progress. Safe to call from a shutdown hook. */
  void abort() {
    WorkerProcess worker = current;
    if (worker != null) {
      worker.close();
    }
  }

  /** Why an engine cannot be had here, and how to get it. */
  static String missing(List<WayStatus> ways, RunSpec run) {
    Optional<String> planned = run.engine().definition().planned();
    if (planned.isPresent()) {
      return planned.get();
    }
    StringBuilder text = new StringBuilder();
    for (WayStatus way : ways) {
      if (!way.available()) {
        text.append(text.isEmpty() ? "" : "; ")
            .append(way.way().label())
            .append(": ")
            .append(way.detail());
      }
    }
    String install = run.engine().definition().install();
    return install.isEmpty() ? text.toString() : text + ". To get it: " + install;
  }

  private Outcome onServer(
      ServerSpec spec,
      RunSpec run,
      RunDirectory directory,
      RunRecorder recorder,
      SortedMap<String, Ceiling> ceilings,
      RunListener listener)
      throws IOException, InterruptedException {
    try (Server server = provisioner.start(spec)) {
      recorder.facts(server.facts());
      recorder.facts(empty(server));
      WorkerSpec workerSpec = WorkerSpecs.of(run, server.connection(), directory.path());
      workerSpec.write(directory.workerSpec());
      SortedMap<String, String> workerFacts = new TreeMap<>();
      String path = classpath.of(run.engine().definition(), workloadPath(run));
      List<String> jvm = new ArrayList<>(JVM);
      jvm.addAll(run.engine().definition().binding().jvm());
      workerFacts.put("worker.jvm", String.join(" ", jvm));
      recorder.facts(workerFacts);
      try (WorkerProcess worker =
              WorkerProcess.start(
                  cpus.worker(run.engine().definition().server().isEmpty()).map(CpuList::label),
                  path,
                  jvm,
                  directory.workerSpec(),
                  directory.workerLog());
          ResourceSampler sampler =
              new ResourceSampler(
                  server.pid(), worker.pid(), server.data(), directory.resources())) {
        current = worker;
        WorkerSession session =
            new WorkerSession(run, server, worker, sampler, directory, listener);
        Outcome outcome = new PhaseRunner(run, session, recorder, ceilings).all();
        recorder.facts(closed(server, outcome));
        return outcome;
      } finally {
        current = null;
      }
    } catch (ProvisionException e) {
      return new Outcome.Failed("", e.getMessage());
    } catch (UncheckedIOException e) {
      return new Outcome.Failed("", "its data could not be removed: " + e.getMessage());
    }
  }

  /** What a server takes before it holds anything. */
  private static SortedMap<String, String> empty(Server server) {
    SortedMap<String, String> facts = new TreeMap<>();
    if (server.pid().isPresent()) {
      try (ProcessWatch watch = ProcessWatch.withDescendants(server.pid().getAsLong())) {
        watch
            .sample()
            .ifPresent(
                sample -> facts.put("memory.emptyBytes", Long.toString(sample.residentBytes())));
      }
    }
    return facts;
  }

  /** What is left of a run that completed, once its engine was closed and before it is removed. */
  private static SortedMap<String, String> closed(Server server, Outcome outcome)
      throws InterruptedException {
    SortedMap<String, String> facts = new TreeMap<>();
    if (outcome instanceof Outcome.Completed && server.data().isPresent()) {
      server.stop();
      Footprint.of(server.data().get())
          .ifPresent(bytes -> facts.put("footprint.closedBytes", Long.toString(bytes)));
    }
    return facts;
  }

  /** Where the classes of hosted workloads are. */
  private static List<Path> workloadPath(RunSpec run) {
    return run.supportedPhases().stream()
        .flatMap(phase -> phase.workload().hosted().stream())
        .flatMap(hosted -> hosted.classpath().stream())
        .distinct()
        .toList();
  }

  /** An earlier attempt at this run, which a resumed execution does over. */
  private static void clear(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
