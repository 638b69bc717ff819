package kvrank.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.engine.Fsync;
import kvrank.scenario.CrashTest;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.MemoryLimit;
import kvrank.scenario.Setting;
import kvrank.workload.ClientSettings;
import kvrank.workload.Dataset;
import kvrank.workload.request.DurationFormat;

/**
 * One repetition of one engine at one factor point: fresh server, fresh data, load, then the
 * phases.
 *
 * @param verify whether each value read is checked against its key
 * @param phases all phases in order, the load first
 * @param crashTest the crash test after the phases, if the scenario asks for one
 * @param unsupported why the engine cannot do the run at all; nothing is started then
 */
public record RunSpec(
    RunKey key,
    EngineSpec engine,
    Fsync fsync,
    Dataset dataset,
    boolean verify,
    List<PlannedPhase> phases,
    Optional<CrashTestSpec> crashTest,
    Optional<String> unsupported) {

  /**
   * The crash test after the phases of a run.
   *
   * @param settings of the phase with the most writes in flight
   * @param unsupported why the engine cannot do it; the test is left out then
   */
  public record CrashTestSpec(
      CrashTest test, ClientSettings settings, Optional<String> unsupported) {}

  RunSpec with(RunKey newKey, Optional<CrashTestSpec> newCrashTest) {
    return new RunSpec(newKey, engine, fsync, dataset, verify, phases, newCrashTest, unsupported);
  }

  /** Returns this run on a server that may evict records. */
  public RunSpec evicting() {
    Dataset may =
        new Dataset(dataset.records(), dataset.keys(), dataset.values(), true, dataset.trace());
    return new RunSpec(key, engine, fsync, may, verify, phases, crashTest, unsupported);
  }

  /** Returns the name of the run's folder, unique in the plan. */
  public String id() {
    return key.id();
  }

  /** Returns the memory limit of engine and client together; empty for no limit. */
  public Optional<MemoryLimit> memory() {
    return MemoryLimit.of(key.factors().get(Setting.MEMORY.label()));
  }

  /** Returns the number of load machines; empty for the machine that kvrank runs on. */
  public OptionalInt machines() {
    String machines = key.factors().get(Setting.MACHINES.label());
    return machines == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(machines));
  }

  public boolean startable() {
    return unsupported.isEmpty() && engine.definition().planned().isEmpty();
  }

  /** Returns the phases that the engine can do, in order. */
  public List<PlannedPhase> supportedPhases() {
    return phases.stream().filter(phase -> phase.unsupported().isEmpty()).toList();
  }

  /** Returns the crash test, if there is one and the engine can do it. */
  public Optional<CrashTestSpec> supportedCrashTest() {
    return crashTest.filter(test -> test.unsupported().isEmpty());
  }

  /** Returns the settings in effect in {@code phase}, by their labels. */
  public SortedMap<String, String> texts(PlannedPhase phase) {
    SortedMap<String, String> texts = new TreeMap<>(key.factors());
    texts.putAll(phase.settings().texts());
    if (phase.cold() || texts.containsKey(Setting.COLD.label())) {
      texts.put(Setting.COLD.label(), Boolean.toString(phase.cold()));
    }
    texts.put(Setting.SETTLE.label(), phase.settle());
    phase
        .timeLimit()
        .ifPresent(limit -> texts.put(Setting.TIME_LIMIT.label(), DurationFormat.format(limit)));
    texts.values().removeIf(String::isEmpty);
    return texts;
  }
}
