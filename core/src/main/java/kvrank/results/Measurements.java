package kvrank.results;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What was measured in a phase.
 *
 * @param elapsedNanos the measured time, warm-up excluded
 * @param operations by the operation's label
 * @param resources what was used
 * @param durability whether its writes were flushed as was asked; empty if it was not looked at, as
 *     in records of before that was done
 * @param points the steps of a sweep in the order in which they were measured; empty for others.
 *     The other measurements of a sweep are those of the best step of a search, or of the unlimited
 *     or else the last step of a curve
 */
public record Measurements(
    long elapsedNanos,
    SortedMap<String, OperationRecord> operations,
    Optional<Resources> resources,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<Durability> durability,
    @JsonSetter(nulls = Nulls.AS_EMPTY) List<RatePoint> points) {

  /** The measurements of a phase that did not take place. */
  public static final Measurements NONE =
      new Measurements(
          0, Collections.emptySortedMap(), Optional.empty(), Optional.empty(), List.of());

  /** Returns these as the measurements of a sweep. */
  public Measurements with(List<RatePoint> steps) {
    return new Measurements(elapsedNanos, operations, resources, durability, steps);
  }

  /** Returns these with what is to be said of their durability. */
  public Measurements with(Durability judged) {
    return new Measurements(elapsedNanos, operations, resources, Optional.of(judged), points);
  }

  /** Returns the OK records per second of all operations together. */
  public double throughput() {
    return operations.values().stream().mapToDouble(OperationRecord::throughput).sum();
  }
}
