package kvrank.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.scenario.read.ScenarioReader;
import picocli.CommandLine.Model.ArgSpec;

/** Reads files and reports every problem in them. */
final class ValidateCommand extends Command {

  private final ArgSpec files =
      add(
          parameters(
                  "FILE",
                  "1..*",
                  "YAML files, or names of scenarios, workloads, engines and tables.")
              .completionCandidates(installation.scenarios()));

  ValidateCommand(Command parent) {
    super(parent, "Check scenario, workload, table and engine files; starts nothing.");
  }

  @Override
  public Integer call() throws InvalidInputException {
    ScenarioReader reader = installation.reader();
    List<Problem> problems = new ArrayList<>();
    for (String nameOrPath : files.<List<String>>getValue()) {
      try {
        for (Path file : installation.files(nameOrPath)) {
          List<Problem> ofFile = reader.validate(file);
          problems.addAll(ofFile);
          if (ofFile.isEmpty()) {
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
