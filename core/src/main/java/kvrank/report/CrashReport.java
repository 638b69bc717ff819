package kvrank.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import kvrank.metric.Unit;
import kvrank.results.Crash;
import kvrank.results.CrashTest;
import kvrank.results.LostWrites;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/** What engines that were killed had lost of what they acknowledged. */
final class CrashReport {

  private static final String TITLE = "Acknowledged writes lost";

  private static final String READING =
      "SIGKILL does not lose the page cache: this shows what an engine held in its own memory when"
          + " it acknowledged, not what a power cut would lose. Per crash: the median, and the"
          + " least and the most in brackets. The share is of the writes that can be told; a record"
          + " that was deleted and is gone looks as if it had never been.";

  private final RankingIndex index;
  private final Notes notes;

  private CrashReport(RankingIndex index, Notes notes) {
    this.index = index;
    this.notes = notes;
  }

  /** One engine at one factor point. */
  private record Row(String engine, Group group, List<RunRecord> runs) {

    List<CrashTest> tests() {
      return runs.stream().flatMap(run -> run.crashTest().stream()).toList();
    }

    List<Crash> crashes() {
      return tests().stream().flatMap(test -> test.crashes().stream()).toList();
    }

    List<LostWrites> losses() {
      return crashes().stream().flatMap(crash -> crash.lostWrites().stream()).toList();
    }

    long sum(ToLongFunction<LostWrites> what) {
      return losses().stream().mapToLong(what).sum();
    }

    boolean synced() {
      return group.synced();
    }

    /** Whether it broke a promise: of durability, to come back, or not to invent anything. */
    boolean loud() {
      return dead() > 0
          || (synced() && sum(LostWrites::lost) > 0)
          || sum(LostWrites::wrongValues) + sum(LostWrites::unexpectedKeys) > 0;
    }

    /** The crashes after which it did not come back. */
    long dead() {
      return crashes().stream().filter(crash -> crash.restartNanos().isEmpty()).count();
    }

    String name() {
      return engine + (group.point().isEmpty() ? "" : " at " + group.point());
    }
  }

  /** The section; nothing if there was no crash test. */
  static List<Block> blocks(RankingIndex index, Notes notes) {
    return tested(index) ? new CrashReport(index, notes).blocks() : List.of();
  }

  private static boolean tested(RankingIndex index) {
    return index.results().runs().stream().anyMatch(run -> run.crashTest().isPresent());
  }

  /** A sentence for each factor point; none without a crash test. */
  static List<String> answers(RankingIndex index) {
    if (!tested(index)) {
      return List.of();
    }
    SortedMap<String, List<Row>> points = new TreeMap<>();
    rows(index).stream()
        .filter(row -> !row.losses().isEmpty())
        .forEach(
            row -> points.computeIfAbsent(row.group().point(), p -> new ArrayList<>()).add(row));
    List<String> answers = new ArrayList<>();
    points.forEach((point, rows) -> answers.add(answer(point, rows)));
    return answers;
  }

  /** For example {@code killed at fsync=off, redis lost nothing, ignix 49,115 of 65,745 writes}. */
  private static String answer(String point, List<Row> rows) {
    List<String> kept = new ArrayList<>();
    List<String> lost = new ArrayList<>();
    for (Row row : rows) {
      if (row.sum(LostWrites::lost) == 0) {
        kept.add(row.engine());
      } else {
        long acknowledged = row.crashes().stream().mapToLong(Crash::acknowledged).sum();
        lost.add(
            "%s lost %s of %s"
                .formatted(row.engine(), count(row.sum(LostWrites::lost)), count(acknowledged)));
      }
    }
    List<String> parts = new ArrayList<>();
    if (!kept.isEmpty()) {
      parts.add(Answers.joined(kept) + " lost no write that was acknowledged");
    }
    if (!lost.isEmpty()) {
      parts.add(Answers.joined(lost) + " acknowledged writes");
    }
    return "killed" + (point.isEmpty() ? "" : " at " + point) + ", " + String.join("; ", parts);
  }

  private List<Block> blocks() {
    List<Row> rows = rows(index);
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Heading(2, TITLE));
    List<String> loud = rows.stream().filter(Row::loud).map(CrashReport::loudly).toList();
    if (!loud.isEmpty()) {
      blocks.add(new Block.Warning("What was acknowledged was not kept:", loud));
    }
    blocks.add(new Block.Grid(Table.of(columns(), rows, row -> false)));
    List<String> missing = rows.stream().flatMap(row -> missing(row).stream()).toList();
    if (!missing.isEmpty()) {
      blocks.add(new Block.Items(missing));
    }
    blocks.add(new Block.Text(READING));
    return blocks;
  }

  private static List<Row> rows(RankingIndex index) {
    List<Row> rows = new ArrayList<>();
    for (List<Group> wholes : index.wholesByPoint()) {
      Group group = wholes.get(0);
      for (String engine : index.engines()) {
        List<RunRecord> runs = index.runs(group, engine);
        if (!runs.isEmpty()) {
          rows.add(new Row(engine, group, runs));
        }
      }
    }
    return rows;
  }

  private List<Column<Row>> columns() {
    List<Column<Row>> columns = new ArrayList<>();
    columns.add(Column.left("engine", row -> notes.marked(row.engine(), row.group().factors())));
    columns.add(Column.left("at", row -> row.group().point()));
    columns.add(Column.right("crashes", CrashReport::crashes));
    columns.add(
        Column.right(
            "acknowledged writes",
            row ->
                count(row.crashes(), row.crashes().stream().mapToLong(Crash::acknowledged).sum())));
    columns.add(Column.right("lost", CrashReport::lost));
    columns.add(
        Column.<Row>right(
                "lost per crash",
                row ->
                    spread(
                        row.losses().stream().mapToDouble(LostWrites::lost), CrashReport::number))
            .asSpare());
    columns.add(
        Column.right(
            "share per crash",
            row ->
                spread(
                    row.losses().stream().mapToDouble(LostWrites::lostShare),
                    Quantities::portion)));
    columns.add(
        Column.right("wrong values", row -> count(row.losses(), row.sum(LostWrites::wrongValues))));
    columns.add(
        Column.right(
            "unexpected keys", row -> count(row.losses(), row.sum(LostWrites::unexpectedKeys))));
    return columns;
  }

  /** How many there were, and how many of them could be looked at. */
  private static String crashes(Row row) {
    int seen = row.losses().size();
    int all = row.crashes().size();
    return seen == all ? count(row.crashes(), all) : seen + " of " + all;
  }

  private static String lost(Row row) {
    long lost = row.sum(LostWrites::lost);
    return (row.synced() && lost > 0 ? "LOST " : "") + count(row.losses(), lost);
  }

  private static String loudly(Row row) {
    List<String> found = new ArrayList<>();
    if (row.synced() && row.sum(LostWrites::lost) > 0) {
      found.add("LOST %s acknowledged writes".formatted(count(row.sum(LostWrites::lost))));
    }
    if (row.sum(LostWrites::wrongValues) > 0) {
      found.add("%s wrong values".formatted(count(row.sum(LostWrites::wrongValues))));
    }
    if (row.sum(LostWrites::unexpectedKeys) > 0) {
      found.add("%s unexpected keys".formatted(count(row.sum(LostWrites::unexpectedKeys))));
    }
    if (row.dead() > 0) {
      found.add(
          "did not restart after %d of %d crashes".formatted(row.dead(), row.crashes().size()));
    }
    String example =
        row.losses().stream()
            .map(LostWrites::example)
            .filter(each -> !each.isEmpty())
            .findFirst()
            .orElse("");
    return "%s: %s%s"
        .formatted(
            row.name(),
            String.join(", ", found),
            example.isEmpty() ? "" : ", for example " + example);
  }

  /** Why there are no findings of a run, or of one of its crashes; each reason once. */
  private static List<String> missing(Row row) {
    List<String> reasons = new ArrayList<>();
    for (RunRecord run : row.runs()) {
      if (run.crashTest().isEmpty()) {
        boolean completed = run.outcome() instanceof Outcome.Completed;
        reasons.add(
            completed
                ? "the scenario of this run had no crash test"
                : run.outcome().label() + ": " + run.outcome().reason());
      }
    }
    row.tests().stream().map(CrashTest::reason).forEach(reasons::add);
    row.crashes().stream().map(Crash::reason).forEach(reasons::add);
    return reasons.stream()
        .filter(reason -> !reason.isEmpty())
        .distinct()
        .map(reason -> row.name() + ": " + reason)
        .toList();
  }

  /** {@code count}, if there is {@code something} that it is of. */
  private static String count(Collection<?> something, long count) {
    return something.isEmpty() ? Quantities.NONE : count(count);
  }

  private static String count(long count) {
    return number((double) count);
  }

  private static String number(double number) {
    return Quantities.of(Unit.COUNT, number);
  }

  /** The form of one value. */
  private interface Form {
    String of(double value);
  }

  /** For example {@code 12 % (7–15)}: the median, the least and the most; {@code 12 %} for all. */
  private static String spread(DoubleStream values, Form form) {
    double[] sorted = values.sorted().toArray();
    if (sorted.length == 0) {
      return Quantities.NONE;
    }
    int half = sorted.length / 2;
    double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    String least = form.of(sorted[0]);
    String most = form.of(sorted[sorted.length - 1]);
    return least.equals(most)
        ? most
        : form.of(median) + " (" + unitless(least) + "–" + unitless(most) + ")";
  }

  private static String unitless(String text) {
    return text.replace(" %", "");
  }
}
