package kvrank.report.chart;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How one series of a chart is told from the others: by colour, by dashes (0 is a solid line) and
 * by the shape of its marker (0 is a circle), so that colour is never alone.
 */
public record SeriesStyle(int color, int dash, int shape) {

  /** The number of colours; style sheets have a class for each. */
  private static final int COLORS = 10;

  private static final int DASHES = 5;
  private static final int SHAPES = 6;

  /** The engines that are compared most, apart from each other. */
  private static final List<String> KNOWN =
      List.of(
          "rocksdb redis kvrocks ssdb tidesdb ignix noop chronicle-map lmdb valkey".split(" ", -1));

  /**
   * The styles of engines. An engine has the same in every report, by its name; where two in one
   * report would have the same, the one that is less known or later in the alphabet has another.
   */
  public static Map<String, SeriesStyle> of(Collection<String> engines) {
    List<String> order = new ArrayList<>(engines);
    // The unknown, at -1, are last.
    order.sort(
        Comparator.<String>comparingInt(engine -> KNOWN.indexOf(engine) & Integer.MAX_VALUE)
            .thenComparing(Comparator.naturalOrder()));
    Map<String, SeriesStyle> styles = new HashMap<>();
    for (String engine : order) {
      int known = KNOWN.indexOf(engine);
      // Of the letters, so that similar names are apart.
      int index = known < 0 ? ((engine.hashCode() * 0x9E3779B1) >>> 16) % COLORS : known;
      while (styles.containsValue(of(index))) {
        index++;
      }
      styles.put(engine, of(index));
    }
    return styles;
  }

  /** The style of the {@code index}th of many: colours, dashes and shapes in step. */
  private static SeriesStyle of(int index) {
    return new SeriesStyle(index % COLORS, index % DASHES, (index + index / 30) % SHAPES);
  }

  /** What has no colour of its own, as in a legend of shapes. */
  public static SeriesStyle neutral(int shape) {
    return new SeriesStyle(-1, 0, shape % SHAPES);
  }

  public SeriesStyle shaped(int other) {
    return new SeriesStyle(color, dash, other % SHAPES);
  }

  /** The class that fills with the colour. */
  String fill() {
    return color < 0 ? "ink" : "f" + color;
  }

  /** The class that draws lines in the colour. */
  String stroke() {
    return color < 0 ? "inkline" : "l" + color;
  }

  String dashes() {
    return "d" + dash;
  }
}
