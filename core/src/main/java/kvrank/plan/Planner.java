package kvrank.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import kvrank.engine.Capability;
import kvrank.engine.EngineDefinition.RecordLimits;
import kvrank.engine.EngineDefinition.RecordSetting;
import kvrank.engine.Fsync;
import kvrank.plan.RunSpec.CrashTestSpec;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.FactorPoints;
import kvrank.scenario.GroupSpec;
import kvrank.scenario.MemoryLimit;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Scenario;
import kvrank.scenario.Setting;
import kvrank.scenario.Shapes;
import kvrank.workload.ClientGroup;
import kvrank.workload.ClientSettings;
import kvrank.workload.Dataset;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.request.DurationFormat;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueShape;

/** Plans the runs of a scenario, and marks what an engine cannot do as unsupported. */
public final class Planner {

  private static final Set<Capability> CRASH_TEST = Set.of(Capability.READ, Capability.INSERT);

  private static final String NO_LOG = "fsync: off: the engine has no log; it supports only 'none'";

  private static final String UNKNOWN_KEYS =
      "a YCSB workload chooses its own keys, which kvrank could not remove from an external server";

  private final Scenario scenario;
  private final List<SortedMap<Setting, String>> points;
  private final Set<Setting> varying;

  /** The repetition number of trials, which come before the repetitions. */
  private static final int TRIAL = 0;

  private Planner(Scenario scenario) {
    this.scenario = scenario;
    this.points = FactorPoints.of(scenario.factors());
    this.varying = new TreeSet<>(scenario.factors().keySet());
    varying.removeIf(setting -> scenario.factors().get(setting).size() < 2);
  }

  /** Returns every engine at every factor point, for the maximum number of repetitions. */
  public static Plan plan(Scenario scenario) {
    return plan(scenario, Set.of());
  }

  /**
   * Returns the same runs as {@link #plan(Scenario)}, in an order that is balanced among the
   * engines that are not {@code missing}.
   *
   * @param missing the labels of engines that are not available
   */
  static Plan plan(Scenario scenario, Set<String> missing) {
    Planner planner = new Planner(scenario);
    List<List<RunSpec>> points = new ArrayList<>();
    List<BalancedOrder> orders = new ArrayList<>();
    List<RunSpec> idle = new ArrayList<>();
    for (SortedMap<Setting, String> point : planner.points) {
      List<RunSpec> measured = new ArrayList<>();
      for (EngineSpec engine : scenario.engines()) {
        RunSpec cell = planner.cell(engine, point);
        boolean runs = cell.startable() && !missing.contains(engine.label());
        (runs ? measured : idle).add(cell);
      }
      points.add(measured);
      orders.add(BalancedOrder.draw(measured.size(), planner.order(points.size())));
    }
    BalancedOrder orderOfPoints = BalancedOrder.draw(points.size(), planner.order(0));
    List<RunSpec> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= scenario.repetitions().atMost(); repetition++) {
      int block = repetition;
      orderOfPoints.of(block).stream()
          .flatMap(p -> orders.get(p).of(block).stream().map(points.get(p)::get))
          .forEach(cell -> runs.add(planner.run(cell, block)));
      idle.forEach(cell -> runs.add(planner.run(cell, block)));
    }
    return new Plan(scenario, runs);
  }

  /** Returns runs of {@code engine} at all factor points, outside of the repetitions. */
  public static List<RunSpec> trial(Scenario scenario, EngineSpec engine) {
    Planner planner = new Planner(scenario);
    return planner.points.stream()
        .map(point -> planner.run(planner.cell(engine, point), TRIAL))
        .filter(RunSpec::startable)
        .toList();
  }

  private long order(int number) {
    return CounterRandom.at(scenario.orderSeed().orElse(scenario.seed()), number);
  }

  private long seed(int repetition) {
    return CounterRandom.at(scenario.seed(), repetition);
  }

  private RunSpec run(RunSpec cell, int repetition) {
    return cell.with(
        cell.key().repeated(repetition, seed(repetition)),
        cell.crashTest().filter(test -> repetition != TRIAL));
  }

  /** Returns the common part of all repetitions of an engine at a factor point. */
  private RunSpec cell(EngineSpec stated, SortedMap<Setting, String> factors) {
    Optional<MemoryLimit> maxmemory = MemoryLimit.of(factors.get(Setting.MAXMEMORY));
    EngineSpec engine = maxmemory.map(stated::evicting).orElse(stated);
    String asked = factors.get(Setting.FSYNC);
    Optional<Fsync> least = Fsync.atLeast(asked);
    Fsync durability = least.map(engine::weakest).orElseGet(() -> Fsync.of(asked));
    Fsync level = engine.level(durability);
    Optional<String> unsupported = engine.unsupported(level);
    SortedMap<Setting, String> point = new TreeMap<>(factors);
    if (level.kind() == durability.kind()) {
      unsupported = unsupported.map(("fsync: " + asked + ": ")::concat);
    } else if (scenario.factors().get(Setting.FSYNC).contains(level.label())) {
      unsupported = Optional.of(NO_LOG);
    } else {
      point.put(Setting.FSYNC, level.label());
    }
    if (engine.external() && MemoryLimit.of(point.get(Setting.MEMORY)).isPresent()) {
      unsupported = Optional.of("memory: kvrank cannot limit an external server");
    }
    if (maxmemory.isPresent() && engine.external()) {
      unsupported = Optional.of("maxmemory: kvrank does not configure external servers");
    } else if (maxmemory.isPresent() && engine.definition().eviction().isEmpty()) {
      unsupported = Optional.of("maxmemory: the engine does not evict records");
    }
    String machines = point.getOrDefault(Setting.MACHINES, "");
    if (engine.definition().server().isEmpty() && !Set.of("", "1").contains(machines)) {
      unsupported = Optional.of("machines: an embedded engine runs on one machine");
    }
    KeyShape keys = Shapes.keys(scenario.phases(), point).under(scenario.keyPrefix());
    ValueShape values = Shapes.values(scenario.phases(), point);
    unsupported = unsupported.or(() -> tooLong(engine, level, keys, values));
    List<PlannedPhase> phases = new ArrayList<>();
    for (PhaseSpec spec : scenario.phases()) {
      PlannedPhase phase = phase(engine, point, spec);
      phases.add(phase);
      if (spec.load() && unsupported.isEmpty()) {
        unsupported = phase.unsupported();
      }
    }
    String id =
        varying.stream()
            .map(setting -> "." + setting.label() + "-" + point.get(setting))
            .collect(Collectors.joining("", engine.row().folder(), ""));
    return new RunSpec(
        new RunKey(id, engine.label(), engine.row().options(), texts(point), TRIAL, 0),
        engine,
        level,
        new Dataset(
            Long.parseLong(point.get(Setting.RECORDS)),
            keys,
            values,
            maxmemory.isPresent(),
            Shapes.first(scenario.phases(), Workload::trace)),
        point.get(Setting.VERIFY).equals("values"),
        phases,
        crashTest(engine, point, phases),
        unsupported);
  }

  /** Returns the limit of the engine's records that is exceeded; empty if none is. */
  private static Optional<String> tooLong(
      EngineSpec engine, Fsync level, KeyShape keys, ValueShape values) {
    RecordLimits limits = engine.definition().limits();
    String name = engine.definition().name();
    if (keys.bytes() > limits.keyBytes()) {
      return Optional.of(
          "keys of %,d bytes: %s stores at most %,d"
              .formatted(keys.bytes(), name, limits.keyBytes()));
    }
    long longest = values.sizes().max();
    if (longest > limits.valueBytes()) {
      return Optional.of(
          "values of %,d bytes: %s stores at most %,d"
              .formatted(longest, name, limits.valueBytes()));
    }
    Optional<RecordSetting> limit = limits.record().filter(any -> !engine.external());
    SortedMap<String, String> settings = engine.settings(level);
    OptionalLong most =
        limit
            .map(setting -> setting.valueBytes(settings, keys.bytes()))
            .orElse(OptionalLong.empty());
    return most.isPresent() && longest > most.getAsLong()
        ? Optional.of(
            "values of %,d bytes: %s stores at most %,d with '%s: %s'; raise it in 'options'"
                .formatted(
                    longest,
                    name,
                    most.getAsLong(),
                    limit.get().setting(),
                    settings.get(limit.get().setting())))
        : Optional.empty();
  }

  /** Returns the settings that have a value, by their labels. */
  private static SortedMap<String, String> texts(SortedMap<Setting, String> settings) {
    SortedMap<String, String> texts = new TreeMap<>();
    settings.forEach((setting, text) -> texts.put(setting.label(), text));
    texts.values().removeIf(String::isEmpty);
    return texts;
  }

  private PlannedPhase phase(EngineSpec engine, SortedMap<Setting, String> point, PhaseSpec spec) {
    SortedMap<Setting, String> effective = new TreeMap<>(point);
    if (spec.load()) {
      // A rate is for measured phases; a load has one only if it states it.
      effective.put(Setting.RATE, Setting.RATE.defaultValue());
      effective.remove(Setting.ERRORS);
    }
    effective.putAll(spec.settings());
    SortedMap<String, String> texts = texts(effective);
    ClientSettings stated = ClientSettings.of(label -> texts.getOrDefault(label, ""));
    List<ClientGroup> groups = spec.groups().stream().map(group -> group.clients(stated)).toList();
    ClientSettings settings = groups.isEmpty() ? stated : GroupSpec.sum(stated, groups);
    boolean cold = Boolean.parseBoolean(effective.get(Setting.COLD));
    Optional<String> unsupported =
        engine.external() && spec.workload().hosted().isPresent()
            ? Optional.of(UNKNOWN_KEYS)
            : missing(engine, needs(spec, settings));
    String settle = effective.getOrDefault(Setting.SETTLE, "");
    Optional<Duration> timeLimit =
        DurationFormat.parse(effective.getOrDefault(Setting.TIME_LIMIT, ""));
    return new PlannedPhase(spec, settings, cold, settle, timeLimit, unsupported, groups);
  }

  private Optional<CrashTestSpec> crashTest(
      EngineSpec engine, SortedMap<Setting, String> point, List<PlannedPhase> phases) {
    SortedMap<String, String> texts = texts(point);
    ClientSettings settings =
        phases.stream()
            .filter(phase -> phase.unsupported().isEmpty() && phase.writes())
            .map(PlannedPhase::settings)
            .max(Comparator.comparingLong(each -> each.inFlight() * each.batch()))
            .orElseGet(() -> ClientSettings.of(label -> texts.getOrDefault(label, "")));
    Optional<String> unsupported =
        engine.external()
            ? Optional.of("kvrank does not kill external servers")
            : missing(engine, CRASH_TEST);
    return scenario.crashTest().map(test -> new CrashTestSpec(test, settings, unsupported));
  }

  /** Returns which of {@code needs} the engine lacks, and why; empty if it has all. */
  private static Optional<String> missing(EngineSpec engine, Set<Capability> needs) {
    Set<Capability> missing = new TreeSet<>(needs);
    missing.removeAll(engine.capabilities());
    String labels = missing.stream().map(Capability::label).collect(Collectors.joining(", "));
    boolean cluster = engine.server().filter(ServerChoice::cluster).isPresent();
    String why =
        missing.stream()
            .map(need -> engine.definition().lacks().get(need))
            .filter(Objects::nonNull)
            .collect(Collectors.joining("; "));
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            engine.definition().name()
                + (cluster ? " as a cluster" : "")
                + " has no "
                + labels
                + (why.isEmpty() ? "" : ": " + why)
                + engine.definition().optional().stream()
                    .filter(rule -> rule.adds().containsAll(missing))
                    .map(
                        rule ->
                            "; 'options: {%s: %s}' adds %s"
                                .formatted(
                                    rule.option(),
                                    rule.value(),
                                    missing.size() == 1 ? "it" : "them"))
                    .findFirst()
                    .orElse(""));
  }

  private Set<Capability> needs(PhaseSpec phase, ClientSettings settings) {
    Set<Capability> needs = new TreeSet<>();
    boolean expires = scenario.phases().stream().anyMatch(other -> other.workload().expires());
    if (expires && (phase.load() || phase.workload().trace().isPresent())) {
      needs.add(Capability.TTL);
    }
    for (Operation operation : phase.workload().operations()) {
      switch (operation) {
        case READ_MODIFY_WRITE -> needs.addAll(Set.of(Capability.READ, Capability.UPDATE));
        case DELETE -> {
          needs.add(Capability.DELETE);
          if (!phase.workload().mix().drain()) {
            needs.add(Capability.INSERT);
          }
        }
        case FILL -> needs.add(Capability.UPDATE);
        case READ_MISSING -> needs.add(Capability.READ);
        case ITERATE -> needs.add(Capability.RANGE_SCAN);
        case TRANSACTION -> {} // its parts are among the operations
        default -> needs.add(Capability.valueOf(operation.name()));
      }
    }
    if (phase.workloads().stream().anyMatch(workload -> workload.mix().reverse())) {
      needs.add(Capability.REVERSE_SCAN);
    }
    if (settings.batch() > 1) {
      needs.add(Capability.BATCH);
    }
    if (settings.pipeline() > 1) {
      needs.add(Capability.PIPELINE);
    }
    if (settings.connections() > 1) {
      needs.add(Capability.CONNECTIONS);
    }
    return needs;
  }
}
