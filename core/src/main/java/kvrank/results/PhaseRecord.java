package kvrank.results;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.workload.request.DurationFormat;
import kvrank.workload.request.Operation;

/**
 * One phase of a run.
 *
 * @param settings all settings in force by label, with the phase's own
 * @param elapsedNanos the measured time, without warm-up
 * @param operations by the operation's label
 * @param durability empty if not checked, as in older records
 * @param points the steps of a sweep, empty for other phases. Its other measurements come from the
 *     step of a search that is closest to the found rate, with the throughput of that rate, or the
 *     unlimited (otherwise the last) step of a curve
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

  /** Creates a phase without measurements. */
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

  /** Returns whether the scenario states how long it is measured, instead of a count. */
  public boolean fixedTime() {
    return !load
        && settings.getOrDefault("operations", "").isEmpty()
        && !settings.getOrDefault("duration", "").isEmpty();
  }

  /**
   * Returns whether an engine writes the same here as any other, however fast it is: it loads, does
   * not write, or all its threads have one number of operations, without a warm-up before. How many
   * misses are filled differs between engines.
   */
  public boolean equalWork() {
    return load || operations.keySet().stream().noneMatch(this::writesByItsSpeed);
  }

  private boolean writesByItsSpeed(String label) {
    boolean counted =
        !settings.getOrDefault("operations", "").isEmpty()
            && points.isEmpty()
            && DurationFormat.parse(settings.getOrDefault("warmup", "0s"))
                .filter(Duration::isZero)
                .isPresent();
    return Operation.ofResult(label)
        .filter(Operation::writes)
        .filter(
            writing -> !counted || writing == Operation.FILL || label.contains(Operation.OF_GROUP))
        .isPresent();
  }

  public PhaseRecord named(String newName) {
    return with(newName, durability, points, facts);
  }

  public PhaseRecord with(Facts more) {
    return with(points, more);
  }

  /** Returns a copy with the steps of a sweep and {@code more} facts. */
  public PhaseRecord with(List<RatePoint> steps, Facts more) {
    return with(name, durability, steps, new Facts(facts).putAll(more));
  }

  public PhaseRecord with(Durability judged) {
    return with(name, Optional.of(judged), points, facts);
  }

  /** Returns a copy whose data have that size at its end; the peak is at least that. */
  public PhaseRecord withFootprint(long bytes) {
    Facts sized = new Facts(facts);
    if (facts.has(Fact.FOOTPRINT_PEAK_BYTES)) {
      sized.put(Fact.FOOTPRINT_PEAK_BYTES, Math.max(bytes, facts.count(Fact.FOOTPRINT_PEAK_BYTES)));
    }
    return with(
        name,
        operations,
        resources.map(used -> used.withFootprint(OptionalLong.of(bytes))),
        durability,
        points,
        sized);
  }

  /** Returns a copy with {@code factor} times the throughput of each operation. */
  public PhaseRecord scaled(double factor) {
    SortedMap<String, OperationRecord> scaled = new TreeMap<>();
    operations.forEach(
        (label, old) ->
            scaled.put(
                label,
                new OperationRecord(
                    old.ok(),
                    old.notFound(),
                    old.errors(),
                    old.throughput() * factor,
                    old.latencyNanos())));
    return with(name, scaled, resources, durability, points, facts);
  }

  private PhaseRecord with(
      String newName, Optional<Durability> judged, List<RatePoint> steps, Facts newFacts) {
    return with(newName, operations, resources, judged, steps, newFacts);
  }

  private PhaseRecord with(
      String newName,
      SortedMap<String, OperationRecord> newOperations,
      Optional<Resources> used,
      Optional<Durability> judged,
      List<RatePoint> steps,
      Facts newFacts) {
    return new PhaseRecord(
        newName,
        workload,
        load,
        outcome,
        settings,
        elapsedNanos,
        newOperations,
        used,
        judged,
        steps,
        newFacts);
  }

  /** Returns whether {@code label} is an operation within transactions, which contain it. */
  public boolean withinTransaction(String label) {
    return Operation.withinTransaction(label, operations.keySet());
  }

  /** Returns the sum of a figure of all operations, without those within transactions. */
  public double sum(ToDoubleFunction<OperationRecord> figure) {
    double sum = 0; // not a stream: a report computes millions of these
    for (Map.Entry<String, OperationRecord> operation : operations.entrySet()) {
      sum += withinTransaction(operation.getKey()) ? 0 : figure.applyAsDouble(operation.getValue());
    }
    return sum;
  }

  /** Returns the OK records per second of all operations, or the transactions. */
  public double throughput() {
    return sum(OperationRecord::throughput);
  }
}
