package kvrank.plan;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.Fsync;
import kvrank.scenario.Setting;

/**
 * One engine at one factor point, one repetition: fresh server, fresh data, load, then the phases.
 *
 * @param key what tells it from other runs
 * @param engine the engine, as the scenario asks for it
 * @param settings the settings of the whole run
 * @param phases all phases in order, the load first
 * @param crashTest what is done after the phases to see what a crash loses, if that is asked for
 * @param unsupported why the engine cannot do the run at all; nothing is started then
 */
public record RunSpec(
    RunKey key,
    EngineSpec engine,
    RunSettings settings,
    List<PlannedPhase> phases,
    Optional<CrashTestSpec> crashTest,
    Optional<String> unsupported) {

  /** Returns the run's folder, which is unique in the plan. */
  public String id() {
    return key.id();
  }

  /** Returns the durability that is asked for. */
  public Fsync fsync() {
    return settings.fsync();
  }

  /** Returns whether something would be started for it. */
  public boolean startable() {
    return unsupported.isEmpty() && engine.definition().planned().isEmpty();
  }

  /** Returns the phases that the engine can do, in order. */
  public List<PlannedPhase> supportedPhases() {
    return phases.stream().filter(phase -> phase.unsupported().isEmpty()).toList();
  }

  /** Returns the crash test, if one is asked for and the engine can do it. */
  public Optional<CrashTestSpec> supportedCrashTest() {
    return crashTest.filter(test -> test.unsupported().isEmpty());
  }

  /** Returns the settings in force in {@code phase}, as text by their labels. */
  public SortedMap<String, String> texts(PlannedPhase phase) {
    SortedMap<String, String> texts = new TreeMap<>(key.factors());
    texts.putAll(phase.settings().texts());
    if (phase.cold() || texts.containsKey(Setting.COLD.label())) {
      texts.put(Setting.COLD.label(), Boolean.toString(phase.cold()));
    }
    texts.values().removeIf(String::isEmpty);
    return texts;
  }
}
