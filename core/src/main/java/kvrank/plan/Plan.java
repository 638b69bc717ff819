package kvrank.plan;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import kvrank.engine.Fsync;
import kvrank.plan.RunSpec.CrashTestSpec;
import kvrank.scenario.CrashTest;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.Scenario;
import kvrank.scenario.Setting;
import kvrank.scenario.Sweep;
import kvrank.workload.ClientSettings;
import kvrank.workload.request.DurationFormat;
import kvrank.workload.request.Limits;
import kvrank.workload.trace.Replay;

/** The runs of a scenario in order, unsupported ones included. */
public record Plan(Scenario scenario, List<RunSpec> runs) {

  /** Estimated time to start and stop a server and a worker. */
  private static final Duration OVERHEAD = Duration.ofMillis(1400);

  /** Estimated time of a phase besides its requests: samples, checks and collections. */
  private static final Duration PHASE = Duration.ofMillis(50);

  /** How often kvrank's own speed is measured at each factor point. */
  public static final int CEILINGS = 3;

  /** Estimated time to write one request at a time and to read the device's counters. */
  private static final Duration SINGLE_WRITES = Duration.ofSeconds(3);

  /** Estimated time to start a server, write for a second, kill it and read its records. */
  private static final Duration CRASH = Duration.ofSeconds(5);

  /** Estimated time of a power cut besides the writes, with a new disk and file system. */
  private static final Duration CUT = Duration.ofSeconds(6);

  /** Estimated number of rates that a search tries, without the unlimited one. */
  private static final int SEARCH_RATES = 9;

  /** Estimated operations per second without a rate. */
  private static final double PER_SECOND = 50_000;

  /** Estimated writes per second of one client that waits for the device each time. */
  private static final double SYNCED_PER_SECOND = 300;

  /** Returns this plan, in an order that is balanced without the engines of these labels. */
  public Plan without(Set<String> missing) {
    return missing.isEmpty() ? this : Planner.plan(scenario, missing);
  }

  /** Returns the runs that can be started. */
  public List<RunSpec> supported() {
    return runs.stream().filter(RunSpec::startable).toList();
  }

  /** Returns the labels of engines with a run in {@code some}, in the order of the scenario. */
  public String engines(Collection<RunSpec> some) {
    Set<String> labels = some.stream().map(run -> run.key().engine()).collect(toSet());
    return scenario.engines().stream()
        .map(EngineSpec::label)
        .filter(labels::contains)
        .collect(joining(", "));
  }

  /** Returns the runs that do not depend on measured values, unsupported ones included. */
  public List<RunSpec> guaranteedRuns() {
    int atLeast = scenario.repetitions().atLeast();
    return runs.stream().filter(run -> run.key().repetition() <= atLeast).toList();
  }

  /** Returns the estimated duration of the searches for option values before the runs. */
  public Duration tuning() {
    Duration total = Duration.ZERO;
    for (EngineSpec engine : tuned()) {
      int trials = engine.tuning().orElseThrow().trials();
      for (RunSpec run : Planner.trial(scenario, engine)) {
        total = total.plus(expected(run).multipliedBy(trials));
      }
    }
    return total;
  }

  /** Returns the estimated time in which kvrank measures its own speed. */
  public Duration ceilings() {
    Map<Map<String, String>, Duration> points = new HashMap<>();
    for (RunSpec run : supported()) {
      Map<String, String> point = new HashMap<>(run.key().factors());
      point.keySet().removeAll(Set.of(Setting.FSYNC.label(), Setting.RATE.label()));
      points.computeIfAbsent(point, any -> ceilings(run));
    }
    return points.values().stream().reduce(Duration.ZERO, Duration::plus);
  }

  private static Duration ceilings(RunSpec run) {
    Duration each = OVERHEAD;
    for (PlannedPhase phase : Set.copyOf(PlannedPhase.ceilings(run.phases()).values())) {
      each = each.plus(PHASE);
      each = phase.spec().load() ? each : each.plus(phase.settings().limits().total());
    }
    return each.multipliedBy(CEILINGS);
  }

  /** Returns one row of each engine with a tuned option. */
  public List<EngineSpec> tuned() {
    Map<String, EngineSpec> tuned = new LinkedHashMap<>();
    scenario.engines().stream()
        .filter(row -> row.tuning().isPresent())
        .forEach(row -> tuned.putIfAbsent(row.row().name(), row));
    return List.copyOf(tuned.values());
  }

  public List<String> ids() {
    return runs.stream().map(RunSpec::id).toList();
  }

  /** Returns the estimated duration of {@code run}. */
  public static Duration expected(RunSpec run) {
    if (!run.startable()) {
      return Duration.ZERO;
    }
    Duration total = OVERHEAD;
    for (PlannedPhase phase : run.supportedPhases()) {
      total = total.plus(expected(run, phase));
    }
    return total
        .plus(run.fsync().promises() ? SINGLE_WRITES : Duration.ZERO)
        .plus(run.supportedCrashTest().map(Plan::expected).orElse(Duration.ZERO));
  }

  private static Duration expected(CrashTestSpec spec) {
    CrashTest test = spec.test();
    Duration each =
        test.powerCut()
            .map(cut -> CUT.plus(cut.lifetime().orElse(Duration.ofSeconds(1))))
            .orElse(CRASH);
    return each.multipliedBy(test.crashes());
  }

  private static Duration expected(RunSpec run, PlannedPhase phase) {
    // How long an engine needs to become idle is unknown.
    return stretches(run, phase).plus(DurationFormat.parse(phase.settle()).orElse(Duration.ZERO));
  }

  private static Duration stretches(RunSpec run, PlannedPhase phase) {
    double most = perSecond(run, phase);
    long operations = operations(run, phase);
    Duration timed = phase.spec().load() ? Duration.ZERO : phase.settings().limits().total();
    return rates(phase, most)
        .map(rate -> PHASE.plus(timed).plusMillis((long) (1e3 * operations / rate)))
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** Returns the number of operations that end a stretch of {@code phase}; 0 if a time does. */
  private static long operations(RunSpec run, PlannedPhase phase) {
    if (phase.spec().load()) {
      return run.dataset().loaded();
    }
    Limits limits = phase.settings().limits();
    Optional<Replay> trace = phase.spec().workload().trace();
    long whole = trace.isPresent() && limits.duration().isZero() ? Long.MAX_VALUE : 0;
    return Math.min(
        limits.counted() ? limits.operations() : whole,
        trace.map(Replay::requests).orElse(Long.MAX_VALUE));
  }

  /** Returns the estimated operations per second of each stretch, up to {@code most}. */
  private static Stream<Double> rates(PlannedPhase phase, double most) {
    Optional<Sweep> sweep = phase.spec().sweep();
    if (sweep.isPresent() && sweep.get() instanceof Sweep.Curve curve) {
      Stream<Double> rates = curve.rates().stream().map(rate -> Math.min(most, rate.of(most)));
      return curve.relative() ? Stream.concat(Stream.of(most), rates) : rates;
    }
    return Collections.nCopies(sweep.isPresent() ? 1 + SEARCH_RATES : 1, most).stream();
  }

  private static double perSecond(RunSpec run, PlannedPhase phase) {
    ClientSettings settings = phase.settings();
    double most = settings.pacing().open() ? settings.pacing().rate() : PER_SECOND;
    long atOnce = settings.inFlight() * settings.batch();
    return run.fsync().kind() == Fsync.Kind.ON
        ? Math.min(most, SYNCED_PER_SECOND * atOnce / phase.writesEach())
        : most;
  }
}
