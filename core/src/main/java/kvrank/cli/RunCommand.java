package kvrank.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.engine.EngineDefinition;
import kvrank.input.InvalidInputException;
import kvrank.machine.CpuSets;
import kvrank.plan.Plan;
import kvrank.provision.LocalProvisioner;
import kvrank.provision.Provisioner;
import kvrank.provision.host.Leftovers;
import kvrank.provision.server.ListenAddress;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import kvrank.run.Continuation;
import kvrank.run.Execution;
import kvrank.run.MachineLock;
import kvrank.run.MachineLock.Held;
import kvrank.run.Preflight;
import kvrank.run.RunEnvironment;
import kvrank.run.UnavailableException;
import kvrank.run.worker.LoadLauncher;
import kvrank.scenario.CpuList;
import kvrank.scenario.Scenario;
import kvrank.scenario.read.ScenarioReader;
import kvrank.stats.ExpectationResult;
import picocli.CommandLine.Model.ArgSpec;

/** Runs a scenario and ranks what came of it. */
final class RunCommand extends ScenarioCommand {

  private final ArgSpec out = takesFolder("--out", "Where results go; default: results/SCENARIO.");
  private final ArgSpec resume =
      takes(
          "--resume",
          "RESULTS",
          "Go on with an execution that was interrupted: a folder, the name of a scenario, for"
              + " its newest, or latest, for the newest of all. Its scenario is that in the folder.");
  private final ArgSpec png =
      takesFlag("--png", "Write every chart of the page as SVG and PNG, too.");
  private final ArgSpec requireAll =
      takesFlag(
          "--require-all", "Fail, before anything starts, if an engine is not available here.");
  private final ArgSpec wait =
      takesFlag("--wait", "Wait until another kvrank that measures on this machine has ended.");
  private final ArgSpec noWait =
      takesFlag(
          "--no-wait",
          "Measure at once what others on the machine use, and each run once; as --set patience=0s.");
  private final ArgSpec force =
      takesFlag("--force", "Measure although another kvrank does; each disturbs the other.");
  private final ArgSpec keepData =
      takesFlag("--keep-data", "Keep the data folder of every run that ends, and say where it is.");
  private final ArgSpec loadBy =
      takes(
          "--load-by",
          "HOW",
          "What starts the workers of a scenario with 'machines': slurm[:PARTITION];"
              + " ssh:HOST,HOST; kubectl:POD,POD (untried); or local, for processes of this"
              + " machine.");
  private final ArgSpec address =
      takes(
          "--address",
          "HOST",
          "Where other machines reach the servers that kvrank starts, which then listen on this"
              + " address of this machine alone, with a random password; for --load-by.");

  private final Thread early =
      new Thread(() -> terminal.error("interrupted; nothing was started"), "interrupted-early");

  RunCommand(Command parent) {
    super(parent, "Run a scenario on every engine that is available here, and rank them.");
  }

  @Override
  public Integer call()
      throws InvalidInputException, UnreadableException, IOException, InterruptedException {
    Runtime.getRuntime().addShutdownHook(early);
    try {
      return measured();
    } finally {
      began();
    }
  }

  /** From now on the execution says what an interrupt leaves. */
  private void began() {
    try {
      Runtime.getRuntime().removeShutdownHook(early);
    } catch (IllegalStateException e) {
      // It has said that there is nothing.
    }
  }

  private int measured()
      throws InvalidInputException, UnreadableException, IOException, InterruptedException {
    ScenarioReader reader = installation.reader();
    Optional<ResultsDirectory> resumed =
        Optional.ofNullable(resume.<String>getValue())
            .map(installation::results)
            .map(ResultsDirectory::at);
    if (resumed.isPresent()) {
      requireNone(resume, out, noWait);
    }
    Plan plan =
        resumed.isPresent()
            ? new Continuation(resumed.get()).plan(reader, Kvrank.VERSION, more())
            : plan(noWait.getValue() ? List.of("patience=0s") : List.of());
    ListenAddress reached = address(plan);
    Optional<LoadLauncher> launcher = launcher(plan, reached);
    if (plan.supported().isEmpty()) {
      terminal.error("no engine of this scenario can do what it asks; nothing was started");
      PlanCommand.printLeftOut(plan, Map.of(), terminal, terminal.err());
      return ExitStatus.NOTHING_RAN;
    }
    Scenario scenario = plan.scenario();
    terminal.err().println(scenario.name() + ": " + scenario.question());
    PlanCommand.printLeftOut(plan, Map.of(), terminal, terminal.err());
    try {
      return status(
          ReportCommand.write(
              execute(plan, reader, resumed, launcher, reached), null, png.getValue(), terminal));
    } catch (UnavailableException e) {
      terminal.error(e.getMessage());
      return e.nothingLeft() ? ExitStatus.NOTHING_RAN : ExitStatus.RUN_FAILED;
    }
  }

  private ResultsDirectory execute(
      Plan plan,
      ScenarioReader reader,
      Optional<ResultsDirectory> resumed,
      Optional<LoadLauncher> launcher,
      ListenAddress reached)
      throws InvalidInputException,
          UnavailableException,
          UnreadableException,
          IOException,
          InterruptedException {
    Leftovers leftovers = Leftovers.remove();
    Stream.concat(leftovers.removed().stream(), leftovers.left().stream())
        .forEach(each -> terminal.err().println("  left by a killed kvrank: " + each));
    Scenario scenario = plan.scenario();
    CpuSets cpus = CpuSets.of(scenario.isolation());
    Optional<EngineDefinition> noop = reader.engine("noop");
    MachineLock lock =
        MachineLock.ofMachine(
            force.getValue() ? Held.FORCE : wait.getValue() ? Held.WAIT : Held.REFUSE);
    try (Provisioner provisioner =
            new LocalProvisioner(
                installation.environment(),
                terminal.err()::println,
                cpus.server().map(CpuList::label),
                reached);
        ExecutionConsole console = new ExecutionConsole(plan, terminal, this::began)) {
      RunEnvironment environment =
          new RunEnvironment(
              provisioner,
              installation.namedFiles().built(),
              cpus,
              noop,
              launcher,
              reached,
              keepData.getValue());
      Execution execution = Execution.of(plan, environment, lock, console);
      Path given = out.getValue();
      Path parent = given == null ? Path.of("results", scenario.name()) : given;
      return resumed.isPresent()
          ? execution.resume(resumed.get(), requireAll.getValue())
          : execution.execute(parent, Kvrank.VERSION, requireAll.getValue());
    }
  }

  /** Returns what starts the workers on other machines; refuses several without one. */
  private Optional<LoadLauncher> launcher(Plan plan, ListenAddress reached)
      throws InvalidInputException, InterruptedException {
    String how = loadBy.getValue();
    if (how == null) {
      Preflight.requireOneMachine(plan);
      return Optional.empty();
    }
    Optional<LoadLauncher> launcher = LoadLauncher.of(how);
    if (launcher.isEmpty()) {
      throw wrong("--load-by '%s': workers are started by %s".formatted(how, LoadLauncher.FORMS));
    }
    if (launcher.get().remote() && reached.equals(ListenAddress.LOOPBACK)) {
      Preflight.requireReachable(plan);
    }
    Optional<String> problem =
        launcher.get().problem(Preflight.mostMachines(plan), installation.namedFiles().built());
    if (problem.isPresent()) {
      throw wrong("--load-by '%s': %s".formatted(how, problem.get()));
    }
    return launcher;
  }

  /** Returns where servers listen; refuses those that would do so without a password. */
  private ListenAddress address(Plan plan) throws InvalidInputException {
    String host = address.getValue();
    if (host == null) {
      return ListenAddress.LOOPBACK;
    }
    if (loadBy.getValue() == null) {
      throw wrong("--address is for workers of other machines; say --load-by, too");
    }
    try {
      ListenAddress reached = ListenAddress.of(host);
      Preflight.requirePasswords(plan);
      return reached;
    } catch (IOException e) {
      throw wrong("--address '%s': %s".formatted(host, e.getMessage()));
    }
  }

  private static int status(ExecutionResults results) {
    Set<Class<?>> outcomes =
        results.runs().stream().map(run -> run.outcome().getClass()).collect(Collectors.toSet());
    boolean completed = outcomes.remove(Outcome.Completed.class);
    outcomes.removeAll(Set.of(Outcome.Unavailable.class, Outcome.Unsupported.class));
    if (!results.unreadable().isEmpty() || !outcomes.isEmpty()) {
      return ExitStatus.RUN_FAILED;
    } else if (!completed) {
      return ExitStatus.NOTHING_RAN;
    }
    return ExpectationResult.of(results).stream().anyMatch(ExpectationResult::failed)
        ? ExitStatus.RUN_FAILED
        : ExitStatus.COMPLETED;
  }
}
