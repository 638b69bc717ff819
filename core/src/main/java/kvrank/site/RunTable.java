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
  private final IdentityHashMap<RunRecord, String> executions = new IdentityHashMap<>();

  RunTable(Markup html, Study study) {
    this.html = html;
    for (ExecutionResults each : study.executions()) {
      each.runs().forEach(run -> executions.put(run, each.name()));
    }
  }

  /** Begins a table. */
  void begin() {
    html.open("div", "class", "scroll").open("table").open("thead").open("tr");
    List.of("engine", "run", "counts").forEach(each -> column(each, true));
  }

  void column(String name, boolean text) {
    html.element("th", name, "class", text ? "w" : null);
  }

  /** Ends the heading, after all columns. */
  void headed() {
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
   * @param counts begins with "no" if the row does not count
   * @param span the number of columns of that text
   */
  void row(RunRecord run, String counts, int span) {
    html.open("tr", "class", counts.startsWith("no") ? "omitted" : null);
    html.element("th", run.engine(), "scope", "row");
    html.open("td", "class", "w").text(run.id() + " ");
    html.element("small", executions.getOrDefault(run, ""), "class", "file").close();
    String columns = span == 1 ? null : Integer.toString(span);
    html.element("td", counts, "class", Page.words(counts), "colspan", columns);
  }

  void cell(String text, boolean words) {
    html.element("td", text, "class", words ? "w" : null);
  }

  void endRow() {
    html.close().line();
  }

  void end() {
    html.close().close().line();
  }
}
