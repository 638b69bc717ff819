package kvrank.run;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kvrank.machine.Footprint;
import kvrank.machine.PageCache;
import kvrank.plan.PlannedPhase;
import kvrank.plan.RunSpec;
import kvrank.provision.Server;
import kvrank.results.LatencyLog;
import kvrank.results.Measurements;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.Resources;
import kvrank.results.RunDirectory;
import kvrank.worker.OperationCount;
import kvrank.worker.PhaseResult;
import kvrank.worker.WorkerMessage;
import kvrank.workload.Operation;
import org.HdrHistogram.Histogram;

/** One worker and the server that it talks to: begins stretches and sees what comes of them. */
final class WorkerSession {

  private static final Duration POLL = Duration.ofMillis(100);

  /** The worker starts, the binding connects, an embedded engine opens its files. */
  private static final Duration READY_PATIENCE = Duration.ofSeconds(60);

  private static final String INSERT = Operation.INSERT.label();

  /** Without one more operation in this time, a stretch is stuck. */
  private static final Duration STALL_PATIENCE = Duration.ofSeconds(60);

  /** The worker closes the binding, an embedded engine flushes. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

  /** How long a server that broke may take to be seen dead. */
  private static final int DEATH_POLLS = 10;

  private final RunSpec run;
  private final Server server;
  private final WorkerProcess worker;
  private final ResourceSampler sampler;
  private final FlushMeter flushes;
  private final RunDirectory directory;
  private final RunListener listener;

  WorkerSession(
      RunSpec run,
      Server server,
      WorkerProcess worker,
      ResourceSampler sampler,
      FlushMeter flushes,
      RunDirectory directory,
      RunListener listener) {
    this.run = run;
    this.server = server;
    this.worker = worker;
    this.sampler = sampler;
    this.flushes = flushes;
    this.directory = directory;
    this.listener = listener;
  }

  /** Waits for the binding; its facts go to {@code recorder}. Empty if all is well. */
  Optional<Outcome> awaitReady(RunRecorder recorder) throws InterruptedException {
    long deadline = System.nanoTime() + READY_PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      WorkerMessage report = worker.next(POLL).orElse(null);
      if (report instanceof WorkerMessage.Ready ready) {
        recorder.facts(ready.facts());
        return Optional.empty();
      }
      if (report instanceof WorkerMessage.Failed failed) {
        return Optional.of(new Outcome.Failed("", explained(failed.message())));
      }
      Optional<String> death = death();
      if (death.isPresent()) {
        return death.map(message -> new Outcome.Failed("", message));
      }
    }
    return Optional.of(
        new Outcome.Failed(
            "",
            "the binding was not ready within %d s; see %s"
                .formatted(READY_PATIENCE.toSeconds(), directory.workerLog())));
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
    if (phase.cold()) {
      // Before each phase the worker brings back the records that it begins with, which would
      // warm up the cache again.
      Optional<Outcome> broken = restore(phase);
      if (broken.isPresent()) {
        return new Measurement.Broken(broken.get());
      }
      PageCache.drop();
    }
    sampler.begin(name);
    flushes.begin();
    worker.tell(command);
    long operations = -1;
    long deadline = System.nanoTime() + STALL_PATIENCE.toNanos();
    while (true) {
      WorkerMessage report = worker.next(POLL).orElse(null);
      if (report instanceof WorkerMessage.Measuring) {
        flushes.begin();
        sampler.begin(name);
      } else if (report instanceof WorkerMessage.Progress progress) {
        listener.progress(run, progress);
        // What is brought back before a phase is reported, too, and counts from 0 on.
        if (progress.operations() != operations) {
          operations = progress.operations();
          deadline = System.nanoTime() + STALL_PATIENCE.toNanos();
        }
      } else if (report instanceof WorkerMessage.Finished finished) {
        return measured(phase, finished.result());
      } else if (report instanceof WorkerMessage.Failed failed) {
        return new Measurement.Broken(
            new Outcome.Failed(phase.name(), explained(failed.message())));
      }
      Optional<String> death = death();
      if (death.isPresent()) {
        return new Measurement.Broken(new Outcome.Failed(phase.name(), death.get()));
      }
      if (System.nanoTime() > deadline) {
        worker.close();
        String message = "no operation was answered for %d s".formatted(STALL_PATIENCE.toSeconds());
        return new Measurement.Broken(new Outcome.TimedOut(phase.name(), message));
      }
    }
  }

  /** Has the worker bring back the records that a phase begins with. Empty if all is well. */
  private Optional<Outcome> restore(PlannedPhase phase) throws IOException, InterruptedException {
    worker.tell("restore");
    long records = -1;
    long deadline = System.nanoTime() + STALL_PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      WorkerMessage report = worker.next(POLL).orElse(null);
      if (report instanceof WorkerMessage.Restored) {
        return Optional.empty();
      }
      if (report instanceof WorkerMessage.Progress progress && progress.operations() != records) {
        records = progress.operations();
        deadline = System.nanoTime() + STALL_PATIENCE.toNanos();
      }
      if (report instanceof WorkerMessage.Failed failed) {
        return Optional.of(new Outcome.Failed(phase.name(), explained(failed.message())));
      }
      Optional<String> death = death();
      if (death.isPresent()) {
        return death.map(message -> new Outcome.Failed(phase.name(), message));
      }
    }
    worker.close();
    String message = "no record was brought back for %d s".formatted(STALL_PATIENCE.toSeconds());
    return Optional.of(new Outcome.TimedOut(phase.name(), message));
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
                        Optional.ofNullable(
                                histograms.get(result.phase() + "/" + operation.label()))
                            .map(LatencyLog::summary))));
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
        Optional.ofNullable(histograms.get(result.phase() + "/compensation/" + INSERT))
            .map(LatencyLog::summary));
  }

  /** Errors and wrong answers void a stretch. */
  private Outcome judged(String phase, PhaseResult result) throws InterruptedException {
    if (result.incorrect() > 0) {
      return new Outcome.Incorrect(
          phase, "%d answers were wrong: %s".formatted(result.incorrect(), result.facts()));
    }
    long errors = result.operations().values().stream().mapToLong(OperationCount::errorTotal).sum();
    if (errors > 0) {
      String statuses =
          result.operations().entrySet().stream()
              .filter(entry -> entry.getValue().errorTotal() > 0)
              .map(WorkerSession::statuses)
              .collect(Collectors.joining(", "));
      return new Outcome.Failed(
          phase, explained("%d operations failed: %s".formatted(errors, statuses)));
    }
    return new Outcome.Completed();
  }

  private static String statuses(Map.Entry<Operation, OperationCount> operation) {
    return operation.getValue().errors().entrySet().stream()
        .map(
            status ->
                "%s %s x%d"
                    .formatted(operation.getKey().label(), status.getKey(), status.getValue()))
        .collect(Collectors.joining(", "));
  }

  private OptionalLong footprint() throws InterruptedException {
    return server.data().isPresent() ? Footprint.of(server.data().get()) : OptionalLong.empty();
  }

  /** {@code message}, or what is behind it: a server that is dying is not always dead at once. */
  private String explained(String message) throws InterruptedException {
    for (int poll = 0; poll < DEATH_POLLS; poll++) {
      Optional<String> death = server.death();
      if (death.isPresent()) {
        return death.get();
      }
      worker.next(POLL);
    }
    return message;
  }
}
