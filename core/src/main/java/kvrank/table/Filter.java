package kvrank.table;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** A selection of results by dimension; dimensions without a choice are open. */
public record Filter(SortedMap<String, Choice> choices) {

  /** Selects all results. */
  public static final Filter ALL = new Filter(Collections.emptySortedMap());

  private static final Choice ONE_LOAD = new Choice(List.of("true"), false);

  /** Returns this filter with {@code dimension} open. */
  public Filter without(String dimension) {
    SortedMap<String, Choice> others = new TreeMap<>(choices);
    others.remove(dimension);
    return new Filter(others);
  }

  /** Returns the dimensions with a single value. */
  Set<String> bound() {
    Set<String> bound = new TreeSet<>(choices.keySet());
    bound.removeIf(dimension -> !choices.get(dimension).single());
    // A run has one load.
    if (ONE_LOAD.equals(choices.get(Dimensions.LOAD))) {
      bound.add(Dimensions.PHASE);
    }
    return bound;
  }

  /** Returns whether it states that it selects results of the load. */
  boolean selectsLoad() {
    Choice load = choices.get(Dimensions.LOAD);
    return load != null && !load.of(ONE_LOAD.values()).isEmpty();
  }

  /**
   * Values of a dimension, or all others; {@link #FIRST} and {@link #LAST} must be the only one.
   */
  public record Choice(List<String> values, boolean negated) {

    public static final String FIRST = "first";
    public static final String LAST = "last";

    /** The positions, which are not values. */
    public static final List<String> PLACES = List.of(FIRST, LAST);

    /** Returns whether it is a position among the values that the other choices leave. */
    public boolean positional() {
      return values.size() == 1 && PLACES.contains(values.get(0));
    }

    boolean single() {
      return values.size() == 1 && !negated;
    }

    /** Returns the selected ones of {@code candidates}, which are in order. */
    public List<String> of(List<String> candidates) {
      List<String> chosen =
          positional() && !candidates.isEmpty()
              ? List.of(candidates.get(values.get(0).equals(FIRST) ? 0 : candidates.size() - 1))
              : values;
      return candidates.stream().filter(value -> chosen.contains(value) != negated).toList();
    }
  }
}
