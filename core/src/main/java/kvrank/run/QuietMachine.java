package kvrank.run;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.machine.QuietLook;
import kvrank.plan.Plan;
import kvrank.plan.RunSpec;
import kvrank.results.Outcome;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException;
import kvrank.scenario.Reason;
import kvrank.scenario.Repetitions;
import kvrank.stats.QualityFlag;

/**
 * Keeps out of the measurements what others do on the machine, as far as patience and budget go:
 * waits until they are quiet, and has runs done again that they disturbed. It goes by what others
 * used and what the hypervisor took, never by what was measured: a run that failed stays, unless
 * its client stood still, and of the attempts at a run the last one counts, whatever it came to.
 *
 * <p>What all that took is in the records, so that a resumed execution has no more patience.
 */
final class QuietMachine {

  /** A run is done again so many times at most. */
  private static final int TIMES = 2;

  /**
   * The part of what a budget leaves beside the runs that are sure to come. The rest is for further
   * repetitions, which help on a machine that never is quiet.
   */
  private static final int SHARE = 4;

  /** Looks at what others do now. */
  interface Eye {
    Optional<QuietLook> look() throws InterruptedException;
  }

  private final Repetitions asked;
  private final Eye eye;
  private final ExecutionListener listener;
  private Set<String> missing = Set.of();
  private boolean suspect = true;
  private int runs;
  private Duration measured = Duration.ZERO;
  private Duration lost = Duration.ZERO;
  private Duration lostBefore = Duration.ZERO;
  private final List<String> disturbances = new ArrayList<>();

  QuietMachine(Repetitions asked, Eye eye, ExecutionListener listener) {
    this.asked = asked;
    this.eye = eye;
    this.listener = listener;
  }

  /** Takes note of how the machine is before the first run. */
  void seen(SortedMap<String, String> facts) {
    suspect = QualityFlag.disturbed(facts);
  }

  /** Takes note of the labels of engines that are not available. */
  void missing(Set<String> engines) {
    missing = engines;
  }

  /**
   * Returns what the budget leaves beside {@code next}, as long as those before took on average:
   * below zero if they do not fit.
   */
  Optional<Duration> left(List<RunSpec> next) {
    Duration expected = Duration.ZERO;
    for (RunSpec run : next) {
      if (run.startable() && !missing.contains(run.engine().label())) {
        expected = expected.plus(runs == 0 ? Plan.expected(run) : measured.dividedBy(runs));
      }
    }
    Duration needed = measured.plus(lost).plus(expected);
    return asked.budget().map(budget -> budget.minus(needed));
  }

  /** Returns what may still be lost to others, with {@code rest} to be done in any case. */
  private Duration patience(List<RunSpec> rest) {
    return left(rest)
        .map(left -> left.plus(lost).dividedBy(SHARE))
        .filter(share -> share.compareTo(asked.patience()) < 0)
        .orElse(asked.patience())
        .minus(lost);
  }

  /** Counts a run that was over before this execution was resumed. */
  void done(RunRecord record) {
    lost = lost.plus(Duration.ofMillis(Math.round(1e3 * record.lostSeconds())));
    count(record);
  }

  private void count(RunRecord record) {
    if (!(record.outcome() instanceof Outcome.Unavailable
        || record.outcome() instanceof Outcome.Unsupported)) {
      measured = measured.plus(record.time());
      runs++;
    }
  }

  /** Begins a run, of which there may be attempts from before an interrupt. */
  void begin(RunDirectory run) throws UnreadableException {
    lostBefore = lost;
    disturbances.clear();
    for (int n = 1; run.disturbed(n).complete(); n++) {
      discount(run.disturbed(n).read());
    }
  }

  private void discount(RunRecord attempt) {
    lost = lost.plus(attempt.time());
    disturbances.add(disturbance(attempt).orElse(""));
  }

  /** Waits before the first of {@code rest} until others are quiet, unless they are known to be. */
  void await(List<RunSpec> rest) throws InterruptedException {
    int busy = 0;
    while (suspect && patience(rest).compareTo(QuietLook.TIME) >= 0) {
      Optional<QuietLook> look = eye.look();
      suspect = look.filter(each -> QualityFlag.disturbed(each.others().facts())).isPresent();
      if (suspect) {
        if (busy++ == 0) {
          listener.found(waiting(look.get(), patience(rest)));
        }
        lost = lost.plus(QuietLook.TIME);
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

  /** Puts {@code attempt} aside if it is to be made again; {@code rest} are the runs from it on. */
  boolean again(RunRecord attempt, RunDirectory run, List<RunSpec> rest) {
    Optional<String> why = disturbance(attempt);
    suspect = why.isPresent();
    if (why.isEmpty()
        || !(attempt.outcome() instanceof Outcome.Completed || stoodStill(attempt))
        || disturbances.size() == TIMES
        || patience(rest).compareTo(attempt.time()) <= 0) {
      return false;
    }
    try {
      run.write(attempt);
      run.setAside(disturbances.size() + 1);
    } catch (IOException e) {
      // It counts, then; that it cannot be written will be seen again.
      return false;
    }
    discount(attempt);
    listener.found("%s: %s; once more".formatted(attempt.id(), why.get()));
    return true;
  }

  /** Returns the record of a run that counts, with what was lost to others before it. */
  RunRecord end(RunRecord record) {
    count(record);
    if (lost.equals(lostBefore)) {
      return record;
    }
    SortedMap<String, String> facts = new TreeMap<>(record.facts());
    facts.put(RunRecord.LOST, Double.toString(lost.minus(lostBefore).toMillis() / 1e3));
    for (int i = 0; i < disturbances.size(); i++) {
      facts.put(RunRecord.DISTURBED + (i + 1), disturbances.get(i));
    }
    return record.with(facts);
  }

  private static boolean stoodStill(RunRecord record) {
    return record.outcome() instanceof Outcome.Failed
        && record.outcome().reason().contains(Reason.STOOD_STILL);
  }

  /** Returns what others did in the first phase in which that was too much; loads are short. */
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
