package kvrank.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kvrank.report.chart.Look;

/**
 * The looks of engines in charts. An engine has the same in every report, by its name; where two in
 * one report would have the same, the one that is less known or later in the alphabet has another.
 */
public final class Looks {

  /** The engines that are compared most, apart from each other. */
  private static final List<String> KNOWN =
      List.of(
          "rocksdb",
          "redis",
          "kvrocks",
          "ssdb",
          "tidesdb",
          "ignix",
          "noop",
          "chronicle-map",
          "lmdb",
          "valkey");

  private final Map<String, Look> looks = new HashMap<>();

  Looks(Collection<String> engines) {
    List<String> order = new ArrayList<>(engines);
    order.sort(Comparator.comparingInt(Looks::fame).thenComparing(Comparator.naturalOrder()));
    for (String engine : order) {
      int index =
          KNOWN.contains(engine) ? KNOWN.indexOf(engine) : Math.floorMod(hash(engine), Look.COLORS);
      Look look = Look.of(index);
      for (int i = 1; looks.containsValue(look); i++) {
        look = Look.of(index + i);
      }
      looks.put(engine, look);
    }
  }

  private static int fame(String engine) {
    return KNOWN.contains(engine) ? KNOWN.indexOf(engine) : KNOWN.size();
  }

  /** Of the letters, so that similar names are apart. */
  private static int hash(String engine) {
    return (engine.hashCode() * 0x9E3779B1) >>> 16;
  }

  /** The look of {@code engine}. */
  public Look of(String engine) {
    return looks.get(engine);
  }
}
