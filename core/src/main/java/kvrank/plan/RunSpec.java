package kvrank.plan;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.Fsync;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Setting;

/**
 * One engine at one factor point, one repetition: fresh server, fresh data, load, then the phases.
 *
 * @param id unique in the plan and fit for a folder's name
 * @param engine the engine, as the scenario asks for it
 * @param factors the factor point: every setting that has a value, constants included
 * @param repetition from 1
 * @param seed the seed of the operations: the same for every engine and factor point of a
 *     repetition
 * @param phases all phases in order, the load first
 * @param omitted by the name of the phase, why the engine cannot do it; the others are done
 * @param unsupported why the engine cannot do the run at all; nothing is started then
 */
public record RunSpec(
    String id,
    EngineSpec engine,
    SortedMap<Setting, String> factors,
    int repetition,
    long seed,
    List<PhaseSpec> phases,
    SortedMap<String, String> omitted,
    Optional<String> unsupported) {

  public RunSpec {
    requireNonNull(id, "id is null");
    requireNonNull(engine, "engine is null");
    factors = Collections.unmodifiableSortedMap(new TreeMap<>(factors));
    phases = List.copyOf(phases);
    omitted = Collections.unmodifiableSortedMap(new TreeMap<>(omitted));
    requireNonNull(unsupported, "unsupported is null");
  }

  /** The durability that is asked for. */
  public Fsync fsync() {
    return factors.get(Setting.FSYNC).equals(Fsync.ON.label()) ? Fsync.ON : Fsync.OFF;
  }

  /** The settings in force in {@code phase}: the factor point, then what the phase says itself. */
  public SortedMap<Setting, String> settings(PhaseSpec phase) {
    SortedMap<Setting, String> result = new TreeMap<>(factors);
    result.putAll(phase.settings());
    return result;
  }

  /** The phases that the engine can do, in order. */
  public List<PhaseSpec> supportedPhases() {
    return phases.stream().filter(phase -> !omitted.containsKey(phase.name())).toList();
  }
}
