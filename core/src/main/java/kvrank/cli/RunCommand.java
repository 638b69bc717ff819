package kvrank.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import kvrank.machine.Conditions;
import kvrank.machine.ConditionsWatch;
import kvrank.machine.CpuSets;
import kvrank.machine.MachineFacts;
import kvrank.machine.PageCache;
import kvrank.machine.SyncProbe;
import kvrank.plan.Plan;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.provision.MethodStatus;
import kvrank.provision.Provisioner;
import kvrank.provision.Provisioning;
import kvrank.results.Design;
import kvrank.results.Manifest;
import kvrank.results.Outcome;
import kvrank.results.Purpose;
import kvrank.results.Results;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException;
import kvrank.run.ScenarioRunner;
import kvrank.scenario.CpuList;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.InvalidInputException;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Problem;
import kvrank.scenario.Scenario;
import kvrank.scenario.ScenarioReader;
import kvrank.scenario.ScenarioWriter;
import kvrank.scenario.Setting;
import kvrank.stats.ExpectationResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a scenario and ranks what came of it. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    addMethodSubcommands = false,
    description = "Run a scenario on every engine that can be had here, and rank them.")
final class RunCommand implements Callable<Integer> {

  private final Installation installation;
  private final Map<String, String> environment;
  private final Terminal terminal;

  @Mixin private ScenarioOptions options;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go; default: results/SCENARIO.")
  private Path out;

  @Option(
      names = "--resume",
      paramLabel = "DIR",
      description = "Go on with an execution that was interrupted; its scenario is taken from DIR.")
  private Path resume;

  @Option(
      names = "--require-all",
      description = "Fail, before anything starts, if an engine cannot be had here.")
  private boolean requireAll;

  RunCommand(Installation installation, Map<String, String> environment, Terminal terminal) {
    this.installation = installation;
    this.environment = environment;
    this.terminal = terminal;
  }

  /** Where the results go, and what was found of the device that the engines will use. */
  private record Execution(ResultsDirectory results, Optional<SyncProbe> probe) {}

  @Override
  public Integer call()
      throws InvalidInputException, UnreadableException, IOException, InterruptedException {
    Plan plan = resume == null ? options.plan(installation) : resumedPlan();
    if (plan.supported().isEmpty()) {
      terminal.error("no engine of this scenario can do what it asks; nothing was started");
      PlanCommand.printLeftOut(plan, List.of(), terminal.err());
      return ExitStatus.NOTHING_RAN;
    }
    requireDroppableCache(plan);
    CpuSets cpus = CpuSets.of(plan.scenario().isolation());
    if (cpus.problem().isPresent()) {
      throw new InvalidInputException(
          List.of(
              new Problem(plan.scenario().file(), 0, 0, "isolation", cpus.problem().get(), "")));
    }
    MachineLock.take();
    try (ConditionsWatch watch = new ConditionsWatch();
        Provisioner provisioner =
            new Provisioning(
                environment, terminal.err()::println, cpus.server().map(CpuList::label))) {
      terminal.err().println(plan.scenario().name() + ": " + plan.scenario().question());
      Set<String> missing = survey(plan, provisioner);
      if (!missing.isEmpty() && requireAll) {
        terminal.error(
            "--require-all: %s cannot be had here; nothing was started"
                .formatted(String.join(", ", missing)));
        return ExitStatus.RUN_FAILED;
      }
      PlanCommand.printLeftOut(plan, List.of(), terminal.err());
      Execution execution = resume == null ? begin(plan, cpus, watch) : resumed(plan);
      execute(plan, missing, cpus, provisioner, execution);
      return status(ReportCommand.write(execution.results(), null, terminal));
    }
  }

  /** Refuses cold phases where the page cache is not ours to drop. */
  private static void requireDroppableCache(Plan plan) throws InvalidInputException {
    Optional<PhaseSpec> cold =
        plan.supported().stream()
            .flatMap(
                run ->
                    run.phases().stream()
                        .filter(phase -> "true".equals(run.settings(phase).get(Setting.COLD))))
            .findFirst();
    if (cold.isPresent() && !PageCache.droppable()) {
      String message =
          "phase '%s' is cold, and only root may drop the page cache; run kvrank as root, or take 'cold' away"
              .formatted(cold.get().name());
      throw new InvalidInputException(
          List.of(new Problem(plan.scenario().file(), 0, 0, "cold", message, "")));
    }
  }

  /** Says where each engine comes from, and what is missing; returns the labels of those. */
  private Set<String> survey(Plan plan, Provisioner provisioner) {
    Set<String> missing = new TreeSet<>();
    for (EngineSpec engine : plan.scenario().engines()) {
      Optional<String> planned = engine.definition().planned();
      if (planned.isPresent()) {
        missing.add(engine.label());
        terminal.err().printf("  %-12s UNAVAILABLE: %s%n", engine.label(), planned.get());
        continue;
      }
      Optional<RunSpec> run =
          plan.supported().stream().filter(each -> each.engine().equals(engine)).findFirst();
      if (run.isEmpty()) {
        continue;
      }
      // Images are pulled now, not in the middle of the measurements; the survey then knows.
      provisioner.choose(engine, run.get().fsync(), Path.of("data"), Path.of("server.log"));
      List<MethodStatus> ways = provisioner.survey(engine);
      Optional<MethodStatus> way = ways.stream().filter(MethodStatus::available).findFirst();
      if (way.isPresent()) {
        terminal
            .err()
            .printf(
                "  %-12s %s: %s%n", engine.label(), way.get().way().label(), way.get().detail());
      } else {
        missing.add(engine.label());
        terminal
            .err()
            .printf(
                "  %-12s UNAVAILABLE HERE: %s%n               to get it: %s%n",
                engine.label(),
                ways.stream()
                    .map(each -> each.way().label() + ": " + each.detail())
                    .collect(Collectors.joining("; ")),
                engine.definition().install());
      }
    }
    return missing;
  }

  private Plan resumedPlan() throws InvalidInputException, UnreadableException {
    ResultsDirectory results = ResultsDirectory.at(resume);
    Manifest manifest = results.read().manifest();
    Scenario scenario =
        new ScenarioReader(installation.home()).read(results.scenarioFile(), List.of(), List.of());
    Plan plan = Planner.plan(scenario);
    if (!ids(plan).equals(manifest.runs())) {
      throw new UnreadableException(
          results.scenarioFile()
              + ": does not give the runs of plan.json any more; start a new execution instead");
    }
    return plan;
  }

  /** Checks the storage, makes the results directory and writes what is planned. */
  private Execution begin(Plan plan, CpuSets cpus, ConditionsWatch watch)
      throws InvalidInputException, IOException, InterruptedException {
    Scenario scenario = plan.scenario();
    Path parent = out == null ? Path.of("results", scenario.name()) : out;
    StorageCheck storage = new StorageCheck(plan, scenario.data().orElse(parent));
    storage.refuse();
    Optional<SyncProbe> probe = probe(storage);
    SortedMap<String, String> facts = new TreeMap<>(MachineFacts.facts());
    facts.putAll(storage.facts(probe));
    Conditions conditions = watch.conditions();
    conditions.warnings().forEach(text -> terminal.err().println("  warning: " + text));
    facts.putAll(conditions.facts());
    facts.putAll(cpus.facts());
    ResultsDirectory results = ResultsDirectory.create(parent, Instant.now());
    results.begin(new ScenarioWriter().write(scenario), manifest(plan), facts);
    results.markLatest();
    return new Execution(results, probe);
  }

  /** The rest of an execution is judged by what the device does now. */
  private Execution resumed(Plan plan)
      throws InvalidInputException, IOException, InterruptedException {
    ResultsDirectory results = ResultsDirectory.at(resume);
    StorageCheck storage = new StorageCheck(plan, plan.scenario().data().orElse(results.path()));
    storage.refuse();
    return new Execution(results, probe(storage));
  }

  private Optional<SyncProbe> probe(StorageCheck storage)
      throws InvalidInputException, InterruptedException {
    storage.warning().ifPresent(text -> terminal.err().println("  note: " + text));
    Optional<SyncProbe> probe = storage.probe();
    terminal.err().println("  storage: " + storage.summary());
    probe.ifPresent(found -> terminal.err().println("  storage: " + found.summary()));
    return probe;
  }

  private static Manifest manifest(Plan plan) {
    Scenario scenario = plan.scenario();
    SortedMap<String, List<String>> factors = new TreeMap<>();
    scenario
        .factors()
        .forEach(
            (setting, values) -> {
              if (!values.equals(List.of(""))) {
                factors.put(setting.label(), values);
              }
            });
    return new Manifest(
        Kvrank.VERSION,
        new Purpose(
            scenario.name(),
            scenario.question(),
            scenario.medium().label(),
            scenario.table(),
            scenario.expectations()),
        new Design(
            scenario.engines().stream().map(EngineSpec::label).toList(),
            scenario.phases().stream().map(PhaseSpec::name).toList(),
            factors,
            scenario.repetitions(),
            scenario.seed()),
        ids(plan),
        Instant.now());
  }

  private static List<String> ids(Plan plan) {
    List<String> ids = new ArrayList<>();
    plan.runs().forEach(run -> ids.add(run.id()));
    return ids;
  }

  private void execute(
      Plan plan, Set<String> missing, CpuSets cpus, Provisioner provisioner, Execution execution)
      throws InvalidInputException, IOException, InterruptedException {
    ScenarioRunner runner =
        new ScenarioRunner(
            provisioner,
            installation.home(),
            plan.scenario().data(),
            cpus,
            new ScenarioReader(installation.home())
                .engines().stream().filter(engine -> engine.name().equals("noop")).findFirst(),
            execution.probe(),
            Clock.systemUTC());
    Thread hook =
        new Thread(
            () -> {
              runner.abort();
              provisioner.close();
              terminal.err().println();
              terminal.error(
                  "interrupted; what was measured is kept. To go on: ./kvrank run --resume "
                      + Installation.shorten(execution.results().path().toAbsolutePath()));
            },
            "interrupted");
    Runtime.getRuntime().addShutdownHook(hook);
    try (Progress progress = new Progress(plan.runs(), missing, terminal)) {
      terminal.err().println();
      runner.run(plan.runs(), execution.results(), progress);
    } finally {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }

  private static int status(Results results) {
    boolean completed = false;
    for (RunRecord run : results.runs()) {
      if (run.outcome() instanceof Outcome.Completed) {
        completed = true;
      } else if (!(run.outcome() instanceof Outcome.Unavailable
          || run.outcome() instanceof Outcome.Unsupported)) {
        return ExitStatus.RUN_FAILED;
      }
    }
    if (!completed) {
      return ExitStatus.NOTHING_RAN;
    }
    return ExpectationResult.of(results).stream().anyMatch(ExpectationResult::failed)
        ? ExitStatus.RUN_FAILED
        : ExitStatus.COMPLETED;
  }
}
