package kvrank.report.chart;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.function.DoubleUnaryOperator;

/** Draws what all charts are made of. Lengths are in user units; text is 12 of them high. */
final class Canvas {

  /** A chart's width: it fits a phone, and two fit a laptop. */
  static final double WIDTH = 400;

  private static final double CHARACTER = 6.6;

  private final Markup svg = new Markup();

  Markup svg() {
    return svg;
  }

  /** A number with at most one decimal. */
  static String n(double value) {
    String text = BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP).toPlainString();
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /** About how wide a text is. */
  static double width(String text) {
    return text.codePointCount(0, text.length()) * CHARACTER;
  }

  /** {@code text}, cut so that it is about {@code room} wide. */
  static String fitted(String text, double room) {
    int most = Math.max(2, (int) (room / CHARACTER));
    return text.codePointCount(0, text.length()) <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, most - 1)) + "…";
  }

  void line(String style, double x1, double y1, double x2, double y2) {
    svg.empty("path", "class", style, "d", "M" + n(x1) + " " + n(y1) + "L" + n(x2) + " " + n(y2));
  }

  void box(String style, double x, double y, double width, double height) {
    svg.empty(
        "rect",
        "class",
        style,
        "x",
        n(x),
        "y",
        n(y),
        "width",
        n(Math.max(0, width)),
        "height",
        n(Math.max(0, height)));
  }

  /**
   * Text on one line.
   *
   * @param anchor {@code start}, {@code middle} or {@code end}
   */
  void text(String style, double x, double y, String anchor, String content) {
    svg.element("text", content, "class", style, "x", n(x), "y", n(y), "text-anchor", anchor);
  }

  /** A horizontal interval; an end outside of the axis is not drawn as an end. */
  void whisker(String style, Span x, double y, double half) {
    String path = "M%s %sH%s".formatted(n(x.from()), n(y), n(x.to()));
    path += x.begins() ? "M%s %sV%s".formatted(n(x.from()), n(y - half), n(y + half)) : "";
    path += x.ends() ? "M%s %sV%s".formatted(n(x.to()), n(y - half), n(y + half)) : "";
    svg.empty("path", "class", style, "d", path);
  }

  /** A vertical interval; an end outside of the axis is not drawn as an end. */
  void upright(String style, double x, Span y, double half) {
    String path = "M%s %sV%s".formatted(n(x), n(y.from()), n(y.to()));
    path += y.begins() ? "M%s %sH%s".formatted(n(x - half), n(y.from()), n(x + half)) : "";
    path += y.ends() ? "M%s %sH%s".formatted(n(x - half), n(y.to()), n(x + half)) : "";
    svg.empty("path", "class", style, "d", path);
  }

  /** Where an interval is drawn, and whether its ends are inside of the axis. */
  record Span(double from, double to, boolean begins, boolean ends) {
    static Span of(Axis axis, Measure measure, DoubleUnaryOperator place) {
      return new Span(
          place.applyAsDouble(measure.low()),
          place.applyAsDouble(measure.high()),
          axis.holds(measure.low()),
          axis.holds(measure.high()));
    }
  }

  /** The shape of {@code look} around a place; a pointer that rests on it sees {@code title}. */
  void marker(Look look, double x, double y, double r, String title) {
    marker("mark " + look.fill(), look, x, y, r, title);
  }

  /** The outline of a marker. */
  void hollow(Look look, double x, double y, double r, String title) {
    marker("hollow " + look.stroke(), look, x, y, r, title);
  }

  private void marker(String style, Look look, double x, double y, double r, String title) {
    svg.open("path", "class", style, "d", shape(look.shape(), x, y, r));
    if (!title.isEmpty()) {
      svg.element("title", title);
    }
    svg.close();
  }

  private static String shape(int shape, double x, double y, double r) {
    return switch (shape) {
      case 0 ->
          "M%s %sa%s %s 0 1 0 %s 0a%s %s 0 1 0 %s 0z"
              .formatted(n(x - r), n(y), n(r), n(r), n(2 * r), n(r), n(r), n(-2 * r));
      case 1 -> polygon(x, y, r * 1.25, 0, -1, 1, 0, 0, 1, -1, 0);
      case 2 -> polygon(x, y, r * 1.2, 0, -1, 1, 0.8, -1, 0.8);
      case 3 -> polygon(x, y, r * 0.9, -1, -1, 1, -1, 1, 1, -1, 1);
      case 4 -> polygon(x, y, r * 1.2, 0, 1, 1, -0.8, -1, -0.8);
      default ->
          polygon(
              x, y, r, -0.4, -1.2, 0.4, -1.2, 0.4, -0.4, 1.2, -0.4, 1.2, 0.4, 0.4, 0.4, 0.4, 1.2,
              -0.4, 1.2, -0.4, 0.4, -1.2, 0.4, -1.2, -0.4, -0.4, -0.4);
    };
  }

  private static String polygon(double x, double y, double r, double... corners) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < corners.length; i += 2) {
      path.append(i == 0 ? "M" : "L");
      path.append(n(x + r * corners[i])).append(' ').append(n(y + r * corners[i + 1]));
    }
    return path.append('z').toString();
  }
}
