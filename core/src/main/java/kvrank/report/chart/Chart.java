package kvrank.report.chart;

import java.util.List;

/** A chart as data. */
public sealed interface Chart {

  /** What it is, and how it is called as a file. */
  Caption caption();

  /**
   * What every chart has: the name of its file without ending, what it shows and of which phase or
   * point, how to read it, and what it says for those who do not see it.
   */
  record Caption(String file, String title, String where, String reading, String summary) {}

  /**
   * Places on an axis, each with its interval, in named rows; as {@code bars} they are lengths from
   * 0, one in a row. A line marks the reference, unless that is NaN; the keys are a legend.
   */
  record Rows(
      Caption caption, Axis axis, boolean bars, double reference, List<Key> keys, List<Row> rows)
      implements Chart {}

  record Key(SeriesStyle style, String label) {}

  /** One row of {@link Rows}; {@code note} is what it says, as text. */
  record Row(String label, String note, List<Dot> dots) {}

  /** One place; {@code text} is the value as text. */
  record Dot(SeriesStyle style, Measure measure, String text) {}

  /** Lines over a common axis, whose beginning is shaded; a line marks a bound of the y axis. */
  record Lines(
      Caption caption, Axis x, Axis y, List<Line> lines, boolean banded, Mark shaded, Mark bound)
      implements Chart {

    public Lines(Caption caption, Axis x, Axis y, List<Line> lines) {
      this(caption, x, y, lines, false, Mark.NONE, Mark.NONE);
    }
  }

  /** A marked place of an axis; NaN if there is none. */
  record Mark(double at, String label) {
    public static final Mark NONE = new Mark(Double.NaN, "");
  }

  /** One line of {@link Lines}; {@code label} is empty if it repeats another line's. */
  record Line(SeriesStyle style, String label, List<Point> points) {

    public Point last() {
      return points.get(points.size() - 1);
    }
  }

  /** One point of a line; its marker is hollow if it counts less. */
  record Point(double x, Measure y, String text, boolean hollow) {

    public Point(double x, Measure y, String text) {
      this(x, y, text, false);
    }
  }

  /** A value with its interval, whose ends are NaN if there is none. */
  record Measure(double value, double low, double high) {

    public static Measure of(double value) {
      return new Measure(value, Double.NaN, Double.NaN);
    }

    /** Whether there is an interval that is more than a point. */
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

  /** The number of depths; style sheets have a class for each. */
  int DEPTHS = 7;

  /** The depth of a ratio, one less for each halving or doubling; -1 of no positive number. */
  static int depth(double ratio) {
    if (!(ratio > 0) || !Double.isFinite(ratio)) {
      return -1;
    }
    double halvings = Math.abs(Math.log(ratio)) / Math.log(2);
    return Math.max(0, DEPTHS - 1 - (int) Math.ceil(halvings - 0.07)); // within 5 % is the best
  }
}
