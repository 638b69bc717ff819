package kvrank.run;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.plan.PlannedPhase;
import kvrank.plan.RunSpec;
import kvrank.scenario.PhaseSpec;
import kvrank.workload.ClientSettings;
import kvrank.workload.Distribution;
import kvrank.workload.KeyChoice;
import kvrank.workload.Limits;
import kvrank.workload.Operation;
import kvrank.workload.OperationMix;
import kvrank.workload.Pacing;
import kvrank.workload.Workload;

/**
 * The stretch that durability is proven by: one client writes, one request after the other, as fast
 * as it goes, after the phases of a run. Every other request is a read, which shows how long the
 * engine takes to answer where nothing has to be flushed. It counts for nothing else.
 */
final class SingleWrites {

  /** No phase of a scenario can have this name. */
  static final String NAME = "durability@one-write";

  /** Twice the interval at which most engines sync that have a timer, a second. */
  private static final Duration SHORTEST = Duration.ofSeconds(2);

  /** Enough to see that an engine syncs at its interval. */
  private static final int INTERVALS = 4;

  private SingleWrites() {}

  /** Returns the stretch; empty if {@code run} claims nothing. */
  static Optional<PlannedPhase> of(RunSpec run) {
    Duration several = run.fsync().interval().multipliedBy(INTERVALS);
    Limits limits =
        new Limits(Duration.ZERO, several.compareTo(SHORTEST) > 0 ? several : SHORTEST, 0);
    return run.fsync().promises() && run.startable()
        ? Optional.of(
            new PlannedPhase(
                new PhaseSpec(NAME, workload(write(run)), false, new TreeMap<>(), Optional.empty()),
                new ClientSettings(1, 1, 1, 1, Pacing.CLOSED, limits),
                false,
                Optional.empty()))
        : Optional.empty();
  }

  /** An update, unless the records may not be there. */
  private static Operation write(RunSpec run) {
    boolean there =
        run.phases().stream()
            .map(phase -> phase.spec().workload())
            .noneMatch(workload -> workload.mix().drain() || workload.hosted().isPresent());
    return there ? Operation.UPDATE : Operation.INSERT;
  }

  private static Workload workload(Operation write) {
    return new Workload(
        NAME,
        "",
        new OperationMix(
            new TreeMap<>(Map.of(Operation.READ, 1, write, 1)),
            KeyChoice.of(Distribution.UNIFORM),
            1,
            false),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
