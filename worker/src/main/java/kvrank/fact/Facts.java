package kvrank.fact;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Facts with their values, sorted by name. Values are texts, as files and messages hold them; only
 * {@link #of} takes names that nobody has declared.
 */
public final class Facts {

  private static final MathContext DIGITS = new MathContext(6);

  private final SortedMap<String, String> values;

  /** None yet. */
  public Facts() {
    this(new TreeMap<>());
  }

  /** A copy. */
  public Facts(Facts facts) {
    this(new TreeMap<>(facts.values));
  }

  private Facts(SortedMap<String, String> values) {
    this.values = values;
  }

  /** Returns facts as a file or a message holds them, declared or not. */
  public static Facts of(Map<String, String> values) {
    return new Facts(new TreeMap<>(values));
  }

  /** Returns a copy that cannot be changed. */
  public static Facts copyOf(Facts facts) {
    return new Facts(Collections.unmodifiableSortedMap(new TreeMap<>(facts.values)));
  }

  /**
   * Returns what several generators report together, each fact by its {@link Merging}. Facts that
   * describe a single generator are left out, and so are those that have to be recomputed.
   *
   * @param level what the facts describe
   * @throws IllegalStateException if a fact is not declared, or cannot come from generators
   */
  public static Facts merged(Level level, List<Facts> generators) {
    SortedMap<String, List<String>> all = new TreeMap<>();
    for (Facts generator : generators) {
      generator.values.forEach(
          (name, value) -> all.computeIfAbsent(name, any -> new ArrayList<>()).add(value));
    }
    Facts merged = new Facts();
    all.keySet().removeIf(name -> Fact.find(Level.GENERATOR, name).isPresent());
    all.forEach(
        (name, values) -> {
          Merging merging = Fact.find(level, name).map(Fact::merging).orElse(Merging.NONE);
          if (merging == Merging.NONE) {
            throw new IllegalStateException(
                "a generator reports '%s', for which kvrank.fact.Fact declares no way to merge"
                    .formatted(name));
          }
          if (merging != Merging.RECOMPUTED) {
            merged.values.put(name, merging.merge(values));
          }
        });
    return merged;
  }

  /** Sets a text. */
  public Facts put(Fact fact, String value) {
    values.put(fact.named(), value);
    return this;
  }

  /** Sets a whole number. */
  public Facts put(Fact fact, long value) {
    return put(fact, Long.toString(value));
  }

  /** Sets a finite number: a share with three decimals, others with six significant digits. */
  public Facts put(Fact fact, double value) {
    return put(
        fact,
        fact.unit() == Unit.SHARE ? String.format(Locale.ROOT, "%.3f", value) : decimal(value));
  }

  /** Sets the text of one of a family. */
  public Facts put(Fact family, Object part, String value) {
    values.put(family.named(part), value);
    return this;
  }

  /** Adds others, which win over those that are there. */
  public Facts putAll(Facts others) {
    values.putAll(others.values);
    return this;
  }

  /** Returns whether it has a value. */
  public boolean has(Fact fact) {
    return values.containsKey(fact.named());
  }

  /** Returns the value, if it has one. */
  public Optional<String> find(Fact fact) {
    return Optional.ofNullable(values.get(fact.named()));
  }

  /** Returns the value; empty if it has none. */
  public String text(Fact fact) {
    return values.getOrDefault(fact.named(), "");
  }

  /**
   * Returns a whole number.
   *
   * @throws IllegalArgumentException if it is missing, or is not a whole number
   */
  public long whole(Fact fact) {
    return Long.parseLong(
        find(fact)
            .orElseThrow(
                () -> new IllegalArgumentException("'%s' is missing".formatted(fact.label()))));
  }

  /** Returns a whole number; 0 if it is missing. */
  public long count(Fact fact) {
    return has(fact) ? whole(fact) : 0;
  }

  /** Returns a number; NaN if it is missing, or is not a number, as an engine may report. */
  public double number(Fact fact) {
    try {
      return has(fact) ? Double.parseDouble(text(fact)) : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Returns the values of a family, by the part of the name that tells them apart. */
  public SortedMap<String, String> parts(Fact family) {
    SortedMap<String, String> parts = new TreeMap<>();
    values.forEach((name, value) -> family.part(name).ifPresent(part -> parts.put(part, value)));
    return parts;
  }

  /** Returns the values by name, for files and messages. */
  public SortedMap<String, String> asMap() {
    return Collections.unmodifiableSortedMap(values);
  }

  private static String decimal(double value) {
    BigDecimal rounded = new BigDecimal(value).round(DIGITS);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Facts facts && values.equals(facts.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
