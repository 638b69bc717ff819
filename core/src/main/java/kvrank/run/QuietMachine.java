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
import kvrank.results.UnreadableException;
import kvrank.run.measure.ExecutionListener;
import kvrank.scenario.Repetitions;
import kvrank.stats.QualityFlag;

/**
 * Keeps other load on the machine out of the measurements, within the patience and the budget of
 * the scenario: waits until the machine is quiet, and sets aside runs that were disturbed, so that
 * they are repeated. It decides by what others used and what the hypervisor took, never by what was
 * measured: a run that failed is not repeated, unless its client stood still, and the last attempt
 * at a run counts, whatever its result.
 *
 * <p>The records hold the time that was lost, so that a resumed execution has no more patience.
 */
final class QuietMachine {

  /** The maximum number of times that a run is repeated. */
  private static final int MOST_REPEATS = 2;

  /**
   * Others may cost one of this many parts of the budget that the guaranteed runs leave. The rest
   * is for further repetitions, which help on a machine that is never quiet.
   */
  private static final int BUDGET_PARTS = 4;

  /** Observes what others use at the moment; empty if that cannot be observed here. */
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

  /** Records the load on the machine before the first run. */
  void noteInitialLoad(Facts facts) {
    suspect = QualityFlag.disturbed(facts);
  }

  /** Records the labels of engines that are not available, whose runs take no time. */
  void noteMissing(Set<String> engines) {
    missing = engines;
  }

  /**
   * Returns the time that the budget leaves after {@code next}, each of which takes as long as the
   * runs so far on average; negative if they do not fit, empty without a budget.
   */
  Optional<Duration> remainingBudget(List<RunSpec> next) {
    Duration expected = Duration.ZERO;
    for (RunSpec run : next) {
      if (run.startable() && !missing.contains(run.engine().label())) {
        expected =
            expected.plus(
                measuredRuns == 0 ? Plan.expected(run) : measuredTime.dividedBy(measuredRuns));
      }
    }
    Duration needed = measuredTime.plus(lostTime).plus(expected);
    return repetitions.budget().map(budget -> budget.minus(needed));
  }

  /** Returns whether the budget has room for {@code next}. */
  boolean fitsBudget(List<RunSpec> next) {
    return remainingBudget(next).filter(Duration::isNegative).isEmpty();
  }

  /** Returns the time that may still be lost to others, with all of {@code open} to be executed. */
  private Duration remainingPatience(List<RunSpec> open) {
    return remainingBudget(open)
        .map(left -> left.plus(lostTime).dividedBy(BUDGET_PARTS))
        .filter(share -> share.compareTo(repetitions.patience()) < 0)
        .orElse(repetitions.patience())
        .minus(lostTime);
  }

  /** Counts a run that had finished before this execution was resumed. */
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

  /** Begins a run, and counts its attempts from before an interrupt. */
  void beginRun(RunDirectory run) throws UnreadableException {
    lostBeforeRun = lostTime;
    disturbances.clear();
    for (int attempt = 1; run.disturbed(attempt).complete(); attempt++) {
      countAttempt(run.disturbed(attempt).read());
    }
  }

  private void countAttempt(RunRecord attempt) {
    lostTime = lostTime.plus(attempt.time());
    disturbances.add(disturbance(attempt).orElse(""));
  }

  /**
   * Waits before the first of {@code open} until the machine is quiet, unless it is known to be.
   */
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
              ? "not quiet after %.0f s; measuring all the same".formatted(seconds)
              : "quiet after %.0f s".formatted(seconds));
    }
  }

  private static String waiting(QuietLook look, Duration atMost) {
    return "%s%s; waiting for less than %.0f %%, up to %.0f s (--no-wait does not)"
        .formatted(
            QualityFlag.disturbance(look.others().facts()).replace("used", "use"),
            look.busiest().map(", most of it "::concat).orElse(""),
            100 * QualityFlag.OTHERS,
            atMost.toMillis() / 1e3);
  }

  /**
   * Moves the files of {@code attempt} aside if it was disturbed and there is time to repeat it.
   *
   * @param open the runs that are still to be executed, that of the attempt first
   * @return whether it was set aside, so that the run is to be repeated
   */
  boolean setAsideIfDisturbed(RunRecord attempt, RunDirectory run, List<RunSpec> open) {
    Optional<String> disturbance = disturbance(attempt);
    suspect = disturbance.isPresent();
    if (disturbance.isEmpty() || !repeatable(attempt, open)) {
      return false;
    }
    try {
      run.write(attempt);
      run.setAside(disturbances.size() + 1);
    } catch (IOException e) {
      // It counts, then; that it cannot be written will be seen again.
      return false;
    }
    countAttempt(attempt);
    listener.found("%s: %s; once more".formatted(attempt.id(), disturbance.get()));
    return true;
  }

  private boolean repeatable(RunRecord attempt, List<RunSpec> open) {
    return (attempt.outcome() instanceof Outcome.Completed || stoodStill(attempt))
        && disturbances.size() < MOST_REPEATS
        && remainingPatience(open).compareTo(attempt.time()) > 0;
  }

  /** Returns the record of a run that counts, with the time that was lost to others before it. */
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

  /** Returns what others did in the first phase that they disturbed; loads are too short. */
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
