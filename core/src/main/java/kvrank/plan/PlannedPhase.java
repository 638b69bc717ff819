package kvrank.plan;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.scenario.PhaseSpec;
import kvrank.workload.ClientGroup;
import kvrank.workload.ClientSettings;
import kvrank.workload.OperationMix;
import kvrank.workload.request.Operation;

/**
 * A phase of one run.
 *
 * @param settings of its clients at this factor point
 * @param cold whether the page cache is dropped before it
 * @param settle the wait after it, as {@link kvrank.scenario.Setting#SETTLE} states it; may be
 *     empty
 * @param timeLimit after which it fails; for a sweep, the limit of each step
 * @param unsupported why the engine cannot do it; the phase is left out then
 * @param groups of threads with operations of their own; empty if all have the same
 */
public record PlannedPhase(
    PhaseSpec spec,
    ClientSettings settings,
    boolean cold,
    String settle,
    Optional<Duration> timeLimit,
    Optional<String> unsupported,
    List<ClientGroup> groups) {

  /** Creates a phase that no scenario states, with these clients. */
  public PlannedPhase(PhaseSpec spec, ClientSettings settings, List<ClientGroup> groups) {
    this(spec, settings, false, "", Optional.empty(), Optional.empty(), groups);
  }

  public String name() {
    return spec.name();
  }

  /** Returns whether it is a load, or its mix has inserts, updates or deletes. */
  boolean writes() {
    return spec.load() || spec.workload().mix().operations().stream().anyMatch(Operation::writes);
  }

  /** Returns the mean number of writes of an operation, as far as it is known. */
  double writesEach() {
    if (spec.load()) {
      return 1;
    }
    OperationMix mix = spec.workload().mix();
    long all = 0;
    double writes = 0;
    for (Map.Entry<Operation, Integer> weight : mix.weights().entrySet()) {
      all += weight.getValue();
      writes += weight.getKey().writes() ? weight.getValue() : 0;
    }
    return mix.transaction().isEmpty() ? writes / Math.max(1, all) : writes;
  }
}
