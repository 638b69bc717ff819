package kvrank.report.chart;

import java.util.Locale;

/** Writes charts as SVG, whose text is text and whose colours come from a style sheet. */
public final class Svg {

  private static final double MARGIN = 14;

  private Svg() {}

  /** For a page that has {@link Theme#css()}; title and explanation stand outside of it. */
  public static String inline(Chart chart) {
    Canvas canvas = new Canvas();
    double height = draw(canvas, chart);
    return new Markup()
        .open(
            "svg",
            "class",
            "chart",
            "viewBox",
            "0 0 %s %s".formatted(Canvas.n(Canvas.WIDTH), Canvas.n(height)),
            "role",
            "img",
            "aria-label",
            chart.caption().summary())
        .raw(canvas.svg().toString())
        .close()
        .toString();
  }

  /** A file on its own, light or dark as its reader prefers. */
  public static String file(Chart chart) {
    return document(chart, Theme.adaptive());
  }

  /** A file on its own, light, for a program that knows simple style sheets only. */
  static String plain(Chart chart) {
    return document(chart, Theme.plain());
  }

  private static String document(Chart chart, String style) {
    Canvas canvas = new Canvas();
    double height = draw(canvas, chart);
    Chart.Caption caption = chart.caption();
    double top = caption.where().isEmpty() ? 40 : 54;
    String width = Canvas.n(Canvas.WIDTH + 2 * MARGIN);
    String total = Canvas.n(height + top + MARGIN);
    Canvas title = new Canvas();
    title.text("title", 0, 12, "start", Canvas.fitted(caption.title(), 330));
    title.text("small", 0, 28, "start", Canvas.fitted(caption.where(), Canvas.WIDTH));
    return new Markup()
        .open(
            "svg",
            "xmlns",
            "http://www.w3.org/2000/svg",
            "viewBox",
            "0 0 " + width + " " + total,
            "width",
            width,
            "height",
            total,
            "role",
            "img",
            "aria-label",
            chart.caption().summary())
        .line()
        .element("style", style)
        .line()
        .empty("rect", "class", "paper", "width", width, "height", total)
        .open(
            "g",
            "class",
            "chart",
            "transform",
            "translate(%s %s)".formatted(Canvas.n(MARGIN), Canvas.n(MARGIN)))
        .raw(title.svg().toString())
        .close()
        .line()
        .open(
            "g",
            "class",
            "chart",
            "transform",
            "translate(%s %s)".formatted(Canvas.n(MARGIN), Canvas.n(top)))
        .raw(canvas.svg().toString())
        .close()
        .line()
        .close()
        .line()
        .toString();
  }

  private static double draw(Canvas canvas, Chart chart) {
    if (chart instanceof Chart.Bars bars) {
      return new Rows(canvas).bars(bars);
    }
    if (chart instanceof Chart.Dots dots) {
      return new Rows(canvas).dots(dots);
    }
    return new Curves(canvas, (Chart.Lines) chart).draw();
  }

  /** A file's name made of {@code parts}: lower case letters, digits and dashes. */
  public static String fileName(String... parts) {
    return String.join("-", parts)
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9.]+", "-")
        .replaceAll("^[-.]+|[-.]+$", "");
  }
}
