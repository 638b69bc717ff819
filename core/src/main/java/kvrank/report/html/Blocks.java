package kvrank.report.html;

import java.util.List;
import kvrank.report.Block;
import kvrank.report.Column;
import kvrank.report.Table;
import kvrank.report.chart.Markup;

/** Writes the pieces of other reports as HTML. */
final class Blocks {

  private int tables;

  /** Headings of level 2 become level 3, as the section has a heading of its own. */
  void write(Markup html, List<Block> blocks) {
    blocks.forEach(block -> write(html, block));
  }

  private void write(Markup html, Block block) {
    if (block instanceof Block.Heading heading) {
      html.element("h" + Math.min(6, heading.level() + 1), heading.text());
    } else if (block instanceof Block.Text paragraph) {
      html.element("p", paragraph.text());
    } else if (block instanceof Block.Question question) {
      html.element("blockquote", question.text());
    } else if (block instanceof Block.Warning warning) {
      html.open("div", "class", "warning").element("p", warning.text());
      items(html, warning.details());
      html.close();
    } else if (block instanceof Block.Items list) {
      items(html, list.items());
    } else if (block instanceof Block.Grid grid) {
      table(html, grid.table());
    } else if (block instanceof Block.Folded folded) {
      html.open("details").element("summary", folded.title());
      table(html, folded.table());
      html.close();
    }
    html.line();
  }

  static void items(Markup html, List<String> items) {
    html.open("ul");
    items.forEach(item -> html.element("li", item));
    html.close();
  }

  private void table(Markup html, Table table) {
    tables++;
    Grid<Table.Row> grid = new Grid<>("table-" + tables, "Table " + tables);
    for (int i = 0; i < table.columns().size(); i++) {
      int index = i;
      String name = table.columns().get(i).name();
      if (table.columns().get(i).align() == Column.Align.RIGHT) {
        // The text is all there is; the page's script understands its units.
        grid.number(name, row -> row.cells().get(index), row -> Double.NaN);
      } else {
        grid.text(name, row -> row.cells().get(index));
      }
    }
    grid.write(html, table.rows(), row -> row.best() ? "best" : "");
  }
}
