package kvrank.report.section;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import kvrank.metric.Unit;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.figure.LossCharts;
import kvrank.report.ranking.Notes;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.stats.RankingIndex;

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

  private CrashReport() {}

  /** Returns the sections; empty if there was no crash test. */
  public static List<Block> blocks(RankingIndex index, Notes notes) {
    Blocks blocks = new Blocks();
    for (CrashRows test : CrashRows.of(index)) {
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
    for (CrashRows test : CrashRows.of(index)) {
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

  private static List<LossCharts.Losses> drawn(List<CrashRow> rows) {
    return rows.stream().filter(row -> row.losses().conclusive() > 0).map(CrashRow::drawn).toList();
  }

  private static List<Block> losses(CrashRows test) {
    return new Blocks()
        .warning(
            "Data was lost, wrong or unavailable after a "
                + (test.powerCut() ? "power cut:" : "kill:"),
            test.rows().stream()
                .filter(row -> !row.broken().isEmpty())
                .map(CrashRow::warning)
                .toList())
        .list();
  }

  private static List<Block> remarks(CrashRows test) {
    return new Blocks()
        .items(test.rows().stream().flatMap(row -> row.missing().stream()).toList())
        .text((test.powerCut() ? CUT_NOTE : KILL_NOTE) + unlike(test.rows()))
        .list();
  }

  /** Returns the sentence on how the writes differ from those of the phases; empty if equal. */
  private static String unlike(List<CrashRow> rows) {
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
  private static List<CrashRow> tried(List<CrashRow> rows) {
    List<CrashRow> tried =
        rows.stream()
            .filter(row -> !row.seen().equals(Quantities.NONE) || !row.broken().isEmpty())
            .toList();
    return tried.isEmpty() ? rows : tried;
  }

  private static Block table(CrashRows test, Notes notes) {
    List<CrashRow> rows = tried(test.rows());
    boolean powerCut = test.powerCut();
    Columns<CrashRow> columns =
        new Columns<>(rows)
            .left("engine", row -> notes.marked(row.engine(), row.group()))
            .left("at", row -> row.group().point())
            .right(powerCut ? "cuts" : "crashes", CrashRow::seen);
    if (powerCut) {
      columns.right("with a loss", CrashRow::losing);
    }
    columns
        .right("acknowledged writes", CrashRow::acknowledged)
        .spare()
        .right("lost", CrashRow::lost);
    if (powerCut) {
      columns
          .right("oldest lost", CrashRow::oldest)
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
      Columns<CrashRow> columns, List<CrashRow> rows, String name, ToLongFunction<CrashRow> value) {
    if (rows.stream().mapToLong(value).anyMatch(number -> number > 0)) {
      columns.right(name, row -> CrashRow.number(value.applyAsLong(row)));
    }
  }
}
