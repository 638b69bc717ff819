package kvrank.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.results.ExecutionResults;
import kvrank.results.pack.PackCheck;
import kvrank.scenario.NamedFiles.Kind;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.ScenarioWriter;
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
    List<Problem> problems = new ArrayList<>();
    PackCheck packs = new PackCheck(name -> shipped(name, reader, problems));
    for (String nameOrPath : files.<List<String>>getValue()) {
      if (Sources.isPack(nameOrPath)) {
        PackCheck.Findings ofPack = packs.check(Path.of(nameOrPath));
        problems.addAll(ofPack.problems());
        if (ofPack.problems().isEmpty()) {
          terminal.out().println(nameOrPath + ": valid");
          remarks(ofPack).forEach(each -> terminal.out().println(terminal.fitted("  ", each)));
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

  /** Returns the resolved text of a shipped scenario; adds the reason if it cannot be read. */
  private Optional<String> shipped(String name, ScenarioReader reader, List<Problem> problems) {
    if (!installation.namedFiles().names(Kind.SCENARIOS).contains(name)) {
      return Optional.empty();
    }
    try {
      Path file = installation.file(Kind.SCENARIOS, name);
      return Optional.of(new ScenarioWriter().write(reader.read(file, List.of(), List.of())));
    } catch (InvalidInputException e) {
      problems.addAll(e.problems());
      return Optional.empty();
    }
  }

  private static List<String> remarks(PackCheck.Findings found) {
    List<String> remarks = new ArrayList<>();
    if (!found.unchecked().isEmpty()) {
      remarks.add(
          "not checked, as no file in it has them: " + String.join(", ", found.unchecked()));
    }
    found.doubtful().forEach((text, files) -> remarks.add(PackRemarks.doubt(text, files)));
    for (ExecutionResults execution : found.executions()) {
      remarks.addAll(PackRemarks.of(execution, "results/" + execution.name()));
    }
    return remarks;
  }
}
