package kvrank.metric;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A metric by which engines are ranked. {@link Metrics} has all of them.
 *
 * @param id the name in files, unique
 * @param title the name in tables
 * @param meaning a description for readers of the docs
 * @param absence why a completed phase may have no value
 * @param formula the value; not a finite number if there is none
 */
public record Metric(
    String id,
    String title,
    Unit unit,
    Direction direction,
    Scope scope,
    Prominence prominence,
    String meaning,
    Function<Measured, NoValue> absence,
    ToDoubleFunction<Measured> formula) {

  /** The prefix of the ids of latencies, which their short names leave out. */
  public static final String LATENCY = "latency-";

  Metric means(String text) {
    return new Metric(id, title, unit, direction, scope, prominence, text, absence, formula);
  }

  Metric of(Scope newScope, String why) {
    return of(newScope, phase -> NoValue.because(why));
  }

  Metric of(Scope newScope, Function<Measured, NoValue> why) {
    return new Metric(id, title, unit, direction, newScope, prominence, meaning, why, formula);
  }

  Metric higherIsBetter() {
    return new Metric(
        id, title, unit, Direction.HIGHER, scope, prominence, meaning, absence, formula);
  }

  Metric by(ToDoubleFunction<Measured> value) {
    return new Metric(id, title, unit, direction, scope, prominence, meaning, absence, value);
  }

  /** Returns the value for {@code measured}; empty if there is none. */
  public OptionalDouble value(Measured measured) {
    double value = formula.applyAsDouble(measured);
    return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  /** Returns the reason why {@code measured} has no value, as far as it is known. */
  public NoValue absence(Measured measured) {
    return absence.apply(measured);
  }

  /** Returns the usual reason why a phase has no value. */
  public String usualAbsence() {
    return absence.apply(new Measured() {}).reason();
  }

  /** Returns the value for an operation with only a latency. */
  public OptionalDouble value(Latency latency) {
    return value(
        new Measured() {
          @Override
          public Optional<Latency> latency() {
            return Optional.of(latency);
          }
        });
  }

  /** Returns whether values are counts, which may be 0, so that ratios have no meaning. */
  public boolean counted() {
    return unit == Unit.COUNT;
  }

  /** Returns the name in YAML files: {@code p99} for {@code latency-p99}. */
  public String shortName() {
    return id.startsWith(LATENCY) ? id.substring(LATENCY.length()) : id;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Metric metric && metric.id.equals(id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @JsonCreator
  static Metric of(String id) {
    return Metrics.named(id);
  }

  @JsonValue
  @Override
  public String toString() {
    return id;
  }
}
