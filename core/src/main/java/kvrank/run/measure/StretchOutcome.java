package kvrank.run.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.provision.server.Server;
import kvrank.results.Outcome;
import kvrank.run.worker.WorkerProcess;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.workload.request.Operation;

/** Judges a finished stretch: errors, wrong answers, no answers and a suspended machine void it. */
final class StretchOutcome {

  /** A pause up to this long never voids a stretch. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** Others that use more than this share of the machine may be why a process stands still. */
  private static final double BUSY = 0.5;

  private StretchOutcome() {}

  static Outcome of(
      String phase,
      boolean errorsAllowed,
      PhaseResult result,
      OptionalLong standstill,
      Facts machine,
      WorkerProcess worker,
      Server server)
      throws InterruptedException {
    if (result.incorrect() > 0) {
      return incorrect(phase, result);
    }
    if (standstill.isPresent()) {
      String text = stoodStill(standstill.getAsLong(), result.elapsedNanos(), machine);
      return new Outcome.Failed(phase, Cause.MACHINE, text);
    }
    Optional<String> problem =
        errorsAllowed ? unanswered(result) : errors(result).or(() -> unanswered(result));
    return problem.isPresent()
        ? new Outcome.Failed(phase, worker.explained(failure(problem.get(), result), server))
        : new Outcome.Completed();
  }

  /** Returns the reason for a standstill; {@code machine} has the shares of others. */
  static String stoodStill(long nanos, long ofNanos, Facts machine) {
    return "kvrank's worker stood still for %.1f s of %.1f s%s"
        .formatted(
            nanos / 1e9,
            ofNanos / 1e9,
            others(machine) > BUSY
                ? " while others used %.0f %% of the machine".formatted(100 * others(machine))
                : ", as by Ctrl-Z or on a machine that is suspended");
  }

  /** Returns the share of other processes and of the hypervisor; NaN if it is not known. */
  private static double others(Facts machine) {
    return machine.number(Fact.OTHERS_CPU_SHARE) + machine.number(Fact.STEAL_CPU_SHARE);
  }

  /** Blames the engine, unless the system refused the worker something. */
  private static Failure failure(String problem, PhaseResult result) {
    Failure failure = new Failure(Cause.ENGINE, problem);
    return result
        .facts()
        .find(Fact.ERRORS_REFUSED)
        .map(refusal -> failure.blamedOn(Cause.MACHINE, refusal))
        .orElse(failure);
  }

  static Optional<String> errors(PhaseResult result) {
    // A transaction fails by the errors of its requests, which have their own counts.
    SortedMap<String, OperationCount> requests = new TreeMap<>(result.operations());
    requests
        .keySet()
        .removeIf(label -> Operation.ofResult(label).equals(Optional.of(Operation.TRANSACTION)));
    long errors = requests.values().stream().mapToLong(OperationCount::errorTotal).sum();
    if (errors == 0) {
      return Optional.empty();
    }
    List<String> statuses = new ArrayList<>();
    for (Map.Entry<String, OperationCount> entry : requests.entrySet()) {
      String operation = entry.getKey();
      SortedMap<String, Long> counts = entry.getValue().errors();
      counts.forEach((status, n) -> statuses.add("%s %s x%d".formatted(operation, status, n)));
    }
    String message = result.facts().text(Fact.ERRORS_SAID);
    return Optional.of(
        "%d operations failed: %s%s"
            .formatted(
                errors, String.join(", ", statuses), message.isEmpty() ? "" : ": " + message));
  }

  /** Returns the problem of a stretch without answers; an open loop may have few due requests. */
  static Optional<String> unanswered(PhaseResult result) {
    if (result.operations().values().stream().anyMatch(n -> n.ok() + n.notFound() > 0)) {
      return Optional.empty();
    }
    if (!result.facts().has(Fact.RATE_UNSENT)) {
      return Optional.of("no operation was answered while it was measured");
    }
    long unsent = result.facts().whole(Fact.RATE_UNSENT);
    return unsent < 10
        ? Optional.empty()
        : Optional.of(
            "after the warm-up it was so far behind 'rate' that it sent none of the %s requests due in"
                    .formatted(unsent)
                + " the measurement; lower 'rate', or shorten 'warmup'");
  }

  /**
   * Returns the worker's pause in nanoseconds, if it voids the stretch. An embedded engine may
   * cause pauses, so these count only as far as this process also had a {@code pause}.
   */
  static OptionalLong standstill(PhaseResult result, long pause, boolean embedded) {
    long worker = result.facts().count(Fact.HICCUP_MAX_NANOS);
    long still = embedded ? Math.min(worker, pause) : worker;
    return still > Math.max(LONGEST_PAUSE.toNanos(), result.elapsedNanos() / 10)
        ? OptionalLong.of(still)
        : OptionalLong.empty();
  }

  /** Returns the outcome with one of the wrong answers; the facts of the phase have the others. */
  static Outcome incorrect(String phase, PhaseResult result) {
    String example = result.facts().text(Fact.INCORRECT_EXAMPLE);
    String failed = result.facts().text(Fact.ERRORS_SAID);
    return new Outcome.Incorrect(
        phase,
        "%,d wrong %s%s%s; see the facts of the phase in record.json"
            .formatted(
                result.incorrect(),
                result.incorrect() == 1 ? "answer" : "answers",
                example.isEmpty() ? "" : ", one of them: " + example,
                failed.isEmpty() ? "" : ", where operations failed, too: " + failed));
  }
}
