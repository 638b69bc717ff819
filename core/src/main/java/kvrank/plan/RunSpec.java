package kvrank.plan;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import kvrank.scenario.Capability;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.Fsync;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.ProvisionMethod;
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
 * @param kills how often the engine is killed after the phases, to see what it lost; 0 for no kill
 *     test
 */
public record RunSpec(
    String id,
    EngineSpec engine,
    SortedMap<Setting, String> factors,
    int repetition,
    long seed,
    List<PhaseSpec> phases,
    SortedMap<String, String> omitted,
    Optional<String> unsupported,
    int kills) {

  /** What a kill test does. */
  private static final Set<Capability> KILL_TEST =
      Set.of(Capability.READ, Capability.INSERT, Capability.UPDATE, Capability.DELETE);

  public RunSpec {
    requireNonNull(id, "id is null");
    requireNonNull(engine, "engine is null");
    factors = Collections.unmodifiableSortedMap(new TreeMap<>(factors));
    phases = List.copyOf(phases);
    omitted = Collections.unmodifiableSortedMap(new TreeMap<>(omitted));
    requireNonNull(unsupported, "unsupported is null");
  }

  /** A run without a kill test. */
  public RunSpec(
      String id,
      EngineSpec engine,
      SortedMap<Setting, String> factors,
      int repetition,
      long seed,
      List<PhaseSpec> phases,
      SortedMap<String, String> omitted,
      Optional<String> unsupported) {
    this(id, engine, factors, repetition, seed, phases, omitted, unsupported, 0);
  }

  /** Why the engine cannot do the kill test that is asked for; empty if it can. */
  public Optional<String> noKillTest() {
    if (engine.server().filter(choice -> choice.way() == ProvisionMethod.EXTERNAL).isPresent()) {
      return Optional.of("an external server is not kvrank's to kill");
    }
    SortedSet<Capability> missing = new TreeSet<>(KILL_TEST);
    missing.removeAll(engine.capabilities());
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s has no %s"
                .formatted(
                    engine.definition().name(),
                    missing.stream().map(Capability::label).collect(Collectors.joining(", "))));
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
