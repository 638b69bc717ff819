package kvrank.report.write;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import kvrank.report.block.Block;
import kvrank.report.block.Table;
import kvrank.report.block.Width;
import kvrank.report.chart.Chart;

/** Writes a report for a terminal. */
public final class Console {

  /** The assumed width of a terminal if it is unknown. */
  public static final int WIDTH = 100;

  /** A message longer than this is cut; the files have all of it. */
  private static final int LONGEST_ITEM = 600;

  /** Cells of text are wrapped, but not narrower than this. */
  private static final int NARROWEST = 12;

  /** The least and the most columns of a bar. */
  private static final int LEAST_BAR = 8;

  private static final int MOST_BAR = 40;

  /** Headings that explain the shaded ends of bars; the first one that fits is used. */
  private static final List<String> LEGENDS = List.of("±, ▒: 95 % interval", "±, ▒: 95 %", "");

  private static final String GAP = "  ";
  private static final String BOLD = "\u001b[1m";
  private static final String DIM = "\u001b[2m";
  private static final String YELLOW = "\u001b[33m";
  private static final String RED = "\u001b[31m";
  private static final String GREEN = "\u001b[32m";
  private static final String RESET = "\u001b[0m";

  private final int width;
  private final boolean ansi;

  /**
   * Wraps text and fits tables to {@code width} columns; emphasis uses ANSI sequences, if at all.
   */
  public Console(int width, boolean ansi) {
    this.width = width;
    this.ansi = ansi;
  }

  public String of(List<Block> blocks) {
    return String.join("\n", lines(blocks)) + "\n";
  }

  private List<String> lines(List<Block> blocks) {
    List<String> all = new ArrayList<>();
    Block previous = null;
    for (Block block : blocks) {
      if (block instanceof Block.Figure) {
        continue;
      }
      if (previous != null && !attached(previous, block)) {
        all.add("");
      }
      lines(block).forEach(line -> all.add(line.stripTrailing()));
      previous = block;
    }
    return all;
  }

  /** Returns whether no empty line separates the two. */
  private static boolean attached(Block above, Block below) {
    boolean list = below instanceof Block.Items items && !items.facts();
    boolean answer = above instanceof Block.Text text && text.role() == Block.Role.ANSWER;
    boolean leading = above instanceof Block.Text text && text.role() == Block.Role.OTHER;
    boolean verdict = below instanceof Block.Text text && text.role() == Block.Role.ANSWER;
    boolean title = above instanceof Block.Heading heading && heading.level() == 1;
    return title
        || (answer && verdict)
        || ((leading || above instanceof Block.Heading) && !(below instanceof Block.Heading))
        || ((answer || above instanceof Table) && list);
  }

  private List<String> lines(Block block) {
    if (block instanceof Block.Heading heading) {
      return styled(BOLD, wrapped("", heading.text()));
    }
    if (block instanceof Block.Text text) {
      String style = text.role() == Block.Role.ANSWER ? BOLD : "";
      return styled(style, wrapped("", text.text()));
    }
    if (block instanceof Block.Warning warning) {
      List<String> lines = new ArrayList<>(styled(YELLOW, wrapped("", warning.text())));
      lines.addAll(items(warning.details()));
      return lines;
    }
    if (block instanceof Block.Items list) {
      return list.facts()
          ? list.items().stream().flatMap(line -> wrapped("", line).stream()).toList()
          : items(list.items());
    }
    if (block instanceof Block.Folded folded) {
      List<String> lines = new ArrayList<>(List.of(Width.oneLine(folded.title()) + ":"));
      lines.addAll(lines(folded.blocks()));
      return lines;
    }
    if (block instanceof Block.Listing listing) {
      return Width.printable(listing.text()).lines().toList();
    }
    if (block instanceof Block.Panel panel) {
      return table(barred(panel));
    }
    return block instanceof Table table ? table(table) : List.of();
  }

  /** Returns a table with a column for the bars of its chart, if there is room. */
  private Table barred(Block.Panel panel) {
    Table table = panel.table();
    int room = Math.min(MOST_BAR, width - total(widths(table, false)) - GAP.length());
    Optional<Chart> chart = panel.figure().chart().get();
    return room >= LEAST_BAR
            && chart.isPresent()
            && chart.get() instanceof Chart.Rows rows
            && rows.bars()
        ? table.and(
            LEGENDS.stream().filter(each -> Width.of(each) <= room).findFirst().orElseThrow(),
            IntStream.range(0, table.rows().size()).mapToObj(i -> bar(rows, i, room)).toList())
        : table;
  }

  /** Returns a bar that is solid up to the lower end of the interval and shaded up to the upper. */
  private static String bar(Chart.Rows chart, int row, int room) {
    Chart.Measure measure = chart.rows().get(row).dots().get(0).measure();
    int solid = (int) Math.round(room * chart.axis().position(measure.least()));
    int all = (int) Math.round(room * chart.axis().position(measure.most()));
    return "█".repeat(Math.max(solid, all == 0 ? 1 : 0)) + "▒".repeat(all - solid);
  }

  private List<String> items(List<String> items) {
    return items.stream().flatMap(item -> wrapped("  - ", shortened(item)).stream()).toList();
  }

  private static String shortened(String item) {
    String line = Width.oneLine(item);
    return line.codePointCount(0, line.length()) <= LONGEST_ITEM
        ? line
        : line.substring(0, line.offsetByCodePoints(0, LONGEST_ITEM - 1)) + "…";
  }

  /** Returns {@code text} after {@code bullet}; further lines are indented to its first word. */
  private List<String> wrapped(String bullet, String text) {
    String hanging = " ".repeat(Width.of(bullet));
    List<String> lines = new ArrayList<>(wrapped(text, width - Width.of(bullet)));
    lines.replaceAll(line -> hanging + line);
    lines.set(0, bullet + lines.get(0).substring(hanging.length()));
    return lines;
  }

  private static List<String> wrapped(String text, int room) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : List.of(Width.oneLine(text).split(" ", -1))) {
      if (line.length() > 0 && Width.of(line.toString()) + 1 + Width.of(word) > room) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /**
   * Returns the lines of a table that fits: spare columns are dropped, then headings are wrapped,
   * then the table is divided.
   */
  private List<String> table(Table whole) {
    List<String> spare = new ArrayList<>();
    Table table = whole;
    boolean tall = total(widths(table, false)) > width;
    for (int i = whole.columns().size() - 1; i >= 0 && tall; i--) {
      if (table.columns().get(i).spare() && total(widths(table, true)) > width) {
        spare.add(0, table.columns().get(i).name());
        List<Integer> others = places(table);
        others.remove(i);
        table = table.only(others);
      }
    }
    List<String> lines = new ArrayList<>();
    for (Table part : parts(table, tall)) {
      part(lines, part, tall);
    }
    if (!spare.isEmpty()) {
      lines.addAll(wrapped("  ", "(not shown for lack of room: " + String.join(", ", spare) + ")"));
    }
    return lines;
  }

  private static List<Integer> places(Table table) {
    return new ArrayList<>(IntStream.range(0, table.columns().size()).boxed().toList());
  }

  /**
   * Returns the table, or several that each start with the first column of text, or with the number
   * before it if all others are text; and with the text after it while rows are the same.
   */
  private List<Table> parts(Table table, boolean tall) {
    int[] widths = narrowed(table, tall);
    boolean numbered = places(table).stream().skip(1).allMatch(i -> left(table, i));
    int first =
        numbered ? 0 : places(table).stream().filter(i -> left(table, i)).findFirst().orElse(0);
    List<Integer> names = new ArrayList<>(List.of(first));
    for (int i = first + 1; i < widths.length && left(table, i) && !distinct(table, names); i++) {
      names.add(i);
    }
    List<Table> parts = new ArrayList<>();
    List<Integer> part = new ArrayList<>();
    int room = width;
    for (int i = 0; i < widths.length; i++) {
      int needed = widths[i] + GAP.length();
      if (needed > room && part.size() > names.size()) {
        parts.add(table.only(part));
        part = new ArrayList<>(names);
        room = width - names.stream().mapToInt(name -> widths[name] + GAP.length()).sum();
      }
      part.add(i);
      room -= needed;
    }
    parts.add(table.only(part));
    return parts;
  }

  private static boolean distinct(Table table, List<Integer> columns) {
    Set<List<String>> seen = new HashSet<>();
    return table.only(columns).rows().stream().map(Table.Row::texts).allMatch(seen::add);
  }

  private void part(List<String> lines, Table table, boolean tall) {
    int[] widths = narrowed(table, tall);
    List<List<String>> cells = new ArrayList<>();
    table.columns().forEach(column -> cells.add(heading(column.name(), tall)));
    row(lines, table, cells, widths, DIM, i -> "");
    for (Table.Row row : table.rows()) {
      cells.clear();
      for (int i = 0; i < widths.length; i++) {
        String text = row.cells().get(i).text();
        cells.add(left(table, i) ? wrapped(text, widths[i]) : List.of(Width.oneLine(text)));
      }
      String style = row.best() ? BOLD : "";
      row(lines, table, cells, widths, style, i -> colour(row.cells().get(i).style()));
    }
  }

  private static String colour(Table.Style style) {
    return switch (style) {
      case MET -> GREEN;
      case BROKEN -> RED;
      case OPEN -> YELLOW;
      case PLAIN, LABELS, HEAT -> "";
    };
  }

  private static boolean left(Table table, int column) {
    return table.columns().get(column).align() == Table.Align.LEFT;
  }

  /** Returns a heading in one line, or each word on its own line. */
  private static List<String> heading(String name, boolean tall) {
    String line = Width.oneLine(name);
    return tall ? List.of(line.split(" |(?=\\()", -1)) : List.of(line);
  }

  private static int[] widths(Table table, boolean tall) {
    int[] widths = new int[table.columns().size()];
    for (int i = 0; i < widths.length; i++) {
      List<String> texts = new ArrayList<>(heading(table.columns().get(i).name(), tall));
      for (Table.Row row : table.rows()) {
        texts.add(Width.oneLine(row.cells().get(i).text()));
      }
      widths[i] = texts.stream().mapToInt(Width::of).max().orElse(0);
    }
    return widths;
  }

  private static int total(int[] widths) {
    return IntStream.of(widths).map(each -> each + GAP.length()).sum();
  }

  /**
   * Returns the widths; the widest columns of text shrink until the table fits, but not below a
   * word.
   */
  private int[] narrowed(Table table, boolean tall) {
    int[] widths = widths(table, tall);
    int[] words = new int[widths.length];
    for (Table.Row row : table.rows()) {
      for (int i = 0; i < words.length; i++) {
        for (String word : row.cells().get(i).text().split(" ", -1)) {
          words[i] = Math.max(words[i], Width.of(word));
        }
      }
    }
    Optional<Integer> widest = Optional.of(0);
    while (total(widths) > width && widest.isPresent()) {
      widest =
          places(table).stream()
              .filter(i -> left(table, i) && widths[i] > Math.max(NARROWEST, words[i]))
              .max(Comparator.<Integer>comparingInt(i -> widths[i]).thenComparing(i -> -i));
      widest.ifPresent(i -> widths[i]--);
    }
    return widths;
  }

  /** Adds a row as high as its highest cell; headings, which are dim, end at its bottom. */
  private void row(
      List<String> lines,
      Table table,
      List<List<String>> cells,
      int[] widths,
      String style,
      IntFunction<String> colours) {
    int height = cells.stream().mapToInt(List::size).max().orElse(1);
    for (int line = 0; line < height; line++) {
      StringJoiner row = new StringJoiner(GAP, GAP, "");
      for (int i = 0; i < widths.length; i++) {
        List<String> cell = cells.get(i);
        int place = style.equals(DIM) ? line - (height - cell.size()) : line;
        String text = place < 0 || place >= cell.size() ? "" : cell.get(place);
        String padded = Width.pad(text, widths[i], table.columns().get(i).align());
        String colour = ansi && !text.isBlank() ? colours.apply(i) : "";
        row.add(colour.isEmpty() ? padded : colour + padded + RESET + style);
      }
      lines.add(style(style, row.toString().stripTrailing()));
    }
  }

  private List<String> styled(String style, List<String> lines) {
    return lines.stream().map(line -> style(style, line)).toList();
  }

  private String style(String style, String text) {
    return ansi && !style.isEmpty() && !text.isBlank() ? style + text + RESET : text;
  }
}
