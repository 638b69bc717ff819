package kvrank.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.engine.EngineDefinition;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.input.InvalidInputException;
import kvrank.machine.CpuSets;
import kvrank.machine.GitCommit;
import kvrank.plan.Plan;
import kvrank.provision.LocalProvisioner;
import kvrank.provision.Provisioner;
import kvrank.provision.host.Leftovers;
import kvrank.provision.host.TemporaryFolder;
import kvrank.provision.server.ListenAddress;
import kvrank.report.block.Width;
import kvrank.results.CrashTrialResult;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
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
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.Scenario;
import kvrank.scenario.read.ScenarioReader;
import kvrank.stats.CrashLosses;
import kvrank.stats.ExpectationResult;
import kvrank.stats.RankingIndex;
import picocli.CommandLine.Model.ArgSpec;

/** Runs a scenario and prints the report. */
final class RunCommand extends ScenarioCommand {

  private final ArgSpec out = addOut("DIR", "The folder for results (default: results/SCENARIO).");
  private final ArgSpec label =
      addText(
          "--label",
          "NAME",
          "The name of this execution in history (default: the commit of the engines, else of"
              + " kvrank).");
  private final ArgSpec resume =
      addText(
          "--resume",
          "RESULTS",
          "Continue an execution: its folder, the name of a scenario for its newest, or latest for"
              + " the newest of all. The scenario is read from that folder.");
  private final ArgSpec png =
      addFlag("--png", "Also write every chart of the report's page as SVG and PNG.");
  private final ArgSpec requireAll =
      addFlag(
          "--require-all",
          "Fail before anything starts if an engine or a power cut is not available here.");
  private final ArgSpec wait =
      addFlag("--wait", "Wait until another kvrank that measures on this machine has ended.");
  private final ArgSpec noWait =
      addFlag(
          "--no-wait",
          "Don't wait for a quiet machine, and don't repeat disturbed runs; the same as --set"
              + " patience=0s.");
  private final ArgSpec force =
      addFlag("--force", "Run even if another kvrank is measuring; each disturbs the other.");
  private final ArgSpec keepData =
      addFlag("--keep-data", "Keep the data folder of every run, and print its path.");
  private final ArgSpec loadBy =
      addText(
          "--load-by",
          "HOW",
          "How to start the workers of a scenario with 'machines': slurm[:PARTITION],"
              + " ssh:HOST,HOST, kubectl:POD,POD (untried), or local for processes on this"
              + " machine.");
  private final ArgSpec address =
      addText(
          "--address",
          "HOST",
          "The address of this machine at which workers on other machines (--load-by) reach the"
              + " servers that kvrank starts. These listen only there, with a random password.");

  private final ArgSpec allowCommands =
      addFlag(
          "--allow-commands",
          "Run commands, executables, images, class files and engines that the scenario names and that do not"
              + " come with kvrank; without it, kvrank asks on a terminal, and refuses elsewhere.");

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

  /** From here on, the execution reports an interrupt. */
  private void began() {
    try {
      Runtime.getRuntime().removeShutdownHook(early);
    } catch (IllegalStateException e) {
      // The JVM is shutting down, and the hook runs.
    }
  }

  private int measured()
      throws InvalidInputException, UnreadableException, IOException, InterruptedException {
    ScenarioReader reader = reader(this::allowed);
    Optional<ResultsDirectory> resumed =
        Optional.ofNullable(resume.<String>getValue())
            .map(installation::results)
            .map(ResultsDirectory::at);
    if (resumed.isPresent()) {
      requireNone(resume, out, label, noWait);
    }
    Plan plan =
        resumed.isPresent()
            ? new Continuation(resumed.get()).plan(reader, Kvrank.VERSION, resumedRepetitions())
            : noWait.<Boolean>getValue() ? plan(reader, "patience=0s") : plan(reader);
    ListenAddress reached = address(plan);
    Optional<LoadLauncher> launcher = launcher(plan, reached);
    if (plan.supported().isEmpty()) {
      terminal.error("no engine supports what this scenario asks for; nothing was started");
      PlanCommand.printLeftOut(plan, Map.of(), installation, terminal, terminal.err());
      return ExitStatus.NOTHING_RAN;
    }
    Scenario scenario = plan.scenario();
    terminal.err().println(scenario.name() + ": " + Width.oneLine(scenario.question()));
    PlanCommand.printLeftOut(plan, Map.of(), installation, terminal, terminal.err());
    PlanCommand.warnOfPasswords(plan, terminal);
    try {
      RankingIndex index =
          ReportCommand.write(
              execute(plan, reader, resumed, launcher, reached), null, png.getValue(), terminal);
      return status(index.results(), ExpectationResult.of(index));
    } catch (UnavailableException e) {
      terminal.error(e.getMessage());
      return e.nothingLeft() ? ExitStatus.NOTHING_RAN : ExitStatus.RUN_FAILED;
    }
  }

  /** Returns whether the scenario may start {@code programs}. */
  @SuppressWarnings("SystemConsoleNull") // since JDK 22 there is one; then the other test decides
  private boolean allowed(List<String> programs) {
    Console console = System.console();
    if (allowCommands.<Boolean>getValue() || console == null || !terminal.interactive()) {
      return allowCommands.getValue();
    }
    terminal.err().println("This scenario runs programs that do not come with kvrank:");
    programs.forEach(program -> terminal.err().println("  " + program));
    String answer =
        console.readLine("Run them as the user %s? [y/N] ", System.getProperty("user.name"));
    return answer != null && answer.strip().matches("(?i)y|yes");
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
    TemporaryFolder.require();
    Leftovers leftovers = Leftovers.remove();
    Stream.concat(leftovers.removed().stream(), leftovers.left().stream())
        .forEach(text -> terminal.err().println("  left by an earlier kvrank: " + text));
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
              keepData.getValue());
      Execution execution = Execution.of(plan, environment, lock, console);
      Path parent =
          Optional.<Path>ofNullable(out.getValue()).orElse(Path.of("results", scenario.name()));
      return resumed.isPresent()
          ? execution.resume(resumed.get(), requireAll.getValue(), identity(plan))
          : execution.execute(parent, Kvrank.VERSION, requireAll.getValue(), identity(plan));
    }
  }

  /** Returns the label of the execution, and the commits of kvrank and of engines elsewhere. */
  private Facts identity(Plan plan) throws InterruptedException {
    Facts facts = new Facts();
    Optional.<String>ofNullable(label.getValue()).ifPresent(name -> facts.put(Fact.LABEL, name));
    Path home = installation.namedFiles().home();
    GitCommit.ofOwn(home)
        .ifPresent(commit -> facts.put(Fact.COMMIT, ExecutionResults.KVRANK, commit));
    for (EngineSpec row : plan.scenario().engines()) {
      Path place =
          row.server()
              .map(ServerChoice::argument)
              .filter(text -> text.contains("/") && Files.exists(Path.of(text)))
              .map(Path::of)
              .orElse(row.definition().folder());
      if (!place.toAbsolutePath().normalize().startsWith(home)) {
        GitCommit.around(place)
            .ifPresent(commit -> facts.put(Fact.COMMIT, row.row().name(), commit));
      }
    }
    return facts;
  }

  /** Returns the launcher of workers; refuses a scenario with several machines if there is none. */
  private Optional<LoadLauncher> launcher(Plan plan, ListenAddress reached)
      throws InvalidInputException, InterruptedException {
    String method = loadBy.getValue();
    if (method == null) {
      Preflight.requireOneMachine(plan);
      return Optional.empty();
    }
    Optional<LoadLauncher> launcher = LoadLauncher.of(method);
    if (launcher.isEmpty()) {
      throw usageError("--load-by '%s': use %s".formatted(method, LoadLauncher.FORMS));
    }
    if (launcher.get().remote()) {
      Preflight.requireReachable(plan, reached.loopback());
    }
    Optional<String> problem =
        launcher.get().problem(Preflight.mostMachines(plan), installation.namedFiles().built());
    if (problem.isPresent()) {
      throw usageError("--load-by '%s': %s".formatted(method, problem.get()));
    }
    return launcher;
  }

  /** Returns the address at which servers listen; refuses one for servers without a password. */
  private ListenAddress address(Plan plan) throws InvalidInputException {
    String host = address.getValue();
    if (host == null) {
      return ListenAddress.LOOPBACK;
    }
    if (loadBy.getValue() == null) {
      throw usageError("--address is for workers on other machines, so it needs --load-by");
    }
    try {
      ListenAddress reached = ListenAddress.of(host);
      Preflight.requirePasswords(plan);
      return reached;
    } catch (IOException e) {
      throw usageError("--address '%s': %s".formatted(host, e.getMessage()));
    }
  }

  /** Returns whether no engine could be crashed, although nothing else was asked. */
  private static boolean untested(ExecutionResults results) {
    return results.runs().stream()
        .filter(run -> run.outcome() instanceof Outcome.Completed)
        .allMatch(
            run ->
                run.crashTest().flatMap(CrashTrialResult::unsupported).isPresent()
                    && run.phases().stream().allMatch(PhaseRecord::load));
  }

  /** Returns the exit status after an execution with these results. */
  static int status(ExecutionResults results) {
    return status(results, ExpectationResult.of(results));
  }

  private static int status(ExecutionResults results, List<ExpectationResult> judged) {
    Set<Class<?>> outcomes =
        results.runs().stream().map(run -> run.outcome().getClass()).collect(Collectors.toSet());
    boolean completed = outcomes.remove(Outcome.Completed.class);
    outcomes.removeAll(Set.of(Outcome.Unavailable.class, Outcome.Unsupported.class));
    if (!results.unreadable().isEmpty() || !outcomes.isEmpty()) {
      return ExitStatus.RUN_FAILED;
    } else if (!completed || untested(results)) {
      return ExitStatus.NOTHING_RAN;
    }
    return results.runs().stream().anyMatch(CrashLosses::brokenPromise)
            || judged.stream().anyMatch(ExpectationResult::failed)
        ? ExitStatus.RUN_FAILED
        : ExitStatus.COMPLETED;
  }
}
