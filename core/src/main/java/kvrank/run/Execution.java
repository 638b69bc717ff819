package kvrank.run;

import static java.time.temporal.ChronoUnit.SECONDS;
import static java.util.stream.Collectors.joining;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import kvrank.machine.ConditionsWatch;
import kvrank.machine.CpuSets;
import kvrank.machine.MachineFacts;
import kvrank.machine.QuietLook;
import kvrank.machine.SyncProbe;
import kvrank.plan.Plan;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.provision.ListenAddress;
import kvrank.provision.Provisioner;
import kvrank.results.ExecutionResults;
import kvrank.results.Json;
import kvrank.results.Manifest;
import kvrank.results.Outcome;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.results.Tuned;
import kvrank.results.UnreadableException;
import kvrank.run.RunExecutor.Task;
import kvrank.scenario.EngineDefinition;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.InvalidInputException;
import kvrank.scenario.Reason;
import kvrank.scenario.Repetitions;
import kvrank.scenario.ScenarioWriter;
import kvrank.stats.OpenComparison;

/**
 * One execution of a plan: the machine is locked, engines are looked for and images pulled, the
 * storage is probed, what is planned is written down, and every run is done that has no record yet.
 * A run that breaks does not hinder the next.
 */
public final class Execution {

  private Plan plan;
  private final Provisioner provisioner;
  private final RunExecutor executor;
  private final HarnessBaselines baselines;
  private final CpuSets cpus;
  private final Preflight preflight;
  private final QuietMachine quiet;
  private final MachineLock lock;
  private final Clock clock;
  private final ExecutionListener listener;
  private final Set<RunDirectory> over = new LinkedHashSet<>();
  private volatile boolean aborted;

  Execution(
      Plan plan,
      Provisioner provisioner,
      RunExecutor executor,
      HarnessBaselines baselines,
      CpuSets cpus,
      QuietMachine.LoadObserver observer,
      MachineLock lock,
      Clock clock,
      ExecutionListener listener) {
    this.plan = plan;
    this.provisioner = provisioner;
    this.executor = executor;
    this.baselines = baselines;
    this.cpus = cpus;
    this.preflight = new Preflight(plan, provisioner, cpus, listener);
    this.quiet = new QuietMachine(plan.scenario().repetitions(), observer, listener);
    this.lock = lock;
    this.clock = clock;
    this.listener = listener;
  }

  /**
   * Returns an execution in processes of this machine.
   *
   * @param home kvrank's own folder
   * @param cpus what client and server run on
   * @param noop the engine that shows what the harness itself reaches; empty to leave that out
   * @param launcher starts the workers on other machines; empty where the load is this machine's
   * @param address where servers of kvrank's own listen, as {@code provisioner} knows it
   * @param keepData whether the data folder of a run that ends is kept
   */
  public static Execution of(
      Plan plan,
      Provisioner provisioner,
      Path home,
      CpuSets cpus,
      Optional<EngineDefinition> noop,
      MachineLock lock,
      Optional<LoadLauncher> launcher,
      ListenAddress address,
      boolean keepData,
      ExecutionListener listener) {
    Reason.ofMachine(""); // loaded while files can be opened
    Clock clock = Clock.systemUTC();
    Optional<Path> data = plan.scenario().data();
    RunExecutor executor =
        new ProcessRunExecutor(
            provisioner, new Workers(home, cpus, launcher, address), data, keepData, clock);
    RunExecutor harness =
        new ProcessRunExecutor(
            provisioner,
            new Workers(home, cpus.ofHarness(), Optional.empty(), address),
            data,
            false,
            clock);
    HarnessBaselines baselines = new HarnessBaselines(harness, noop);
    return new Execution(
        plan, provisioner, executor, baselines, cpus, QuietLook::now, lock, clock, listener);
  }

  /** Returns what of this machine says whether results are comparable. */
  private SortedMap<String, String> facts(StorageCheck storage, Optional<SyncProbe> probe) {
    SortedMap<String, String> facts = new TreeMap<>(MachineFacts.facts());
    facts.putAll(storage.facts(probe));
    facts.putAll(cpus.facts());
    return facts;
  }

  /**
   * Executes the plan.
   *
   * @param parent where the folder of the results is made
   * @param requireAll whether nothing is to be started if an engine is not available
   * @return the results, with a record of every run unless this was aborted
   * @throws InvalidInputException if the machine cannot be what the scenario asks for
   * @throws UnavailableException if there is nothing to measure, or less than is required
   * @throws IOException if another execution holds the lock, or the results cannot be written
   */
  @SuppressWarnings("try") // locks are held, not used
  public ResultsDirectory run(Path parent, String version, boolean requireAll)
      throws InvalidInputException,
          UnavailableException,
          UnreadableException,
          IOException,
          InterruptedException {
    try (Closeable held = locked()) {
      ConditionsWatch watch = new ConditionsWatch();
      Preflight.Findings found = preflight.check(parent, requireAll);
      // What does not touch the device is made ready while that is watched.
      Manifest manifest = Manifest.of(plan, version, clock.instant());
      CompletableFuture<String> planned = CompletableFuture.supplyAsync(() -> Json.file(manifest));
      CompletableFuture<String> resolved =
          CompletableFuture.supplyAsync(() -> new ScenarioWriter().write(plan.scenario()));
      Optional<SyncProbe> probe = found.storage().probe();
      SortedMap<String, String> facts = facts(found.storage(), probe);
      ConditionsWatch.Conditions conditions = watch.conditions();
      conditions.warnings().forEach(listener::warned);
      facts.putAll(conditions.facts());
      quiet.noteInitialLoad(conditions.facts());
      ResultsDirectory results = ResultsDirectory.create(parent, clock.instant());
      Continuation.identify(resolved.join(), facts);
      results.begin(resolved.join(), planned.join(), facts);
      results.markLatest();
      try (Closeable own = MachineLock.ofResults(results.path())) {
        runs(results, probe, found.missing());
      }
      return results;
    }
  }

  /**
   * Does the runs of {@code results} that have no whole record yet, and judges them by what the
   * device does now; throws if the machine is not the same any more. See {@link #run}.
   */
  @SuppressWarnings("try") // locks are held, not used
  public ResultsDirectory resume(ResultsDirectory results, boolean requireAll)
      throws InvalidInputException,
          UnavailableException,
          UnreadableException,
          IOException,
          InterruptedException {
    try (Closeable held = locked();
        Closeable own = MachineLock.ofResults(results.path())) {
      Preflight.Findings found = preflight.check(results.path(), requireAll);
      Optional<SyncProbe> probe = found.storage().probe();
      new Continuation(results).reopen(plan, facts(found.storage(), probe));
      runs(results, probe, found.missing());
      return results;
    }
  }

  private Closeable locked() throws IOException, InterruptedException {
    String owner = "pid %d, scenario %s, since %s";
    long pid = ProcessHandle.current().pid();
    return lock.acquire(
        owner.formatted(pid, plan.scenario().name(), clock.instant().truncatedTo(SECONDS)),
        listener::warned);
  }

  /** Ends the run in progress without a record, and begins no other. For a shutdown hook. */
  void abort() {
    aborted = true;
    executor.abort();
    baselines.executor().abort();
    provisioner.close();
  }

  private void runs(ResultsDirectory results, Optional<SyncProbe> probe, Set<String> missing)
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
      listener.began(plan.guaranteedRuns(), missing);
      quiet.noteMissing(missing);
      tune(results, probe, missing);
      List<RunSpec> next = aborted ? List.of() : plan.guaranteedRuns();
      int done = 0;
      for (int repetition = plan.scenario().repetitions().atLeast();
          !next.isEmpty() && !aborted;
          repetition++) {
        for (int i = 0; i < next.size() && !aborted; i++) {
          int total = done - i + next.size();
          run(next.subList(i, next.size()), ++done, total, results, probe);
        }
        next = aborted ? List.of() : further(repetition, results);
      }
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The JVM is ending: the hook says all there is to say, of runs that were cut short.
        Thread.currentThread().join();
      }
    }
  }

  /** Finds the rows of engines of which an option is tuned, as far as the budget allows. */
  private void tune(ResultsDirectory results, Optional<SyncProbe> probe, Set<String> missing)
      throws UnreadableException, IOException, InterruptedException {
    List<Tuned> found = new ArrayList<>();
    for (EngineSpec engine : plan.tuned()) {
      if (missing.contains(engine.label()) || Planner.trial(plan.scenario(), engine).isEmpty()) {
        continue;
      }
      OptionSearch search = new OptionSearch(engine);
      for (List<String> next = search.next(); !next.isEmpty(); next = search.next()) {
        listener.looked(
            "%s; next %s".formatted(search.found(), String.join(", ", next)), trials(engine, next));
        for (String value : next) {
          search.tried(value, tried(trials(engine, List.of(value)), results, probe));
          if (aborted) {
            return;
          }
          found.add(search.found());
          results.tuned(found);
          found.remove(found.size() - 1);
        }
      }
      found.add(search.found());
      String rows = String.join(", ", search.found().rows());
      listener.looked(search.found() + "; its rows are " + rows, List.of());
    }
    if (!found.isEmpty()) {
      results.tuned(found);
      plan = Planner.plan(plan.scenario().tuned(Tuned.rowsByEngine(found)));
      results.plan(Json.file(results.read().manifest().replanned(plan)));
    }
  }

  private List<RunSpec> trials(EngineSpec engine, List<String> values) {
    return engine
        .tuned(values)
        .flatMap(row -> Planner.trial(plan.scenario(), row).stream())
        .toList();
  }

  /** Does {@code runs}, if the budget has room for them beside those that are sure to come. */
  private List<RunRecord> tried(
      List<RunSpec> runs, ResultsDirectory results, Optional<SyncProbe> probe)
      throws UnreadableException, IOException, InterruptedException {
    List<RunRecord> tried = new ArrayList<>();
    List<RunSpec> rest = new ArrayList<>(runs);
    rest.addAll(plan.guaranteedRuns());
    boolean before = results.run(rest.get(0).id()).complete();
    if (!before && !quiet.fitsBudget(rest)) {
      return tried;
    }
    for (int i = 0; i < runs.size() && !aborted; i++) {
      run(rest.subList(i, rest.size()), i + 1, runs.size(), results, probe);
      RunDirectory directory = results.run(rest.get(i).id());
      if (!aborted && directory.done()) {
        tried.add(directory.read());
      }
    }
    return tried;
  }

  /** Returns the runs of the next repetition that the values of those before still ask for. */
  private List<RunSpec> further(int repetitions, ResultsDirectory results)
      throws UnreadableException, IOException {
    Repetitions asked = plan.scenario().repetitions();
    if (!asked.adaptive()) {
      return List.of();
    }
    ExecutionResults then = results.read().upTo(repetitions);
    List<OpenComparison> open = OpenComparison.of(then);
    List<RunSpec> next = needed(open, repetitions + 1);
    boolean all = quiet.fitsBudget(next);
    if (!all) {
      List<OpenComparison> fitting = new ArrayList<>();
      for (OpenComparison each : open) {
        fitting.add(each);
        if (!quiet.fitsBudget(needed(fitting, repetitions + 1))) {
          fitting.remove(each);
        }
      }
      next = needed(fitting, repetitions + 1);
    }
    Optional<Duration> left = quiet.remainingBudget(List.of());
    String why = " of " + asked.atMost();
    if (!all && next.isEmpty()) {
      why += ", and no more fit into the budget";
      // The last look may spend what those were to spend that there is no time for.
      results.plan(Json.file(then.manifest().ended(repetitions)));
      then = results.read().upTo(repetitions);
      open = OpenComparison.of(then);
    } else if (!next.isEmpty()) {
      why += left.map(time -> ", %d s of the budget left".formatted(time.toSeconds())).orElse("");
      why += all ? "" : ", not enough for all";
    }
    String labels = next.stream().map(run -> run.key().engine()).distinct().collect(joining(", "));
    listener.looked(
        "after repetition %d%s: %s%s"
            .formatted(
                repetitions,
                why,
                OpenComparison.known(open, then),
                next.isEmpty() ? "" : "; once more: " + labels),
        next);
    return next;
  }

  /** Returns the runs of a repetition that {@code open} takes. */
  private List<RunSpec> needed(List<OpenComparison> open, int repetition) {
    return plan.supported().stream()
        .filter(run -> run.key().repetition() == repetition)
        .filter(
            run ->
                open.stream().anyMatch(each -> each.needs(run.key().engine(), run.key().factors())))
        .toList();
  }

  /** Does the first of {@code rest}, if it has no record yet. */
  private void run(
      List<RunSpec> rest,
      int number,
      int total,
      ResultsDirectory results,
      Optional<SyncProbe> probe)
      throws UnreadableException, IOException, InterruptedException {
    RunSpec run = rest.get(0);
    RunDirectory directory = results.run(run.id());
    if (directory.done()) {
      quiet.countFinished(directory.read());
      over.add(directory);
      listener.skipped(run, number, total);
      return;
    }
    quiet.beginRun(directory);
    RunRecord record;
    do {
      quiet.awaitQuiet(rest);
      if (aborted) {
        return;
      }
      results.requireThere();
      listener.started(run, number, total);
      record = executor.execute(new Task(run, directory, probe, listener));
      if (!aborted) {
        results.requireThere();
        record = baselines.addTo(record, run, results);
      }
    } while (!aborted && quiet.setAsideIfDisturbed(record, directory, rest));
    if (!aborted) {
      record = quiet.endRun(record);
      try {
        directory.write(record);
        over.add(directory);
      } catch (IOException e) {
        String why = "its record cannot be written, so --resume does it again: ";
        record = record.with(new Outcome.Failed("", why + Reason.located(e)));
      }
      listener.finished(run, record);
      ResultsDirectory.requireRecords(over);
    }
  }
}
