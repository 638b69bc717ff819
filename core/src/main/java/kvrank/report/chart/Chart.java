package kvrank.report.chart;

import java.util.List;

/** A chart as data. */
public sealed interface Chart {

  /** What it is, and how it is called as a file. */
  Caption caption();

  /**
   * What every chart has.
   *
   * @param file the file's name without its ending
   * @param title what it shows
   * @param where of which phase or at which factor point; may be empty
   * @param reading how to read it, in a sentence; may be empty
   * @param summary what it says, for those who do not see it
   */
  record Caption(String file, String title, String where, String reading, String summary) {}

  /**
   * Places on an axis, each with its interval, in named rows.
   *
   * @param bars whether they are lengths from 0, one in a row
   * @param reference a value that is marked by a line; NaN if there is none
   * @param keys the legend
   */
  record Rows(
      Caption caption, Axis axis, boolean bars, double reference, List<Key> keys, List<Row> rows)
      implements Chart {}

  /** One line of a legend. */
  record Key(Look look, String label) {}

  /** One row of {@link Rows}; {@code note} is what it says, as text. */
  record Row(String label, String note, List<Dot> dots) {}

  /** One place; {@code text} is the value as text. */
  record Dot(Look look, Measure measure, String text) {}

  /**
   * Lines over a common axis.
   *
   * @param banded whether intervals are bands and not whiskers
   * @param shaded up to where the beginning of the x axis is shaded
   * @param bound a value of the y axis that is marked by a line
   */
  record Lines(
      Caption caption, Axis x, Axis y, List<Line> lines, boolean banded, Mark shaded, Mark bound)
      implements Chart {

    /** Lines with whiskers. */
    public Lines(Caption caption, Axis x, Axis y, List<Line> lines) {
      this(caption, x, y, lines, false, Mark.NONE, Mark.NONE);
    }
  }

  /** A marked place of an axis; NaN if there is none. */
  record Mark(double at, String label) {
    public static final Mark NONE = new Mark(Double.NaN, "");
  }

  /** One line of {@link Lines}; {@code label} is empty if it repeats another line's. */
  record Line(Look look, String label, List<Point> points) {

    /** The point at its end. */
    public Point last() {
      return points.get(points.size() - 1);
    }
  }

  /**
   * One point of a line.
   *
   * @param text what it is, as text; may be empty
   * @param hollow whether its marker is not filled, as of a point that counts less
   */
  record Point(double x, Measure y, String text, boolean hollow) {

    /** A point with a filled marker. */
    public Point(double x, Measure y, String text) {
      this(x, y, text, false);
    }
  }

  /**
   * A value with its interval.
   *
   * @param low the interval's lower end; NaN if there is none
   * @param high the interval's upper end; NaN if there is none
   */
  record Measure(double value, double low, double high) {

    /** A value without an interval. */
    public static Measure of(double value) {
      return new Measure(value, Double.NaN, Double.NaN);
    }

    /** Whether there is an interval that is more than a point. */
    public boolean hasInterval() {
      return low < high;
    }

    /** The lowest value that is drawn. */
    public double least() {
      return hasInterval() ? Math.min(low, value) : value;
    }

    /** The highest value that is drawn. */
    public double most() {
      return hasInterval() ? Math.max(high, value) : value;
    }
  }

  /** The number of depths; style sheets have a class for each. */
  int DEPTHS = 7;

  /**
   * The depth of a ratio to the best, halved or doubled once for each step: 1 is the deepest.
   *
   * @return -1 if {@code ratio} is no positive number
   */
  static int depth(double ratio) {
    if (!(ratio > 0) || !Double.isFinite(ratio)) {
      return -1;
    }
    double halvings = Math.abs(Math.log(ratio)) / Math.log(2);
    return Math.max(0, DEPTHS - 1 - (int) Math.ceil(halvings - 0.07)); // within 5 % is the best
  }
}
