package kvrank.run.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.fact.Fact;
import kvrank.input.Reason;
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
   * @param pause the longest pause of this process in the phase, in nanoseconds
   * @param embedded whether the worker holds the engine
   */
  static Outcome of(
      String phase,
      PhaseResult result,
      long pause,
      WorkerProcess worker,
      Server server,
      boolean embedded)
      throws InterruptedException {
    if (result.incorrect() > 0) {
      return incorrect(phase, result);
    }
    Optional<String> still = standstill(result, pause, embedded);
    if (still.isPresent()) {
      return new Outcome.Failed(phase, still.get());
    }
    Optional<String> problem = errors(result).or(() -> unanswered(result));
    return problem.isPresent()
        ? new Outcome.Failed(phase, worker.explained(problem.get(), server))
        : new Outcome.Completed();
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
   * Returns that a stretch says nothing as the worker stood still in it. A pause of one that holds
   * the engine may be that one's doing, as a collection of its garbage is, unless this process,
   * which has nothing of the engine, stood still as well.
   *
   * @param pause the longest of this process meanwhile, in nanoseconds
   */
  static Optional<String> standstill(PhaseResult result, long pause, boolean embedded) {
    long worker = result.facts().count(Fact.HICCUP_MAX_NANOS);
    long still = embedded ? Math.min(worker, pause) : worker;
    return still > Math.max(LONGEST_PAUSE.toNanos(), result.elapsedNanos() / 10)
        ? Optional.of(
            "%s for %.1f s of %.1f s, as by Ctrl-Z or on a machine that is suspended"
                .formatted(Reason.STOOD_STILL, still / 1e9, result.elapsedNanos() / 1e9))
        : Optional.empty();
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
