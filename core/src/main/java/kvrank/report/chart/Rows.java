package kvrank.report.chart;

import java.util.ArrayList;
import java.util.List;

/** Draws charts of rows: bars and dots. */
final class Rows {

  private static final double LEFT = 4;
  private static final double RIGHT = Canvas.WIDTH - 12;
  private static final double ROW = 38;
  private static final double AXIS = 36;

  private final Canvas canvas;

  Rows(Canvas canvas) {
    this.canvas = canvas;
  }

  /** Draws and returns the height. */
  double bars(Chart.Bars chart) {
    double bottom = ROW * chart.bars().size() + 4;
    axis(chart.axis(), 0, bottom);
    double y = 0;
    for (Chart.Bar bar : chart.bars()) {
      heading(y, bar.label(), bar.note());
      double value = bar.measure().value();
      canvas.svg().open("g").element("title", bar.label() + ": " + bar.note());
      canvas.box(bar.look().fill(), LEFT, y + 18, x(chart.axis(), value) - LEFT, 11);
      canvas.svg().close();
      interval(chart.axis(), bar.measure(), y + 23.5, "inkline");
      y += ROW;
    }
    return bottom + AXIS - (chart.axis().title().isEmpty() ? 14 : 0);
  }

  /** Draws and returns the height. */
  double dots(Chart.Dots chart) {
    double top = legend(chart.keys());
    double bottom = top + ROW * chart.rows().size() + 4;
    axis(chart.axis(), top, bottom);
    double y = top;
    for (Chart.Row row : chart.rows()) {
      heading(y, row.label(), row.note());
      canvas.line("track", LEFT, y + 24, RIGHT, y + 24);
      if (!Double.isNaN(chart.reference())) {
        double x = x(chart.axis(), chart.reference());
        canvas.line("reference", x, y + 17, x, y + 31);
      }
      dots(chart.axis(), row, y + 24);
      y += ROW;
    }
    return bottom + AXIS;
  }

  /** Places that are close to each other are drawn apart, so that none hides another. */
  private void dots(Axis axis, Chart.Row row, double y) {
    List<Double> taken = new ArrayList<>();
    for (Chart.Dot dot : row.dots()) {
      double x = x(axis, dot.measure().value());
      long near = taken.stream().filter(other -> Math.abs(other - x) < 8).count();
      double at = y + (near == 0 ? 0 : near % 2 == 1 ? 8 : -7);
      interval(axis, dot.measure(), at, dot.look().stroke());
      canvas.marker(dot.look(), x, at, 4.6, dot.text());
      taken.add(x);
    }
  }

  private void heading(double y, String label, String note) {
    double room = RIGHT - LEFT - Canvas.width(note) - 8;
    canvas.text("name", LEFT, y + 13, "start", Canvas.fitted(label, Math.max(60, room)));
    canvas.text("value", RIGHT, y + 13, "end", note);
  }

  /** Draws and returns where the rows begin. */
  private double legend(List<Chart.Key> keys) {
    double x = LEFT + 5;
    double y = 12;
    for (Chart.Key key : keys) {
      double width = 12 + Canvas.width(key.label()) + 12;
      if (x + width > RIGHT + 12 && x > LEFT + 5) {
        x = LEFT + 5;
        y += 17;
      }
      canvas.marker(key.look(), x, y - 4, 4.6, "");
      canvas.text("small", x + 9, y, "start", key.label());
      x += width;
    }
    return keys.isEmpty() ? 0 : y + 10;
  }

  private void axis(Axis axis, double top, double bottom) {
    double free = LEFT;
    for (Axis.Tick tick : axis.ticks()) {
      double x = x(axis, tick.at());
      canvas.line("grid", x, top, x, bottom);
      double half = Canvas.width(tick.label()) / 2;
      double middle = Math.max(LEFT + half, Math.min(Canvas.WIDTH - half, x));
      if (middle - half >= free) {
        canvas.text("small", middle, bottom + 14, "middle", tick.label());
        free = middle + half + 8;
      }
    }
    canvas.text("small", (LEFT + RIGHT) / 2, bottom + 30, "middle", axis.title());
  }

  private void interval(Axis axis, Measure measure, double y, String style) {
    if (measure.hasInterval()) {
      canvas.whisker(style, Canvas.Span.of(axis, measure, value -> x(axis, value)), y, 4);
    }
  }

  private static double x(Axis axis, double value) {
    return LEFT + axis.position(value) * (RIGHT - LEFT);
  }
}
