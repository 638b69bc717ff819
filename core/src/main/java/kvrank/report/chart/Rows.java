package kvrank.report.chart;

import java.util.ArrayList;
import java.util.List;

/** Draws charts of rows: bars, dots and heat maps. */
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

  /** Draws and returns the height. */
  double heat(Chart.Heat chart) {
    double first = 92;
    int count = Math.max(1, chart.columns().size());
    double width = (Canvas.WIDTH - first) / count;
    double room = width - 4;
    boolean slanted = chart.columns().stream().anyMatch(column -> Canvas.width(column) > room);
    if (slanted) {
      width = (Canvas.WIDTH - first - 34) / count; // the last name leans out of its column
    }
    double head = slanted ? 62 : 20;
    for (int i = 0; i < chart.columns().size(); i++) {
      double x = first + (i + 0.5) * width;
      if (slanted) {
        slanted(x, head - 5, Canvas.fitted(chart.columns().get(i), 76));
      } else {
        canvas.text("small", x, head - 6, "middle", chart.columns().get(i));
      }
    }
    double y = head;
    for (Chart.HeatRow row : chart.rows()) {
      canvas.text("name", 0, y + 18, "start", Canvas.fitted(row.label(), first - 8));
      for (int i = 0; i < row.cells().size(); i++) {
        cell(row.cells().get(i), first + i * width, y, width);
      }
      y += 28;
    }
    return y + 4;
  }

  private void cell(Chart.Cell cell, double x, double y, double width) {
    String depth = cell.depth() < 0 ? "none" : Integer.toString(cell.depth());
    canvas.box("h" + depth, x + 1, y + 1, width - 2, 26);
    String text = Canvas.fitted(cell.text(), width);
    canvas.text("cell t" + depth, x + width / 2, y + 18, "middle", text);
  }

  private void slanted(double x, double y, String text) {
    String place = "translate(%s %s) rotate(-40)".formatted(Canvas.n(x), Canvas.n(y));
    canvas.svg().element("text", text, "class", "small", "transform", place);
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
