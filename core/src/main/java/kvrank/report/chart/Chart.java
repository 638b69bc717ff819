package kvrank.report.chart;

import java.util.List;

/** A chart as data. */
public sealed interface Chart {

  Caption caption();

  /**
   * The texts of a chart.
   *
   * @param file the file's name without extension
   * @param where the phase or factor point
   * @param reading how to read the chart
   * @param summary the content, for readers who do not see the chart
   */
  record Caption(String file, String title, String where, String reading, String summary) {}

  /**
   * Values with intervals in named rows. {@code bars} are drawn from the axis's start, one per row
   * and beside its name. A line marks the reference unless it is NaN; the keys are a legend.
   */
  record Rows(
      Caption caption, Axis axis, boolean bars, double reference, List<Key> keys, List<Row> rows)
      implements Chart {}

  record Key(SeriesStyle style, String label) {}

  /** One row of {@link Rows}; {@code note} has its values as text. */
  record Row(String label, String note, List<Dot> dots) {}

  /** One value; {@code text} is its text. */
  record Dot(SeriesStyle style, Measure measure, String text) {}

  /** Lines over a common axis, shaded up to a mark; a line marks a bound of the y axis. */
  record Lines(
      Caption caption, Axis x, Axis y, List<Line> lines, boolean banded, Mark shaded, Mark bound)
      implements Chart {

    public Lines(Caption caption, Axis x, Axis y, List<Line> lines) {
      this(caption, x, y, lines, false, Mark.NONE, Mark.NONE);
    }
  }

  /** A mark on an axis; NaN for none. */
  record Mark(double at, String label) {
    public static final Mark NONE = new Mark(Double.NaN, "");
  }

  /** One line of {@link Lines}; {@code label} is empty if another line has the same. */
  record Line(SeriesStyle style, String label, List<Point> points) {

    public Point last() {
      return points.get(points.size() - 1);
    }
  }

  /** One point of a line; the marker is hollow if the value counts less. */
  record Point(double x, Measure y, String text, boolean hollow) {

    public Point(double x, Measure y, String text) {
      this(x, y, text, false);
    }
  }

  /** A value with its interval, whose ends are NaN without one. */
  record Measure(double value, double low, double high) {

    public static Measure of(double value) {
      return new Measure(value, Double.NaN, Double.NaN);
    }

    /** Returns whether there is an interval that is wider than a point. */
    public boolean hasInterval() {
      return low < high;
    }

    public double least() {
      return hasInterval() ? Math.min(low, value) : value;
    }

    public double most() {
      return hasInterval() ? Math.max(high, value) : value;
    }
  }

  /** The number of colour depths; style sheets have a class for each. */
  int DEPTHS = 7;

  /** Returns the depth of a ratio, one less per halving or doubling; -1 if it is not positive. */
  static int depth(double ratio) {
    if (!(ratio > 0) || !Double.isFinite(ratio)) {
      return -1;
    }
    double halvings = Math.abs(Math.log(ratio)) / Math.log(2);
    return Math.max(0, DEPTHS - 1 - (int) Math.ceil(halvings - 0.07)); // within 5 % is the best
  }
}
