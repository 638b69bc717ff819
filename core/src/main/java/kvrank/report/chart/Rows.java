package kvrank.report.chart;

import java.util.ArrayList;
import java.util.List;

/** Draws charts of rows with bars or dots. */
final class Rows {

  private static final double LEFT = 4;
  private static final double RIGHT = Canvas.WIDTH - 12;
  private static final double ROW = 38;
  private static final double BAR_ROW = 21;
  private static final double AXIS = 36;

  /** The most room for names beside bars; they are bold, and so wider than other text. */
  private static final double NAMES = 130;

  private static final double BOLD = 1.16;

  private final Canvas canvas;
  private final Chart.Rows chart;

  /** The ends of the axis. */
  private final double left;

  private final double right;

  Rows(Canvas canvas, Chart.Rows chart) {
    this.canvas = canvas;
    this.chart = chart;
    double names =
        chart.rows().stream().mapToDouble(row -> Canvas.width(row.label())).max().orElse(0);
    double notes =
        chart.rows().stream().mapToDouble(row -> Canvas.width(row.note())).max().orElse(0);
    this.left = chart.bars() ? LEFT + Math.min(NAMES, BOLD * names) + 8 : LEFT;
    this.right = chart.bars() ? RIGHT - notes : RIGHT;
  }

  /** Draws the chart and returns its height. */
  double draw() {
    double top = legend();
    double height = chart.bars() ? BAR_ROW : ROW;
    double bottom = top + height * chart.rows().size() + 4;
    axis(top, bottom);
    double y = top;
    for (Chart.Row row : chart.rows()) {
      if (chart.bars()) {
        bar(row, y);
      } else {
        double room = RIGHT - LEFT - Canvas.width(row.note()) - 8;
        String label = Canvas.fitted(row.label(), Math.max(60, room));
        canvas.text("name", LEFT, y + 13, "start", label);
        canvas.text("value", RIGHT, y + 13, "end", row.note());
        dots(row, y + 24);
      }
      y += height;
    }
    return bottom + AXIS - (chart.axis().title().isEmpty() ? 14 : 0);
  }

  /** Draws name, bar and value on one line. */
  private void bar(Chart.Row row, double y) {
    Chart.Dot bar = row.dots().get(0);
    canvas.text("name", LEFT, y + 14, "start", Canvas.fitted(row.label(), NAMES / BOLD));
    canvas.box(bar.style().fill(), left, y + 4, x(bar.measure().value()) - left, 12);
    interval(bar.measure(), y + 10, "inkline");
    canvas.text("value", RIGHT + 8, y + 14, "end", row.note());
  }

  /** Draws dots, those close to each other at different heights. */
  private void dots(Chart.Row row, double y) {
    canvas.line("track", LEFT, y, RIGHT, y);
    if (!Double.isNaN(chart.reference())) {
      double x = x(chart.reference());
      canvas.line("reference", x, y - 7, x, y + 7);
    }
    List<Double> taken = new ArrayList<>();
    for (Chart.Dot dot : row.dots()) {
      double x = x(dot.measure().value());
      long near = taken.stream().filter(other -> Math.abs(other - x) < 8).count();
      double at = y + (near == 0 ? 0 : near % 2 == 1 ? 8 : -7);
      interval(dot.measure(), at, dot.style().stroke());
      canvas.marker(dot.style(), false, x, at, 4.6, dot.text());
      taken.add(x);
    }
  }

  /** Draws the legend and returns its lower end. */
  private double legend() {
    double x = LEFT + 5;
    double y = 12;
    for (Chart.Key key : chart.keys()) {
      double width = 12 + Canvas.width(key.label()) + 12;
      if (x + width > RIGHT + 12 && x > LEFT + 5) {
        x = LEFT + 5;
        y += 17;
      }
      canvas.marker(key.style(), false, x, y - 4, 4.6, "");
      canvas.text("small", x + 9, y, "start", key.label());
      x += width;
    }
    return chart.keys().isEmpty() ? 0 : y + 10;
  }

  private void axis(double top, double bottom) {
    double free = left;
    for (Axis.Tick tick : chart.axis().ticks()) {
      double x = x(tick.at());
      canvas.line("grid", x, top, x, bottom);
      double half = Canvas.width(tick.label()) / 2;
      double middle = Math.max(left + half, Math.min(Canvas.WIDTH - half, x));
      if (middle - half >= free) {
        canvas.text("small", middle, bottom + 14, "middle", tick.label());
        free = middle + half + 8;
      }
    }
    canvas.text("small", (left + right) / 2, bottom + 30, "middle", chart.axis().title());
  }

  private void interval(Chart.Measure measure, double y, String style) {
    if (measure.hasInterval()) {
      canvas.interval(style, chart.axis(), measure, this::x, y, 4, false);
    }
  }

  private double x(double value) {
    return left + chart.axis().position(value) * (right - left);
  }
}
