package kvrank.report.chart;

import java.util.ArrayList;
import java.util.List;

/** Draws charts of rows with bars or dots. */
final class Rows {

  private static final double LEFT = 4;
  private static final double RIGHT = Canvas.WIDTH - 12;
  private static final double ROW = 38;
  private static final double BAR_ROW = 21;
  private static final double LANE = 11;
  private static final double AXIS = 36;

  /** The most room for names beside bars; they are bold, and so wider than other text. */
  private static final double NAMES = 170;

  private static final double BOLD = 1.2;

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
    double bottom = top + 4 + chart.rows().stream().mapToDouble(this::height).sum();
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
      y += height(row);
    }
    return bottom + AXIS - (chart.axis().title().isEmpty() ? 14 : 0);
  }

  /** Draws name, bar and value on one line. */
  private void bar(Chart.Row row, double y) {
    Chart.Dot bar = row.dots().get(0);
    canvas.text("name", LEFT, y + 14, "start", Canvas.fitted(row.label(), NAMES / BOLD));
    canvas.box(bar.style().fill(), left, y + 4, x(bar.measure().value()) - left, 12);
    interval(bar.measure(), y + 10, "halo"); // or dark bars would hide the line
    interval(bar.measure(), y + 10, "inkline");
    canvas.text("value", RIGHT + 8, y + 14, "end", row.note());
  }

  private double height(Chart.Row row) {
    int more = lanes(row).stream().mapToInt(lane -> lane).max().orElse(0);
    return chart.bars() ? BAR_ROW : ROW + LANE * more;
  }

  /** Returns the lane of each dot: the first in which it and its interval cover no other. */
  private List<Integer> lanes(Chart.Row row) {
    List<Integer> lanes = new ArrayList<>();
    List<Double> ends = new ArrayList<>(); // alternately the ends of each dot
    for (Chart.Dot dot : row.dots()) {
      double from = x(dot.measure().least()) - 6;
      double to = x(dot.measure().most()) + 6;
      int lane = 0;
      for (int i = 0; i < lanes.size(); i++) {
        if (lanes.get(i) == lane && from < ends.get(2 * i + 1) && to > ends.get(2 * i)) {
          lane++;
          i = -1;
        }
      }
      lanes.add(lane);
      ends.addAll(List.of(from, to));
    }
    return lanes;
  }

  /** Draws dots, those that would cover each other below each other. */
  private void dots(Chart.Row row, double y) {
    canvas.line("track", LEFT, y, RIGHT, y);
    if (!Double.isNaN(chart.reference())) {
      double x = x(chart.reference());
      canvas.line("reference", x, y - 7, x, y + 7);
    }
    List<Integer> lanes = lanes(row);
    for (int i = 0; i < lanes.size(); i++) {
      Chart.Dot dot = row.dots().get(i);
      double at = y + LANE * lanes.get(i);
      interval(dot.measure(), at, dot.style().stroke());
      canvas.marker(dot.style(), false, x(dot.measure().value()), at, 4.6, dot.text());
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
