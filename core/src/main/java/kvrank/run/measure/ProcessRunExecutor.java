package kvrank.run.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.engine.ProvisionMethod;
import kvrank.fact.Fact;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.failure.FailureException;
import kvrank.failure.ProcessCheck;
import kvrank.input.Reason;
import kvrank.input.TrustedPath;
import kvrank.machine.Footprint;
import kvrank.machine.MemoryGroup;
import kvrank.machine.MemoryOfOthers;
import kvrank.machine.ProcessWatch;
import kvrank.plan.RunSpec;
import kvrank.provision.MethodStatus;
import kvrank.provision.Provisioner;
import kvrank.provision.host.DataFolder;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import kvrank.results.CrashTrialResult;
import kvrank.results.Outcome;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.run.crash.CrashTrials;
import kvrank.run.durability.FlushMeter;
import kvrank.run.worker.BrokenException;
import kvrank.run.worker.StallDetector;
import kvrank.run.worker.WorkerLauncher;
import kvrank.run.worker.WorkerProcess;
import kvrank.run.worker.WorkerSpecFactory;
import kvrank.scenario.MemoryLimit;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerSpec;

/** Executes a run in processes, with the data in {@code dataParent} or the run's folder. */
public record ProcessRunExecutor(
    Provisioner provisioner,
    WorkerLauncher workers,
    Optional<Path> dataParent,
    boolean keepData,
    Preparation preparation,
    Clock clock)
    implements RunExecutor {

  @Override
  public RunRecord execute(Task task) throws InterruptedException {
    RunSpec run = task.run();
    RunRecorder recorder = new RunRecorder(run, clock.instant());
    if (run.unsupported().isPresent()) {
      return recorder.end(new Outcome.Unsupported(run.unsupported().get()));
    }
    Outcome outcome;
    try {
      outcome = new Life(task, recorder).outcome();
    } catch (ProvisionException e) {
      outcome = new Outcome.Failed("", e.failure());
    } catch (IOException | RuntimeException e) {
      // It may affect only this engine, such as a module that is not built.
      outcome = failed(e);
    } catch (LinkageError e) {
      // A class cannot be loaded for the first time if no more files can be opened.
      outcome =
          new Outcome.Failed(
              "",
              ProcessCheck.refusal("kvrank").isPresent() ? Cause.MACHINE : Cause.HARNESS,
              "a class cannot be loaded: "
                  + Optional.ofNullable(e.getMessage()).orElseGet(e::toString).replace('/', '.'));
    }
    return recorder.end(outcome);
  }

  static Outcome failed(Exception e) {
    return new Outcome.Failed("", Cause.of(e), Reason.located(e));
  }

  @Override
  public void abort() {
    preparation.abort();
    workers.abort();
  }

  /** Returns the reason why an engine is not available, and how to get it. */
  static String missing(List<MethodStatus> ways, RunSpec run) {
    List<MethodStatus> missing = ways.stream().filter(way -> !way.available()).toList();
    Optional<String> planned = run.engine().definition().planned();
    if (planned.isEmpty() && missing.isEmpty()) {
      return "it was not available when the run began, but it is now; run it again";
    }
    return planned.orElseGet(() -> MethodStatus.missing(missing, run.engine()));
  }

  private final class Life {

    private final Task task;
    private final RunSpec run;
    private final RunDirectory directory;
    private final RunRecorder recorder;

    /** Whether an external server may have keys of this run. */
    private boolean indebted;

    /** Why they, or the data, could not be removed. */
    private Optional<Failure> left = Optional.empty();

    Life(Task task, RunRecorder recorder) {
      this.task = task;
      this.run = task.run();
      this.directory = task.directory();
      this.recorder = recorder;
    }

    Outcome outcome() throws IOException, InterruptedException, ProvisionException {
      // From an earlier attempt, which a resumed execution repeats.
      new DataFolder(directory.path()).delete();
      TrustedPath.createFolder(directory.path());
      Path folder = dataParent.orElse(directory.path());
      // It may have been removed.
      TrustedPath.createFolder(folder);
      Path data = folder.resolve("data-" + run.id());
      if (keepData && dataParent.isPresent()) {
        // Shared with other executions.
        Path execution = directory.path().toAbsolutePath().getParent().getParent();
        data = folder.resolve("data-%s-%s".formatted(execution.getFileName(), run.id()));
        new DataFolder(data).delete();
      }
      Optional<ServerSpec> server =
          provisioner.choose(run.engine(), run.fsync(), data, directory.serverLog());
      if (server.isEmpty()) {
        return new Outcome.Unavailable(missing(provisioner.survey(run.engine()), run));
      }
      Optional<Failure> unprepared =
          preparation.prepare(folder, directory.prepareLog(), recorder.facts());
      if (unprepared.isPresent()) {
        return new Outcome.Failed("", unprepared.get());
      }
      Outcome outcome = limited(server.get(), folder);
      // An engine that fails after it was measured would otherwise avoid its crashes.
      boolean completed = outcome instanceof Outcome.Completed;
      if (run.crashTest().isPresent() && (completed || recorder.measured()) && !workers.aborted()) {
        CrashTrialResult test =
            new CrashTrials(
                    run,
                    directory,
                    name -> task.listener().phase(run, name),
                    provisioner,
                    workers,
                    data)
                .result(run.crashTest().get());
        recorder.crashTest(test);
        if (completed && test.cause().isPresent()) {
          outcome = new Outcome.Failed("", test.cause().get(), test.reason());
        }
      }
      return outcome;
    }

    private Outcome limited(ServerSpec spec, Path folder) throws IOException, InterruptedException {
      Optional<MemoryLimit> limit = run.memory();
      if (limit.isEmpty() || spec.method() == ProvisionMethod.CONTAINER) {
        return probed(spec.within(Optional.empty(), limit), Optional.empty(), folder);
      }
      MemoryGroup group;
      try {
        group = MemoryGroup.of(limit.get());
      } catch (IOException e) {
        return new Outcome.Unavailable("memory: " + e.getMessage());
      }
      try (group) {
        Outcome outcome =
            probed(spec.within(Optional.of(group), limit), Optional.of(group), folder);
        recorder.facts().putAll(group.facts());
        return outcome;
      }
    }

    private Outcome probed(ServerSpec spec, Optional<MemoryGroup> group, Path folder)
        throws IOException, InterruptedException {
      // The worker's JVM starts while the device is probed and the server starts.
      try (WorkerProcess worker = workers.start(run, group, directory)) {
        return new ProbedDevice(task, recorder, folder).around(() -> onServer(spec, worker));
      }
    }

    private Outcome onServer(ServerSpec spec, WorkerProcess worker)
        throws IOException, InterruptedException {
      try (Server server = provisioner.start(spec)) {
        Outcome outcome;
        try {
          outcome = phases(server, worker);
        } finally {
          removeKeys(server);
        }
        if (keepData && !workers.aborted() && server.data().isPresent()) {
          server.keep();
          recorder.facts().put(Fact.DATA_KEPT, server.data().get().toString());
        }
        Optional<Failure> data = server.remove();
        data.ifPresent(failure -> recorder.facts().put(Fact.DATA_LEFT, failure.message()));
        left = left.or(() -> data);
        return outcome instanceof Outcome.Completed && left.isPresent()
            ? new Outcome.Failed("", left.get())
            : outcome;
      } catch (ProvisionException e) {
        return new Outcome.Failed("", e.failure());
      }
    }

    /** Removes this run's keys with a new worker: the first one may be stuck or dead. */
    private void removeKeys(Server server) throws InterruptedException {
      if (!indebted) {
        return;
      }
      Path log = directory.path().resolve("removal.log");
      try (WorkerProcess worker = workers.startLast(run, log)) {
        worker.begin(WorkerSpec.read(directory.workerSpec()), server.credentials());
        worker.await(WorkerMessage.Ready.class, server, message -> {});
        worker.tell(new WorkerCommand.Remove());
        worker.await(WorkerMessage.Restored.class, server, message -> {});
        server.settle();
        worker.stop(StallDetector.LIMIT);
      } catch (BrokenException | IOException e) {
        Failure why =
            e instanceof BrokenException broken
                ? broken.failure()
                : new Failure(Cause.of(e), Reason.located(e));
        String message = "kvrank's keys could not all be removed from the server: ";
        left = Optional.of(new Failure(why.cause(), message + why.message()));
        recorder.facts().put(Fact.EXTERNAL_LEFT, left.get().message());
        return;
      } finally {
        workers.settle();
      }
      try {
        Files.delete(log);
      } catch (IOException e) {
        // It shows a removal without problems.
      }
    }

    private Outcome phases(Server server, WorkerProcess worker)
        throws IOException, InterruptedException, ProvisionException {
      OptionalLong limit = run.memory().stream().mapToLong(MemoryLimit::bytes).findFirst();
      // The worker must end before the server, whose end removes an embedded engine's data.
      try (worker;
          ResourceSampler sampler =
              new ResourceSampler(
                  server.pid(),
                  worker.pids(),
                  server.data(),
                  !server.embedded(),
                  limit,
                  directory.resources())) {
        recorder.lap(Fact.TIME_SERVER_SECONDS);
        recorder.facts().putAll(server.facts());
        // Its memory while it is empty.
        if (server.pid().isPresent()) {
          new ProcessWatch(server.pid().getAsLong())
              .sample()
              .ifPresent(
                  it ->
                      recorder
                          .facts()
                          .put(Fact.MEMORY_EMPTY_BYTES, it.residentBytes())
                          .put(Fact.MEMORY_EMPTY_ANONYMOUS_BYTES, it.anonymousBytes()));
        }
        if (!run.engine().external()) {
          (limit.isPresent() ? limit : new MemoryOfOthers().limit())
              .ifPresent(bytes -> recorder.facts().put(Fact.MEMORY_AVAILABLE_BYTES, bytes));
        }
        ServerLimits limits = new ServerLimits(run, server.facts());
        Optional<String> problem = limits.problem();
        if (problem.isPresent()) {
          return new Outcome.Failed("", Cause.INPUT, problem.get());
        }
        boolean evicts = limits.evicts();
        RunSpec actual = evicts ? run.evicting() : run;
        recorder.evicts(evicts);
        WorkerSpec spec = WorkerSpecFactory.of(actual, server.connection(), directory.path());
        spec.write(directory.workerSpec());
        worker.begin(spec, server.credentials());
        recorder.facts().put(Fact.WORKER_JVM, String.join(" ", WorkerLauncher.jvm(run)));
        FlushMeter flushes = new FlushMeter(task.probe(), server);
        PhaseSequence phases =
            new PhaseSequence(
                new Task(actual, directory, task.probe(), task.listener()),
                recorder,
                server,
                worker,
                sampler,
                flushes,
                new NewLatencies(directory.latencyLog()),
                workers.cpus().counts());
        Outcome outcome = phases.ready();
        recorder.lap(Fact.TIME_WORKER_SECONDS);
        if (!(outcome instanceof Outcome.Completed)) {
          return outcome;
        }
        if (run.engine().external()) {
          indebted = true;
          server.owe(run.id(), run.dataset().keys().prefix());
          workers.owe();
        }
        outcome = phases.run();
        server.moved().ifPresent(text -> recorder.facts().put(Fact.CLUSTER_MOVED, text));
        // The size after closing the engine, before the data is removed.
        if (outcome instanceof Outcome.Completed && server.data().isPresent()) {
          server.stop();
          if (!Files.exists(server.data().get())) {
            throw new FailureException(
                Cause.OUTSIDER, "its data folder '%s' was removed".formatted(server.data().get()));
          }
          OptionalLong closed = Footprint.of(server.data().get());
          sampler.footprint("", closed);
          closed.ifPresent(bytes -> recorder.facts().put(Fact.FOOTPRINT_CLOSED_BYTES, bytes));
        }
        return outcome;
      }
    }
  }
}
