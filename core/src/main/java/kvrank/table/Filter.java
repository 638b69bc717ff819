package kvrank.table;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which of the results are meant, by dimension; a dimension that is not here is open. */
public record Filter(SortedMap<String, Choice> choices) {

  /** All of them. */
  public static final Filter ALL = new Filter(Collections.emptySortedMap());

  private static final Choice ONE_LOAD = new Choice(List.of("true"), false);

  /** Returns this filter with {@code dimension} open. */
  public Filter without(String dimension) {
    SortedMap<String, Choice> others = new TreeMap<>(choices);
    others.remove(dimension);
    return new Filter(others);
  }

  /** Returns the dimensions that are left with one value. */
  Set<String> bound() {
    Set<String> bound = new TreeSet<>(choices.keySet());
    bound.removeIf(dimension -> !choices.get(dimension).single());
    // There is one load.
    if (ONE_LOAD.equals(choices.get(Dimensions.LOAD))) {
      bound.add(Dimensions.PHASE);
    }
    return bound;
  }

  /** Some values of a dimension, or all but these; {@link #FIRST} and {@link #LAST} stand alone. */
  public record Choice(List<String> values, boolean negated) {

    public static final String FIRST = "first";
    public static final String LAST = "last";

    /** The words that are places and not values. */
    public static final List<String> PLACES = List.of(FIRST, LAST);

    /** Returns whether it goes by the place among what is left by the other choices. */
    public boolean positional() {
      return values.size() == 1 && PLACES.contains(values.get(0));
    }

    boolean single() {
      return values.size() == 1 && !negated;
    }

    /** Returns those of {@code all}, which are in order, that are chosen. */
    public List<String> of(List<String> all) {
      List<String> chosen =
          positional() && !all.isEmpty()
              ? List.of(all.get(values.get(0).equals(FIRST) ? 0 : all.size() - 1))
              : values;
      return all.stream().filter(value -> chosen.contains(value) != negated).toList();
    }
  }
}
