package kvrank.run;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.machine.QuietLook;
import kvrank.plan.Plan;
import kvrank.plan.RunSpec;
import kvrank.results.Outcome;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException.NewerException;
import kvrank.run.measure.ExecutionListener;
import kvrank.scenario.Repetitions;
import kvrank.stats.QualityFlag;

/**
 * Waits for a quiet machine and repeats disturbed runs, within the scenario's patience and budget.
 * Only the use by others and by the hypervisor decides, never the measurements: a failed run is
 * repeated only if its client was suspended, and the last attempt counts. Records hold the lost
 * time, so that a resumed execution has no more patience.
 */
final class QuietMachine {

  private static final int MOST_REPEATS = 2;

  /**
   * Others may cost one of this many parts of the budget beyond the guaranteed runs. The rest is
   * for repetitions, which help on a machine that is never quiet.
   */
  private static final int BUDGET_PARTS = 4;

  /** Observes the current use by others; empty if that is impossible here. */
  interface LoadObserver {
    Optional<QuietLook> observe() throws InterruptedException;
  }

  private final Repetitions repetitions;
  private final LoadObserver observer;
  private final ExecutionListener listener;
  private Set<String> missing = Set.of();
  private boolean suspect = true;
  private int measuredRuns;
  private Duration measuredTime = Duration.ZERO;
  private Duration lostTime = Duration.ZERO;
  private Duration lostBeforeRun = Duration.ZERO;
  private final List<String> disturbances = new ArrayList<>();

  QuietMachine(Repetitions repetitions, LoadObserver observer, ExecutionListener listener) {
    this.repetitions = repetitions;
    this.observer = observer;
    this.listener = listener;
  }

  void noteInitialLoad(Facts facts) {
    suspect = QualityFlag.disturbed(facts);
  }

  /** Records the labels of engines that are not available, whose runs take no time. */
  void noteMissing(Set<String> engines) {
    missing = engines;
  }

  /** Returns whether {@code run} can be measured here. */
  boolean measures(RunSpec run) {
    return run.startable() && !missing.contains(run.engine().label());
  }

  /** Returns the budget's rest after {@code next} at the average duration, if there is a budget. */
  Optional<Duration> remainingBudget(List<RunSpec> next) {
    Duration expected = Duration.ZERO;
    for (RunSpec run : next) {
      if (measures(run)) {
        expected =
            expected.plus(
                measuredRuns == 0 ? Plan.expected(run) : measuredTime.dividedBy(measuredRuns));
      }
    }
    Duration needed = measuredTime.plus(lostTime).plus(expected);
    return repetitions.budget().map(budget -> budget.minus(needed));
  }

  boolean fitsBudget(List<RunSpec> next) {
    return remainingBudget(next).filter(Duration::isNegative).isEmpty();
  }

  /** Returns the time that others may still cost, if all of {@code open} are executed. */
  private Duration remainingPatience(List<RunSpec> open) {
    return remainingBudget(open)
        .map(left -> left.plus(lostTime).dividedBy(BUDGET_PARTS))
        .filter(share -> share.compareTo(repetitions.patience()) < 0)
        .orElse(repetitions.patience())
        .minus(lostTime);
  }

  void countFinished(RunRecord record) {
    lostTime = lostTime.plus(Duration.ofMillis(Math.round(1e3 * record.lostSeconds())));
    count(record);
  }

  private void count(RunRecord record) {
    if (!(record.outcome() instanceof Outcome.Unavailable
        || record.outcome() instanceof Outcome.Unsupported)) {
      measuredTime = measuredTime.plus(record.time());
      measuredRuns++;
    }
  }

  /** Starts a run, and counts its attempts before an interrupt. */
  void beginRun(RunDirectory run) throws NewerException {
    lostBeforeRun = lostTime;
    disturbances.clear();
    run.earlier().forEach(this::countAttempt);
  }

  private void countAttempt(RunRecord attempt) {
    lostTime = lostTime.plus(attempt.time());
    disturbances.add(disturbance(attempt).orElse(attempt.outcome().reason()));
  }

  /** Waits before the first of {@code open} until the machine is quiet, unless known to be. */
  void awaitQuiet(List<RunSpec> open) throws InterruptedException {
    int busy = 0;
    while (suspect && remainingPatience(open).compareTo(QuietLook.TIME) >= 0) {
      Optional<QuietLook> look = observer.observe();
      suspect = look.filter(seen -> QualityFlag.disturbed(seen.others().facts())).isPresent();
      if (suspect) {
        if (busy++ == 0) {
          listener.found(waiting(look.get(), remainingPatience(open)));
        }
        lostTime = lostTime.plus(QuietLook.TIME);
      }
    }
    if (busy > 0) {
      double seconds = busy * QuietLook.TIME.toMillis() / 1e3;
      listener.found(
          suspect
              ? "not quiet after %.0f s; measuring anyway".formatted(seconds)
              : "quiet after %.0f s".formatted(seconds));
    }
  }

  private static String waiting(QuietLook look, Duration atMost) {
    return "%s%s; waiting up to %.0f s until it is below %.0f %% (--no-wait skips this)"
        .formatted(
            QualityFlag.disturbance(look.others().facts()).replace("used", "use"),
            look.busiest().map(", most of it "::concat).orElse(""),
            atMost.toMillis() / 1e3,
            100 * QualityFlag.OTHERS);
  }

  /** Moves a disturbed attempt aside if there is time to repeat it; returns whether it did. */
  boolean setAsideIfDisturbed(RunRecord attempt, RunDirectory run, List<RunSpec> open) {
    Optional<String> disturbance = disturbance(attempt);
    suspect = disturbance.isPresent();
    if (disturbance.isEmpty() || !repeatable(attempt, open)) {
      return false;
    }
    try {
      run.write(attempt);
      run.setAside();
    } catch (IOException e) {
      // The attempt counts then, and the write error will show again.
      return false;
    }
    countAttempt(attempt);
    listener.found("%s: %s; repeating the run".formatted(attempt.id(), disturbance.get()));
    return true;
  }

  private boolean repeatable(RunRecord attempt, List<RunSpec> open) {
    return (attempt.outcome() instanceof Outcome.Completed || stoodStill(attempt))
        && disturbances.size() < MOST_REPEATS
        && remainingPatience(open).compareTo(attempt.time()) > 0;
  }

  /** Returns the record of a run that counts, with the time lost before it. */
  RunRecord endRun(RunRecord record) {
    count(record);
    if (lostTime.equals(lostBeforeRun)) {
      return record;
    }
    Facts facts = new Facts(record.facts());
    facts.put(
        Fact.OTHERS_LOST_SECONDS, Double.toString(lostTime.minus(lostBeforeRun).toMillis() / 1e3));
    for (int i = 0; i < disturbances.size(); i++) {
      facts.put(Fact.OTHERS_DISTURBED, i + 1, disturbances.get(i));
    }
    return record.with(facts);
  }

  private static boolean stoodStill(RunRecord record) {
    return record.outcome() instanceof Outcome.Failed failed
        && record.phases().stream()
            .filter(phase -> phase.name().equals(failed.phase()))
            .anyMatch(phase -> phase.facts().has(Fact.STANDSTILL_NANOS));
  }

  /** Returns the disturbance of the first disturbed phase; loads are too short to judge. */
  private static Optional<String> disturbance(RunRecord record) {
    if (stoodStill(record)) {
      return Optional.of(record.outcome().reason());
    }
    return record.phases().stream()
        .filter(phase -> !phase.load() && QualityFlag.Kind.DISTURBED.holds(phase))
        .findFirst()
        .map(phase -> QualityFlag.disturbance(phase.facts()) + " in " + phase.name());
  }
}
