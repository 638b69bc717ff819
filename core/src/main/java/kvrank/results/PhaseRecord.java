package kvrank.results;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.fact.Facts;

/**
 * One phase of a run.
 *
 * @param outcome how it ended; the measurements count only if it is completed
 * @param settings the settings in force by their labels, those of the phase included
 * @param elapsedNanos the measured time, warm-up excluded
 * @param operations what was counted, by the operation's label
 * @param durability whether its writes were flushed as was asked; empty if it was not looked at, as
 *     in records of before that was done
 * @param points the steps of a sweep in the order in which they were measured; empty for others.
 *     The other measurements of a sweep are those of the best step of a search, or of the unlimited
 *     or else the last step of a curve
 * @param facts further findings
 */
public record PhaseRecord(
    String name,
    String workload,
    boolean load,
    Outcome outcome,
    SortedMap<String, String> settings,
    long elapsedNanos,
    SortedMap<String, OperationRecord> operations,
    Optional<Resources> resources,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<Durability> durability,
    @JsonSetter(nulls = Nulls.AS_EMPTY) List<RatePoint> points,
    Facts facts) {

  /** A phase in which nothing was measured. */
  public PhaseRecord(
      String name,
      String workload,
      boolean load,
      Outcome outcome,
      SortedMap<String, String> settings) {
    this(
        name,
        workload,
        load,
        outcome,
        settings,
        0,
        Collections.emptySortedMap(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        new Facts());
  }

  /** Returns this phase under another name. */
  public PhaseRecord named(String newName) {
    return with(newName, durability, points, facts);
  }

  /** Returns this phase with {@code more} facts. */
  public PhaseRecord with(Facts more) {
    return with(points, more);
  }

  /** Returns this phase as a sweep of these steps, with {@code more} facts. */
  public PhaseRecord with(List<RatePoint> steps, Facts more) {
    return with(name, durability, steps, new Facts(facts).putAll(more));
  }

  /** Returns this phase with what is to be said of its durability. */
  public PhaseRecord with(Durability judged) {
    return with(name, Optional.of(judged), points, facts);
  }

  private PhaseRecord with(
      String newName, Optional<Durability> judged, List<RatePoint> steps, Facts newFacts) {
    return new PhaseRecord(
        newName,
        workload,
        load,
        outcome,
        settings,
        elapsedNanos,
        operations,
        resources,
        judged,
        steps,
        newFacts);
  }

  /** Returns the OK records per second of all operations together. */
  public double throughput() {
    return operations.values().stream().mapToDouble(OperationRecord::throughput).sum();
  }
}
