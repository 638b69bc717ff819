package kvrank.report.chart;

import java.util.List;
import java.util.Locale;

/** Writes charts as SVG with text as text and colours from a style sheet. */
public final class Svg {

  private static final double MARGIN = 14;

  private Svg() {}

  /** Returns a chart without title, for a page that includes {@link Theme#css()}. */
  public static String inline(Chart chart) {
    Canvas canvas = new Canvas();
    String size = "0 0 " + Canvas.n(Canvas.WIDTH) + " " + Canvas.n(draw(canvas, chart));
    String summary = Markup.escape(chart.caption().summary());
    return "<svg class=\"chart\" viewBox=\"%s\" role=\"img\" aria-label=\"%s\">%s</svg>"
        .formatted(size, summary, canvas.svg());
  }

  /** Returns a self-contained file, light or dark as the reader prefers. */
  public static String file(Chart chart) {
    return document(chart, Theme.adaptive());
  }

  static String document(Chart chart, String style) {
    Canvas canvas = new Canvas();
    double height = draw(canvas, chart);
    Chart.Caption caption = chart.caption();
    double top = caption.where().isEmpty() ? 40 : 54;
    Canvas title = new Canvas();
    title.text("title", 0, 12, "start", Canvas.fitted(caption.title(), 330));
    title.text("small", 0, 28, "start", Canvas.fitted(caption.where(), Canvas.WIDTH));
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$s %2$s" width="%1$s" height="%2$s"\
         role="img" aria-label="%3$s">
        <style>%4$s</style>
        <rect class="paper" width="%1$s" height="%2$s"/>\
        <g class="chart" transform="translate(%5$s %5$s)">%6$s</g>
        <g class="chart" transform="translate(%5$s %7$s)">%8$s</g>
        </svg>
        """
        .formatted(
            Canvas.n(Canvas.WIDTH + 2 * MARGIN),
            Canvas.n(height + top + MARGIN),
            Markup.escape(caption.summary()),
            Markup.escape(style),
            Canvas.n(MARGIN),
            title.svg(),
            Canvas.n(top),
            canvas.svg());
  }

  private static double draw(Canvas canvas, Chart chart) {
    return chart instanceof Chart.Rows rows
        ? new Rows(canvas, rows).draw()
        : new Curves(canvas, (Chart.Lines) chart).draw();
  }

  /** Joins {@code parts} to a file name of lower-case letters, digits, dots and dashes. */
  public static String fileName(List<String> parts) {
    return String.join("-", parts)
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9.]+", "-")
        .replaceAll("^[-.]+|[-.]+$", "");
  }
}
