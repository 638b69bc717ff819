package kvrank.report.chart;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The style of one series of a chart: colour, dashes (0 is a solid line) and shape of its marker (0
 * is a circle). Series differ in all three, so that colour is not the only difference.
 */
public record SeriesStyle(int color, int dash, int shape) {

  /** The number of colours; style sheets have a class for each. */
  private static final int COLORS = 10;

  private static final int DASHES = 5;
  private static final int SHAPES = 6;

  /** The number of styles that differ; beyond, they repeat. */
  private static final int DIFFERENT = 60;

  /** The engines that are compared most often; each has its own colour. */
  private static final List<String> KNOWN =
      List.of(
          "rocksdb redis kvrocks ssdb tidesdb ignix noop chronicle-map lmdb valkey".split(" ", -1));

  /**
   * Returns the styles of engines. An engine has the same style in every report. If two in one
   * report collide, the less known or alphabetically later one gets another, while there is one.
   */
  public static Map<String, SeriesStyle> of(Collection<String> engines) {
    List<String> order = new ArrayList<>(engines);
    // Unknown engines, at -1, come last.
    order.sort(
        Comparator.<String>comparingInt(engine -> KNOWN.indexOf(engine) & Integer.MAX_VALUE)
            .thenComparing(Comparator.naturalOrder()));
    Map<String, SeriesStyle> styles = new HashMap<>();
    for (String engine : order) {
      int known = KNOWN.indexOf(engine);
      // A hash of the name, so that similar names differ.
      int index = known < 0 ? ((engine.hashCode() * 0x9E3779B1) >>> 16) % COLORS : known;
      for (int tried = 1; tried < DIFFERENT && styles.containsValue(of(index)); tried++) {
        index++;
      }
      styles.put(engine, of(index));
    }
    return styles;
  }

  private static SeriesStyle of(int index) {
    return new SeriesStyle(index % COLORS, index % DASHES, (index + index / 30) % SHAPES);
  }

  /** Returns a style without colour, for a legend of shapes. */
  public static SeriesStyle neutral(int shape) {
    return new SeriesStyle(-1, 0, shape % SHAPES);
  }

  public SeriesStyle shaped(int newShape) {
    return new SeriesStyle(color, dash, newShape % SHAPES);
  }

  /** Returns the style sheet's class for filled shapes. */
  String fill() {
    return color < 0 ? "ink" : "f" + color;
  }

  /** Returns the style sheet's class for lines. */
  String stroke() {
    return color < 0 ? "inkline" : "l" + color;
  }

  String dashes() {
    return "d" + dash;
  }
}
