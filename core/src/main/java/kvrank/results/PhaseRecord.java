package kvrank.results;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One phase of a run.
 *
 * @param name the phase's name
 * @param workload the workload's name
 * @param load whether this was the load
 * @param outcome what became of it; the measurements count only if it is completed
 * @param settings the settings in force by their labels, those of the phase included
 * @param elapsedNanos the measured time, warm-up excluded
 * @param operations by the operation's label
 * @param resources what it used
 * @param durability whether its writes were flushed as was asked; empty if it was not looked at, as
 *     in records of before that was done
 * @param facts further findings
 * @param points the steps of a sweep in the order in which they were measured; empty for others.
 *     The other measurements of a sweep are those of the best step of a search, or of the unlimited
 *     or else the last step of a curve
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
    SortedMap<String, String> facts,
    @JsonSetter(nulls = Nulls.AS_EMPTY) List<RatePoint> points) {

  public PhaseRecord {
    requireNonNull(name, "name is null");
    requireNonNull(workload, "workload is null");
    requireNonNull(outcome, "outcome is null");
    settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    operations = Collections.unmodifiableSortedMap(new TreeMap<>(operations));
    requireNonNull(resources, "resources is null");
    durability = durability == null ? Optional.empty() : durability;
    facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
    points = points == null ? List.of() : List.copyOf(points);
  }

  /** A phase that is no sweep, and whose durability was not looked at. */
  public PhaseRecord(
      String name,
      String workload,
      boolean load,
      Outcome outcome,
      SortedMap<String, String> settings,
      long elapsedNanos,
      SortedMap<String, OperationRecord> operations,
      Optional<Resources> resources,
      SortedMap<String, String> facts) {
    this(
        name,
        workload,
        load,
        outcome,
        settings,
        elapsedNanos,
        operations,
        resources,
        Optional.empty(),
        facts,
        List.of());
  }

  /** OK records per second of all operations together. */
  public double throughput() {
    return operations.values().stream().mapToDouble(OperationRecord::throughput).sum();
  }
}
