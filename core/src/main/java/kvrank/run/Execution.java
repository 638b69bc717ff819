package kvrank.run;

import static java.time.temporal.ChronoUnit.SECONDS;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import kvrank.fact.Facts;
import kvrank.failure.ProcessCheck;
import kvrank.input.InvalidInputException;
import kvrank.input.Reason;
import kvrank.input.TrustedPath;
import kvrank.machine.ConditionsWatch;
import kvrank.machine.MachineFacts;
import kvrank.machine.SyncProbe;
import kvrank.plan.Plan;
import kvrank.plan.RunSpec;
import kvrank.results.Json;
import kvrank.results.Manifest;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import kvrank.run.measure.ExecutionListener;
import kvrank.scenario.read.ScenarioWriter;

/** Locks and checks the machine, writes the plan and executes every run without a record. */
public final class Execution {

  private final Plan plan;
  private final Instruments instruments;
  private final QuietMachine quiet;
  private final MachineLock lock;
  private final ExecutionListener listener;
  private volatile boolean aborted;

  Execution(Plan plan, Instruments instruments, MachineLock lock, ExecutionListener listener) {
    this.plan = plan;
    this.instruments = instruments;
    this.quiet = new QuietMachine(plan.scenario().repetitions(), instruments.observer(), listener);
    this.lock = lock;
    this.listener = listener;
  }

  /** Returns an execution of {@code plan} in processes of this machine. */
  public static Execution of(
      Plan plan, RunEnvironment environment, MachineLock lock, ExecutionListener listener) {
    // Loads their classes while files can be opened.
    ProcessCheck.refusal("");
    Reason.of(new IOException(""));
    return new Execution(plan, environment.instruments(plan.scenario()), lock, listener);
  }

  /**
   * Executes the plan.
   *
   * @param parent the parent of the results folder
   * @param requireAll whether a missing engine prevents the start
   * @param identity facts that name the execution
   * @return the results, with a record of every run unless this was aborted
   * @throws InvalidInputException if the machine does not fulfil the scenario
   * @throws UnavailableException if no engine is available, or a required one is missing
   * @throws IOException if another execution holds the lock, or the results cannot be written
   */
  @SuppressWarnings("try") // locks are held, not used
  public ResultsDirectory execute(Path parent, String version, boolean requireAll, Facts identity)
      throws InvalidInputException,
          UnavailableException,
          UnreadableException,
          IOException,
          InterruptedException {
    requireTrusted(parent);
    try (Closeable machine = lockMachine()) {
      ConditionsWatch watch = new ConditionsWatch();
      Preflight.Findings findings = preflight().check(parent, requireAll);
      Plan ordered = plan.without(findings.missing());
      // Prepared while the device is probed, which they do not touch.
      Manifest manifest = Manifest.of(ordered, version, instruments.clock().instant());
      CompletableFuture<String> planText = CompletableFuture.supplyAsync(() -> Json.file(manifest));
      CompletableFuture<String> scenarioText =
          CompletableFuture.supplyAsync(() -> new ScenarioWriter().write(plan.scenario()));
      Optional<SyncProbe> probe = findings.storage().probe();
      Facts facts =
          facts(findings.storage(), probe).putAll(initialConditions(watch)).putAll(identity);
      ResultsDirectory results = ResultsDirectory.create(parent, instruments.clock().instant());
      Continuation.identify(scenarioText.join(), facts);
      results.begin(scenarioText.join(), planText.join(), facts);
      results.markLatest();
      try (Closeable directory = MachineLock.ofResults(results.path())) {
        executeAll(ordered, results, probe, findings.missing());
      }
      return results;
    }
  }

  /** Executes the runs without a complete record; throws if the machine or a commit changed. */
  @SuppressWarnings("try") // locks are held, not used
  public ResultsDirectory resume(ResultsDirectory results, boolean requireAll, Facts identity)
      throws InvalidInputException,
          UnavailableException,
          UnreadableException,
          IOException,
          InterruptedException {
    requireTrusted(results.path().resolve("runs"));
    try (Closeable machine = lockMachine();
        Closeable directory = MachineLock.ofResults(results.path())) {
      Preflight.Findings findings = preflight().check(results.path(), requireAll);
      Optional<SyncProbe> probe = findings.storage().probe();
      new Continuation(results).reopen(plan, facts(findings.storage(), probe), identity);
      executeAll(plan.without(findings.missing()), results, probe, findings.missing());
      return results;
    }
  }

  /** Throws if another user can replace the results or the data. */
  private void requireTrusted(Path results) throws IOException {
    for (Path folder : List.of(results, plan.scenario().data().orElse(results))) {
      TrustedPath.require(folder);
    }
  }

  private Closeable lockMachine() throws IOException, InterruptedException {
    String owner = "pid %d, scenario %s, since %s";
    long pid = ProcessHandle.current().pid();
    return lock.acquire(
        owner.formatted(
            pid, plan.scenario().name(), instruments.clock().instant().truncatedTo(SECONDS)),
        listener::warned);
  }

  private Preflight preflight() {
    return new Preflight(plan, instruments.provisioner(), instruments.cpus(), listener);
  }

  /** Returns the facts of this machine that decide whether results are comparable. */
  private Facts facts(StorageCheck storage, Optional<SyncProbe> probe) {
    return MachineFacts.facts().putAll(storage.facts(probe)).putAll(instruments.cpus().facts());
  }

  /** Returns facts about other activity on the machine, and warns of disturbances. */
  private Facts initialConditions(ConditionsWatch watch) throws InterruptedException {
    ConditionsWatch.Conditions conditions = watch.conditions();
    conditions.warnings().forEach(listener::warned);
    quiet.noteInitialLoad(conditions.facts());
    return conditions.facts();
  }

  /** Ends the current run without a record and starts no other. For a shutdown hook. */
  void abort() {
    aborted = true;
    instruments.abort();
  }

  private void executeAll(
      Plan ordered, ResultsDirectory results, Optional<SyncProbe> probe, Set<String> missing)
      throws UnreadableException, IOException, InterruptedException {
    Thread hook =
        new Thread(
            () -> {
              abort();
              listener.interrupted(results);
            },
            "interrupted");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      listener.began(ordered.guaranteedRuns(), missing);
      quiet.noteMissing(missing);
      RunSeries series =
          new RunSeries(
              results, probe, instruments, quiet, listener, () -> aborted, new LinkedHashSet<>());
      Plan tuned = new OptionTuning(ordered, series, quiet, listener).tune(missing);
      executeRepetitions(tuned, series);
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The JVM is ending, and the hook reports the interrupted runs.
        Thread.currentThread().join();
      }
    }
  }

  private void executeRepetitions(Plan tuned, RunSeries series)
      throws UnreadableException, IOException, InterruptedException {
    AdaptiveRepetitions repetitions =
        new AdaptiveRepetitions(tuned, series.results(), quiet, listener);
    List<RunSpec> next = tuned.guaranteedRuns();
    int done = 0;
    for (int repetition = tuned.scenario().repetitions().atLeast();
        !next.isEmpty() && !aborted;
        repetition++) {
      done = series.executeAll(next, done);
      next = aborted ? List.of() : repetitions.nextRepetition(repetition);
    }
  }
}
