package kvrank.run.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.engine.EngineDefinition;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.YesNo;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.failure.FailureException;
import kvrank.machine.Footprint;
import kvrank.machine.PageCache;
import kvrank.machine.ProcessWatch;
import kvrank.plan.PlannedPhase;
import kvrank.provision.host.JvmFlags;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.ConnectionCount;
import kvrank.provision.server.ConnectionWatch;
import kvrank.provision.server.Server;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.run.durability.FlushMeter;
import kvrank.run.measure.RunExecutor.Task;
import kvrank.run.worker.BrokenException;
import kvrank.run.worker.StallDetector;
import kvrank.run.worker.WorkerProcess;
import kvrank.run.worker.WorkerSpecFactory;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Setting;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.workload.Dataset;

/** Leads a worker and its server through the phases of a run. */
record PhaseSequence(
    Task task,
    RunRecorder recorder,
    Server server,
    WorkerProcess worker,
    ResourceSampler sampler,
    FlushMeter flushes,
    NewLatencies latencies,
    Facts cpus) {

  /** The worker closes the binding, and an embedded engine flushes. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

  /** Waits until the worker can start; returns the problem, or {@link Outcome.Completed}. */
  Outcome ready() throws InterruptedException {
    try {
      Facts facts = worker.await(WorkerMessage.Ready.class, server, message -> {}).facts();
      recorder.facts().putAll(facts);
      server.requireFacts(facts);
      if (task.run().engine().external()) {
        worker.tellFirst(new WorkerCommand.Claim());
        worker.await(WorkerMessage.Restored.class, server, message -> {});
      }
      return new Outcome.Completed();
    } catch (ProvisionException e) {
      return new Outcome.Failed("", e.failure());
    } catch (BrokenException e) {
      if (e.late()) {
        String message =
            "the binding was not ready within %d s; see %s"
                .formatted(StallDetector.LIMIT.toSeconds(), task.directory().workerLog());
        return new Outcome.Failed("", e.failure().cause(), message);
      }
      // A JVM that does not start reports only that; its flags are tried again for the reason.
      EngineDefinition engine = task.run().engine().definition();
      Optional<String> refusal =
          worker.dead()
              ? JvmFlags.refusal(engine.name(), engine.binding().jvm())
              : Optional.empty();
      return new Outcome.Failed(
          "", refusal.map(why -> new Failure(Cause.INPUT, why)).orElse(e.failure()));
    }
  }

  /** Executes and records every supported phase; the first bad one decides the outcome. */
  Outcome run() throws IOException, InterruptedException {
    Outcome outcome = new Outcome.Completed();
    for (PlannedPhase phase : task.run().phases()) {
      Measurement measurement = measure(phase);
      recorder.phase(measurement);
      boolean bad = bad(measurement.phase().outcome());
      if (bad && !bad(outcome)) {
        outcome = measurement.phase().outcome();
      }
      boolean ended =
          measurement.phase().outcome() instanceof Outcome.TimedOut
              || server.death().isPresent()
              || worker.dead()
              || server.silent();
      if (bad && (phase.spec().load() || ended)) {
        return outcome;
      }
    }
    Optional<PlannedPhase> single =
        flushes.counts() ? WorkerSpecFactory.singleWrites(task.run()) : Optional.empty();
    if (single.isPresent()) {
      recorder.single(measure(single.get()));
    }
    recorder.lap(Fact.TIME_BETWEEN_SECONDS);
    worker.stop(STOP_PATIENCE).ifPresent(recorder::closing);
    return outcome;
  }

  private static boolean bad(Outcome outcome) {
    return !(outcome instanceof Outcome.Completed
        || outcome instanceof Outcome.Unsupported
        || outcome instanceof Outcome.BoundNotMet
        || outcome instanceof Outcome.Undetermined);
  }

  private Measurement measure(PlannedPhase phase) throws IOException, InterruptedException {
    if (phase.unsupported().isPresent()) {
      return unmeasured(phase, new Outcome.Unsupported(phase.unsupported().get()));
    }
    Measurement measured =
        phase.spec().sweep().isPresent()
            ? new SweepRunner(this, phase).measure(phase.spec().sweep().get())
            : measure(phase, phase.name(), new WorkerCommand.Start(phase.name()));
    return measured.completed() && !phase.settle().isEmpty() ? settled(phase, measured) : measured;
  }

  /** Waits after {@code phase} until the engine's background work is over, or for a time. */
  private Measurement settled(PlannedPhase phase, Measurement measured)
      throws InterruptedException {
    OptionalLong pid = server.pid();
    List<Long> workers = worker.pids();
    if (server.embedded() && workers.size() == 1) {
      pid = OptionalLong.of(workers.get(0));
    }
    Optional<ProcessWatch> watch = pid.stream().mapToObj(ProcessWatch::new).findFirst();
    Settling settling =
        new Settling(sampler.ended(), () -> watch.flatMap(ProcessWatch::sample), this::reports);
    task.listener().phase(task.run(), phase.name() + ", settling");
    try {
      if (phase.settle().equals(Setting.UNTIL_IDLE) && !settling.possible()) {
        String unseen =
            "'settle: until-idle' needs the engine's process on this machine, or its report of"
                + " pending work; use a time, such as 'settle: 30s'";
        return unmeasured(phase, new Outcome.Failed(phase.name(), Cause.INPUT, unseen));
      }
      Measurement settled = measured.with(settling.await(phase.settle()));
      sampler.now();
      return measured.phase().points().isEmpty() ? sized(settled) : settled;
    } catch (BrokenException e) {
      return unmeasured(phase, new Outcome.Failed(phase.name(), e.failure()));
    }
  }

  /** Returns {@code measured} with the size of the data now, if there are any. */
  private Measurement sized(Measurement measured) throws InterruptedException {
    if (server.data().isEmpty()) {
      return measured;
    }
    OptionalLong bytes = Footprint.of(server.data().get());
    sampler.footprint(measured.phase().name(), bytes);
    return bytes.isPresent() ? measured.withFootprint(bytes.getAsLong()) : measured;
  }

  /** Returns the engine's own figures now. */
  private Facts reports() throws InterruptedException, BrokenException {
    return server.embedded() ? reported(new WorkerCommand.Report()) : server.reports();
  }

  private Facts reported(WorkerCommand command) throws InterruptedException, BrokenException {
    worker.tellFirst(command);
    return worker.await(WorkerMessage.Reported.class, server, message -> {}).facts();
  }

  /** Returns {@code phase} as not measured, with the reason. */
  Measurement unmeasured(PlannedPhase phase, Outcome why) {
    PhaseSpec spec = phase.spec();
    return new Measurement(
        new PhaseRecord(
            phase.name(), spec.workload().name(), spec.load(), why, task.run().texts(phase)),
        Optional.empty());
  }

  /** Measures one stretch, named after the phase or a step of a sweep. */
  Measurement measure(PlannedPhase phase, String name, WorkerCommand command)
      throws IOException, InterruptedException {
    if (!Files.exists(task.directory().path())) {
      throw new FailureException(
          Cause.OUTSIDER, task.directory().path() + ": was removed meanwhile");
    }
    task.listener().phase(task.run(), name);
    try (ConnectionWatch watch = server.watch(worker.pids())) {
      Facts prepared = new Facts();
      Facts before = prepare(phase, name, prepared);
      begin(name, true);
      recorder.lap(Fact.TIME_BETWEEN_SECONDS);
      if (name.equals(WorkerSpecFactory.SINGLE)) {
        worker.tellFirst(command);
      } else {
        worker.tell(command);
      }
      PhaseResult result =
          worker
              .await(
                  WorkerMessage.Finished.class,
                  server,
                  StallDetector.LIMIT,
                  phase.timeLimit().orElse(WorkerProcess.FOREVER),
                  message -> heard(message, name, watch))
              .result();
      recorder.lap(Fact.TIME_PHASES_SECONDS);
      return measured(phase, result, prepared, before, watch.end());
    } catch (BrokenException e) {
      recorder.lap(Fact.TIME_PHASES_SECONDS);
      if (!e.late()) {
        Failure failure =
            changed(phase)
                .map(change -> e.failure().blamedOn(Cause.OUTSIDER, change))
                .orElse(e.failure());
        return unmeasured(phase, new Outcome.Failed(phase.name(), failure));
      }
      worker.close();
      return unmeasured(phase, new Outcome.TimedOut(phase.name(), e.failure()));
    }
  }

  /**
   * Restores the initial records, and makes the phase cold if it asks for that. Returns the
   * engine's own figures at its start; adds facts of the preparation to {@code prepared}.
   */
  private Facts prepare(PlannedPhase phase, String name, Facts prepared)
      throws IOException, InterruptedException, BrokenException {
    if (name.equals(WorkerSpecFactory.SINGLE)) {
      return new Facts();
    }
    tellAndAwait(new WorkerCommand.Restore());
    if (!phase.cold()) {
      return reports();
    }
    Optional<ColdStart.Step> reopening =
        server.embedded()
            ? Optional.of(() -> tellAndAwait(new WorkerCommand.Reopen()))
            : Optional.empty();
    return new ColdStart(server.data(), reopening, this::reports, PageCache::drop).begin(prepared);
  }

  private void tellAndAwait(WorkerCommand command) throws InterruptedException, BrokenException {
    worker.tell(command);
    worker.await(WorkerMessage.Restored.class, server, message -> {});
  }

  private void begin(String name, boolean warmup) {
    server.listen();
    flushes.begin();
    sampler.begin(name, warmup);
  }

  private void heard(WorkerMessage message, String name, ConnectionWatch watch) {
    // A durability proof may count too many flushes, but never too few.
    if (message instanceof WorkerMessage.Measuring measuring
        && !name.equals(WorkerSpecFactory.SINGLE)) {
      begin(name, false);
      watch.begin();
      flushes.late(System.nanoTime() - measuring.nanos());
    } else if (message instanceof WorkerMessage.Progress progress) {
      task.listener().progress(task.run(), progress);
    }
  }

  /**
   * Returns the measurement of a stretch.
   *
   * @param prepared facts of its preparation
   * @param before the engine's own figures at its start
   * @param seen connections of others
   */
  private Measurement measured(
      PlannedPhase phase,
      PhaseResult result,
      Facts prepared,
      Facts before,
      Optional<ConnectionWatch.Seen> seen)
      throws IOException, InterruptedException, BrokenException {
    // Before anything but the phase is counted.
    flushes.end();
    long pause = worker.longestPause(); // the pause of this wait only
    ResourceSampler.Used used = sampler.end();
    Resources resources =
        used.resources()
            .withFootprint(
                server.data().isPresent()
                    ? Footprint.of(server.data().get())
                    : OptionalLong.empty());
    Facts facts = new Facts(result.facts()).putAll(server.reports());
    sampler
        .footprint(result.phase(), resources.footprintBytes())
        .ifPresent(bytes -> facts.put(Fact.FOOTPRINT_PEAK_BYTES, bytes));
    facts.putAll(prepared);
    if (recorder.reopened() || prepared.is(Fact.COLD_REOPENED, YesNo.YES)) {
      facts.put(Fact.REOPENED, true);
    }
    before
        .find(Fact.ENGINE_PENDING_BYTES)
        .ifPresent(bytes -> facts.put(Fact.PENDING_BEGIN_BYTES, bytes));
    before
        .find(Fact.ENGINE_PENDING_WORK)
        .ifPresent(count -> facts.put(Fact.PENDING_BEGIN_WORK, count));
    if (facts.has(Fact.ENGINE_FLUSHES) && before.has(Fact.ENGINE_FLUSHES)) {
      facts.put(
          Fact.FLUSHES_COUNT, facts.count(Fact.ENGINE_FLUSHES) - before.count(Fact.ENGINE_FLUSHES));
    }
    if (server.embedded()) {
      worker.heapBytes().ifPresent(bytes -> facts.put(Fact.CLIENT_HEAP_RESIDENT_BYTES, bytes));
      facts.putAll(reported(new WorkerCommand.Collect()));
    }
    boolean embedded = task.run().engine().definition().embedded();
    OptionalLong standstill = StretchOutcome.standstill(result, pause, embedded);
    standstill.ifPresent(nanos -> facts.put(Fact.STANDSTILL_NANOS, nanos));
    facts.putAll(look(phase, result, facts));
    Optional<Failure> intrusion = intrusion(phase, result, seen, facts);
    long wrong = result.incorrect() + facts.count(Fact.CHECKED_WRONG);
    PhaseResult checked =
        new PhaseResult(result.phase(), result.elapsedNanos(), result.operations(), wrong, facts);
    StretchOperations operations = new StretchOperations(checked, latencies.read());
    facts.put(Fact.PAGE_CACHE, phase.cold() ? "dropped" : "kept");
    facts.putAll(used.facts());
    facts.putAll(cpus);
    long records = phase.spec().load() ? 0 : task.run().dataset().records();
    facts.putAll(StretchOperations.liveBytes(task.run(), records, facts.count(Fact.RECORDS)));
    return new Measurement(
        new PhaseRecord(
            phase.name(),
            phase.spec().workload().name(),
            phase.spec().load(),
            intrusion.isPresent()
                ? new Outcome.Failed(phase.name(), intrusion.get())
                : StretchOutcome.of(
                    phase.name(),
                    phase.settings().errorsAllowed(),
                    checked,
                    standstill,
                    used.facts(),
                    worker,
                    server),
            task.run().texts(phase),
            result.elapsedNanos(),
            operations.records(),
            Optional.of(resources),
            Optional.empty(),
            List.of(),
            facts),
        Optional.of(
            flushes.stretch(
                phase.settings().inFlight(),
                operations.written(),
                operations.service(),
                resources,
                used.facts().number(Fact.OTHERS_DISK_SHARE))));
  }

  /** Returns the changes by others that void a phase; it may allow errors because of them. */
  private Optional<String> changed(PlannedPhase phase) {
    return phase.settings().errorsAllowed()
        ? Optional.empty()
        : server.changed().map("the server was changed meanwhile: "::concat);
  }

  /** Adds the connections of others; returns the failure if they, or a change, void the phase. */
  private Optional<Failure> intrusion(
      PlannedPhase phase, PhaseResult result, Optional<ConnectionWatch.Seen> seen, Facts facts) {
    if (phase.name().equals(WorkerSpecFactory.SINGLE)) {
      // Only the first generator reports.
      return Optional.empty();
    }
    Optional<String> changed = changed(phase);
    if (changed.isPresent()) {
      return changed.map(change -> new Failure(Cause.OUTSIDER, change));
    }
    seen.ifPresent(samples -> facts.put(Fact.CONNECTIONS_OTHERS_SHARE, samples.share()));
    OptionalLong others = server.othersConnections(result.facts().count(Fact.CONNECTIONS_OPENED));
    others.ifPresent(count -> facts.put(Fact.CONNECTIONS_OTHERS, count));
    return ConnectionCount.intrusion(others.orElse(0), server.open(), result.elapsedNanos(), seen);
  }

  /**
   * Makes the worker check that required records exist and deleted ones do not, or count unexpired
   * ones if the engine's count includes others. Reads may remove these, so this comes last.
   */
  private Facts look(PlannedPhase phase, PhaseResult result, Facts facts)
      throws InterruptedException, BrokenException {
    Dataset dataset = task.run().dataset();
    boolean known =
        dataset.stays()
            ? result.operations().values().stream().allMatch(count -> count.errorTotal() == 0)
            : dataset.expires()
                && facts.has(Fact.ENGINE_RECORDS)
                && dataset.keys().prefix().isEmpty();
    if (!known || phase.spec().load() || phase.name().equals(WorkerSpecFactory.SINGLE)) {
      return new Facts();
    }
    worker.tellFirst(new WorkerCommand.Look());
    return worker.await(WorkerMessage.Looked.class, server, message -> {}).facts();
  }
}
