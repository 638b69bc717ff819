package kvrank.scenario;

import java.util.Optional;
import java.util.SortedMap;
import kvrank.workload.Workload;

/**
 * One phase as the scenario asks for it.
 *
 * @param name the workload's name, or what {@code as} says; unique in the scenario
 * @param load whether this is the load, which inserts every record once
 * @param settings settings that hold in this phase alone, whatever the factor point says
 */
public record PhaseSpec(
    String name,
    Workload workload,
    boolean load,
    SortedMap<Setting, String> settings,
    Optional<Sweep> sweep) {}
