package kvrank.report.section;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import kvrank.fact.Fact;
import kvrank.metric.Unit;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.Notes;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import org.apache.commons.math3.stat.StatUtils;

/** The section on crash tests: acknowledged writes that engines lost when they were killed. */
public final class CrashReport {

  private CrashReport() {}

  /** One engine at one factor point. */
  private record Row(String engine, Group group, List<RunRecord> runs) {

    List<Crash> crashes() {
      return runs.stream()
          .flatMap(run -> run.crashTest().stream())
          .flatMap(test -> test.crashes().stream())
          .toList();
    }

    List<LostWrites> losses() {
      return crashes().stream().flatMap(crash -> crash.lostWrites().stream()).toList();
    }

    String acknowledged() {
      return number(crashes().stream().mapToLong(Crash::acknowledged).sum());
    }

    long sum(ToLongFunction<LostWrites> what) {
      return losses().stream().mapToLong(what).sum();
    }

    /** Returns the sum, if any crash could be checked. */
    String count(ToLongFunction<LostWrites> what) {
      return losses().isEmpty() ? Quantities.NONE : number(sum(what));
    }

    /** Returns whether writes must be on the device when they are acknowledged. */
    private boolean synced() {
      return runs.stream()
          .map(run -> run.facts().find(Fact.DURABILITY_LEVEL).orElseGet(group::fsync))
          .allMatch("on"::equals);
    }

    /** Returns whether it lost writes that it had promised to be durable. */
    boolean brokeItsWord() {
      return synced() && sum(LostWrites::lost) > 0;
    }

    /** Returns the number of crashes, and of those that could be checked. */
    String seen() {
      int seen = losses().size();
      int all = crashes().size();
      return all == 0 ? Quantities.NONE : seen == all ? number(all) : seen + " of " + all;
    }

    /** Returns the promises that it broke: durability, restart, correct data. */
    List<String> broken() {
      List<String> found = new ArrayList<>();
      if (brokeItsWord()) {
        found.add("LOST " + count(LostWrites::lost) + " acknowledged writes");
      }
      if (sum(LostWrites::wrongValues) > 0) {
        found.add(count(LostWrites::wrongValues) + " wrong values");
      }
      if (sum(LostWrites::unexpectedKeys) > 0) {
        found.add(count(LostWrites::unexpectedKeys) + " unexpected keys");
      }
      dead().ifPresent(found::add);
      return found;
    }

    /** Returns the crashes after which it did not restart, as text; empty if it always did. */
    Optional<String> dead() {
      long dead = crashes().stream().filter(crash -> crash.restartNanos().isEmpty()).count();
      return dead == 0
          ? Optional.empty()
          : Optional.of("did not restart after %d of %d crashes".formatted(dead, crashes().size()));
    }

    String warning() {
      List<String> parts = new ArrayList<>(broken());
      losses().stream()
          .map(LostWrites::example)
          .filter(each -> !each.isEmpty())
          .limit(1)
          .forEach(each -> parts.add("for example " + each));
      return engine + group.pointSuffix() + ": " + String.join(", ", parts);
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
      runs.forEach(run -> run.crashTest().map(CrashTrialResult::reason).ifPresent(reasons::add));
      crashes().forEach(crash -> reasons.add(crash.reason()));
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
      double[] values = losses().stream().mapToDouble(value).toArray();
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

  /** Returns a row for each engine at each factor point; none if there was no crash test. */
  private static List<Row> rows(RankingIndex index) {
    if (index.results().runs().stream().allMatch(run -> run.crashTest().isEmpty())) {
      return List.of();
    }
    return index.phaseGroupsByPoint().stream()
        .map(phaseGroups -> phaseGroups.get(0))
        .flatMap(
            group -> index.engines().stream().map(e -> new Row(e, group, index.runs(group, e))))
        .filter(row -> !row.runs().isEmpty())
        .toList();
  }

  /**
   * Returns a sentence for each factor point, for example {@code killed at fsync=off, redis lost
   * nothing, ignix 49,115 of 65,745 writes}; none without a crash test.
   */
  public static List<String> answers(RankingIndex index) {
    SortedMap<String, List<Row>> points =
        rows(index).stream()
            .filter(row -> !row.crashes().isEmpty())
            .collect(groupingBy(row -> row.group().pointSuffix(), TreeMap::new, toList()));
    List<String> answers = new ArrayList<>();
    points.forEach(
        (at, rows) -> {
          List<String> kept = new ArrayList<>();
          List<String> lost = new ArrayList<>();
          List<String> dead = new ArrayList<>();
          for (Row row : rows) {
            row.dead().ifPresent(text -> dead.add(row.engine() + " " + text));
            if (row.sum(LostWrites::lost) == 0) {
              // Not known if a crash could not be checked.
              if (row.losses().size() == row.crashes().size()) {
                kept.add(row.engine());
              }
            } else {
              String count = row.count(LostWrites::lost);
              lost.add(row.engine() + " lost " + count + " of " + row.acknowledged());
            }
          }
          List<String> parts = new ArrayList<>();
          if (!kept.isEmpty()) {
            parts.add(Answers.joined(kept) + " lost no acknowledged write");
          }
          if (!lost.isEmpty()) {
            parts.add(Answers.joined(lost) + " acknowledged writes");
          }
          parts.addAll(dead);
          if (!parts.isEmpty()) {
            answers.add(Answers.sentence("killed" + at + ", " + String.join("; ", parts)));
          }
        });
    return answers;
  }

  /** Returns the section; empty if there was no crash test. */
  public static List<Block> blocks(RankingIndex index, Notes notes) {
    List<Row> rows = rows(index);
    if (rows.isEmpty()) {
      return List.of();
    }
    return new Blocks()
        .heading(2, "Acknowledged writes lost")
        .warning(
            "Data was lost, wrong or unavailable after a kill:",
            rows.stream().filter(row -> !row.broken().isEmpty()).map(Row::warning).toList())
        .add(
            new Columns<>(rows)
                .left("engine", row -> notes.marked(row.engine(), row.group()))
                .left("at", row -> row.group().point())
                .right("crashes", Row::seen)
                .right(
                    "acknowledged writes",
                    row -> row.crashes().isEmpty() ? Quantities.NONE : row.acknowledged())
                .right("lost", r -> (r.brokeItsWord() ? "LOST " : "") + r.count(LostWrites::lost))
                .right(
                    "lost per crash",
                    r -> r.spread(LostWrites::lost, value -> Quantities.of(Unit.COUNT, value)))
                .spare()
                .right("share per crash", r -> r.spread(LostWrites::lostShare, Quantities::portion))
                .right("wrong values", row -> row.count(LostWrites::wrongValues))
                .right("unexpected keys", row -> row.count(LostWrites::unexpectedKeys))
                .table())
        .items(rows.stream().flatMap(row -> row.missing().stream()).toList())
        .text(
            "SIGKILL leaves the page cache intact: this shows writes that an engine held only in"
                + " its own memory when it acknowledged them, not what a power cut would lose. Per"
                + " crash: the median, with minimum and maximum in brackets. The share refers to"
                + " writes that can be checked; a missing record whose last write is a delete"
                + " cannot be distinguished from one that never existed.")
        .list();
  }

  private static String number(long number) {
    return Quantities.of(Unit.COUNT, (double) number);
  }
}
