package kvrank.report.write;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import kvrank.report.block.Block;
import kvrank.report.block.Table;
import kvrank.report.block.Table.Align;
import kvrank.report.block.Table.Cell;
import kvrank.report.block.Table.Style;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Markup;
import kvrank.report.chart.Svg;

/**
 * Writes a report as a self-contained page. If it would be large, charts below the first screen are
 * compressed, and the page's script restores them when they come into view; tables need no script.
 */
public final class Html {

  /** With more charts or characters than this, a page is compressed. */
  private static final int MOST_CHARTS = 60;

  private static final int MOST_CHARACTERS = 400_000;

  /** With more details than this, a warning folds the rest. */
  private static final int MOST_DETAILS = 10;

  private final Markup html = new Markup();
  private final Map<String, Chart> charts = new LinkedHashMap<>();
  private final Set<String> ids = new HashSet<>(Set.of("main", "explorer", "explore", "data"));
  private final boolean packing;
  private int folds;

  /** Whether the first screen is complete. Only its tables lose spare columns on a phone. */
  private boolean below;

  private Html(boolean packing) {
    this.packing = packing;
  }

  /** A page, and its charts by file name without extension. */
  public record Page(String html, Map<String, Chart> charts) {}

  /**
   * Writes {@code blocks}, the first of which is the report's title.
   *
   * @param data for the page's script, as JSON without {@code <}
   */
  public static Page of(List<Block> blocks, Optional<String> data) {
    if (figures(blocks) <= MOST_CHARTS) {
      Page page = of(blocks, data, false);
      if (page.html().length() <= MOST_CHARACTERS) {
        return page;
      }
    }
    return of(blocks, data, true);
  }

  private static Page of(List<Block> blocks, Optional<String> data, boolean packing) {
    Html html = new Html(packing);
    html.page(blocks, data);
    return new Page(html.html.toString(), html.charts);
  }

  private static int figures(List<Block> blocks) {
    int figures = 0;
    for (Block block : blocks) {
      figures += block instanceof Block.Figure || block instanceof Block.Panel ? 1 : 0;
      figures += block instanceof Block.Folded folded ? figures(folded.blocks()) : 0;
    }
    return figures;
  }

  private void page(List<Block> blocks, Optional<String> data) {
    List<List<Block>> sections = sections(blocks);
    List<Block> header = sections.get(0);
    List<List<Block>> rest = sections.subList(1, sections.size());
    List<String> names = rest.stream().map(each -> id(heading(each).text())).toList();
    html.raw("<!DOCTYPE html>\n").open("html", "lang", "en").line();
    Frame.REPORT.head(html, title(header));
    html.open("body").line();
    html.element("a", "Skip to the results", "class", "skip", "href", "#main").line();
    html.open("header").line();
    write(header);
    html.close().line().open("div", "class", "frame").line();
    html.open("nav", "aria-label", "Contents").open("ul").line();
    for (int i = 0; i < rest.size(); i++) {
      html.open("li").element("a", heading(rest.get(i)).text(), "href", "#" + names.get(i));
      html.close().line();
    }
    html.close().close().line();
    html.open("main", "id", "main", "tabindex", "-1").line();
    below = true;
    if (data.isPresent()) {
      // The script fills and shows it.
      html.open("section", "id", "explorer", "aria-labelledby", "explore", "hidden", "hidden");
      html.element("h2", "Explore", "id", "explore").close().line();
    }
    for (int i = 0; i < rest.size(); i++) {
      html.open("section", "aria-labelledby", names.get(i));
      html.element("h2", heading(rest.get(i)).text(), "id", names.get(i)).line();
      write(rest.get(i).subList(1, rest.get(i).size()));
      html.close().line();
    }
    html.close().close().line();
    if (data.isPresent()) {
      html.open("script", "type", "application/json", "id", "data");
      html.raw(packing ? '"' + packed(data.get()) + '"' : data.get());
      html.close().line();
    }
    Frame.REPORT.script(html);
    html.close().line().close().line();
  }

  /**
   * Returns the blocks before the first heading of level 2, then the section of each such heading.
   */
  private static List<List<Block>> sections(List<Block> blocks) {
    List<List<Block>> sections = new ArrayList<>();
    sections.add(new ArrayList<>());
    for (Block block : blocks) {
      if (block instanceof Block.Heading heading && heading.level() == 2) {
        sections.add(new ArrayList<>());
      }
      sections.get(sections.size() - 1).add(block);
    }
    return sections;
  }

  private static Block.Heading heading(List<Block> section) {
    return (Block.Heading) section.get(0);
  }

  private static String title(List<Block> header) {
    String title = heading(header).text();
    for (Block block : header) {
      boolean question = block instanceof Block.Text text && text.role() == Block.Role.QUESTION;
      title += question ? ": " + ((Block.Text) block).text() : "";
    }
    return title;
  }

  /** Writes blocks; consecutive charts are placed side by side. */
  private void write(List<Block> blocks) {
    for (int i = 0; i < blocks.size(); i++) {
      if (blocks.get(i) instanceof Block.Figure) {
        Markup figures = new Markup();
        while (i < blocks.size() && blocks.get(i) instanceof Block.Figure figure) {
          figure.chart().get().ifPresent(chart -> figure(figures, chart));
          i++;
        }
        i--;
        drawn(figures.toString());
      } else {
        write(blocks.get(i));
      }
      html.line();
    }
  }

  private void write(Block block) {
    if (block instanceof Block.Heading heading) {
      if (heading.level() == 1) {
        html.element("p", "kvrank · " + heading.text(), "class", "kicker");
      } else {
        html.element("h" + Math.min(6, heading.level()), heading.text());
      }
    } else if (block instanceof Block.Text paragraph) {
      String tag = paragraph.role() == Block.Role.QUESTION ? "h1" : "p";
      String style =
          switch (paragraph.role()) {
            case ANSWER -> "verdict";
            case REMARK -> "remark";
            case QUESTION, OTHER -> null;
          };
      html.element(tag, paragraph.text(), "class", style);
    } else if (block instanceof Block.Warning warning) {
      html.open("div", "class", "warning", "role", "note").element("p", warning.text());
      List<String> details = warning.details();
      items(details.subList(0, Math.min(MOST_DETAILS, details.size())), null);
      if (details.size() > MOST_DETAILS) {
        int more = details.size() - MOST_DETAILS;
        html.open("details").element("summary", more + " more");
        items(details.subList(MOST_DETAILS, details.size()), null);
        html.close();
      }
      html.close();
    } else if (block instanceof Block.Items list) {
      items(list.items(), list.facts() ? "facts" : null);
    } else if (block instanceof Block.Listing listing) {
      html.open("pre", "tabindex", "0").element("code", listing.text()).close();
    } else if (block instanceof Table table) {
      table(table);
    } else if (block instanceof Block.Panel panel) {
      html.open("div", "class", "panel").line();
      write(List.of(panel.figure(), panel.table()));
      html.close();
    } else if (block instanceof Block.Folded folded) {
      html.open("details").element("summary", folded.title()).line();
      folds++;
      write(folded.blocks());
      folds--;
      html.close();
    }
  }

  private void items(List<String> items, String style) {
    html.open("ul", "class", style);
    items.forEach(item -> html.element("li", item));
    html.close();
  }

  private void drawn(String figures) {
    if (packing && below && !figures.isEmpty()) {
      html.open("div", "class", "figures", "data-packed", packed(figures));
      html.element("noscript", "These charts need JavaScript.").close();
    } else if (!figures.isEmpty()) {
      html.open("div", "class", "figures").line().raw(figures).close();
    }
  }

  private void figure(Markup into, Chart chart) {
    Chart.Caption caption = chart.caption();
    charts.put(numbered(caption.file(), charts::containsKey), chart);
    String where = caption.where().isEmpty() ? "" : ", " + caption.where();
    into.open("figure").open("figcaption").element("strong", caption.title() + where).raw(" ");
    into.element("span", caption.reading()).close();
    into.raw(Svg.inline(chart)).close().line();
  }

  /** Returns a unique name: repeated ones get a number. */
  private static String numbered(String name, Predicate<String> taken) {
    String free = name;
    for (int i = 2; taken.test(free); i++) {
      free = name + "-" + i;
    }
    return free;
  }

  private static String packed(String markup) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater)) {
      out.write(markup.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      deflater.end();
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /** Writes a sortable table in a box that scrolls on its own. */
  private void table(Table table) {
    String caption = packing && folds > 0 ? "" : table.caption(); // the fold has it as title
    String id = id(caption.isEmpty() ? "table" : caption);
    boolean named = !caption.isEmpty();
    html.open(
        "div",
        "class",
        "scroll",
        "role",
        named ? "region" : null,
        "aria-labelledby",
        named ? id : null);
    html.open("table", "id", id, "class", "sortable");
    if (named) {
      html.element("caption", caption);
    }
    html.open("thead").open("tr");
    for (Table.Heading column : table.columns()) {
      html.element("th", column.name(), "class", style(column).isEmpty() ? null : style(column));
    }
    html.close().close().line().open("tbody").line();
    // The first column of text names the rows.
    int heading = table.columns().stream().map(Table.Heading::align).toList().indexOf(Align.LEFT);
    for (Table.Row row : table.rows()) {
      html.open("tr", "class", row.best() ? "best" : null);
      for (int i = 0; i < row.cells().size(); i++) {
        cell(row.cells().get(i), table.columns().get(i), i == heading);
      }
      html.close().line();
    }
    html.close().close().close();
  }

  private String style(Table.Heading column) {
    String align = column.align() == Align.LEFT ? "w" : "";
    return !below && column.spare() ? (align + " spare").strip() : align;
  }

  private void cell(Cell cell, Table.Heading column, boolean heading) {
    String style = style(column);
    if (style.isEmpty() && cell.style() == Style.HEAT) {
      int depth = Chart.depth(cell.heat());
      style = depth < 0 ? "heat" : "heat heat" + depth;
    } else if (Set.of(Style.MET, Style.BROKEN, Style.OPEN).contains(cell.style())) {
      style = (style + " " + cell.style().name().toLowerCase(Locale.ROOT)).strip();
    }
    boolean keyed = Double.isFinite(cell.key()) && !packing;
    html.open(
        heading ? "th" : "td",
        heading ? "scope" : "class",
        heading ? "row" : style.isEmpty() ? null : style,
        "data-value",
        keyed ? Double.toString(cell.key()) : null);
    if (cell.style() == Style.LABELS && !cell.text().isEmpty()) {
      for (String label : cell.text().split(", ", -1)) {
        html.element("span", label, "class", "badge").raw(" ");
      }
    } else {
      int bracket = below || heading ? -1 : after(cell.text());
      html.text(bracket < 0 ? cell.text() : cell.text().substring(0, bracket));
      if (bracket >= 0) {
        // A phone shows it below the value.
        html.raw(" ").element("span", cell.text().substring(bracket + 1), "class", "after");
      }
    }
    html.close();
  }

  /** Returns the place of a rank or an interval after a value; -1 without one. */
  private static int after(String text) {
    int bracket = text.lastIndexOf(" (");
    return bracket < 0 ? Math.max(text.lastIndexOf(" ±"), text.lastIndexOf(" ×")) : bracket;
  }

  private String id(String text) {
    String name = Svg.fileName(List.of(text));
    return numbered(name.isEmpty() ? "section" : name, each -> !ids.add(each));
  }
}
