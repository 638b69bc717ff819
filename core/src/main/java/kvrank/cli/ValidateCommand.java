package kvrank.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.results.ExecutionResults;
import kvrank.results.pack.OpenedPack;
import kvrank.results.pack.PackCheck;
import kvrank.scenario.read.ScenarioReader;
import picocli.CommandLine.Model.ArgSpec;

/** Reads files and reports every problem in them. */
final class ValidateCommand extends Command {

  private static final Pattern YAML = Pattern.compile("\\.ya?ml$");

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
    PackCheck packs = new PackCheck(name -> installation.shipped(name, problems));
    Set<Path> checked = new HashSet<>();
    for (String nameOrPath : files.<List<String>>getValue()) {
      Path path = Path.of(nameOrPath);
      if (Files.exists(path) && !checked.add(path.toRealPath())) {
        terminal.error(nameOrPath + ": given twice; it is checked once");
        continue;
      }
      boolean known = YAML.matcher(nameOrPath).find() || OpenedPack.isNamed(nameOrPath);
      if (!known && (Files.isRegularFile(path) || Files.exists(path.resolve("plan.json")))) {
        String other =
            Files.isRegularFile(path)
                ? "is not named like a YAML file (.yaml) or an archive of 'kvrank pack' (.tar.gz)"
                : "is a folder of results; give the archive that 'kvrank pack' makes of it";
        problems.add(new Problem(path, 0, 0, "", other, ""));
        continue;
      }
      if (Sources.isPack(nameOrPath)) {
        PackCheck.Findings ofPack = packs.check(path);
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

  private static List<String> remarks(PackCheck.Findings found) {
    List<String> remarks = new ArrayList<>();
    remarks.add("machine: " + String.join(", ", found.machines()));
    if (!found.unchecked().isEmpty()) {
      remarks.add(
          "not checked, as no file in it has them: " + String.join(", ", found.unchecked()));
    }
    found.doubtful().forEach((text, files) -> remarks.add(PackRemarks.doubt(text, files)));
    for (ExecutionResults execution : found.executions()) {
      remarks.addAll(PackRemarks.of(execution, Optional.empty()));
    }
    return remarks;
  }
}
