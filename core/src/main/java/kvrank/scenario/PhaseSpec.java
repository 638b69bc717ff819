package kvrank.scenario;

import java.util.Optional;
import java.util.SortedMap;
import kvrank.workload.Workload;

/**
 * A phase as a scenario asks for it.
 *
 * @param name the workload's name, or the value of {@code as}; unique in the scenario
 * @param load whether this is the load, which inserts every record once
 * @param settings settings of only this phase, which override the factor point
 */
public record PhaseSpec(
    String name,
    Workload workload,
    boolean load,
    SortedMap<Setting, String> settings,
    Optional<Sweep> sweep) {}
