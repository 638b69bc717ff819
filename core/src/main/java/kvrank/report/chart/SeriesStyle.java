package kvrank.report.chart;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The style of one series of a chart: colour, dashes (0 is a solid line) and shape of its marker (0
 * is a circle). Series of one colour differ in dashes, so that colour is not the only difference.
 */
public record SeriesStyle(int color, int dash, int shape) {

  /** The number of colours; style sheets have a class for each. */
  public static final int COLORS = 20;

  private static final int DASHES = 5;
  private static final int SHAPES = 6;

  /** The number of styles that differ; beyond, they repeat. */
  private static final int DIFFERENT = COLORS * DASHES;

  /**
   * The engines that kvrank comes with. Each has one style everywhere; those of a shipped scenario
   * have different colours, except where it has more engines than there are colours. The number is
   * the place in the list; a new engine goes to the end.
   */
  private static final List<String> KNOWN =
      List.of(
          ("rocksdb redis kvrocks ssdb tidesdb ignix memcached chronicle-map lmdb badger"
                  + " pebble bbolt goleveldb caffeine libmdbx buntdb bolt btree map sniper"
                  + " dragonfly redb rocksdb-blobdb h2-mvstore noop berkeleydb-je pogreb cznic-kv"
                  + " redis-32bit sled mapdb keydb garnet nutsdb valkey fjall xodus sqlite")
              .split(" ", -1));

  /**
   * Returns the styles of engines. A known engine has the same style in every report. Another one
   * gets a colour by its name and, if that is taken, the next free one, while there is one.
   */
  public static Map<String, SeriesStyle> of(Collection<String> engines) {
    Map<String, SeriesStyle> styles = new LinkedHashMap<>();
    Set<Integer> colors = new HashSet<>();
    List<String> others = new ArrayList<>();
    for (String engine : engines) {
      int known = KNOWN.indexOf(engine);
      if (known < 0) {
        others.add(engine);
      } else {
        styles.put(engine, of(known));
        colors.add(known % COLORS);
      }
    }
    others.sort(null);
    for (String engine : others) {
      // A hash of the name, so that similar names differ.
      int index = ((engine.hashCode() * 0x9E3779B1) >>> 16) % COLORS;
      for (int tried = 1; tried < DIFFERENT && taken(index, styles, colors); tried++) {
        index = (index + 1) % DIFFERENT;
      }
      styles.put(engine, of(index));
      colors.add(index % COLORS);
    }
    return styles;
  }

  private static boolean taken(int index, Map<String, SeriesStyle> styles, Set<Integer> colors) {
    return colors.size() < COLORS
        ? colors.contains(index % COLORS)
        : styles.containsValue(of(index));
  }

  private static SeriesStyle of(int index) {
    return new SeriesStyle(
        index % COLORS, (index + index / COLORS) % DASHES, (index + index / COLORS) % SHAPES);
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
