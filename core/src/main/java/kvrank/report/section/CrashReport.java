package kvrank.report.section;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import kvrank.metric.Unit;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.figure.LossCharts;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.Notes;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.stats.CrashLosses;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import org.apache.commons.math3.stat.StatUtils;

/** The sections on acknowledged writes that engines lost: when they were killed, in power cuts. */
public final class CrashReport {

  private static final String KILL_NOTE =
      "SIGKILL leaves the page cache intact: this shows writes that an engine held only in its own"
          + " memory when it acknowledged them, not what a power cut would lose. Per crash: the"
          + " median, with minimum and maximum in brackets. Crashes that prove nothing are not"
          + " counted. The share refers to writes that can be checked; a missing record whose last"
          + " write is a delete cannot be distinguished from one that never existed.";

  private static final String CUT_NOTE =
      "The data was on a simulated disk with a write cache. The disk stood still and lost what was"
          + " not flushed; the engine was killed and restarted on the rest. Cuts that prove nothing"
          + " are not counted. < N %: at most that share of such cuts loses something, at 95 %"
          + " confidence. The age is the time from the acknowledgement until the disk stopped"
          + " flushing. This does not show whether a real device's flush is honest.";

  private static final String AT_ONCE = "under 1 ms";

  /** More engines that lost no more than their level allows are not named in a sentence. */
  private static final int MOST_NAMED = 5;

  private CrashReport() {}

  /** One engine at one factor point. */
  private record Row(String engine, Group group, List<RunRecord> runs, CrashLosses losses) {

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
                      "%d of %s proved nothing: without a loss, but %s"
                          .formatted(count, all, why)));
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
  }

  /** The rows of one of the two tests. */
  private record Test(boolean powerCut, List<Row> rows) {

    String title() {
      return powerCut ? "Lost in a power cut" : "Acknowledged writes lost";
    }
  }

  /** Returns the tests that were made: power cuts, then kills. */
  private static List<Test> tests(RankingIndex index) {
    return Stream.of(true, false)
        .filter(index::crashed)
        .map(powerCut -> new Test(powerCut, rows(index, powerCut)))
        .filter(test -> !test.rows().isEmpty())
        .toList();
  }

  /** Returns a row for each engine at each factor point. */
  private static List<Row> rows(RankingIndex index, boolean powerCut) {
    return index.phaseGroupsByPoint().stream()
        .map(phaseGroups -> phaseGroups.get(0))
        .flatMap(
            group -> index.engines().stream().map(engine -> row(index, group, engine, powerCut)))
        .filter(row -> !row.runs().isEmpty())
        .toList();
  }

  private static Row row(RankingIndex index, Group group, String engine, boolean powerCut) {
    List<RunRecord> runs =
        index.runs(group, engine).stream()
            .filter(run -> run.crashTest().filter(test -> test.powerCut() != powerCut).isEmpty())
            .toList();
    return new Row(engine, group, runs, CrashLosses.of(runs, group.fsync(), powerCut));
  }

  /**
   * Returns a sentence for each factor point, for example {@code killed at fsync=off, redis lost
   * nothing, ignix 49,115 of 65,745 writes}, and for each reason why there was no crash; none
   * without a crash test.
   */
  public static List<String> answers(RankingIndex index) {
    return tests(index).stream().flatMap(test -> answers(test).stream()).toList();
  }

  private static List<String> answers(Test test) {
    Map<String, List<Row>> points =
        test.rows().stream()
            .filter(row -> row.unsupported().isEmpty())
            .filter(row -> row.runs().stream().anyMatch(RunRecord::shown))
            .collect(groupingBy(row -> row.group().pointSuffix(), LinkedHashMap::new, toList()));
    List<String> answers = new ArrayList<>();
    points.forEach((at, rows) -> answers.add(answer(at, rows, test.powerCut())));
    answers.addAll(unsupported(test.rows(), test.powerCut()));
    return answers;
  }

  /** Returns the sentence about the rows of one factor point. */
  private static String answer(String at, List<Row> rows, boolean powerCut) {
    List<String> kept = new ArrayList<>();
    List<String> lost = new ArrayList<>();
    List<Row> allowed = rows.stream().filter(Row::lostWhatIsAllowed).toList();
    List<Row> summed = allowed.size() > MOST_NAMED ? allowed : List.of();
    List<String> other = new ArrayList<>();
    List<String> spared = new ArrayList<>();
    for (Row row : rows.stream().filter(each -> !summed.contains(each)).toList()) {
      if (row.losses().crashes().isEmpty() && row.losses().offence().isEmpty()) {
        spared.add(row.engine());
      } else if (row.kept() && row.losses().unknown() > 0) {
        other.add(
            "%s lost no acknowledged write in %s %s, and the rest proved nothing"
                .formatted(row.engine(), row.seen(), powerCut ? "power cuts" : "crashes"));
      } else if (row.kept()) {
        kept.add(row.engine());
      } else if (row.losses().lost() > 0) {
        lost.add(row.part());
        row.losses().unavailable().ifPresent(text -> other.add(row.engine() + " " + text));
      } else if (!row.losses().offence().isEmpty()) {
        other.add(row.engine() + " " + row.losses().offence());
      } else {
        String why = row.losses().unproven().map(" ("::concat).map(t -> t + ")").orElse("");
        other.add(row.engine() + " is not proven" + why);
      }
    }
    List<String> parts = new ArrayList<>();
    if (!kept.isEmpty()) {
      parts.add(Labels.joined(kept) + " lost no acknowledged write");
    }
    if (!summed.isEmpty()) {
      parts.add(summary(summed));
    }
    if (!lost.isEmpty()) {
      parts.add(Labels.joined(lost) + " acknowledged writes");
    }
    parts.addAll(other);
    if (!spared.isEmpty()) {
      String were = spared.size() == 1 ? " was not " : " were not ";
      parts.add(Labels.joined(spared) + were + (powerCut ? "cut" : "killed"));
    }
    String event = powerCut ? "in power cuts" : "killed";
    return Verdicts.sentence(event + at + ", " + String.join("; ", parts));
  }

  /**
   * Returns for example {@code 24 engines lost acknowledged writes, which were up to 7.96 ms
   * (sqlite) to 3.80 s (badger) old}; no age after kills.
   */
  private static String summary(List<Row> rows) {
    List<Row> aged =
        rows.stream()
            .filter(row -> row.losses().powerCut() && row.losses().oldestLostNanos().isPresent())
            .sorted(comparingLong(row -> row.losses().oldestLostNanos().getAsLong()))
            .toList();
    String lost = rows.size() + " engines lost acknowledged writes";
    return aged.isEmpty()
        ? lost
        : "%s, which were up to %s to %s old"
            .formatted(lost, aged.get(0).aged(), aged.get(aged.size() - 1).aged());
  }

  /** Returns a sentence for each reason why there was no crash. */
  private static List<String> unsupported(List<Row> all, boolean powerCut) {
    List<String> answers = new ArrayList<>();
    all.stream()
        .filter(row -> row.unsupported().isPresent())
        .collect(groupingBy(row -> row.unsupported().get(), LinkedHashMap::new, toList()))
        .forEach(
            (why, rows) -> {
              boolean none = rows.size() == all.size();
              String who = Labels.joined(rows.stream().map(Row::engine).distinct().toList());
              answers.add(
                  Verdicts.sentence(
                      (none ? "No engine" : who)
                          + " had "
                          + (none ? "a " : "no ")
                          + (powerCut ? "power cut: " : "crash test: ")
                          + why));
            });
    return answers;
  }

  /** Returns the sections; empty if there was no crash test. */
  public static List<Block> blocks(RankingIndex index, Notes notes) {
    Blocks blocks = new Blocks();
    for (Test test : tests(index)) {
      blocks
          .heading(2, test.title())
          .addAll(losses(test))
          .add(table(test, notes))
          .addAll(remarks(test));
    }
    return blocks.list();
  }

  /** Returns charts and tables for a first screen; everything else is folded. */
  public static List<Block> first(RankingIndex index, Notes notes) {
    Blocks blocks = new Blocks();
    for (Test test : tests(index)) {
      List<Block> more = new ArrayList<>(losses(test));
      more.addAll(remarks(test));
      blocks
          .heading(3, test.title())
          .addAll(LossCharts.of(index, test.powerCut() ? "power cut" : "kill", drawn(test.rows())))
          .add(table(test, notes))
          .folded("An example of each loss, and how this was tested", more);
    }
    return blocks.list();
  }

  private static List<LossCharts.Losses> drawn(List<Row> rows) {
    return rows.stream().filter(row -> row.losses().conclusive() > 0).map(Row::drawn).toList();
  }

  private static List<Block> losses(Test test) {
    return new Blocks()
        .warning(
            "Data was lost, wrong or unavailable after a "
                + (test.powerCut() ? "power cut:" : "kill:"),
            test.rows().stream().filter(row -> !row.broken().isEmpty()).map(Row::warning).toList())
        .list();
  }

  private static List<Block> remarks(Test test) {
    return new Blocks()
        .items(test.rows().stream().flatMap(row -> row.missing().stream()).toList())
        .text((test.powerCut() ? CUT_NOTE : KILL_NOTE) + unlike(test.rows()))
        .list();
  }

  /** Returns the sentence on how the writes differ from those of the phases; empty if equal. */
  private static String unlike(List<Row> rows) {
    List<String> differences =
        rows.stream()
            .flatMap(row -> row.runs().stream())
            .flatMap(run -> run.crashTest().flatMap(CrashTrialResult::load).stream())
            .map(CrashTrialResult.Load::difference)
            .filter(text -> !text.isEmpty())
            .distinct()
            .toList();
    return differences.isEmpty()
        ? ""
        : " Unlike the phases, this was with %s.".formatted(String.join("; ", differences));
  }

  /** Returns the rows with a crash, or all if there was none; the reasons are below the table. */
  private static List<Row> tried(List<Row> rows) {
    List<Row> tried =
        rows.stream()
            .filter(row -> !row.seen().equals(Quantities.NONE) || !row.broken().isEmpty())
            .toList();
    return tried.isEmpty() ? rows : tried;
  }

  private static Block table(Test test, Notes notes) {
    List<Row> rows = tried(test.rows());
    boolean powerCut = test.powerCut();
    Columns<Row> columns =
        new Columns<>(rows)
            .left("engine", row -> notes.marked(row.engine(), row.group()))
            .left("at", row -> row.group().point())
            .right(powerCut ? "cuts" : "crashes", Row::seen);
    if (powerCut) {
      columns.right("with a loss", Row::losing);
    }
    columns.right("acknowledged writes", Row::acknowledged).spare().right("lost", Row::lost);
    if (powerCut) {
      columns
          .right("oldest lost", Row::oldest)
          .right("share per cut", r -> r.spread(LostWrites::lostShare, Quantities::portion))
          .spare();
      optional(columns, rows, "did not restart", row -> row.losses().dead());
      rows.stream()
          .flatMap(row -> row.losses().patience().stream())
          .max(Comparator.naturalOrder())
          .ifPresent(
              time ->
                  optional(
                      columns,
                      rows,
                      "no answer in %d s".formatted(time.toSeconds()),
                      r -> r.losses().silent()));
      optional(columns, rows, "not readable", row -> row.losses().unreadable());
      optional(
          columns,
          rows,
          "acknowledged at standstill",
          row -> row.losses().synced() ? row.losses().acknowledgedWhileFrozen() : 0);
    } else {
      columns
          .right("share per crash", r -> r.spread(LostWrites::lostShare, Quantities::portion))
          .spare()
          .right(
              "lost per crash",
              r -> r.spread(LostWrites::lost, value -> Quantities.of(Unit.COUNT, value)))
          .spare();
    }
    optional(columns, rows, "wrong values", row -> row.losses().sum(LostWrites::wrongValues));
    optional(columns, rows, "unexpected keys", row -> row.losses().sum(LostWrites::unexpectedKeys));
    return columns.table();
  }

  /** Adds a column unless all rows have 0. */
  private static void optional(
      Columns<Row> columns, List<Row> rows, String name, ToLongFunction<Row> value) {
    if (rows.stream().mapToLong(value).anyMatch(number -> number > 0)) {
      columns.right(name, row -> number(value.applyAsLong(row)));
    }
  }

  private static String number(long number) {
    return Quantities.of(Unit.COUNT, (double) number);
  }
}
