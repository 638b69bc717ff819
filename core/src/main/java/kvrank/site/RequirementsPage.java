package kvrank.site;

import java.util.List;
import java.util.Locale;
import kvrank.report.block.Table;
import kvrank.report.chart.Markup;
import kvrank.report.section.RequirementsReport;
import kvrank.site.advice.Claim;
import kvrank.site.advice.Links;
import kvrank.stats.ExpectationResult;
import kvrank.stats.Requirements.Row;

/** The verdicts by the requirements of scenarios, with the values beside their bounds. */
final class RequirementsPage {

  private RequirementsPage() {}

  static byte[] of(Page.Contents contents, List<StudyRequirements> requirements) {
    Page page =
        new Page(
            contents,
            "",
            "Verdicts on the requirements that scenarios state",
            "Requirements: which engine meets them?");
    requirements.forEach(each -> write(page.html(), each));
    return page.end();
  }

  private static void write(Markup html, StudyRequirements requirements) {
    html.open("section");
    html.element("h2", requirements.place(), "id", requirements.anchor()).line();
    html.element("p", requirements.study().index().results().manifest().question()).line();
    requirements.summary().atTop().write(html, "p");
    requirements.lead().ifPresent(each -> each.atTop().write(html, "p"));
    Claim.write(html, requirements.verdicts().stream().map(Claim::atTop).toList());
    table(html, requirements);
    html.close().line();
  }

  /** Writes the table of the report, whose values lead to their runs. */
  private static void table(Markup html, StudyRequirements requirements) {
    Table table = new RequirementsReport(requirements.study().index()).table();
    html.open("div", "class", "scroll").open("table", "class", "sortable");
    html.open("thead").open("tr");
    for (Table.Heading each : table.columns()) {
      html.element("th", each.name(), "class", words(each));
    }
    html.close().close().line().open("tbody").line();
    List<Row> rows = requirements.rows();
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      html.open("tr", "class", table.rows().get(i).best() ? "best" : null);
      html.open("th", "scope", "row");
      html.element("a", row.engine(), "href", Links.engine(row.engine())).close();
      for (int j = 1; j < table.columns().size(); j++) {
        cell(html, requirements, row, table.columns().get(j), table.rows().get(i).cells().get(j));
      }
      html.close().line();
    }
    html.close().close().close().line();
  }

  private static void cell(
      Markup html, StudyRequirements requirements, Row row, Table.Heading column, Table.Cell cell) {
    String words = words(column);
    String style =
        switch (cell.style()) {
          case MET, BROKEN, OPEN ->
              (words == null ? "" : words + " ") + cell.style().name().toLowerCase(Locale.ROOT);
          case PLAIN, LABELS, HEAT -> words;
        };
    String key = Double.isFinite(cell.key()) ? Double.toString(cell.key()) : null;
    html.open("td", "class", style, "data-value", key);
    ExpectationResult result = row.worst().get(column.name());
    if (result == null) {
      html.text(cell.text());
    } else {
      String runs = requirements.runs(result, row.engine()).replaceFirst("^[.][.]/", "");
      html.element("a", cell.text(), "href", runs);
    }
    html.close();
  }

  private static String words(Table.Heading column) {
    return column.align() == Table.Align.LEFT ? "w" : null;
  }
}
