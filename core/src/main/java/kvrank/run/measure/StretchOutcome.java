package kvrank.run.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.fact.Fact;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.provision.server.Server;
import kvrank.results.Outcome;
import kvrank.run.worker.WorkerProcess;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;

/**
 * Judges a stretch that the worker brought to its end: errors, wrong answers, no answers and a
 * machine that stood still void it.
 */
final class StretchOutcome {

  /** A stretch of less than ten times that may stand still for so long all the same. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private StretchOutcome() {}

  /**
   * Returns the outcome of {@code phase}.
   *
   * @param standstill see {@link #standstill}
   */
  static Outcome of(
      String phase,
      PhaseResult result,
      OptionalLong standstill,
      WorkerProcess worker,
      Server server)
      throws InterruptedException {
    if (result.incorrect() > 0) {
      return incorrect(phase, result);
    }
    if (standstill.isPresent()) {
      return new Outcome.Failed(
          phase,
          Cause.MACHINE,
          "kvrank's worker stood still for %.1f s of %.1f s, as by Ctrl-Z or on a machine that is suspended"
              .formatted(standstill.getAsLong() / 1e9, result.elapsedNanos() / 1e9));
    }
    Optional<String> problem = errors(result).or(() -> unanswered(result));
    return problem.isPresent()
        ? new Outcome.Failed(phase, worker.explained(failure(problem.get(), result), server))
        : new Outcome.Completed();
  }

  /** Returns a failure of the engine, unless the system refused the worker something. */
  private static Failure failure(String problem, PhaseResult result) {
    Failure failure = new Failure(Cause.ENGINE, problem);
    return result
        .facts()
        .find(Fact.ERRORS_REFUSED)
        .map(refusal -> failure.blamedOn(Cause.MACHINE, refusal))
        .orElse(failure);
  }

  /** Returns which operations failed, if some did. */
  private static Optional<String> errors(PhaseResult result) {
    long errors = result.operations().values().stream().mapToLong(OperationCount::errorTotal).sum();
    if (errors == 0) {
      return Optional.empty();
    }
    List<String> statuses = new ArrayList<>();
    result
        .operations()
        .forEach(
            (operation, count) ->
                count
                    .errors()
                    .forEach(
                        (status, n) ->
                            statuses.add("%s %s x%d".formatted(operation.label(), status, n))));
    String said = result.facts().text(Fact.ERRORS_SAID);
    return Optional.of(
        "%d operations failed: %s%s"
            .formatted(errors, String.join(", ", statuses), said.isEmpty() ? "" : ": " + said));
  }

  /**
   * Returns why a stretch in which nothing was answered says nothing. In an open loop it may be
   * that few requests were due, which is no failure.
   */
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
            "the warm-up left it so far behind 'rate' that it came to none of the %s requests which"
                    .formatted(unsent)
                + " were due while it was measured; ask for less, or for a shorter 'warmup'");
  }

  /**
   * Returns how long the worker stood still, in nanoseconds, if that voids the stretch. The engine
   * may cause a pause of a worker that holds it, as by a garbage collection; so such a pause counts
   * only as far as this process, which does not hold the engine, stood still as well.
   *
   * @param pause the longest pause of this process in the stretch, in nanoseconds
   * @param embedded whether the worker holds the engine
   */
  static OptionalLong standstill(PhaseResult result, long pause, boolean embedded) {
    long worker = result.facts().count(Fact.HICCUP_MAX_NANOS);
    long still = embedded ? Math.min(worker, pause) : worker;
    return still > Math.max(LONGEST_PAUSE.toNanos(), result.elapsedNanos() / 10)
        ? OptionalLong.of(still)
        : OptionalLong.empty();
  }

  /** Returns that answers were wrong, and one of them; the facts of the phase have the rest. */
  static Outcome incorrect(String phase, PhaseResult result) {
    String example = result.facts().text(Fact.INCORRECT_EXAMPLE);
    String failed = result.facts().text(Fact.ERRORS_SAID);
    return new Outcome.Incorrect(
        phase,
        "%,d wrong %s%s%s; the facts of the phase in record.json say more"
            .formatted(
                result.incorrect(),
                result.incorrect() == 1 ? "answer" : "answers",
                example.isEmpty() ? "" : ", one of them: " + example,
                failed.isEmpty() ? "" : ", where operations failed, too: " + failed));
  }
}
