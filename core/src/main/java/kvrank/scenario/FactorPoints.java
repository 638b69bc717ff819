package kvrank.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The combinations of the values of factors. */
public final class FactorPoints {

  private FactorPoints() {}

  /** Returns the number of combinations, which may be too large to build them. */
  public static double count(SortedMap<?, List<String>> factors) {
    return factors.values().stream().mapToDouble(List::size).reduce(1, (a, b) -> a * b);
  }

  /** Returns the cross product of {@code factors}, the last one varying fastest. */
  public static <K extends Comparable<K>> List<SortedMap<K, String>> of(
      SortedMap<K, List<String>> factors) {
    List<SortedMap<K, String>> points = List.of(new TreeMap<>());
    for (Map.Entry<K, List<String>> factor : factors.entrySet()) {
      List<SortedMap<K, String>> extended = new ArrayList<>();
      for (SortedMap<K, String> point : points) {
        for (String value : factor.getValue()) {
          SortedMap<K, String> next = new TreeMap<>(point);
          next.put(factor.getKey(), value);
          extended.add(next);
        }
      }
      points = extended;
    }
    return points;
  }
}
