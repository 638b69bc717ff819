package kvrank.report.chart;

/**
 * How something is told apart: by colour, by dashes and by the shape of its marker, so that colour
 * is never alone.
 *
 * @param color from 0, in the order of the palette
 * @param dash from 0, a solid line
 * @param shape from 0, a circle
 */
public record Look(int color, int dash, int shape) {

  /** The number of colours; style sheets have a class for each. */
  public static final int COLORS = 10;

  private static final int DASHES = 5;
  private static final int SHAPES = 6;

  /** What has no colour of its own, as in a legend of shapes. */
  public static Look neutral(int shape) {
    return new Look(-1, 0, shape % SHAPES);
  }

  /** The look of the {@code index}th of many: colours, dashes and shapes in step. */
  public static Look of(int index) {
    return new Look(index % COLORS, index % DASHES, (index + index / 30) % SHAPES);
  }

  /** The same colour with another shape. */
  public Look shaped(int other) {
    return new Look(color, dash, other % SHAPES);
  }

  /** The class that fills with the colour. */
  public String fill() {
    return color < 0 ? "ink" : "f" + color;
  }

  /** The class that draws lines in the colour. */
  public String stroke() {
    return color < 0 ? "inkline" : "l" + color;
  }

  /** The class of the dashes. */
  public String dashes() {
    return "d" + dash;
  }
}
