package kvrank.site;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import kvrank.report.chart.Markup;
import kvrank.results.ExecutionResults;
import kvrank.results.RunRecord;
import kvrank.site.advice.Study;

/** Tables with rows for runs; those of an engine have a body of their own, which links lead to. */
final class RunTable {

  private final Markup html;

  /** The executions of the runs, if there are several. */
  private final IdentityHashMap<RunRecord, String> executions = new IdentityHashMap<>();

  RunTable(Markup html, Study study) {
    this.html = html;
    List<ExecutionResults> all = study.executions();
    if (all.size() > 1) {
      all.forEach(each -> each.runs().forEach(run -> executions.put(run, each.name())));
    }
  }

  /**
   * Begins a table.
   *
   * @param counts the name of the column with "yes" and "no"
   */
  void begin(String counts) {
    html.open("div", "class", "scroll").open("table").open("thead").open("tr");
    column("run", true);
    column(counts, true);
  }

  void column(String name, boolean text) {
    html.element("th", name, "class", text ? "w" : null);
  }

  /** Ends the heading, after all columns. */
  void headed() {
    column("note", true);
    html.close().close().line();
  }

  /** Writes the rows of an engine, if there are any. */
  <T> void body(String anchor, List<T> rows, Consumer<T> row) {
    if (!rows.isEmpty()) {
      html.open("tbody", "id", anchor).line();
      rows.forEach(row);
      html.close().line();
    }
  }

  /**
   * Begins a row.
   *
   * @param runs of one execution
   */
  void row(List<RunRecord> runs, boolean counts) {
    html.open("tr", "class", counts ? null : "omitted");
    RunRecord first = runs.get(0);
    html.open("th", "scope", "row").text(first.id());
    html.text(runs.size() == 1 ? "" : " and %d more".formatted(runs.size() - 1));
    String execution = execution(first);
    if (!execution.isEmpty()) {
      html.text(" ").element("small", execution, "class", "file");
    }
    html.close();
    cell(counts ? "yes" : "no", true);
  }

  /** Returns the execution of a run; empty if all runs are of one. */
  String execution(RunRecord run) {
    return executions.getOrDefault(run, "");
  }

  void cell(String text, boolean words) {
    html.element("td", text, "class", words ? "w" : null);
  }

  /**
   * Ends a row.
   *
   * @param note why the row does not count, or what was repeated
   * @param span the number of columns that are left for it
   */
  void endRow(String note, int span) {
    String columns = span == 1 ? null : Integer.toString(span);
    html.element("td", note, "class", Page.words(note), "colspan", columns).close().line();
  }

  void end() {
    html.close().close().line();
  }
}
