package kvrank.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import kvrank.scenario.Capability;
import kvrank.scenario.EngineDefinition.FsyncLevel;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.Fsync;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Scenario;
import kvrank.scenario.Setting;
import kvrank.workload.Operation;

/** Turns a scenario into its runs; what an engine cannot do is refused here, with the reason. */
public final class Planner {

  private Planner() {}

  /**
   * Every engine at every factor point, once per repetition. Within a repetition the order is
   * shuffled by the scenario's seed, so that a drift of the machine does not favour an engine.
   */
  public static Plan plan(Scenario scenario) {
    List<SortedMap<Setting, String>> points = points(scenario.factors());
    Set<Setting> varying = varying(scenario.factors());
    List<RunSpec> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= scenario.repetitions(); repetition++) {
      List<RunSpec> block = new ArrayList<>();
      for (EngineSpec engine : scenario.engines()) {
        for (SortedMap<Setting, String> point : points) {
          block.add(run(scenario, engine, point, varying, repetition));
        }
      }
      Collections.shuffle(block, new Random(seed(scenario.seed(), repetition)));
      runs.addAll(block);
    }
    return new Plan(scenario, runs);
  }

  /** The seed of a repetition: SplitMix64's finaliser over the scenario's seed. */
  private static long seed(long scenarioSeed, int repetition) {
    long z = scenarioSeed + 0x9e3779b97f4a7c15L * repetition;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  private static Set<Setting> varying(SortedMap<Setting, List<String>> factors) {
    return factors.entrySet().stream()
        .filter(factor -> factor.getValue().size() > 1)
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The cross product of the factors, the last one varying fastest. */
  private static List<SortedMap<Setting, String>> points(SortedMap<Setting, List<String>> factors) {
    List<SortedMap<Setting, String>> points = List.of(new TreeMap<>());
    for (Map.Entry<Setting, List<String>> factor : factors.entrySet()) {
      List<SortedMap<Setting, String>> extended = new ArrayList<>();
      for (SortedMap<Setting, String> point : points) {
        for (String value : factor.getValue()) {
          SortedMap<Setting, String> next = new TreeMap<>(point);
          next.put(factor.getKey(), value);
          extended.add(next);
        }
      }
      points = extended;
    }
    return points;
  }

  private static RunSpec run(
      Scenario scenario,
      EngineSpec engine,
      SortedMap<Setting, String> point,
      Set<Setting> varying,
      int repetition) {
    StringBuilder id = new StringBuilder(engine.label());
    for (Setting setting : varying) {
      id.append('.').append(setting.label()).append('-').append(point.get(setting));
    }
    id.append(".r").append(repetition);
    SortedMap<String, String> omitted = new TreeMap<>();
    Optional<String> unsupported = unsupportedFsync(engine, point);
    for (PhaseSpec phase : scenario.phases()) {
      Optional<String> reason = unsupportedPhase(engine, point, phase);
      if (reason.isPresent() && phase.load() && unsupported.isEmpty()) {
        unsupported = reason;
      }
      reason.ifPresent(text -> omitted.put(phase.name(), text));
    }
    return new RunSpec(
        id.toString(),
        engine,
        point,
        repetition,
        seed(scenario.seed(), repetition),
        scenario.phases(),
        omitted,
        unsupported,
        scenario.kills());
  }

  private static Optional<String> unsupportedFsync(
      EngineSpec engine, SortedMap<Setting, String> point) {
    Fsync fsync = point.get(Setting.FSYNC).equals(Fsync.ON.label()) ? Fsync.ON : Fsync.OFF;
    FsyncLevel level = engine.definition().fsync().get(fsync);
    return level.unsupported().map(reason -> "fsync: " + fsync.label() + ": " + reason);
  }

  private static Optional<String> unsupportedPhase(
      EngineSpec engine, SortedMap<Setting, String> point, PhaseSpec phase) {
    SortedMap<Setting, String> settings = new TreeMap<>(point);
    settings.putAll(phase.settings());
    Set<Capability> missing = new TreeSet<>(needs(phase, settings));
    missing.removeAll(engine.capabilities());
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "%s has no %s"
            .formatted(
                engine.definition().name(),
                missing.stream().map(Capability::label).collect(Collectors.joining(", "))));
  }

  private static Set<Capability> needs(PhaseSpec phase, SortedMap<Setting, String> settings) {
    Set<Capability> needs = new TreeSet<>();
    for (Operation operation : phase.workload().operations().keySet()) {
      switch (operation) {
        case READ -> needs.add(Capability.READ);
        case INSERT -> needs.add(Capability.INSERT);
        case UPDATE -> needs.add(Capability.UPDATE);
        case READ_MODIFY_WRITE -> {
          needs.add(Capability.READ);
          needs.add(Capability.UPDATE);
        }
        case DELETE -> {
          needs.add(Capability.DELETE);
          if (!phase.workload().drain()) {
            needs.add(Capability.INSERT);
          }
        }
        case RANGE_SCAN -> needs.add(Capability.RANGE_SCAN);
        case PREFIX_SCAN -> needs.add(Capability.PREFIX_SCAN);
      }
    }
    if (!settings.get(Setting.BATCH).equals("1")) {
      needs.add(Capability.BATCH);
    }
    if (!settings.get(Setting.PIPELINE).equals("1")) {
      needs.add(Capability.PIPELINE);
    }
    if (!settings.get(Setting.CONNECTIONS).equals("1")) {
      needs.add(Capability.CONNECTIONS);
    }
    return needs;
  }
}
