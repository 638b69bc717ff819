package kvrank.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.engine.Capability;
import kvrank.engine.Fsync;
import kvrank.plan.RunSpec.CrashTestSpec;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.FactorPoints;
import kvrank.scenario.MemoryLimit;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Scenario;
import kvrank.scenario.Setting;
import kvrank.scenario.Shapes;
import kvrank.workload.ClientSettings;
import kvrank.workload.Dataset;
import kvrank.workload.Workload;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.request.Operation;

/** Turns a scenario into its runs; what an engine cannot do is refused here, with the reason. */
public final class Planner {

  private static final Set<Capability> CRASH_TEST =
      Set.of(Capability.READ, Capability.INSERT, Capability.UPDATE, Capability.DELETE);

  private static final String NO_LOG = "fsync: off: it has no log, so it is at 'none' alone";

  private static final String UNKNOWN_KEYS =
      "a workload of YCSB names its keys itself, and kvrank could not remove them from a server"
          + " that is not its own";

  private final Scenario scenario;
  private final List<SortedMap<Setting, String>> points;
  private final Set<Setting> varying;

  /** The number of the repetition of what is measured before them. */
  private static final int TRIAL = 0;

  private Planner(Scenario scenario) {
    this.scenario = scenario;
    this.points = FactorPoints.of(scenario.factors());
    this.varying = new TreeSet<>(scenario.factors().keySet());
    varying.removeIf(setting -> scenario.factors().get(setting).size() < 2);
  }

  /** Returns every engine at every factor point, once per repetition that there may be. */
  public static Plan plan(Scenario scenario) {
    Planner planner = new Planner(scenario);
    List<RunSpec> cells = scenario.engines().stream().flatMap(planner::cells).toList();
    List<RunSpec> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= scenario.repetitions().atMost(); repetition++) {
      runs.addAll(planner.block(cells, repetition));
    }
    return new Plan(scenario, runs);
  }

  /** Returns runs of {@code engine} at all factor points that are outside of the repetitions. */
  public static List<RunSpec> trial(Scenario scenario, EngineSpec engine) {
    Planner planner = new Planner(scenario);
    return planner
        .cells(engine)
        .map(cell -> planner.run(cell, TRIAL))
        .filter(RunSpec::startable)
        .toList();
  }

  /**
   * Returns the runs of one repetition, in an order that the scenario's seed decides, so that a
   * drift of the machine does not favour an engine.
   */
  private List<RunSpec> block(List<RunSpec> cells, int repetition) {
    List<RunSpec> block = new ArrayList<>(cells);
    block.replaceAll(cell -> run(cell, repetition));
    Collections.shuffle(block, new Random(seed(repetition)));
    return block;
  }

  private long seed(int repetition) {
    return CounterRandom.at(scenario.seed(), repetition);
  }

  private RunSpec run(RunSpec cell, int repetition) {
    return cell.of(
        cell.key().at(repetition, seed(repetition)),
        cell.crashTest().filter(test -> repetition != TRIAL));
  }

  private Stream<RunSpec> cells(EngineSpec engine) {
    return points.stream().map(point -> cell(engine, point));
  }

  /** Returns an engine at a factor point, which all of its repetitions have in common. */
  private RunSpec cell(EngineSpec asked, SortedMap<Setting, String> asks) {
    Optional<MemoryLimit> maxmemory = MemoryLimit.of(asks.get(Setting.MAXMEMORY));
    EngineSpec engine = maxmemory.map(asked::evicting).orElse(asked);
    Fsync durability = Fsync.of(asks.get(Setting.FSYNC));
    Fsync level = engine.level(durability);
    Optional<String> unsupported = engine.unsupported(level);
    SortedMap<Setting, String> point = new TreeMap<>(asks);
    if (level.kind() == durability.kind()) {
      unsupported = unsupported.map(("fsync: " + durability.label() + ": ")::concat);
    } else if (scenario.factors().get(Setting.FSYNC).contains(level.label())) {
      unsupported = Optional.of(NO_LOG);
    } else {
      point.put(Setting.FSYNC, level.label());
    }
    if (engine.external() && MemoryLimit.of(point.get(Setting.MEMORY)).isPresent()) {
      unsupported = Optional.of("memory: an external server is not kvrank's to limit");
    }
    if (maxmemory.isPresent() && engine.external()) {
      unsupported = Optional.of("maxmemory: an external server is as its owner has set it");
    } else if (maxmemory.isPresent() && engine.definition().eviction().isEmpty()) {
      unsupported = Optional.of("maxmemory: it does not give up records");
    }
    String machines = point.getOrDefault(Setting.MACHINES, "");
    if (engine.definition().server().isEmpty() && !Set.of("", "1").contains(machines)) {
      unsupported = Optional.of("machines: it is in the process of the load, on one machine");
    }
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
        Fsync.of(point.get(Setting.FSYNC)),
        new Dataset(
            Long.parseLong(point.get(Setting.RECORDS)),
            Shapes.keys(scenario.phases(), point).under(scenario.keyPrefix()),
            Shapes.values(scenario.phases(), point),
            maxmemory.isPresent(),
            Shapes.first(scenario.phases(), Workload::trace)),
        point.get(Setting.VERIFY).equals("values"),
        phases,
        crashTest(engine, point),
        unsupported);
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
    effective.putAll(spec.settings());
    SortedMap<String, String> texts = texts(effective);
    ClientSettings settings = ClientSettings.of(label -> texts.getOrDefault(label, ""));
    boolean cold = Boolean.parseBoolean(effective.get(Setting.COLD));
    Optional<String> unsupported =
        engine.external() && spec.workload().hosted().isPresent()
            ? Optional.of(UNKNOWN_KEYS)
            : missing(engine, needs(spec, settings));
    return new PlannedPhase(spec, settings, cold, unsupported);
  }

  private Optional<CrashTestSpec> crashTest(EngineSpec engine, SortedMap<Setting, String> point) {
    if (scenario.crashes() == 0) {
      return Optional.empty();
    }
    int threads = Integer.parseInt(point.get(Setting.THREADS));
    Optional<String> unsupported =
        engine.external()
            ? Optional.of("an external server is not kvrank's to kill")
            : missing(engine, CRASH_TEST);
    return Optional.of(new CrashTestSpec(scenario.crashes(), threads, unsupported));
  }

  /** Returns why {@code engine} cannot do what takes {@code needs}; empty if it can. */
  private static Optional<String> missing(EngineSpec engine, Set<Capability> needs) {
    Set<Capability> missing = new TreeSet<>(needs);
    missing.removeAll(engine.capabilities());
    String labels = missing.stream().map(Capability::label).collect(Collectors.joining(", "));
    boolean cluster = engine.server().filter(ServerChoice::cluster).isPresent();
    String why =
        missing.stream()
            .flatMap(
                capability ->
                    Optional.ofNullable(engine.definition().lacks().get(capability)).stream())
            .collect(Collectors.joining("; "));
    return Optional.of(
            engine.definition().name()
                + (cluster ? " as a cluster" : "")
                + " has no "
                + labels
                + (why.isEmpty() ? "" : ": " + why))
        .filter(reason -> !missing.isEmpty());
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
        default -> needs.add(Capability.valueOf(operation.name()));
      }
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
