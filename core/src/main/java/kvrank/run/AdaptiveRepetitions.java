package kvrank.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import kvrank.plan.Plan;
import kvrank.plan.RunSpec;
import kvrank.results.ExecutionResults;
import kvrank.results.Json;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import kvrank.run.measure.ExecutionListener;
import kvrank.stats.OpenComparison;
import kvrank.stats.Settlement;

/** Plans repetitions beyond the guaranteed ones, for engines with open comparisons only. */
record AdaptiveRepetitions(
    Plan plan, ResultsDirectory results, QuietMachine quiet, ExecutionListener listener) {

  /** Returns the runs after {@code repetition}; none if it was the last. */
  List<RunSpec> nextRepetition(int repetition) throws UnreadableException, IOException {
    if (!plan.scenario().repetitions().adaptive()) {
      return List.of();
    }
    ExecutionResults measured = results.read().upTo(repetition);
    List<OpenComparison> open = OpenComparison.of(measured);
    List<RunSpec> next = runsStillOpen(open, repetition + 1);
    boolean allFit = next.isEmpty() || quiet.fitsBudget(next);
    if (!allFit) {
      next = runsStillOpen(fittingBudget(open, repetition + 1), repetition + 1);
    }
    if (!allFit && next.isEmpty()) {
      // The final evaluation may use the runs that the budget no longer allows.
      results.plan(Json.file(measured.manifest().ended(repetition)));
      measured = results.read().upTo(repetition);
      open = OpenComparison.of(measured);
    }
    Settlement now = new Settlement(measured, open);
    String progress = next.isEmpty() ? now.end() : budget(allFit);
    listener.looked(
        "after repetition %d of %d%s: %s%s"
            .formatted(
                repetition,
                plan.scenario().repetitions().atMost(),
                progress,
                now.summary(),
                onceMore(next)),
        next);
    return next;
  }

  private List<OpenComparison> fittingBudget(List<OpenComparison> open, int repetition) {
    List<OpenComparison> fitting = new ArrayList<>();
    for (OpenComparison comparison : open) {
      fitting.add(comparison);
      if (!quiet.fitsBudget(runsStillOpen(fitting, repetition))) {
        fitting.remove(comparison);
      }
    }
    return fitting;
  }

  private List<RunSpec> runsStillOpen(List<OpenComparison> open, int repetition) {
    return plan.supported().stream()
        .filter(run -> run.key().repetition() == repetition)
        .filter(
            run ->
                open.stream()
                    .anyMatch(
                        comparison -> comparison.needs(run.key().engine(), run.key().factors())))
        .toList();
  }

  private String budget(boolean allFit) {
    String left =
        quiet
            .remainingBudget(List.of())
            .map(time -> ", %d s of the budget left".formatted(time.toSeconds()))
            .orElse("");
    return left + (allFit ? "" : ", not enough for all");
  }

  private String onceMore(List<RunSpec> next) {
    return next.isEmpty() ? "" : "; repeating " + plan.engines(next);
  }
}
