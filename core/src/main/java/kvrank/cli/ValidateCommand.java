package kvrank.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.results.pack.PackCheck;
import kvrank.scenario.read.ScenarioReader;
import picocli.CommandLine.Model.ArgSpec;

/** Reads files and reports every problem in them. */
final class ValidateCommand extends Command {

  private final ArgSpec files =
      add(
          parameters(
                  "FILE",
                  "1..*",
                  "YAML files, names of scenarios, workloads, engines and tables, or archives of"
                      + " 'kvrank pack'.")
              .completionCandidates(installation.scenarios()));

  ValidateCommand(Command parent) {
    super(parent, "Check scenario, workload, table and engine files, and packs; starts nothing.");
  }

  @Override
  public Integer call() throws InvalidInputException, IOException {
    ScenarioReader reader = installation.reader();
    PackCheck packs = new PackCheck();
    List<Problem> problems = new ArrayList<>();
    for (String nameOrPath : files.<List<String>>getValue()) {
      if (Sources.isPack(nameOrPath)) {
        List<Problem> ofPack = packs.problems(Path.of(nameOrPath));
        problems.addAll(ofPack);
        if (ofPack.isEmpty()) {
          terminal.out().println(nameOrPath + ": valid");
        }
        continue;
      }
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
