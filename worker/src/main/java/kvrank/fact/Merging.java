package kvrank.fact;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingDouble;
import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.joining;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** How the values of a fact from several generators are merged. */
public enum Merging {
  SUM("sum"),
  LARGEST("largest"),
  /** The worst word of {@code yes}, {@code unknown} and {@code no}. */
  WORST("worst of yes, unknown, no"),
  FARTHEST("farthest from 1"),
  /** The value if all are equal; otherwise each distinct value, in the order of the generators. */
  EACH("each distinct value"),
  /** Any of them, as they are examples. */
  EXAMPLE("any one"),
  /** Computed by the controller from other values of the generators. */
  RECOMPUTED("recomputed"),
  /** The fact does not come from several generators. */
  NONE("–");

  /** Separates the distinct values of {@link #EACH}. */
  public static final String AND = " and ";

  private static final List<String> BEST_TO_WORST =
      Stream.of(YesNo.values()).map(YesNo::label).toList();

  private final String label;

  Merging(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }

  /** Merges {@code values}, at least one; throws if no rule applies, or one is not a number. */
  String merge(List<String> values) {
    return switch (this) {
      case SUM ->
          values.stream()
              .map(BigDecimal::new)
              .reduce(BigDecimal.ZERO, BigDecimal::add)
              .stripTrailingZeros()
              .toPlainString();
      case LARGEST -> largest(values, comparing(BigDecimal::new));
      case WORST -> largest(values, comparingInt(BEST_TO_WORST::indexOf));
      case FARTHEST ->
          largest(values, comparingDouble(ratio -> Math.abs(Math.log(Double.parseDouble(ratio)))));
      case EACH -> values.stream().distinct().collect(joining(AND));
      case EXAMPLE -> values.get(0);
      case RECOMPUTED, NONE -> throw new IllegalStateException("no rule merges these values");
    };
  }

  private static String largest(List<String> values, Comparator<String> order) {
    return values.stream().max(order).orElseThrow();
  }
}
