package kvrank.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.input.InvalidInputException;
import kvrank.machine.CpuSets;
import kvrank.machine.QuietLook;
import kvrank.metric.Metrics;
import kvrank.plan.Plan;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.provision.MethodStatus;
import kvrank.provision.Provisioner;
import kvrank.provision.disk.VolatileDisk;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import kvrank.report.CrashExamples;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException;
import kvrank.run.MachineLock.Held;
import kvrank.run.measure.ExecutionListener;
import kvrank.run.measure.Preparation;
import kvrank.run.measure.ProcessRunExecutor;
import kvrank.run.measure.RunExecutor;
import kvrank.run.measure.RunRecorder;
import kvrank.run.worker.WorkerLauncher;
import kvrank.scenario.CrashTest;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.TestHome;
import kvrank.stats.Rankings;
import kvrank.stats.Runs;

/**
 * Executions whose runs are scripted: no process is started, every run completes unless a test says
 * otherwise, and what an execution does is kept for the test to look at.
 */
final class ScriptedExecution {

  static final Outcome COMPLETED = new Outcome.Completed();
  static final Outcome FAILED = new Outcome.Failed("get", Cause.ENGINE, "the server ended");
  static final MethodStatus NOT_PULLED =
      new MethodStatus(
          ProvisionMethod.CONTAINER,
          MethodStatus.State.MISSING,
          "image 'redis:7.2' is missing, and it could not be pulled: no such host");

  private static final MethodStatus HERE =
      new MethodStatus(ProvisionMethod.PROCESS, MethodStatus.State.AVAILABLE, "/it");

  static final long ORDER_SEED = 7;

  private final Path folder;
  private final ScenarioReader reader;
  private final ScriptedRuns runs = new ScriptedRuns();
  private final ScriptedProvisioner provisioner = new ScriptedProvisioner();
  private final EventLog log = new EventLog();
  private final List<QuietLook> looks = new ArrayList<>();
  private Held held = Held.REFUSE;
  private Facts identity = new Facts();
  private Plan plan;

  /** An execution of four runs: two repetitions of Redis and RocksDB. */
  ScriptedExecution(Path folder) throws Exception {
    this.folder = folder;
    this.reader = new ScenarioReader(TestHome.in(folder.resolve("home")));
    scenario(
        "two.yaml",
        """
        question: Which one?
        engines: [redis, rocksdb]
        fsync: off
        phases: [get]
        repetitions: 2
        """);
  }

  /** Plans another scenario, of which some engines may be left out. */
  ScriptedExecution scenario(String file, String text, String... engines) throws Exception {
    Path scenario = Files.writeString(folder.resolve(file), text);
    plan = Planner.plan(reader.read(scenario, List.of(), List.of(engines)).ordered(ORDER_SEED));
    return this;
  }

  /** Plans Redis, a second Redis called {@code other}, and RocksDB. */
  ScriptedExecution threeEngines(String repetitions, String... engines) throws Exception {
    return scenario(
        "three.yaml",
        """
        question: Which one?
        engines: [redis, {engine: redis, as: other}, rocksdb]
        fsync: off
        phases: [get]
        """
            + repetitions,
        engines);
  }

  /** Makes power cuts impossible. */
  ScriptedExecution noPowerCut(String reason) {
    provisioner.noPowerCut = Optional.of(reason);
    return this;
  }

  /** Takes up a plan that was made before. */
  ScriptedExecution plan(Plan earlier) {
    plan = earlier;
    return this;
  }

  /** Executes, and resumes, in a checkout with that commit. */
  void commit(String commit) {
    identity = new Facts().put(Fact.COMMIT, ExecutionResults.KVRANK, commit);
  }

  /** Plans the continuation of {@code results}, with that number of repetitions. */
  ScriptedExecution continuing(ResultsDirectory results, Integer... repetitions)
      throws InvalidInputException, UnreadableException {
    plan = continuation(results, "test", repetitions);
    return this;
  }

  Plan continuation(ResultsDirectory results, String version, Integer... repetitions)
      throws InvalidInputException, UnreadableException {
    return new Continuation(results).plan(reader, version, Arrays.stream(repetitions).findFirst());
  }

  /** Gives runs a measurement, of this many operations per second. */
  ScriptedExecution throughput(ToDoubleFunction<RunSpec> throughput) {
    runs.throughput = Optional.of(throughput);
    return this;
  }

  /** Redis is far behind from the start; the other two differ by less than their noise at first. */
  static double oneFarBehind(RunSpec run) {
    int repetition = run.key().repetition();
    double noise = 1 + 0.05 * (repetition % 2 == 0 ? 1 : -1) * (repetition > 4 ? 0 : 1);
    return switch (run.engine().label()) {
      case "rocksdb" -> 2_000;
      case "other" -> 1_900 * noise;
      default -> 1_000 + repetition;
    };
  }

  /** Sets how long runs with a measurement take. */
  ScriptedExecution seconds(int seconds) {
    runs.seconds = seconds;
    return this;
  }

  /** Sets the share of the machine that others use during a run, by its id. */
  ScriptedExecution othersUse(ToDoubleFunction<String> share) {
    runs.others = share;
    return this;
  }

  /** Gives each run a crash after its phases, which loses this many milliseconds of writes. */
  ScriptedExecution crashes(ToLongFunction<String> lost) {
    runs.lost = Optional.of(lost);
    return this;
  }

  /** Sets what is seen of others before runs, one look after the other; then nothing. */
  ScriptedExecution looks(List<QuietLook> next) {
    looks.addAll(next);
    return this;
  }

  /** Sets the runs whose phases have a standstill of 6 s. */
  ScriptedExecution standingStill(String... ids) {
    runs.still = Set.of(ids);
    return this;
  }

  ScriptedExecution outcome(String run, Outcome outcome) {
    runs.outcomes.put(run, outcome);
    return this;
  }

  /** Sets what happens in the middle of every run. */
  ScriptedExecution duringRuns(Runnable action) {
    runs.meanwhile = action;
    return this;
  }

  ScriptedExecution atStartOf(String run, Runnable action) {
    log.starts.put(run, action);
    return this;
  }

  ScriptedExecution atWarning(Runnable action) {
    log.atWarning = action;
    return this;
  }

  ScriptedExecution atInterrupt(Runnable action) {
    log.atInterrupt = action;
    return this;
  }

  ScriptedExecution unavailable(String engine, MethodStatus status) {
    provisioner.methods.put(engine, status);
    return this;
  }

  /**
   * Has runs of {@code engine} executed for real, with the server that this makes from a folder.
   */
  ScriptedExecution server(String engine, Function<Path, ServerSpec> server) {
    provisioner.servers.put(engine, server);
    return this;
  }

  /** Makes every engine available, with scripted runs. */
  ScriptedExecution allAvailable() {
    provisioner.methods.clear();
    provisioner.servers.clear();
    return this;
  }

  ScriptedExecution held(Held then) {
    held = then;
    return this;
  }

  MachineLock lock() {
    return new MachineLock(folder.resolve("lock"), held);
  }

  Execution execution() {
    Instruments instruments =
        new Instruments(
            provisioner,
            CpuSets.none("a test"),
            runs,
            new HarnessBaselines(runs, Optional.empty()),
            () -> looks.isEmpty() ? Optional.empty() : Optional.of(looks.remove(0)),
            Clock.systemUTC());
    return new Execution(plan, instruments, lock(), log);
  }

  ResultsDirectory execute() throws Exception {
    return execute(execution());
  }

  ResultsDirectory execute(Execution execution) throws Exception {
    return execution.execute(results(), "test", false, identity);
  }

  void resume(ResultsDirectory results) throws Exception {
    execution().resume(results, false, identity);
  }

  /** The folder of the results of all executions. */
  Path results() {
    return folder.resolve("results");
  }

  Plan plan() {
    return plan;
  }

  List<String> ids() {
    return plan.ids();
  }

  /** The ids of the runs that were executed, in order; a test may change it. */
  List<String> executed() {
    return runs.executed;
  }

  /** Returns the number of executions of a run. */
  int attempts(String run) {
    return Collections.frequency(runs.executed, run);
  }

  /** The rows of which that repetition was executed, sorted. */
  List<String> executed(int repetition) {
    return runs.executed.stream()
        .filter(id -> id.endsWith(".r" + repetition))
        .map(id -> id.replaceFirst("\\.r\\d+$", ""))
        .sorted()
        .toList();
  }

  /** Returns the events of the listener, a line each. */
  List<String> events() {
    return log.events;
  }

  List<String> events(String part) {
    return log.events.stream().filter(event -> event.contains(part)).toList();
  }

  /** The runs that were started, with their numbers, such as {@code redis.r1 1/4}. */
  List<String> numbers() {
    return log.numbers;
  }

  List<String> warnings() {
    return log.warnings;
  }

  List<QuietLook> looksLeft() {
    return looks;
  }

  /** Whether the run in progress was ended. */
  boolean runAborted() {
    return runs.aborted;
  }

  boolean serversClosed() {
    return provisioner.closed;
  }

  static List<Outcome> outcomes(ExecutionResults results, String engine) {
    return results.runs().stream()
        .filter(run -> run.engine().equals(engine))
        .map(RunRecord::outcome)
        .toList();
  }

  /** Returns the largest p at which RocksDB and {@code other} are separated. */
  static double levelOfSeparation(ResultsDirectory results) throws Exception {
    return Rankings.of(results.read()).stream()
        .filter(ranking -> ranking.metric().equals(Metrics.THROUGHPUT))
        .filter(ranking -> ranking.group().phase().equals("get"))
        .filter(ranking -> ranking.group().operation().isEmpty())
        .findFirst()
        .orElseThrow()
        .verdict("rocksdb", "other")
        .needed();
  }

  /** Gives each run the outcome that a test wrote down, or asks where to get its engine. */
  private final class ScriptedRuns implements RunExecutor {

    private final Map<String, Outcome> outcomes = new TreeMap<>();
    private final List<String> executed = new ArrayList<>();
    private Runnable meanwhile = () -> {};
    private Optional<ToDoubleFunction<RunSpec>> throughput = Optional.empty();
    private ToDoubleFunction<String> others = run -> 0;
    private Set<String> still = Set.of();
    private Optional<ToLongFunction<String>> lost = Optional.empty();
    private int seconds;
    private boolean aborted;

    @Override
    public RunRecord execute(Task task) throws InterruptedException {
      RunSpec run = task.run();
      executed.add(run.id());
      meanwhile.run();
      if (!provisioner.survey(run.engine()).get(0).available()
          || provisioner.servers.containsKey(run.engine().label())) {
        WorkerLauncher none = new WorkerLauncher(folder, CpuSets.none("a test"), Optional.empty());
        Preparation nothing = new Preparation(List.of());
        return new ProcessRunExecutor(
                provisioner, none, Optional.empty(), false, nothing, Clock.systemUTC())
            .execute(task);
      }
      Outcome outcome = outcomes.getOrDefault(run.id(), COMPLETED);
      return throughput
          .map(perSecond -> measured(run, outcome, perSecond.applyAsDouble(run)))
          .orElseGet(() -> new RunRecorder(run, Instant.now()).end(outcome));
    }

    private RunRecord measured(RunSpec run, Outcome outcome, double perSecond) {
      Facts facts =
          new Facts().put(Fact.OTHERS_CPU_SHARE, Double.toString(others.applyAsDouble(run.id())));
      if (still.contains(run.id())) {
        facts.put(Fact.STANDSTILL_NANOS, 6_000_000_000L);
      }
      return new RunRecord(
          run.key(),
          outcome,
          "",
          new Facts(),
          Runs.run("").at(run.key().factors()).throughput(perSecond).build().phases().stream()
              .map(phase -> phase.with(facts))
              .toList(),
          Runs.THEN,
          Runs.THEN.plusSeconds(seconds),
          lost.map(
              each ->
                  CrashExamples.cuts(
                      CrashExamples.cut(9_000, 1_000_000 * each.applyAsLong(run.id()), 0))));
    }

    @Override
    public void abort() {
      aborted = true;
    }
  }

  /** Has every engine, except for those that a test excludes; starts none. */
  private static final class ScriptedProvisioner implements Provisioner {

    private final Map<String, MethodStatus> methods = new TreeMap<>();
    private final Map<String, Function<Path, ServerSpec>> servers = new TreeMap<>();
    private Optional<String> noPowerCut = Optional.empty();
    private boolean closed;

    @Override
    public List<MethodStatus> survey(EngineSpec engine) {
      return List.of(methods.getOrDefault(engine.label(), HERE));
    }

    @Override
    public List<MethodStatus> prepare(EngineSpec engine) {
      return survey(engine);
    }

    @Override
    public Optional<String> absence(EngineSpec engine) {
      return Optional.empty();
    }

    @Override
    public Optional<ServerSpec> choose(EngineSpec engine, Fsync fsync, Path data, Path log) {
      return Optional.ofNullable(servers.get(engine.label())).map(server -> server.apply(data));
    }

    @Override
    public Server start(ServerSpec spec) {
      throw new AssertionError("nothing is started");
    }

    @Override
    public Optional<String> missing(CrashTest.FileSystem fileSystem) {
      return noPowerCut;
    }

    @Override
    public VolatileDisk disk(Path folder, CrashTest.PowerCut cut) {
      throw new AssertionError("nothing is started");
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** The events of the listener, a line each. */
  private static final class EventLog implements ExecutionListener {

    private final List<String> events = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<String> numbers = new ArrayList<>();
    private final Map<String, Runnable> starts = new TreeMap<>();
    private Runnable atWarning = () -> {};
    private Runnable atInterrupt =
        () -> {
          throw new AssertionError("for the shutdown hook");
        };

    @Override
    public void warned(String warning) {
      warnings.add(warning);
      atWarning.run();
    }

    @Override
    public void surveyed(EngineSpec engine, List<MethodStatus> methods) {
      events.add(engine.label() + ": " + methods.get(0).detail());
    }

    @Override
    public void began(List<RunSpec> runs, Set<String> missing) {
      events.add("missing: " + missing);
    }

    @Override
    public void found(String fact) {
      events.add(fact);
    }

    @Override
    public void looked(String known, List<RunSpec> next) {
      events.add(known);
    }

    @Override
    public void interrupted(ResultsDirectory results) {
      atInterrupt.run();
    }

    @Override
    public void started(RunSpec run, int index, int total) {
      numbers.add("%s %d/%d".formatted(run.id(), index, total));
      starts.getOrDefault(run.id(), () -> {}).run();
    }

    @Override
    public void finished(RunSpec run, RunRecord record) {
      events.add(run.id() + " " + record.outcome().label());
    }

    @Override
    public void skipped(RunSpec run, int index, int total) {
      events.add(run.id() + " was done");
    }
  }
}
