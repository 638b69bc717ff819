package kvrank.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.engine.Fsync;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.MemoryLimit;
import kvrank.scenario.Setting;
import kvrank.workload.Dataset;

/**
 * One engine at one factor point, one repetition: fresh server, fresh data, load, then the phases.
 *
 * @param verify whether each value that is read is checked against its key
 * @param phases all phases in order, the load first
 * @param crashTest what is done after the phases to see what a crash loses, if that is asked for
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
   * What a crash test does after the phases of a run.
   *
   * @param crashes how often the engine is killed, each time on fresh data
   * @param threads how many threads write until then
   * @param unsupported why it cannot be done with this engine; it is left out then
   */
  public record CrashTestSpec(int crashes, int threads, Optional<String> unsupported) {}

  /** Returns another run of the same engine at the same factor point. */
  RunSpec of(RunKey other, Optional<CrashTestSpec> crash) {
    return new RunSpec(other, engine, fsync, dataset, verify, phases, crash, unsupported);
  }

  /** Returns the run's folder, which is unique in the plan. */
  public String id() {
    return key.id();
  }

  /** Returns what engine and client may take together; empty for what there is. */
  public Optional<MemoryLimit> memory() {
    return MemoryLimit.of(key.factors().get(Setting.MEMORY.label()));
  }

  /** Returns how many machines its load comes from; empty for the one that kvrank is on. */
  public OptionalInt machines() {
    String machines = key.factors().get(Setting.MACHINES.label());
    return machines == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(machines));
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
