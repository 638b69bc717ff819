package kvrank.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.scenario.read.ScenarioReader;
import picocli.CommandLine.Model.ArgSpec;

/** Reads files and says everything that is wrong with them. */
final class ValidateCommand extends Command {

  private final ArgSpec files =
      takes(
          words("FILE", "1..*", "YAML files, or names of scenarios, workloads, engines and tables.")
              .completionCandidates(installation.scenarios()));

  ValidateCommand(Command parent) {
    super(parent, "Check scenario, workload, table and engine files; start nothing.");
  }

  @Override
  public Integer call() throws InvalidInputException {
    ScenarioReader reader = installation.reader();
    List<Problem> problems = new ArrayList<>();
    for (String nameOrPath : files.<List<String>>getValue()) {
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
