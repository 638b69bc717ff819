package kvrank.report.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.stats.history.History;
import kvrank.stats.history.History.Change;
import kvrank.stats.history.History.Line;
import kvrank.stats.infer.ChangePoints;
import kvrank.stats.infer.Ratio;

/** The history of a scenario, for a terminal, a pull request and a page. */
public final class HistoryReport {

  private static final String SPARKS = "▁▂▃▄▅▆▇█";

  /** The most characters of a line's course in a table. */
  private static final int MOST_SPARKS = 32;

  /** The most notes in a terminal. */
  private static final int MOST_NOTES = 5;

  /** One change of one line, as a row of the table. */
  private record Row(Line line, Change change, double before, double after) {}

  private final History history;
  private final int recent;
  private final double tolerance;

  /**
   * Creates a report.
   *
   * @param recent the number of newest executions whose changes the verdict is about
   * @param tolerance the accepted change as a share
   */
  public HistoryReport(History history, int recent, double tolerance) {
    this.history = history;
    this.recent = recent;
    this.tolerance = tolerance;
  }

  /** Returns the report without charts. */
  public List<Block> brief() {
    Blocks blocks =
        new Blocks().heading(2, history.scenario() + ": " + verdict()).addAll(changes(MOST_NOTES));
    return history.lines().isEmpty() ? blocks.list() : blocks.add(lines(true)).list();
  }

  /** Returns the page. */
  public List<Block> page() {
    Blocks page =
        new Blocks()
            .heading(1, "history of " + history.scenario())
            .add(new Block.Text(Block.Role.QUESTION, "What changed from execution to execution?"))
            .add(new Block.Text(Block.Role.ANSWER, verdict()))
            .heading(2, "Changes")
            .addAll(changes(Integer.MAX_VALUE));
    if (!history.lines().isEmpty()) {
      page.heading(2, "Lines").add(lines(false)).heading(2, "Charts");
    }
    // Those with a change come first.
    history.lines().stream()
        .sorted(Comparator.comparing(line -> line.changes().isEmpty()))
        .forEach(line -> page.add(figure(line)));
    return page.heading(2, "Executions").add(executions()).list();
  }

  private Block figure(Line line) {
    return new Block.Figure(() -> Optional.of(HistoryChart.of(history, line)));
  }

  /** Returns for example {@code 2 lines are worse, 1 is better than before the last 10}. */
  private String verdict() {
    if (history.lines().isEmpty()) {
      return "nothing to follow";
    }
    int since = history.since(recent);
    List<Line> changed = history.lines().stream().filter(line -> line.net(since) != 1).toList();
    long worse = changed.stream().filter(line -> line.worse(line.net(since), tolerance)).count();
    long better = changed.stream().filter(line -> line.better(line.net(since), tolerance)).count();
    String period = since == 0 ? "" : " in the last " + Quantities.counted(recent, "execution");
    if (worse + better == 0) {
      return changed.isEmpty()
          ? "no change" + period
          : "no change of more than " + percent(tolerance) + period;
    }
    List<String> counts = new ArrayList<>();
    if (worse > 0) {
      counts.add(Quantities.counted(worse, "line") + " got worse");
    }
    if (better > 0) {
      counts.add(Quantities.counted(better, "line") + " got better");
    }
    return String.join(", ", counts) + period;
  }

  /** Returns the changes and at most this many notes. */
  private List<Block> changes(int most) {
    List<Row> rows = new ArrayList<>();
    for (Line line : history.lines()) {
      List<Integer> ends = line.ends();
      for (int i = 0; i < line.changes().size(); i++) {
        rows.add(
            new Row(
                line,
                line.changes().get(i),
                line.level(ends.get(i), ends.get(i + 1)),
                line.level(ends.get(i + 1), ends.get(i + 2))));
      }
    }
    rows.sort((a, b) -> Integer.compare(b.change().at(), a.change().at()));
    Blocks blocks = new Blocks().text(span());
    if (rows.isEmpty()) {
      blocks.text(history.lines().isEmpty() ? "" : "No line changed.");
    } else {
      Columns<Row> columns =
          new Columns<>(rows)
              .left("changed at", row -> label(row.change().at()))
              .left("engine", row -> row.line().engine())
              .left("where", row -> where(row.line()))
              .left("metric", row -> metric(row.line()))
              .right("change", row -> Quantities.change(row.change().ratio().value()))
              .right("interval", row -> interval(row.change().ratio()))
              .right("before", row -> Quantities.of(row.line().metric().unit(), row.before()))
              .spare()
              .right("after", row -> Quantities.of(row.line().metric().unit(), row.after()))
              .spare()
              .left("between", HistoryReport.this::between)
              .spare();
      blocks.add(
          columns
              .table(row -> row.line().worse(row.change().ratio().value(), tolerance))
              .compact());
    }
    List<String> notes = history.notes();
    List<String> shown = new ArrayList<>(notes.subList(0, Math.min(most, notes.size())));
    if (notes.size() > shown.size()) {
      shown.add("… and %d more".formatted(notes.size() - shown.size()));
    }
    history
        .resemblance()
        .ifPresent(
            r ->
                blocks.warning(
                    "More false alarms than stated are likely:",
                    List.of(
                        "the noise of neighbouring executions is correlated (%s), as if the machine"
                                .formatted(Quantities.fixed(r, 2))
                            + " drifted")));
    return blocks
        .text(history.lines().isEmpty() ? "" : method())
        .warning("Left out or kept apart:", shown)
        .list();
  }

  private String between(Row row) {
    Change change = row.change();
    return change.first() == change.last()
        ? ""
        : label(change.first()) + " … " + label(change.last());
  }

  private String label(int execution) {
    return history.executions().get(execution).label();
  }

  private String span() {
    List<History.Moment> executions = history.executions();
    History.Moment first = executions.get(0);
    History.Moment last = executions.get(executions.size() - 1);
    return executions.size() == 1
        ? "1 execution: %s, %s.".formatted(first.label(), date(first))
        : "%d executions, from %s (%s) to %s (%s)."
            .formatted(executions.size(), first.label(), date(first), last.label(), date(last));
  }

  private static String date(History.Moment moment) {
    return moment.time().toString().substring(0, "2026-01-02".length());
  }

  private String method() {
    return ("Each line follows the metric that decides its phase: throughput, or p99 at a given"
            + " rate. The sample is the execution. A change takes at least %d executions on each"
            + " side. If nothing changed, at most %.0f of 100 histories have any change in any of"
            + " their %s, in a single look at independent executions that are equally noisy.")
        .formatted(
            ChangePoints.FEWEST,
            100 * ChangePoints.LEVEL,
            Quantities.counted(history.lines().size(), "line"));
  }

  private Table lines(boolean courses) {
    Columns<Line> columns =
        new Columns<>(history.lines())
            .left("engine", Line::engine)
            .left("where", HistoryReport::where)
            .left("metric", HistoryReport::metric)
            .right("executions", line -> Integer.toString(line.measured().length))
            .right("noise", HistoryReport::noise)
            .right("level", line -> Quantities.of(line.metric().unit(), newest(line)))
            .right("since", this::since)
            .right("newest", line -> Quantities.of(line.metric().unit(), last(line)));
    if (courses) {
      columns.left("course", HistoryReport::course).spare();
    }
    return columns.table(line -> line.worse(line.net(history.since(recent)), tolerance)).compact();
  }

  private String since(Line line) {
    List<Change> changes = line.changes();
    return changes.isEmpty() ? "start" : label(changes.get(changes.size() - 1).at());
  }

  private static double newest(Line line) {
    List<Integer> ends = line.ends();
    return line.level(ends.get(ends.size() - 2), line.values().size());
  }

  private static double last(Line line) {
    return line.values().get(line.values().size() - 1);
  }

  /** Returns the standard deviation of executions around the levels; empty for too few. */
  private static String noise(Line line) {
    double[] noise = line.noise();
    double squares = IntStream.of(line.measured()).mapToDouble(i -> noise[i] * noise[i]).sum();
    int degrees = line.measured().length - line.ends().size() + 1;
    return degrees < 1 ? "" : "±" + percent(Math.expm1(Math.sqrt(squares / degrees)));
  }

  /** Returns a column of characters for each of a line's values, or the mean of neighbours. */
  private static String course(Line line) {
    double[] values =
        IntStream.of(line.measured()).mapToDouble(i -> Math.log(line.values().get(i))).toArray();
    int columns = Math.min(MOST_SPARKS, values.length);
    double[] means =
        IntStream.range(0, columns)
            .mapToDouble(
                column ->
                    IntStream.range(
                            column * values.length / columns,
                            (column + 1) * values.length / columns)
                        .mapToDouble(i -> values[i])
                        .average()
                        .orElseThrow())
            .toArray();
    double low = IntStream.range(0, columns).mapToDouble(i -> means[i]).min().orElse(0);
    double high = IntStream.range(0, columns).mapToDouble(i -> means[i]).max().orElse(0);
    StringBuilder text = new StringBuilder();
    for (double mean : means) {
      double share = high > low ? (mean - low) / (high - low) : 0.5;
      text.append(SPARKS.charAt((int) Math.round(share * (SPARKS.length() - 1))));
    }
    return text.toString();
  }

  private Table executions() {
    return new Columns<>(history.executions())
        .left("execution", History.Moment::label)
        .left("time", moment -> moment.time().toString())
        .left("results", History.Moment::name)
        .left("commit", moment -> moment.commit().orElse(""))
        .table()
        .compact();
  }

  static String where(Line line) {
    return line.group().label() + (line.part().isEmpty() ? "" : ", " + line.part());
  }

  static String metric(Line line) {
    return line.metric().id().replace('-', ' ');
  }

  private static String interval(Ratio ratio) {
    return Quantities.change(ratio.low()) + " … " + Quantities.change(ratio.high());
  }

  private static String percent(double share) {
    double percent = 100 * share;
    return Quantities.fixed(percent, percent < 9.95 && percent != Math.rint(percent) ? 1 : 0) + "%";
  }
}
