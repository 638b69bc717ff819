package kvrank.report.section;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.report.figure.LossCharts;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.stats.CrashLosses;
import kvrank.stats.Group;
import org.apache.commons.math3.stat.StatUtils;

/** The text about one engine at one factor point: what it lost in crashes, and what it promised. */
record CrashRow(String engine, Group group, List<RunRecord> runs, CrashLosses losses) {

  private static final String AT_ONCE = "under 1 ms";

  String acknowledged() {
    return losses.conclusive() == 0 ? Quantities.NONE : number(losses.acknowledged());
  }

  /** Returns the sum, if any crash shows whether something was lost. */
  String count(ToLongFunction<LostWrites> what) {
    return losses.conclusive() == 0 ? Quantities.NONE : number(losses.sum(what));
  }

  /** Returns the number of crashes, and of those that show whether something was lost. */
  String seen() {
    int seen = losses.conclusive();
    int all = losses.crashes().size() + losses.unknown();
    return all == 0 ? Quantities.NONE : seen == all ? number(all) : seen + " of " + all;
  }

  /** Returns the number of crashes with a loss, or the largest rate if there was none. */
  String losing() {
    double most = losses.mostLosing();
    return losses.conclusive() == 0
        ? Quantities.NONE
        : losses.losing()
            + (losses.unknown() == 0 ? "" : "–" + (losses.losing() + losses.unknown()))
            + (Double.isNaN(most) || !losses.offence().isEmpty()
                ? ""
                : " (< %.0f %%)".formatted(100 * most));
  }

  /** Returns the lost writes, with the verdict if they are too many for the level. */
  String lost() {
    String verdict =
        losses.brokeItsWord() && losses.lost() > 0
            ? "LOST "
            : losses.beyondInterval() ? "BEYOND " : "";
    return verdict + count(LostWrites::lost);
  }

  /** Returns the age of the oldest lost write, and what the level allows. */
  String oldest() {
    OptionalLong oldest = losses.oldestLostNanos();
    String allowed =
        losses
            .interval()
            .map(most -> (losses.beyondInterval() ? ", beyond " : ", within ") + most)
            .orElse("");
    return oldest.isEmpty() ? Quantities.NONE : age(oldest) + allowed;
  }

  private static String age(OptionalLong nanos) {
    long age = nanos.orElseThrow();
    return age == 0 ? AT_ONCE : Quantities.of(Unit.NANOSECONDS, (double) age);
  }

  /** Returns whether no acknowledged write can be lost, as far as this test shows. */
  boolean kept() {
    return losses.conclusive() > 0
        && losses.lost() + losses.wrong() == 0
        && losses.checked().size() == losses.crashes().size()
        && losses.unproven().isEmpty()
        && !losses.brokeItsWord();
  }

  /** Returns whether it lost writes, and broke no promise of its level. */
  boolean lostWhatIsAllowed() {
    return losses.lost() > 0 && broken().isEmpty();
  }

  LossCharts.Losses drawn() {
    List<Double> shares = losses.proven().stream().map(LostWrites::lostShare).toList();
    return new LossCharts.Losses(engine, group, shares, lost());
  }

  /** Returns the age of the oldest lost write with the engine, {@code 3.80 s (badger)}. */
  String aged() {
    return age(losses.oldestLostNanos()) + " (" + engine + ")";
  }

  /** Returns for example {@code redis lost 12 of 1,894 (up to 40.0 ms old)}. */
  String part() {
    OptionalLong oldest = losses.oldestLostNanos();
    String age =
        !losses.powerCut() || oldest.isEmpty()
            ? ""
            : oldest.getAsLong() == 0
                ? " (" + AT_ONCE + " old)"
                : " (up to " + age(oldest) + " old)";
    return engine + " lost " + count(LostWrites::lost) + " of " + acknowledged() + age;
  }

  /** Returns the promises that it broke: durability, restart, correct data. */
  List<String> broken() {
    List<String> found = new ArrayList<>();
    if (losses.brokeItsWord()) {
      found.add(losses.offence());
    } else {
      losses.unavailable().ifPresent(found::add);
    }
    if (losses.beyondInterval()) {
      found.add(
          "lost a write acknowledged %s before the crash, although it syncs every %s"
              .formatted(age(losses.oldestLostNanos()), losses.interval().orElseThrow()));
    }
    if (losses.sum(LostWrites::wrongValues) > 0) {
      found.add(count(LostWrites::wrongValues) + " wrong values");
    }
    if (losses.sum(LostWrites::unexpectedKeys) > 0) {
      found.add(count(LostWrites::unexpectedKeys) + " unexpected keys");
    }
    return found;
  }

  String warning() {
    List<String> parts = new ArrayList<>(broken());
    losses.checked().stream()
        .map(LostWrites::example)
        .filter(each -> !each.isEmpty())
        .limit(1)
        .forEach(each -> parts.add("for example " + each));
    return engine + group.pointSuffix() + ": " + String.join(", ", parts);
  }

  /** Returns the reason that no crash was possible, if there is one. */
  Optional<String> unsupported() {
    return runs.stream()
        .flatMap(run -> run.crashTest().stream())
        .flatMap(test -> test.unsupported().stream())
        .findFirst();
  }

  /** Returns the reasons why a run or one of its crashes has no result, each once. */
  List<String> missing() {
    List<String> reasons = new ArrayList<>();
    for (RunRecord run : runs) {
      if (run.crashTest().isEmpty()) {
        boolean completed = run.outcome() instanceof Outcome.Completed;
        reasons.add(
            completed
                ? "the scenario of this run had no crash test"
                : run.outcome().label() + ": " + run.outcome().reason());
      }
    }
    runs.forEach(run -> run.crashTest().map(CrashTrialResult::missing).ifPresent(reasons::add));
    losses.crashes().forEach(crash -> reasons.add(crash.reason()));
    String all = CrashTrialResult.label(losses.crashes().size(), losses.powerCut());
    losses.crashes().stream()
        .flatMap(crash -> crash.provesNothing().stream())
        .collect(groupingBy(why -> why, LinkedHashMap::new, counting()))
        .forEach(
            (why, count) ->
                reasons.add(
                    "%d of %s proved nothing: without a loss, but %s".formatted(count, all, why)));
    List<String> attempts =
        losses.crashes().stream().flatMap(crash -> crash.repeated().stream()).toList();
    if (!attempts.isEmpty()) {
      reasons.add(
          "%d void attempt%s of %s repeated, the last because %s"
              .formatted(
                  attempts.size(),
                  attempts.size() == 1 ? "" : "s",
                  all,
                  attempts.get(attempts.size() - 1)));
    }
    reasons.removeIf(String::isEmpty);
    return reasons.stream()
        .distinct()
        .map(why -> engine + group.pointSuffix() + ": " + why)
        .toList();
  }

  /**
   * Returns for example {@code 12 % (7–15)}: median, minimum and maximum; {@code 12 %} if equal.
   */
  String spread(ToDoubleFunction<LostWrites> value, DoubleFunction<String> form) {
    double[] values = losses.proven().stream().mapToDouble(value).toArray();
    if (values.length == 0) {
      return Quantities.NONE;
    }
    String least = form.apply(StatUtils.min(values));
    String most = form.apply(StatUtils.max(values));
    String median = form.apply(StatUtils.percentile(values, 50));
    String range = " (" + least.replace(" %", "") + "–" + most.replace(" %", "") + ")";
    return least.equals(most) ? most : median + range;
  }

  static String number(long number) {
    return Quantities.of(Unit.COUNT, (double) number);
  }
}
