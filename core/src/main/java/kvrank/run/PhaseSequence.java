package kvrank.run;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.machine.Footprint;
import kvrank.machine.PageCache;
import kvrank.metric.Latency;
import kvrank.plan.PlannedPhase;
import kvrank.plan.RunSpec;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.Server;
import kvrank.results.LatencyLog;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.run.RunExecutor.Task;
import kvrank.run.WorkerProcess.BrokenException;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Reason;
import kvrank.worker.OperationCount;
import kvrank.worker.PhaseResult;
import kvrank.worker.WorkerCommand;
import kvrank.worker.WorkerMessage;
import kvrank.workload.Dataset;
import kvrank.workload.Operation;
import org.HdrHistogram.Histogram;

/** Leads a run, by one worker and its server on so many CPUs, through its phases. */
record PhaseSequence(
    Task task,
    RunRecorder recorder,
    Server server,
    WorkerProcess worker,
    ResourceSampler sampler,
    FlushMeter flushes,
    SortedMap<String, String> cpus) {

  private static final String INSERT = Operation.INSERT.label();

  /** The worker closes the binding, an embedded engine flushes. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

  /** A stretch of less than ten times that may stand still for so long all the same. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /**
   * What came of one measured stretch: a phase, or one step of a sweep.
   *
   * @param phase its record, without durability, which is judged when the run is over
   * @param written what that goes by; empty if the worker did not count to the end. Errors and
   *     wrong answers void the stretch all the same
   */
  record Measurement(PhaseRecord phase, Optional<WrittenStretch> written) {

    boolean completed() {
      return phase.outcome() instanceof Outcome.Completed;
    }
  }

  /** Waits until the worker can begin; why it cannot, or {@link Outcome.Completed}. */
  Outcome ready() throws InterruptedException {
    try {
      SortedMap<String, String> facts =
          worker.await(WorkerMessage.Ready.class, server, report -> {}).facts();
      recorder.facts(facts);
      server.requireFacts(facts);
      if (task.run().engine().external()) {
        worker.tellFirst(new WorkerCommand.Claim());
        worker.await(WorkerMessage.Restored.class, server, report -> {});
      }
      return new Outcome.Completed();
    } catch (ProvisionException e) {
      return new Outcome.Failed("", e.getMessage());
    } catch (BrokenException e) {
      String message =
          e.late()
              ? "the binding was not ready within %d s; see %s"
                  .formatted(StallDetector.LIMIT.toSeconds(), task.directory().workerLog())
              : named(e.getMessage(), task.run().engine().definition().name());
      return new Outcome.Failed("", message);
    }
  }

  /**
   * Returns {@code message} with the key of the {@code engine.yaml} that it is about, if one is.
   */
  static String named(String message, String engine) {
    String file = "the engine.yaml of " + engine;
    if (message.contains("Could not create the Java Virtual Machine")) {
      String reason = message.lines().skip(1).findFirst().orElse(message);
      return "the worker's JVM refuses binding.jvm of %s: %s".formatted(file, reason);
    }
    return message.contains("property '")
        ? "%s; properties are in binding.properties of %s".formatted(message, file)
        : message;
  }

  /**
   * Does every phase that the engine can do, and records each; the first one that goes wrong names
   * the outcome.
   */
  Outcome phases() throws IOException, InterruptedException {
    Outcome outcome = new Outcome.Completed();
    for (PlannedPhase phase : task.run().phases()) {
      Measurement measurement = measure(phase);
      recorder.phase(measurement);
      boolean bad = bad(measurement.phase().outcome());
      if (bad && !bad(outcome)) {
        outcome = measurement.phase().outcome();
      }
      boolean ended = measurement.phase().outcome() instanceof Outcome.TimedOut || gone();
      if (bad && (phase.spec().load() || ended)) {
        return outcome;
      }
    }
    Optional<PlannedPhase> single =
        flushes.counts() ? WorkerSpecFactory.singleWrites(task.run()) : Optional.empty();
    if (single.isPresent()) {
      recorder.single(measure(single.get()));
    }
    worker.stop(STOP_PATIENCE).ifPresent(recorder::closing);
    return outcome;
  }

  /** Returns whether nobody is left who could do another phase. */
  private boolean gone() {
    return server.death().or(worker::death).isPresent() || server.silent();
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
    return phase.spec().sweep().isPresent()
        ? new SweepRunner(this, phase).measure(phase.spec().sweep().get())
        : measure(phase, phase.name(), new WorkerCommand.Start(phase.name()));
  }

  /** Returns that {@code phase} was not measured, and why. */
  Measurement unmeasured(PlannedPhase phase, Outcome why) {
    PhaseSpec spec = phase.spec();
    return new Measurement(
        new PhaseRecord(
            phase.name(), spec.workload().name(), spec.load(), why, task.run().texts(phase)),
        Optional.empty());
  }

  /** Has the worker do one stretch, whose name is the phase's unless it is a step of a sweep. */
  Measurement measure(PlannedPhase phase, String name, WorkerCommand command)
      throws IOException, InterruptedException {
    if (!Files.exists(task.directory().path())) {
      throw new IOException(task.directory().path() + ": was removed meanwhile");
    }
    task.listener().phase(task.run(), name);
    try {
      if (phase.cold()) {
        // Before each phase the worker brings back the records that it begins with, which would
        // warm up the cache again.
        worker.tell(new WorkerCommand.Restore());
        worker.await(WorkerMessage.Restored.class, server, report -> {});
        PageCache.drop();
      }
      begin(name);
      if (name.equals(WorkerSpecFactory.SINGLE)) {
        worker.tellFirst(command);
      } else {
        worker.tell(command);
      }
      return measured(
          phase,
          worker
              .await(WorkerMessage.Finished.class, server, report -> heard(report, name))
              .result());
    } catch (BrokenException e) {
      if (!e.late()) {
        return unmeasured(phase, new Outcome.Failed(phase.name(), e.getMessage()));
      }
      worker.close();
      return unmeasured(phase, new Outcome.TimedOut(phase.name(), e.getMessage()));
    }
  }

  private void begin(String name) {
    server.listen();
    flushes.begin();
    sampler.begin(name);
  }

  private void heard(WorkerMessage report, String name) {
    // What proves durability may have flushes too many, and must not have too few.
    if (report instanceof WorkerMessage.Measuring measuring
        && !name.equals(WorkerSpecFactory.SINGLE)) {
      begin(name);
      flushes.late(System.nanoTime() - measuring.nanos());
    } else if (report instanceof WorkerMessage.Progress progress) {
      task.listener().progress(task.run(), progress);
    }
  }

  private Measurement measured(PlannedPhase phase, PhaseResult result)
      throws IOException, InterruptedException, BrokenException {
    // First of all, while next to nothing but the phase has been counted.
    flushes.end();
    ResourceSampler.Used used = sampler.end();
    Resources resources = used.resources().withFootprint(footprint());
    SortedMap<String, String> facts = new TreeMap<>(result.facts());
    server.reports().forEach((name, value) -> facts.put("engine." + name, value));
    facts.putAll(look(phase, result, facts));
    long wrong = result.incorrect() + Long.parseLong(facts.getOrDefault("checked.wrong", "0"));
    PhaseResult checked =
        new PhaseResult(result.phase(), result.elapsedNanos(), result.operations(), wrong, facts);
    SortedMap<String, Histogram> histograms = LatencyLog.read(task.directory().latencyLog());
    double seconds = result.elapsedNanos() / 1e9;
    SortedMap<String, OperationRecord> operations = new TreeMap<>();
    for (Map.Entry<Operation, OperationCount> each : result.operations().entrySet()) {
      String operation = each.getKey().label();
      OperationCount count = each.getValue();
      double throughput = seconds > 0 ? count.ok() / seconds : 0;
      Optional<Latency> latency = summary(histograms, result.phase() + "/" + operation);
      operations.put(
          operation,
          new OperationRecord(count.ok(), count.notFound(), count.errors(), throughput, latency));
    }
    facts.put("page-cache", phase.cold() ? "dropped" : "kept");
    facts.putAll(used.facts());
    facts.putAll(cpus);
    SortedMap<String, OperationRecord> written = new TreeMap<>(operations);
    if (facts.containsKey("compensation.records")) {
      written.put(INSERT, compensation(result, histograms));
    }
    facts.putAll(
        logicalBytes(task.run(), written, Long.parseLong(facts.getOrDefault("records", "0"))));
    return new Measurement(
        new PhaseRecord(
            phase.name(),
            phase.spec().workload().name(),
            phase.spec().load(),
            judged(phase.name(), checked, worker.longestPause()),
            task.run().texts(phase),
            result.elapsedNanos(),
            operations,
            Optional.of(resources),
            Optional.empty(),
            List.of(),
            facts),
        Optional.of(
            flushes.stretch(
                phase.settings().inFlight(),
                written,
                service(result.phase(), histograms),
                resources)));
  }

  /**
   * Has the worker look whether what has to be there is, and what was deleted is not; or how many
   * of the records are there whose time to live is not over, for an engine that just said how many
   * it holds, those past it included. What it finds past it by a read it may remove, so this is the
   * last that is done after a phase.
   */
  private SortedMap<String, String> look(
      PlannedPhase phase, PhaseResult result, SortedMap<String, String> facts)
      throws InterruptedException, BrokenException {
    Dataset dataset = task.run().dataset();
    boolean known =
        dataset.stays()
            ? result.operations().values().stream().allMatch(each -> each.errorTotal() == 0)
            : dataset.expires()
                && facts.containsKey("engine.records")
                && dataset.keys().prefix().isEmpty();
    if (!known || phase.spec().load() || phase.name().equals(WorkerSpecFactory.SINGLE)) {
      return new TreeMap<>();
    }
    worker.tellFirst(new WorkerCommand.Look());
    return worker.await(WorkerMessage.Looked.class, server, report -> {}).facts();
  }

  /** How long requests took from when they were sent, which an open loop has apart. */
  private static SortedMap<String, Histogram> service(
      String phase, SortedMap<String, Histogram> histograms) {
    SortedMap<String, Histogram> service = new TreeMap<>();
    for (Operation operation : Operation.values()) {
      String tag = phase + "/" + operation.label();
      Histogram nanos = histograms.getOrDefault(tag + "/service", histograms.get(tag));
      if (nanos != null) {
        service.put(operation.label(), nanos);
      }
    }
    return service;
  }

  /**
   * The inserts that made up for deletes, of a mix that has none of its own: nothing that was asked
   * for, but their flushes and bytes are among those that were counted.
   */
  private static OperationRecord compensation(
      PhaseResult result, SortedMap<String, Histogram> histograms) {
    return new OperationRecord(
        Long.parseLong(result.facts().get("compensation.records")),
        0,
        new TreeMap<>(),
        0,
        summary(histograms, result.phase() + "/compensation/" + INSERT));
  }

  private static Optional<Latency> summary(SortedMap<String, Histogram> histograms, String tag) {
    return Optional.ofNullable(histograms.get(tag)).map(LatencyLog::summary);
  }

  /** Errors, wrong answers, no answers and a machine that stood still void a stretch. */
  private Outcome judged(String phase, PhaseResult result, long pause) throws InterruptedException {
    if (result.incorrect() > 0) {
      return incorrect(phase, result);
    }
    Optional<String> still = standstill(result, pause, task.run().engine().definition().embedded());
    if (still.isPresent()) {
      return new Outcome.Failed(phase, still.get());
    }
    long errors = result.operations().values().stream().mapToLong(OperationCount::errorTotal).sum();
    if (errors > 0) {
      List<String> statuses = new ArrayList<>();
      for (Map.Entry<Operation, OperationCount> each : result.operations().entrySet()) {
        String operation = each.getKey().label();
        each.getValue()
            .errors()
            .forEach((status, n) -> statuses.add("%s %s x%d".formatted(operation, status, n)));
      }
      String said = result.facts().getOrDefault("errors.said", "");
      String message =
          "%d operations failed: %s%s"
              .formatted(errors, String.join(", ", statuses), said.isEmpty() ? "" : ": " + said);
      return new Outcome.Failed(phase, worker.explained(message, server));
    }
    boolean none =
        result.operations().values().stream().allMatch(each -> each.ok() + each.notFound() == 0);
    Optional<String> unanswered = none ? unanswered(result) : Optional.empty();
    return unanswered.isPresent()
        ? new Outcome.Failed(phase, worker.explained(unanswered.get(), server))
        : new Outcome.Completed();
  }

  /**
   * Returns why a stretch in which nothing was answered says nothing. In an open loop it may be
   * that few requests were due, which is no failure.
   */
  static Optional<String> unanswered(PhaseResult result) {
    String unsent = result.facts().get("rate.unsent");
    if (unsent == null) {
      return Optional.of("no operation was answered while it was measured");
    }
    return Long.parseLong(unsent) < 10
        ? Optional.empty()
        : Optional.of(
            "the warm-up left it so far behind 'rate' that it came to none of the %s requests which"
                    .formatted(unsent)
                + " were due while it was measured; ask for less, or for a shorter 'warmup'");
  }

  /**
   * Returns that a stretch says nothing as the worker stood still in it. A pause of one that holds
   * the engine may be that one's doing, as a collection of its garbage is, unless this process,
   * which has nothing of the engine, stood still as well.
   *
   * @param pause the longest of this process meanwhile, in nanoseconds
   */
  static Optional<String> standstill(PhaseResult result, long pause, boolean embedded) {
    long worker = Long.parseLong(result.facts().getOrDefault("hiccup.maxNanos", "0"));
    long still = embedded ? Math.min(worker, pause) : worker;
    return still > Math.max(LONGEST_PAUSE.toNanos(), result.elapsedNanos() / 10)
        ? Optional.of(
            "%s for %.1f s of %.1f s, as by Ctrl-Z or on a machine that is suspended"
                .formatted(Reason.STOOD_STILL, still / 1e9, result.elapsedNanos() / 1e9))
        : Optional.empty();
  }

  /** Returns that answers were wrong, and one of them; the facts of the phase have the rest. */
  static Outcome incorrect(String phase, PhaseResult result) {
    String example = result.facts().getOrDefault("incorrect.example", "");
    String failed = result.facts().getOrDefault("errors.said", "");
    return new Outcome.Incorrect(
        phase,
        "%,d wrong %s%s%s; the facts of the phase in record.json say more"
            .formatted(
                result.incorrect(),
                result.incorrect() == 1 ? "answer" : "answers",
                example.isEmpty() ? "" : ", one of them: " + example,
                failed.isEmpty() ? "" : ", where operations failed, too: " + failed));
  }

  /**
   * How many bytes of keys and values a user had written and has there, which is what amplification
   * is measured against; values of several sizes count with their mean. {@code user.writtenBytes}
   * are keys and values of the OK writes and keys of the deletes, {@code user.liveBytes} those of
   * the records that are there at the end, unless the engine may have given up some. Nothing where
   * the records are another's: of a hosted workload or a trace.
   *
   * @param operations of the phase, by label
   * @param records the number of records at its end
   */
  private static SortedMap<String, String> logicalBytes(
      RunSpec run, SortedMap<String, OperationRecord> operations, long records) {
    if (run.dataset().trace().isPresent()
        || run.phases().stream().anyMatch(p -> p.spec().workload().hosted().isPresent())) {
      return new TreeMap<>();
    }
    double key = run.dataset().keys().bytes();
    double record = key + run.dataset().values().sizes().mean();
    double written = 0;
    for (Operation operation : Operation.values()) {
      double size = operation.storesValue() ? record : operation == Operation.DELETE ? key : 0;
      OperationRecord done = operations.get(operation.label());
      written += done == null ? 0 : done.ok() * size;
    }
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put("user.writtenBytes", Long.toString(Math.round(written)));
    if (run.dataset().stays()) {
      facts.put("user.liveBytes", Long.toString(Math.round(records * record)));
    }
    return facts;
  }

  private OptionalLong footprint() throws InterruptedException {
    return server.data().isPresent() ? Footprint.of(server.data().get()) : OptionalLong.empty();
  }
}
