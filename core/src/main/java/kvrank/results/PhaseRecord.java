package kvrank.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
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
 * @param outcome how it ended; the measurements count only if it is completed
 * @param settings the settings in force by their labels, those of the phase included
 * @param measured what was measured
 * @param facts further findings
 */
public record PhaseRecord(
    String name,
    String workload,
    boolean load,
    Outcome outcome,
    SortedMap<String, String> settings,
    @JsonUnwrapped Measurements measured,
    SortedMap<String, String> facts) {

  /** Returns this phase under another name. */
  public PhaseRecord named(String newName) {
    return new PhaseRecord(newName, workload, load, outcome, settings, measured, facts);
  }

  /** Returns this phase with {@code more} facts. */
  public PhaseRecord with(SortedMap<String, String> more) {
    SortedMap<String, String> all = new TreeMap<>(facts);
    all.putAll(more);
    return new PhaseRecord(name, workload, load, outcome, settings, measured, all);
  }

  /** Returns this phase with what is to be said of its durability. */
  public PhaseRecord with(Durability judged) {
    return new PhaseRecord(name, workload, load, outcome, settings, measured.with(judged), facts);
  }

  /** Returns the measured time, warm-up excluded. */
  public long elapsedNanos() {
    return measured.elapsedNanos();
  }

  /** Returns what was counted, by the operation's label. */
  public SortedMap<String, OperationRecord> operations() {
    return measured.operations();
  }

  /** Returns what was used. */
  public Optional<Resources> resources() {
    return measured.resources();
  }

  /** Returns whether its writes were flushed as was asked, if that was looked at. */
  public Optional<Durability> durability() {
    return measured.durability();
  }

  /** Returns the steps of a sweep; empty for other phases. */
  public List<RatePoint> points() {
    return measured.points();
  }

  /** Returns the OK records per second of all operations together. */
  public double throughput() {
    return measured.throughput();
  }
}
