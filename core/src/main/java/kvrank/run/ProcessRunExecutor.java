package kvrank.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.machine.Footprint;
import kvrank.machine.ProcessWatch;
import kvrank.machine.Storage;
import kvrank.machine.SyncProbe;
import kvrank.plan.RunSpec;
import kvrank.provision.MethodStatus;
import kvrank.provision.ProvisionException;
import kvrank.provision.Provisioner;
import kvrank.provision.Server;
import kvrank.provision.ServerSpec;
import kvrank.results.Outcome;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.scenario.Fsync;
import kvrank.worker.WorkerSpec;

/** Takes a run through its life: server, worker, phases, record. Failure is data. */
final class ProcessRunExecutor implements RunExecutor {

  /** How long the device is watched before a run, and after it. */
  private static final Duration WATCH = Duration.ofMillis(300);

  /** How long it is synced then, where durability is claimed. */
  private static final Duration SYNCS = Duration.ofMillis(300);

  private final Provisioner provisioner;
  private final Workers workers;
  private final Optional<Path> dataParent;
  private final Clock clock;

  /**
   * @param dataParent the folder for data directories; empty for the run's own folder
   */
  ProcessRunExecutor(
      Provisioner provisioner, Workers workers, Optional<Path> dataParent, Clock clock) {
    this.provisioner = provisioner;
    this.workers = workers;
    this.dataParent = dataParent;
    this.clock = clock;
  }

  @Override
  public RunRecord execute(
      RunSpec run, RunDirectory directory, Optional<SyncProbe> probe, RunListener listener)
      throws InterruptedException {
    RunRecorder recorder = new RunRecorder(run, clock.instant());
    if (run.unsupported().isPresent()) {
      return recorder.end(new Outcome.Unsupported(run.unsupported().get()), clock.instant());
    }
    Outcome outcome;
    try {
      outcome = life(run, directory, recorder, probe, listener);
    } catch (IOException | RuntimeException e) {
      // Whatever breaks here may be this engine's alone, as a module that is not built is.
      String own = e.getClass() == IOException.class ? e.getMessage() : null;
      outcome = new Outcome.Failed("", own == null ? e.toString() : own);
    }
    return recorder.end(outcome, clock.instant());
  }

  private Outcome life(
      RunSpec run,
      RunDirectory directory,
      RunRecorder recorder,
      Optional<SyncProbe> probe,
      RunListener listener)
      throws IOException, InterruptedException {
    clear(directory.path());
    Files.createDirectories(directory.path());
    Path data = dataParent.orElse(directory.path()).resolve("data-" + run.id());
    Optional<ServerSpec> server =
        provisioner.choose(run.engine(), run.fsync(), data, directory.serverLog());
    if (server.isEmpty()) {
      return new Outcome.Unavailable(missing(provisioner.survey(run.engine()), run));
    }
    Outcome outcome = watched(server.get(), run, directory, recorder, probe, listener);
    if (run.crashTest().isPresent() && outcome instanceof Outcome.Completed) {
      recorder.crashTest(
          new CrashTestRunner(run, provisioner, workers, directory, data, listener)
              .all(run.crashTest().get()));
    }
    return outcome;
  }

  @Override
  public void abort() {
    workers.abort();
  }

  /** Returns why an engine is not available here, and how to get it. */
  static String missing(List<MethodStatus> ways, RunSpec run) {
    Optional<String> planned = run.engine().definition().planned();
    if (planned.isPresent()) {
      return planned.get();
    }
    StringBuilder text = new StringBuilder();
    for (MethodStatus way : ways) {
      if (!way.available()) {
        text.append(text.isEmpty() ? "" : "; ")
            .append(way.method().label())
            .append(": ")
            .append(way.detail());
      }
    }
    String install = run.engine().definition().install();
    return install.isEmpty() ? text.toString() : text + ". To get it: " + install;
  }

  /** Looks at the device before the run and after it, when nothing of the run is there. */
  private Outcome watched(
      ServerSpec spec,
      RunSpec run,
      RunDirectory directory,
      RunRecorder recorder,
      Optional<SyncProbe> probe,
      RunListener listener)
      throws IOException, InterruptedException {
    Path folder = dataParent.orElse(directory.path());
    List<SyncProbe> probes = new ArrayList<>(probe.stream().toList());
    if (probe.isPresent()) {
      probes.add(probe(run, folder));
    }
    Outcome outcome = onServer(spec, run, directory, recorder, probe, listener);
    if (probe.isPresent()) {
      probes.add(probe(run, folder));
    }
    recorder.judge(probes.isEmpty() ? Optional.empty() : Optional.of(new DeviceProbes(probes)));
    return outcome;
  }

  private static SyncProbe probe(RunSpec run, Path folder)
      throws IOException, InterruptedException {
    return SyncProbe.of(
        Storage.of(folder), folder, WATCH, run.fsync() == Fsync.ON ? SYNCS : Duration.ZERO);
  }

  private Outcome onServer(
      ServerSpec spec,
      RunSpec run,
      RunDirectory directory,
      RunRecorder recorder,
      Optional<SyncProbe> probe,
      RunListener listener)
      throws IOException, InterruptedException {
    // The worker's JVM starts while the server does.
    try (WorkerProcess worker = workers.start(run, directory.workerLog());
        Server server = provisioner.start(spec)) {
      return phases(server, worker, run, directory, recorder, probe, listener);
    } catch (ProvisionException e) {
      return new Outcome.Failed("", e.getMessage());
    } catch (UncheckedIOException e) {
      return new Outcome.Failed("", "its data could not be removed: " + e.getMessage());
    }
  }

  private static Outcome phases(
      Server server,
      WorkerProcess worker,
      RunSpec run,
      RunDirectory directory,
      RunRecorder recorder,
      Optional<SyncProbe> probe,
      RunListener listener)
      throws IOException, InterruptedException, ProvisionException {
    // The worker ends before the server, with which an embedded engine's data goes.
    try (worker;
        ResourceSampler sampler =
            new ResourceSampler(server.pid(), worker.pid(), server.data(), directory.resources())) {
      recorder.facts(server.facts());
      recorder.facts(empty(server));
      WorkerSpec workerSpec = WorkerSpecs.of(run, server.connection(), directory.path());
      workerSpec.write(directory.workerSpec());
      worker.begin(directory.workerSpec());
      SortedMap<String, String> workerFacts = new TreeMap<>();
      workerFacts.put("worker.jvm", String.join(" ", Workers.jvm(run.engine().definition())));
      recorder.facts(workerFacts);
      WorkerSession session =
          new WorkerSession(
              run, server, worker, sampler, FlushMeter.of(probe, server), directory, listener);
      Outcome outcome = new PhaseRunner(run, session, recorder).all();
      recorder.facts(closed(server, outcome));
      return outcome;
    }
  }

  /** Returns what a server takes before it holds anything. */
  private static SortedMap<String, String> empty(Server server) {
    SortedMap<String, String> facts = new TreeMap<>();
    if (server.pid().isPresent()) {
      new ProcessWatch(server.pid().getAsLong())
          .sample()
          .ifPresent(
              sample -> facts.put("memory.emptyBytes", Long.toString(sample.residentBytes())));
    }
    return facts;
  }

  /**
   * Returns what is left of a run that completed, once its engine was closed and before it is
   * removed.
   */
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
