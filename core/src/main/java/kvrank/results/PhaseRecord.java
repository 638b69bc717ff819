package kvrank.results;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
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
    SortedMap<String, String> facts) {

  public PhaseRecord {
    requireNonNull(name, "name is null");
    requireNonNull(workload, "workload is null");
    requireNonNull(outcome, "outcome is null");
    settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    operations = Collections.unmodifiableSortedMap(new TreeMap<>(operations));
    requireNonNull(resources, "resources is null");
    facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
  }

  /** OK records per second of all operations together. */
  public double throughput() {
    return operations.values().stream().mapToDouble(OperationRecord::throughput).sum();
  }
}
