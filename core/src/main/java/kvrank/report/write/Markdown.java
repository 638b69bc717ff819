package kvrank.report.write;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import kvrank.report.Block;
import kvrank.report.Table;
import kvrank.report.Width;

/** Writes a report as Markdown with GitHub's tables. */
public final class Markdown {

  private Markdown() {}

  /** Writes {@code blocks}; charts are left out. */
  public static String of(List<Block> blocks) {
    return joined(blocks) + "\n";
  }

  private static String joined(List<Block> blocks) {
    StringJoiner text = new StringJoiner("\n\n");
    blocks.stream()
        .filter(block -> !(block instanceof Block.Figure))
        .forEach(block -> text.add(of(block)));
    return text.toString();
  }

  private static String of(Block block) {
    if (block instanceof Block.Heading heading) {
      return "#".repeat(heading.level()) + " " + escape(heading.text());
    }
    if (block instanceof Block.Text paragraph) {
      return escape(paragraph.text());
    }
    if (block instanceof Block.Question question) {
      return "> " + escape(question.text());
    }
    if (block instanceof Block.Answer answer) {
      return "**" + escape(answer.text()) + "**";
    }
    if (block instanceof Block.Warning warning) {
      return "> **" + escape(warning.text()) + "**\n>\n" + items("> - ", warning.details());
    }
    if (block instanceof Block.Items list) {
      return items("- ", list.items());
    }
    if (block instanceof Block.Facts facts) {
      return items("- ", facts.lines());
    }
    if (block instanceof Block.Folded folded) {
      return "<details><summary>%s</summary>\n\n%s\n\n</details>"
          .formatted(escape(folded.title()), joined(folded.blocks()));
    }
    if (block instanceof Block.Listing listing) {
      return "```\n" + listing.text().stripTrailing() + "\n```";
    }
    return table((Table) block);
  }

  private static String items(String bullet, List<String> items) {
    StringJoiner lines = new StringJoiner("\n");
    items.forEach(item -> lines.add(bullet + escape(item)));
    return lines.toString();
  }

  private static String table(Table table) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(table.columns().stream().map(column -> escape(column.name())).toList());
    table.rows().forEach(row -> lines.add(row.texts().stream().map(Markdown::escape).toList()));
    int[] widths = Width.of(lines);
    StringJoiner text = new StringJoiner("\n");
    for (int i = 0; i < lines.size(); i++) {
      text.add(row(table, lines.get(i), widths));
      if (i == 0) {
        text.add(rule(table, widths));
      }
    }
    return text.toString();
  }

  private static String row(Table table, List<String> cells, int[] widths) {
    StringJoiner row = new StringJoiner(" | ", "| ", " |");
    for (int i = 0; i < cells.size(); i++) {
      row.add(Width.pad(cells.get(i), Math.max(3, widths[i]), table.columns().get(i).align()));
    }
    return row.toString();
  }

  private static String rule(Table table, int[] widths) {
    StringJoiner rule = new StringJoiner(" | ", "| ", " |");
    for (int i = 0; i < widths.length; i++) {
      boolean right = table.columns().get(i).align() == Table.Align.RIGHT;
      rule.add("-".repeat(Math.max(3, widths[i]) - (right ? 1 : 0)) + (right ? ":" : ""));
    }
    return rule.toString();
  }

  /** One line that means itself, whatever a server's message holds. */
  private static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    Width.oneLine(text)
        .codePoints()
        .forEach(
            point -> {
              if ("\\`*_<|".indexOf(point) >= 0) {
                escaped.append('\\');
              }
              escaped.appendCodePoint(point);
            });
    return escaped.toString();
  }
}
