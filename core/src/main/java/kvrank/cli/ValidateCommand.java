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
    addMethodSubcommands = false,
    description = "Check scenario, workload, table and engine files; start nothing.")
final class ValidateCommand implements Callable<Integer> {

  private final Installation installation;
  private final Terminal terminal;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      completionCandidates = ScenarioOptions.ScenarioNames.class,
      description = "YAML files, or names of scenarios, workloads, engines and tables.")
  private List<String> files = List.of();

  ValidateCommand(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InvalidInputException {
    ScenarioReader reader =
        installation.reader(note -> terminal.err().println("note: " + note.oneLine()));
    List<Problem> problems = new ArrayList<>();
    for (String nameOrPath : files) {
      try {
        for (Path file : installation.files(nameOrPath)) {
          List<Problem> found = reader.validate(file);
          problems.addAll(found);
          if (found.isEmpty()) {
            terminal.out().println(file + ": valid");
          }
        }
      } catch (InvalidInputException e) {
        problems.addAll(e.problems());
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidInputException(problems);
    }
    return ExitStatus.COMPLETED;
  }
}
