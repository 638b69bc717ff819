package kvrank.stats;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import kvrank.results.OperationRecord;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.results.Usage;

/**
 * One completed phase of one repetition, or one operation of it: what a metric is read from.
 *
 * @param operation the operation's label; empty for the phase as a whole
 */
public record Sample(RunRecord run, PhaseRecord phase, Optional<String> operation) {

  /** The fact of a run that says how its engine was had. */
  static final String WAY = "way";

  public Sample {
    requireNonNull(run, "run is null");
    requireNonNull(phase, "phase is null");
    requireNonNull(operation, "operation is null");
  }

  /** The record of the operation; empty for the phase as a whole or if it did not occur. */
  public Optional<OperationRecord> measured() {
    return operation.map(label -> phase.operations().get(label));
  }

  /** A fact of the phase that is a number greater than 0. */
  Optional<Double> fact(String name) {
    return Optional.ofNullable(phase.facts().get(name))
        .map(Double::valueOf)
        .filter(number -> number > 0);
  }

  /** OK records of the phase. */
  double records() {
    return phase.operations().values().stream().mapToDouble(record -> (double) record.ok()).sum();
  }

  /** Whether the engine lives in the worker's process. */
  public static boolean embedded(RunRecord run) {
    return "embedded".equals(run.facts().get(WAY));
  }

  /**
   * The process that holds the engine's memory: the server's, or the worker's if the engine is
   * embedded. Empty where the process cannot be seen, for example on another host.
   */
  Optional<Usage> engineProcess() {
    return phase
        .resources()
        .flatMap(used -> embedded(run) ? used.client().or(used::server) : used.server());
  }

  /**
   * Bytes of that process's resident memory at the end that the data takes: without what a server
   * took when it was empty, or the worker of an embedded engine takes when there is none in it.
   * Empty where that is not known.
   */
  Optional<Double> dataMemory() {
    Optional<Double> without =
        embedded(run)
            ? fact("harness.residentBytes")
            : Optional.ofNullable(run.facts().get("memory.emptyBytes")).map(Double::valueOf);
    return engineProcess()
        .flatMap(usage -> without.map(own -> Math.max(0, usage.residentEndBytes() - own)));
  }
}
