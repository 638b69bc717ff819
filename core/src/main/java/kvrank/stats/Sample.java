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
}
