package kvrank.run;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kvrank.plan.RunSpec;
import kvrank.provision.Server;
import kvrank.results.LatencyLog;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.results.RunDirectory;
import kvrank.scenario.PhaseSpec;
import kvrank.worker.OperationCount;
import kvrank.worker.PhaseResult;
import kvrank.worker.Report;
import kvrank.workload.Operation;
import org.HdrHistogram.Histogram;

/** Leads one worker through a run's phases, and watches the server meanwhile. */
final class PhaseRunner {

  private static final Duration POLL = Duration.ofMillis(100);

  /** The worker starts, the binding connects, an embedded engine opens its files. */
  private static final Duration READY_PATIENCE = Duration.ofSeconds(60);

  /** Without one more operation in this time, a phase is stuck. */
  private static final Duration STALL_PATIENCE = Duration.ofSeconds(60);

  /** The worker closes the binding, an embedded engine flushes. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

  /** How long a server that broke may take to be seen dead. */
  private static final int DEATH_POLLS = 10;

  private final RunSpec run;
  private final Server server;
  private final WorkerProcess worker;
  private final RunDirectory directory;
  private final RunRecorder recorder;
  private final RunListener listener;

  PhaseRunner(
      RunSpec run,
      Server server,
      WorkerProcess worker,
      RunDirectory directory,
      RunRecorder recorder,
      RunListener listener) {
    this.run = run;
    this.server = server;
    this.worker = worker;
    this.directory = directory;
    this.recorder = recorder;
    this.listener = listener;
  }

  /** Does every phase that the engine can do; the first one that goes wrong names the outcome. */
  Outcome all() throws IOException, InterruptedException {
    Optional<Outcome> notReady = awaitReady();
    if (notReady.isPresent()) {
      return notReady.get();
    }
    Outcome outcome = new Outcome.Completed();
    try (ResourceSampler sampler =
        new ResourceSampler(server.pid(), worker.pid(), directory.resources())) {
      for (PhaseSpec phase : run.phases()) {
        PhaseRecord record =
            run.omitted().containsKey(phase.name())
                ? broken(phase, new Outcome.Unsupported(run.omitted().get(phase.name())))
                : measure(phase, sampler);
        recorder.phase(record);
        if (bad(record.outcome()) && !bad(outcome)) {
          outcome = record.outcome();
        }
        if (bad(record.outcome()) && (phase.load() || death().isPresent())) {
          return outcome;
        }
      }
    }
    worker.stop(STOP_PATIENCE);
    return outcome;
  }

  private static boolean bad(Outcome outcome) {
    return !(outcome instanceof Outcome.Completed || outcome instanceof Outcome.Unsupported);
  }

  private Optional<Outcome> awaitReady() throws InterruptedException {
    long deadline = System.nanoTime() + READY_PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      Report report = worker.next(POLL).orElse(null);
      if (report instanceof Report.Ready ready) {
        recorder.facts(ready.facts());
        return Optional.empty();
      }
      if (report instanceof Report.Failed failed) {
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

  private PhaseRecord measure(PhaseSpec phase, ResourceSampler sampler)
      throws IOException, InterruptedException {
    listener.phase(run, phase.name());
    sampler.begin(phase.name());
    worker.startPhase(phase.name());
    long operations = -1;
    long deadline = System.nanoTime() + STALL_PATIENCE.toNanos();
    while (true) {
      Report report = worker.next(POLL).orElse(null);
      if (report instanceof Report.Measuring) {
        sampler.begin(phase.name());
      } else if (report instanceof Report.Progress progress) {
        listener.progress(run, progress);
        if (progress.operations() > operations) {
          operations = progress.operations();
          deadline = System.nanoTime() + STALL_PATIENCE.toNanos();
        }
      } else if (report instanceof Report.Finished finished) {
        return finished(phase, finished.result(), sampler.end(footprint()));
      } else if (report instanceof Report.Failed failed) {
        return broken(phase, new Outcome.Failed(phase.name(), explained(failed.message())));
      }
      Optional<String> death = death();
      if (death.isPresent()) {
        return broken(phase, new Outcome.Failed(phase.name(), death.get()));
      }
      if (System.nanoTime() > deadline) {
        worker.close();
        return broken(
            phase,
            new Outcome.TimedOut(
                phase.name(),
                "no operation was answered for %d s".formatted(STALL_PATIENCE.toSeconds())));
      }
    }
  }

  private PhaseRecord finished(PhaseSpec phase, PhaseResult result, Resources resources)
      throws InterruptedException {
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
                        Optional.ofNullable(histograms.get(phase.name() + "/" + operation.label()))
                            .map(LatencyLog::summary))));
    return record(
        phase,
        judged(phase, result),
        result.elapsedNanos(),
        operations,
        Optional.of(resources),
        result.facts());
  }

  /** Errors and wrong answers void a phase. */
  private Outcome judged(PhaseSpec phase, PhaseResult result) throws InterruptedException {
    if (result.incorrect() > 0) {
      return new Outcome.Incorrect(
          phase.name(), "%d answers were wrong: %s".formatted(result.incorrect(), result.facts()));
    }
    long errors = result.operations().values().stream().mapToLong(OperationCount::errorTotal).sum();
    if (errors > 0) {
      return new Outcome.Failed(
          phase.name(), explained("%d operations failed: %s".formatted(errors, statuses(result))));
    }
    return new Outcome.Completed();
  }

  private static String statuses(PhaseResult result) {
    return result.operations().entrySet().stream()
        .filter(entry -> entry.getValue().errorTotal() > 0)
        .map(PhaseRunner::statuses)
        .collect(Collectors.joining(", "));
  }

  private static String statuses(Map.Entry<Operation, OperationCount> operation) {
    return operation.getValue().errors().entrySet().stream()
        .map(
            status ->
                "%s %s x%d"
                    .formatted(operation.getKey().label(), status.getKey(), status.getValue()))
        .collect(Collectors.joining(", "));
  }

  private PhaseRecord broken(PhaseSpec phase, Outcome outcome) {
    return record(phase, outcome, 0, new TreeMap<>(), Optional.empty(), new TreeMap<>());
  }

  private PhaseRecord record(
      PhaseSpec phase,
      Outcome outcome,
      long elapsedNanos,
      SortedMap<String, OperationRecord> operations,
      Optional<Resources> resources,
      SortedMap<String, String> facts) {
    return new PhaseRecord(
        phase.name(),
        phase.workload().name(),
        phase.load(),
        outcome,
        RunRecorder.labels(run.settings(phase)),
        elapsedNanos,
        operations,
        resources,
        facts);
  }

  private OptionalLong footprint() throws InterruptedException {
    return server.data().isPresent() ? Footprint.of(server.data().get()) : OptionalLong.empty();
  }

  private Optional<String> death() {
    return server.death().or(worker::death);
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
