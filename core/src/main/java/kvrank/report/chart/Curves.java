package kvrank.report.chart;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Draws lines over a common axis, each labelled at its end. */
final class Curves {

  private static final double TOP = 22;
  private static final double BOTTOM = 216;
  private static final double LABEL = 12.5;

  private final Canvas canvas;
  private final Chart.Lines chart;
  private final double left;
  private final double right;

  Curves(Canvas canvas, Chart.Lines chart) {
    this.canvas = canvas;
    this.chart = chart;
    left = 8 + widest(chart.y().ticks(), Axis.Tick::label, 20);
    right = Canvas.WIDTH - Math.min(104, 22 + widest(chart.lines(), Chart.Line::label, 0));
  }

  private static <T> double widest(List<T> items, Function<T, String> label, double none) {
    return items.stream().mapToDouble(item -> Canvas.width(label.apply(item))).max().orElse(none);
  }

  /** Draws the chart and returns its height. */
  double draw() {
    frame();
    double height = horizontal();
    chart.lines().forEach(this::line);
    chart.lines().forEach(this::markers);
    labels();
    return height;
  }

  private void frame() {
    Chart.Mark shaded = chart.shaded();
    if (shaded.at() > chart.x().low()) {
      canvas.box("shade", left, TOP, x(shaded.at()) - left, BOTTOM - TOP);
      canvas.text("small", left + 4, BOTTOM - 5, "start", shaded.label());
    }
    Chart.Mark bound = chart.bound();
    if (chart.y().holds(bound.at())) {
      canvas.line("reference", left, y(bound.at()), right, y(bound.at()));
      canvas.text("small", left + 4, y(bound.at()) - 4, "start", bound.label());
    }
    canvas.text("small", 0, 10, "start", chart.y().title());
    double free = BOTTOM + 8;
    for (Axis.Tick tick : chart.y().ticks()) {
      double y = y(tick.at());
      canvas.line("grid", left, y, right, y);
      if (y <= free - LABEL) {
        canvas.text("small", left - 6, y + 4, "end", tick.label());
        free = y;
      }
    }
  }

  /** Draws the x axis and returns its lower end. */
  private double horizontal() {
    List<Axis.Tick> ticks = chart.x().ticks();
    double step = (right - left) / Math.max(1, ticks.size());
    boolean slanted =
        ticks.stream().anyMatch(tick -> !tick.label().matches("[-0-9].*"))
            && ticks.stream().anyMatch(tick -> Canvas.width(tick.label()) > step - 4);
    double free = 0;
    for (Axis.Tick tick : ticks) {
      double x = x(tick.at());
      canvas.line("grid", x, TOP, x, BOTTOM);
      double half = Canvas.width(tick.label()) / 2;
      if (slanted) {
        String place = Canvas.n(x + 4) + " " + Canvas.n(BOTTOM + 14);
        String turned = "translate(" + place + ") rotate(-35)";
        String text = Canvas.fitted(tick.label(), 80);
        String[] style = {"class", "small", "text-anchor", "end", "transform", turned};
        canvas.svg().element("text", text, style);
      } else if (x - half >= free) {
        canvas.text("small", x, BOTTOM + 14, "middle", tick.label());
        free = x + half + 6;
      }
    }
    double below = BOTTOM + (slanted ? 62 : 29);
    canvas.text("small", (left + right) / 2, below, "middle", chart.x().title());
    return below + (chart.x().title().isEmpty() ? 0 : 6);
  }

  private void line(Chart.Line line) {
    StringBuilder path = new StringBuilder();
    StringBuilder most = new StringBuilder();
    StringBuilder least = new StringBuilder();
    for (Chart.Point point : line.points()) {
      double x = x(point.x());
      char command = path.isEmpty() ? 'M' : 'L';
      path.append(Canvas.to(command, x, y(point.y().value())));
      if (chart.banded()) {
        most.append(Canvas.to(command, x, y(point.y().most())));
        least.insert(0, Canvas.to('L', x, y(point.y().least())));
      } else if (point.y().hasInterval()) {
        canvas.interval(line.style().stroke(), chart.y(), point.y(), this::y, x, 3, true);
      }
    }
    if (line.points().size() > 1) {
      if (chart.banded()) {
        canvas.path("band " + line.style().fill(), most.append(least).append('z').toString());
      }
      canvas.path("curve " + line.style().stroke() + " " + line.style().dashes(), path.toString());
    }
  }

  /** Draws all markers of a short line, some of a long one, and always the last. */
  private void markers(Chart.Line line) {
    int size = line.points().size();
    int every = size <= 9 ? 1 : size / 4;
    int offset = size <= 9 ? 0 : (size - 1) % every;
    for (int i = offset; i < size; i += every) {
      Chart.Point point = line.points().get(i);
      double y = y(point.y().value());
      canvas.marker(line.style(), point.hollow(), x(point.x()), y, 3.4, point.text());
    }
  }

  private record Place(Chart.Line line, double x, double y) {}

  /** Draws labels at the lines' ends, moved apart if they would overlap. */
  private void labels() {
    List<Place> places = new ArrayList<>();
    for (Chart.Line line : chart.lines()) {
      if (!line.label().isEmpty() && !line.points().isEmpty()) {
        places.add(new Place(line, x(line.last().x()), y(line.last().y().value())));
      }
    }
    places.sort(Comparator.comparingDouble(Place::y));
    double[] at = apart(places.stream().mapToDouble(Place::y).toArray());
    for (int i = 0; i < at.length; i++) {
      Place place = places.get(i);
      canvas.line("leader", place.x() + 4, place.y(), right + 6, at[i]);
      canvas.marker(place.line().style(), false, right + 11, at[i], 3.4, "");
      String label = Canvas.fitted(place.line().label(), Canvas.WIDTH - right - 18);
      canvas.text("tag", right + 18, at[i] + 4, "start", label);
    }
  }

  /** Moves ascending positions apart for labels, within the chart if they fit. */
  private static double[] apart(double[] places) {
    double[] at = places.clone();
    double least = TOP;
    for (int i = 0; i < at.length; i++) {
      at[i] = Math.max(at[i], least);
      least = at[i] + LABEL;
    }
    double most = BOTTOM;
    for (int i = at.length - 1; i >= 0; i--) {
      at[i] = Math.min(at[i], most);
      most = at[i] - LABEL;
    }
    return at;
  }

  private double x(double value) {
    return left + chart.x().position(value) * (right - left);
  }

  private double y(double value) {
    return BOTTOM - chart.y().position(value) * (BOTTOM - TOP);
  }
}
