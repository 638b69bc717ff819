package kvrank.plan;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.scenario.PhaseSpec;
import kvrank.workload.ClientGroup;
import kvrank.workload.ClientSettings;
import kvrank.workload.OperationMix;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Limits;
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

  /** Enough for the compiler: a ceiling only needs to be right to a factor of two. */
  private static final Limits BRIEF = new Limits(Duration.ofMillis(300), Duration.ofMillis(200), 0);

  /** Returns this phase as kvrank's own speed in it is measured: in short, without rates. */
  public PlannedPhase ceiling() {
    return new PlannedPhase(
        new PhaseSpec(
            name(), spec.workload(), spec.load(), spec.settings(), Optional.empty(), spec.groups()),
        settings.with(Pacing.CLOSED).with(BRIEF),
        groups.stream()
            .map(each -> new ClientGroup(each.name(), each.mix(), each.threads(), Pacing.CLOSED))
            .toList());
  }

  /**
   * Returns the first of {@code phases} with the same ceiling as each of them: the others differ
   * from it only by name, rate and length.
   */
  public static SortedMap<String, PlannedPhase> ceilings(List<PlannedPhase> phases) {
    Map<List<Object>, PlannedPhase> first = new HashMap<>();
    SortedMap<String, PlannedPhase> ceilings = new TreeMap<>();
    for (PlannedPhase phase : phases) {
      PlannedPhase brief = phase.ceiling();
      List<Object> same =
          List.of(brief.spec.workload(), brief.spec.load(), brief.settings, brief.groups);
      ceilings.put(phase.name(), first.computeIfAbsent(same, any -> brief));
    }
    return ceilings;
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
