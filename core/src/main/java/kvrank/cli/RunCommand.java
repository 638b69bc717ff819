package kvrank.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import kvrank.machine.CpuSets;
import kvrank.plan.Plan;
import kvrank.provision.Provisioner;
import kvrank.provision.Provisioning;
import kvrank.results.Outcome;
import kvrank.results.Results;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException;
import kvrank.run.Execution;
import kvrank.run.UnavailableException;
import kvrank.scenario.CpuList;
import kvrank.scenario.EngineDefinition;
import kvrank.scenario.InvalidInputException;
import kvrank.scenario.Scenario;
import kvrank.scenario.ScenarioReader;
import kvrank.stats.ExpectationResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a scenario and ranks what came of it. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    addMethodSubcommands = false,
    description = "Run a scenario on every engine that is available here, and rank them.")
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

  @Option(names = "--png", description = "Write every chart of the page as SVG and PNG, too.")
  private boolean png;

  @Option(
      names = "--require-all",
      description = "Fail, before anything starts, if an engine is not available here.")
  private boolean requireAll;

  RunCommand(Installation installation, Map<String, String> environment, Terminal terminal) {
    this.installation = installation;
    this.environment = environment;
    this.terminal = terminal;
  }

  @Override
  public Integer call()
      throws InvalidInputException, UnreadableException, IOException, InterruptedException {
    ScenarioReader reader = installation.reader();
    Optional<ResultsDirectory> resumed = Optional.ofNullable(resume).map(ResultsDirectory::at);
    Plan plan =
        resumed.isPresent() ? Execution.planOf(resumed.get(), reader) : options.plan(installation);
    if (plan.supported().isEmpty()) {
      terminal.error("no engine of this scenario can do what it asks; nothing was started");
      PlanCommand.printLeftOut(plan, List.of(), terminal, terminal.err());
      return ExitStatus.NOTHING_RAN;
    }
    Scenario scenario = plan.scenario();
    terminal.err().println(scenario.name() + ": " + scenario.question());
    PlanCommand.printLeftOut(plan, List.of(), terminal, terminal.err());
    try {
      return status(ReportCommand.write(execute(plan, reader, resumed), null, png, terminal));
    } catch (UnavailableException e) {
      terminal.error(e.getMessage());
      return e.nothingLeft() ? ExitStatus.NOTHING_RAN : ExitStatus.RUN_FAILED;
    }
  }

  private ResultsDirectory execute(
      Plan plan, ScenarioReader reader, Optional<ResultsDirectory> resumed)
      throws InvalidInputException, UnavailableException, IOException, InterruptedException {
    Scenario scenario = plan.scenario();
    CpuSets cpus = CpuSets.of(scenario.machine().isolation());
    Optional<EngineDefinition> noop = reader.engine("noop");
    try (Provisioner provisioner =
            new Provisioning(
                environment, terminal.err()::println, cpus.server().map(CpuList::label));
        ExecutionConsole console = new ExecutionConsole(terminal)) {
      Execution execution =
          Execution.of(plan, provisioner, installation.shelves().home(), cpus, noop, console);
      Path parent = out == null ? Path.of("results", scenario.name()) : out;
      return resumed.isPresent()
          ? execution.resume(resumed.get(), requireAll)
          : execution.run(parent, Kvrank.VERSION, requireAll);
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
