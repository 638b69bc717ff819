package kvrank.report.chart;

import java.util.function.DoubleUnaryOperator;

/** Draws the elements of charts. Lengths are in user units; text is 12 units high. */
final class Canvas {

  /** The width of a chart, which fits a phone, and twice a laptop. */
  static final double WIDTH = 400;

  /** The size of most text; names are larger, and bold. */
  private static final double SIZE = 12;

  private final Markup svg = new Markup();

  Markup svg() {
    return svg;
  }

  /** Returns a number with at most one decimal. */
  static String n(double value) {
    long tenths = Math.round(Math.abs(value) * 10);
    String text = (value < 0 && tenths > 0 ? "-" : "") + tenths / 10;
    return tenths % 10 == 0 ? text : text + "." + tenths % 10;
  }

  /** Returns about the width of {@code text} in DejaVu Sans, the widest of the common fonts. */
  static double width(String text) {
    return text.codePoints().mapToDouble(Canvas::width).sum() * SIZE;
  }

  private static double width(int character) {
    if ("fijlrtI.,:;!|'()[]-/ ".indexOf(character) >= 0) {
      return 0.36;
    }
    if ("mwMW@%…=+<>±×÷–".indexOf(character) >= 0) {
      return 0.9;
    }
    return Character.isUpperCase(character) ? 0.7 : 0.61;
  }

  /**
   * Returns {@code text}, cut in its middle to a width of about {@code room}: rows of one engine
   * differ at their end.
   */
  static String fitted(String text, double room) {
    int[] all = text.codePoints().toArray();
    String fitted = text;
    for (int kept = all.length - 1; width(fitted) > room && kept > 1; kept--) {
      int tail = kept / 2;
      fitted = new String(all, 0, kept - tail) + "…" + new String(all, all.length - tail, tail);
    }
    return fitted;
  }

  /** Returns a path command: {@code M} moves to a point, {@code L} draws to it, {@code l} by it. */
  static String to(char command, double x, double y) {
    return command + n(x) + " " + n(y);
  }

  void path(String style, String path) {
    svg.empty("path", "class", style, "d", path);
  }

  void line(String style, double x1, double y1, double x2, double y2) {
    path(style, to('M', x1, y1) + to('L', x2, y2));
  }

  void box(String style, double x, double y, double width, double height) {
    String size = "\" width=\"" + n(Math.max(0, width)) + "\" height=\"" + n(Math.max(0, height));
    svg.raw("<rect class=\"" + style + "\" x=\"" + n(x) + "\" y=\"" + n(y) + size + "\"/>");
  }

  /** Draws a line of text; the anchor is {@code start}, {@code middle} or {@code end}. */
  void text(String style, double x, double y, String anchor, String content) {
    if (!content.isEmpty()) {
      svg.element("text", content, "class", style, "x", n(x), "y", n(y), "text-anchor", anchor);
    }
  }

  /** Draws an interval along an axis: its ends are bars, or arrows if they are beyond the axis. */
  void interval(
      String style,
      Axis axis,
      Chart.Measure measure,
      DoubleUnaryOperator place,
      double across,
      double half,
      boolean upright) {
    double[] ends = {measure.low(), measure.high()};
    StringBuilder path = new StringBuilder();
    double from = place.applyAsDouble(ends[0]);
    path.append(upright ? to('M', across, from) + "V" : to('M', from, across) + "H");
    path.append(n(place.applyAsDouble(ends[1])));
    for (double end : ends) {
      double at = place.applyAsDouble(end);
      if (axis.holds(end)) {
        path.append(upright ? to('M', across - half, at) + "H" : to('M', at, across - half) + "V");
        path.append(n(across + half));
      } else {
        double inner = at + Math.copySign(half, place.applyAsDouble(measure.value()) - at);
        path.append(upright ? to('M', across - half, inner) : to('M', inner, across - half));
        path.append(upright ? to('L', across, at) : to('L', at, across));
        path.append(upright ? to('L', across + half, inner) : to('L', inner, across + half));
      }
    }
    path(style, path.toString());
  }

  /** Draws the shape of {@code style} around a point, with {@code title} as tooltip. */
  void marker(SeriesStyle style, boolean hollow, double x, double y, double r, String title) {
    String classes = hollow ? "hollow " + style.stroke() : "mark " + style.fill();
    String shape = shape(style.shape(), x, y, r);
    if (title.isEmpty()) {
      path(classes, shape);
    } else {
      svg.open("path", "class", classes, "d", shape).element("title", title).close();
    }
  }

  private static String shape(int shape, double x, double y, double r) {
    return switch (shape) {
      case 0 -> {
        String half = "a" + n(r) + " " + n(r) + " 0 1 0 ";
        yield to('M', x - r, y) + half + n(2 * r) + " 0" + half + n(-2 * r) + " 0z";
      }
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
    // Relative moves, so that the same shape has the same text at every place.
    StringBuilder path = new StringBuilder(to('M', x + r * corners[0], y + r * corners[1]));
    for (int i = 2; i < corners.length; i += 2) {
      path.append(
          to('l', r * (corners[i] - corners[i - 2]), r * (corners[i + 1] - corners[i - 1])));
    }
    return path.append('z').toString();
  }
}
