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
import java.util.stream.Stream;

/** Facts with their values as text, sorted by name. Only {@link #of} accepts undeclared names. */
public final class Facts {

  private static final MathContext DIGITS = new MathContext(6);

  private final SortedMap<String, String> values;

  public Facts() {
    this(new TreeMap<>());
  }

  public Facts(Facts facts) {
    this(new TreeMap<>(facts.values));
  }

  private Facts(SortedMap<String, String> values) {
    this.values = values;
  }

  /** Returns the facts of a file or a message, declared or not. */
  public static Facts of(Map<String, String> values) {
    return new Facts(new TreeMap<>(values));
  }

  /** Returns an unmodifiable copy. */
  public static Facts copyOf(Facts facts) {
    return new Facts(Collections.unmodifiableSortedMap(new TreeMap<>(facts.values)));
  }

  /**
   * Returns the facts of several generators together, each by its {@link Merging}; facts of a
   * single generator and facts to recompute are left out.
   *
   * @throws IllegalStateException if a fact is not declared or cannot come from generators
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

  public Facts put(Fact fact, String value) {
    values.put(fact.named(), value);
    return this;
  }

  public Facts put(Fact fact, long value) {
    return put(fact, Long.toString(value));
  }

  /** Sets a finite number: a share with three decimals, others with six significant digits. */
  public Facts put(Fact fact, double value) {
    return put(
        fact,
        fact.unit() == Unit.SHARE ? String.format(Locale.ROOT, "%.3f", value) : decimal(value));
  }

  public Facts put(Fact fact, YesNo value) {
    return put(fact, value.label());
  }

  /** Sets {@code yes} or {@code no}. */
  public Facts put(Fact fact, boolean value) {
    return put(fact, value ? YesNo.YES : YesNo.NO);
  }

  /** Sets the text of one fact of a family. */
  public Facts put(Fact family, Object part, String value) {
    values.put(family.named(part), value);
    return this;
  }

  /**
   * Sets what an engine reports. If kvrank computes with it and it is not a whole number from 0 on,
   * it becomes {@code engine.NAME.unusable}, and the number is missing.
   */
  public Facts putReported(String name, String value) {
    boolean number =
        Stream.of(Level.RUN, Level.PHASE)
            .flatMap(level -> Fact.find(level, Fact.ENGINE.named(name)).stream())
            .anyMatch(fact -> fact.unit() != Unit.TEXT);
    boolean usable = !number || value.matches("\\d{1,18}");
    return put(Fact.ENGINE, usable ? name : name + ".unusable", value);
  }

  /** Adds others, which replace present ones. */
  public Facts putAll(Facts others) {
    values.putAll(others.values);
    return this;
  }

  public boolean has(Fact fact) {
    return values.containsKey(fact.named());
  }

  public Optional<String> find(Fact fact) {
    return Optional.ofNullable(values.get(fact.named()));
  }

  /** Returns the value, or "". */
  public String text(Fact fact) {
    return values.getOrDefault(fact.named(), "");
  }

  /** Returns whether the fact has this value. */
  public boolean is(Fact fact, YesNo value) {
    return text(fact).equals(value.label());
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

  /** Returns a number; NaN if it is missing or, as from an engine, not a number. */
  public double number(Fact fact) {
    String text = values.get(fact.named());
    try {
      return text == null ? Double.NaN : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Returns the values of a family by the part of the name that varies. */
  public SortedMap<String, String> parts(Fact family) {
    SortedMap<String, String> parts = new TreeMap<>();
    values.forEach((name, value) -> family.part(name).ifPresent(part -> parts.put(part, value)));
    return parts;
  }

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
