package kvrank.report.write;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import kvrank.report.block.Block;
import kvrank.report.block.Table;
import kvrank.report.block.Width;

/** Writes a report as Markdown with GitHub's tables. */
public final class Markdown {

  /** Characters that turn bracketed text or a plain address into a link on GitHub. */
  private static final Pattern LINK =
      Pattern.compile("\\](?=[(\\[:])|(?<=\\b(?i:https?|ftp)):|(?<=\\b(?i:www))\\.");

  /** The start of a mention, issue or address on GitHub, which a backslash does not prevent. */
  private static final Pattern REFERENCE =
      Pattern.compile("(?<!\\w)@(?=\\w)|@(?=[\\w-]+\\.\\w)|#(?=[0-9])|\\b(?i:GH)(?=-[0-9])");

  private Markdown() {}

  /** Writes {@code blocks}; charts are left out. */
  public static String of(List<Block> blocks) {
    return joined(blocks) + "\n";
  }

  private static String joined(List<Block> blocks) {
    return blocks.stream()
        .filter(block -> !(block instanceof Block.Figure))
        .map(block -> of(block))
        .collect(joining("\n\n"));
  }

  private static String of(Block block) {
    if (block instanceof Block.Heading heading) {
      return "#".repeat(heading.level()) + " " + escape(heading.text());
    }
    if (block instanceof Block.Text paragraph) {
      String text = escape(paragraph.text());
      return switch (paragraph.role()) {
        case QUESTION -> "> " + text;
        case ANSWER -> "**" + text + "**";
        case REMARK, OTHER -> text;
      };
    }
    if (block instanceof Block.Warning warning) {
      return "> **" + escape(warning.text()) + "**\n>\n" + items("> - ", warning.details());
    }
    if (block instanceof Block.Items list) {
      return items("- ", list.items());
    }
    if (block instanceof Block.Folded folded) {
      return "<details><summary>%s</summary>\n\n%s\n\n</details>"
          .formatted(summary(folded.title()), joined(folded.blocks()));
    }
    if (block instanceof Block.Listing listing) {
      // Longer than any that the text has.
      String fence = "```";
      while (listing.text().contains(fence)) {
        fence += "`";
      }
      String text = Width.printable(listing.text()).stripTrailing();
      return fence + "\n" + text + "\n" + fence;
    }
    return table(block instanceof Block.Panel panel ? panel.table() : (Table) block);
  }

  private static String items(String bullet, List<String> items) {
    return items.stream().map(item -> bullet + escape(item)).collect(joining("\n"));
  }

  private static String table(Table table) {
    List<Table.Heading> columns = table.columns();
    StringJoiner[] lines = new StringJoiner[table.rows().size() + 2];
    Arrays.setAll(lines, i -> new StringJoiner(" | ", "| ", " |"));
    for (int i = 0; i < columns.size(); i++) {
      boolean right = columns.get(i).align() == Table.Align.RIGHT;
      List<String> cells = new ArrayList<>(List.of(escape(columns.get(i).name()), ""));
      for (Table.Row row : table.rows()) {
        cells.add(escape(row.cells().get(i).text()));
      }
      int width = Math.max(3, cells.stream().mapToInt(Width::of).max().orElse(0));
      cells.set(1, right ? "-".repeat(width - 1) + ":" : "-".repeat(width));
      for (int j = 0; j < lines.length; j++) {
        lines[j].add(Width.pad(cells.get(j), width, columns.get(i).align()));
      }
    }
    return String.join("\n", Arrays.stream(lines).map(StringJoiner::toString).toList());
  }

  /** A line of HTML, in which GitHub finds references, too, but no Markdown. */
  private static String summary(String text) {
    String escaped = Width.oneLine(text).replace("&", "&amp;").replace("<", "&lt;");
    return REFERENCE.matcher(escaped).replaceAll("$0<!-- -->");
  }

  /** One line that means itself, whatever a server's message holds. */
  private static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    Width.oneLine(text)
        .codePoints()
        .forEach(
            point -> {
              if ("\\`*_<|~$".indexOf(point) >= 0) {
                escaped.append('\\');
              }
              escaped.appendCodePoint(point).append(point == '&' ? "amp;" : "");
            });
    String plain = LINK.matcher(escaped).replaceAll("\\\\$0");
    return REFERENCE.matcher(plain).replaceAll("$0<!-- -->");
  }
}
