package kvrank.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import kvrank.scenario.InvalidInputException;
import kvrank.scenario.Problem;
import kvrank.scenario.ScenarioReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Reads files and says everything that is wrong with them. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description = "Check scenario, workload, table and engine files; start nothing.")
final class ValidateCommand implements Callable<Integer> {

  private final Installation installation;
  private final Terminal terminal;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "YAML files.")
  private List<Path> files = List.of();

  ValidateCommand(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InvalidInputException {
    ScenarioReader reader = new ScenarioReader(installation.home());
    List<Problem> problems = new ArrayList<>();
    for (Path file : files) {
      List<Problem> found = reader.validate(file);
      problems.addAll(found);
      if (found.isEmpty()) {
        terminal.out().println(file + ": valid");
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidInputException(problems);
    }
    return ExitStatus.COMPLETED;
  }
}
