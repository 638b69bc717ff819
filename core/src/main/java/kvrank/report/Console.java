package kvrank.report;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Writes a report for a terminal. */
final class Console {

  /** Text is wrapped at this width; a table stays within it if its cells let it. */
  static final int WIDTH = 100;

  /** A message longer than this is cut; the files have all of it. */
  private static final int LONGEST_ITEM = 600;

  private static final String GAP = "  ";
  private static final String BOLD = "\u001b[1m";
  private static final String DIM = "\u001b[2m";
  private static final String YELLOW = "\u001b[33m";
  private static final String RESET = "\u001b[0m";

  private final boolean ansi;

  /**
   * A writer.
   *
   * @param ansi whether emphasis is by ANSI escape sequences; none otherwise
   */
  Console(boolean ansi) {
    this.ansi = ansi;
  }

  String of(List<Block> blocks) {
    StringJoiner text = new StringJoiner("\n", "", "\n");
    Block previous = null;
    for (Block block : blocks) {
      if (previous != null && !attached(previous, block)) {
        text.add("");
      }
      lines(block).forEach(line -> text.add(line.stripTrailing()));
      previous = block;
    }
    return text.toString();
  }

  /** Whether no empty line stands between the two. */
  private static boolean attached(Block above, Block below) {
    return (above instanceof Block.Heading && !(below instanceof Block.Heading))
        || (above instanceof Block.Grid && below instanceof Block.Items)
        || (above instanceof Block.Text && !(below instanceof Block.Heading));
  }

  private List<String> lines(Block block) {
    requireNonNull(block, "block is null");
    if (block instanceof Block.Heading heading) {
      return List.of(style(BOLD, Width.oneLine(heading.text())));
    }
    if (block instanceof Block.Text paragraph) {
      return wrapped("", paragraph.text());
    }
    if (block instanceof Block.Question question) {
      return wrapped("", question.text());
    }
    if (block instanceof Block.Warning warning) {
      List<String> lines = new ArrayList<>();
      wrapped("", warning.text()).forEach(line -> lines.add(style(YELLOW, line)));
      warning.details().forEach(detail -> lines.addAll(wrapped("  - ", shortened(detail))));
      return lines;
    }
    if (block instanceof Block.Items list) {
      List<String> lines = new ArrayList<>();
      list.items().forEach(item -> lines.addAll(wrapped("  - ", shortened(item))));
      return lines;
    }
    if (block instanceof Block.Folded folded) {
      List<String> lines = new ArrayList<>(List.of(Width.oneLine(folded.title()) + ":"));
      lines.addAll(table(folded.table()));
      return lines;
    }
    return table(((Block.Grid) block).table());
  }

  private static String shortened(String item) {
    String line = Width.oneLine(item);
    return line.codePointCount(0, line.length()) <= LONGEST_ITEM
        ? line
        : line.substring(0, line.offsetByCodePoints(0, LONGEST_ITEM - 1)) + "…";
  }

  /** {@code text} after {@code bullet}; further lines stand below its first word. */
  private static List<String> wrapped(String bullet, String text) {
    String hanging = " ".repeat(Width.of(bullet));
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(bullet);
    boolean empty = true;
    for (String word : List.of(Width.oneLine(text).split(" ", -1))) {
      if (!empty && Width.of(line.toString()) + 1 + Width.of(word) > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(hanging);
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    lines.add(line.toString());
    return lines;
  }

  private List<String> table(Table table) {
    List<String> names = table.columns().stream().map(Table.Heading::name).toList();
    List<List<String>> cells =
        table.rows().stream()
            .map(row -> row.cells().stream().map(Width::oneLine).toList())
            .toList();
    List<List<String>> headings = headings(names, cells);
    List<List<String>> all = new ArrayList<>(headings);
    all.addAll(cells);
    int[] widths = Width.of(all);
    List<String> lines = new ArrayList<>();
    headings.forEach(line -> lines.add(style(DIM, row(table, line, widths))));
    for (int i = 0; i < cells.size(); i++) {
      String line = row(table, cells.get(i), widths);
      lines.add(table.rows().get(i).best() ? style(BOLD, line) : line);
    }
    return lines;
  }

  /** One line of headings if the table fits with it, else their words on lines of their own. */
  private static List<List<String>> headings(List<String> names, List<List<String>> cells) {
    List<List<String>> all = new ArrayList<>(cells);
    all.add(names);
    int width = GAP.length() * names.size();
    for (int column : Width.of(all)) {
      width += column;
    }
    if (width <= WIDTH) {
      return List.of(names);
    }
    List<List<String>> words =
        names.stream().map(name -> List.of(name.split(" |(?=\\()", -1))).toList();
    int height = words.stream().mapToInt(List::size).max().orElse(1);
    List<List<String>> lines = new ArrayList<>();
    for (int i = 0; i < height; i++) {
      int line = i;
      lines.add(
          words.stream()
              .map(
                  parts -> {
                    int index = line - (height - parts.size());
                    return index < 0 ? "" : parts.get(index);
                  })
              .toList());
    }
    return lines;
  }

  private static String row(Table table, List<String> cells, int[] widths) {
    StringJoiner row = new StringJoiner(GAP, GAP, "");
    for (int i = 0; i < cells.size(); i++) {
      row.add(Width.pad(cells.get(i), widths[i], table.columns().get(i).align()));
    }
    return row.toString().stripTrailing();
  }

  private String style(String sequence, String text) {
    return ansi && !text.isBlank() ? sequence + text + RESET : text;
  }
}
