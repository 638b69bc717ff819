package kvrank.run;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.machine.Footprint;
import kvrank.machine.PageCache;
import kvrank.plan.PlannedPhase;
import kvrank.plan.RunSpec;
import kvrank.provision.Server;
import kvrank.results.Latency;
import kvrank.results.LatencyLog;
import kvrank.results.Measurements;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.Resources;
import kvrank.results.RunDirectory;
import kvrank.run.WorkerProcess.BrokenException;
import kvrank.worker.OperationCount;
import kvrank.worker.PhaseResult;
import kvrank.worker.WorkerMessage;
import kvrank.workload.Operation;
import org.HdrHistogram.Histogram;

/** One worker and the server that it talks to: begins stretches and sees what comes of them. */
record WorkerSession(
    RunSpec run,
    Server server,
    WorkerProcess worker,
    ResourceSampler sampler,
    FlushMeter flushes,
    RunDirectory directory,
    RunListener listener) {

  private static final String INSERT = Operation.INSERT.label();

  /** The worker closes the binding, an embedded engine flushes. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

  /** Waits for the binding; its facts go to {@code recorder}. Empty if all is well. */
  Optional<Outcome> awaitReady(RunRecorder recorder) throws InterruptedException {
    try {
      recorder.facts(worker.await(WorkerMessage.Ready.class, server, report -> {}).facts());
      return Optional.empty();
    } catch (BrokenException e) {
      String message =
          e.silent()
              ? "the binding was not ready within %d s; see %s"
                  .formatted(WorkerProcess.PATIENCE.toSeconds(), directory.workerLog())
              : e.getMessage();
      return Optional.of(new Outcome.Failed("", message));
    }
  }

  /**
   * Has the worker do one stretch.
   *
   * @param phase the phase that it is or belongs to
   * @param name the stretch's own name, which is the phase's unless it is a step of a sweep
   * @param command what the worker is told
   */
  Measurement measure(PlannedPhase phase, String name, String command)
      throws IOException, InterruptedException {
    listener.phase(run, name);
    String awaited = "record was brought back";
    try {
      if (phase.cold()) {
        // Before each phase the worker brings back the records that it begins with, which would
        // warm up the cache again.
        worker.tell("restore");
        worker.await(WorkerMessage.Restored.class, server, report -> {});
        PageCache.drop();
      }
      awaited = "operation was answered";
      begin(name);
      worker.tell(command);
      return measured(
          phase,
          worker
              .await(WorkerMessage.Finished.class, server, report -> heard(report, name))
              .result());
    } catch (BrokenException e) {
      if (!e.silent()) {
        return new Measurement.Broken(new Outcome.Failed(phase.name(), e.getMessage()));
      }
      worker.close();
      String message = "no %s for %d s".formatted(awaited, WorkerProcess.PATIENCE.toSeconds());
      return new Measurement.Broken(new Outcome.TimedOut(phase.name(), message));
    }
  }

  private void begin(String name) {
    flushes.begin();
    sampler.begin(name);
  }

  private void heard(WorkerMessage report, String name) {
    if (report instanceof WorkerMessage.Measuring) {
      begin(name);
    } else if (report instanceof WorkerMessage.Progress progress) {
      listener.progress(run, progress);
    }
  }

  /** Returns whether the flushes of the device say something of this server. */
  boolean countsFlushes() {
    return flushes.counts();
  }

  /** Lets the worker close its binding and end. */
  void stop() throws InterruptedException {
    worker.stop(STOP_PATIENCE);
  }

  /** Returns how the server or the worker has ended, if one of them has. */
  Optional<String> death() {
    return server.death().or(worker::death);
  }

  private Measurement measured(PlannedPhase phase, PhaseResult result) throws InterruptedException {
    // First of all, while next to nothing but the phase has been counted.
    flushes.end();
    ResourceSampler.Used used = sampler.end();
    SortedMap<String, Histogram> histograms = LatencyLog.read(directory.latencyLog());
    double seconds = result.elapsedNanos() / 1e9;
    SortedMap<String, OperationRecord> operations = new TreeMap<>();
    result
        .operations()
        .forEach(
            (operation, count) ->
                operations.put(
                    operation.label(),
                    new OperationRecord(
                        count.ok(),
                        count.notFound(),
                        count.errors(),
                        seconds > 0 ? count.ok() / seconds : 0,
                        summary(histograms, result.phase() + "/" + operation.label()))));
    SortedMap<String, String> facts = new TreeMap<>(result.facts());
    facts.put("page-cache", phase.cold() ? "dropped" : "kept");
    facts.putAll(used.facts());
    server.reports().forEach((name, value) -> facts.put("engine." + name, value));
    SortedMap<String, OperationRecord> written = new TreeMap<>(operations);
    if (facts.containsKey("compensation.records")) {
      written.put(INSERT, compensation(result, histograms));
    }
    facts.putAll(LogicalBytes.of(run, written, Long.parseLong(facts.getOrDefault("records", "0"))));
    Resources resources = used.resources().withFootprint(footprint());
    return new Measurement.Measured(
        judged(phase.name(), result),
        new Measurements(
            result.elapsedNanos(), operations, Optional.of(resources), Optional.empty(), List.of()),
        facts,
        flushes.stretch(
            phase.settings().inFlight(), written, service(result.phase(), histograms), resources));
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

  /** Errors and wrong answers void a stretch. */
  private Outcome judged(String phase, PhaseResult result) throws InterruptedException {
    if (result.incorrect() > 0) {
      return new Outcome.Incorrect(
          phase, "%d answers were wrong: %s".formatted(result.incorrect(), result.facts()));
    }
    long errors = result.operations().values().stream().mapToLong(OperationCount::errorTotal).sum();
    if (errors > 0) {
      List<String> statuses = new ArrayList<>();
      result
          .operations()
          .forEach(
              (operation, count) ->
                  count
                      .errors()
                      .forEach(
                          (status, number) ->
                              statuses.add(
                                  "%s %s x%d".formatted(operation.label(), status, number))));
      String message = "%d operations failed: %s".formatted(errors, String.join(", ", statuses));
      return new Outcome.Failed(phase, worker.explained(message, server));
    }
    return new Outcome.Completed();
  }

  private OptionalLong footprint() throws InterruptedException {
    return server.data().isPresent() ? Footprint.of(server.data().get()) : OptionalLong.empty();
  }
}
