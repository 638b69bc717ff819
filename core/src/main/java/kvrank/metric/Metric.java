package kvrank.metric;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * Something that engines are ranked by; {@link Metrics} has them all.
 *
 * @param id the name in files, unique
 * @param title the name in tables
 * @param meaning what it is, for a reader
 * @param absence why there may be no value where the phase was completed
 * @param formula the value; not a finite number where there is none
 */
public record Metric(
    String id,
    String title,
    Unit unit,
    Direction direction,
    Scope scope,
    Prominence prominence,
    String meaning,
    String absence,
    ToDoubleFunction<Measured> formula) {

  /** How the ids of latencies begin; their short names leave it out. */
  public static final String LATENCY = "latency-";

  Metric means(String words) {
    return new Metric(id, title, unit, direction, scope, prominence, words, absence, formula);
  }

  Metric of(Scope other, String why) {
    return new Metric(id, title, unit, direction, other, prominence, meaning, why, formula);
  }

  Metric higherIsBetter() {
    return new Metric(
        id, title, unit, Direction.HIGHER, scope, prominence, meaning, absence, formula);
  }

  Metric by(ToDoubleFunction<Measured> value) {
    return new Metric(id, title, unit, direction, scope, prominence, meaning, absence, value);
  }

  /** Returns the value of {@code measured}, if it has one. */
  public OptionalDouble value(Measured measured) {
    double value = formula.applyAsDouble(measured);
    return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  /** Returns the value of an operation of which only the latency is known. */
  public OptionalDouble value(Latency latency) {
    return value(
        new Measured() {
          @Override
          public Optional<Latency> latency() {
            return Optional.of(latency);
          }
        });
  }

  /** Whether values are counted, so that 0 is one of them and ratios mean nothing. */
  public boolean counted() {
    return unit == Unit.COUNT;
  }

  /** The name where people write it: {@code p99} for {@code latency-p99}. */
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
