package kvrank.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.report.block.Quantities;
import kvrank.results.ExecutionResults;
import kvrank.results.ShellWord;
import kvrank.results.UnreadableException;
import kvrank.results.pack.OpenedPack;
import kvrank.results.pack.PackCheck;
import kvrank.results.pack.PackWriter;
import picocli.CommandLine.Model.ArgSpec;

/** Makes one archive of results that can be published. */
final class PackCommand extends Command {

  private final ArgSpec directories =
      add(
          parameters(
                  "RESULTS",
                  "1..*",
                  "Names of scenarios, for their newest results, or folders such as"
                      + " results/SCENARIO/TIME.")
              .completionCandidates(installation.scenarios()));
  private final ArgSpec out =
      addOut(
          "FILE",
          "The archive to write, or an existing folder for it (default: the file"
              + " SCENARIO-MACHINE-TIME.tar.gz).");

  PackCommand(Command parent) {
    super(
        parent,
        "Make one archive of results, without names of hosts and users, paths, addresses, secrets"
            + " and logs.");
  }

  @Override
  public Integer call() throws UnreadableException, IOException {
    List<ExecutionResults> executions = new ArrayList<>();
    try (Sources sources = new Sources(installation, terminal)) {
      for (String directory : directories.<List<String>>getValue()) {
        executions.add(sources.ofFolder(directory));
      }
      executions = sources.distinct(executions);
      executions.forEach(each -> each.unreadable().forEach(terminal::error));
      if (sources.measured(executions).size() < executions.size()) {
        return ExitStatus.INVALID_INPUT;
      }
    }
    PackWriter pack = PackWriter.of(executions, System.getProperty("user.name", ""));
    Path given = out.getValue();
    Path named = Path.of(pack.name());
    if (given != null && !Files.isDirectory(given) && !OpenedPack.isNamed(given.toString())) {
      throw usageError(
          "--out '%s': is not an existing folder; create it, or give a file that ends in .tar.gz"
              .formatted(given));
    }
    Path file =
        newFile(given == null ? named : Files.isDirectory(given) ? given.resolve(named) : given);
    byte[] archive = pack.archive();
    Files.write(file, archive, StandardOpenOption.CREATE_NEW);
    String shown = Installation.shorten(file).toString();
    terminal
        .out()
        .println(
            "%s: %s in %d KiB"
                .formatted(
                    shown,
                    Quantities.counted(executions.size(), "execution"),
                    (archive.length + 1023) / 1024));
    List<String> removed = new ArrayList<>();
    pack.replaced().forEach((kind, count) -> removed.add(kind + " (" + count + ")"));
    removed.add("logs");
    terminal.out().println(terminal.fitted("  removed: ", String.join(", ", removed)));
    terminal.out().println("  machine: " + String.join(", ", pack.machines()));
    PackCheck packed = new PackCheck(name -> installation.shipped(name, new ArrayList<>()));
    for (ExecutionResults execution : executions) {
      String folder = Installation.shorten(execution.directory()).toString();
      packed
          .difference(execution)
          .ifPresent(text -> terminal.out().println(terminal.fitted("  note: ", text)));
      PackRemarks.of(execution, Optional.of(folder))
          .forEach(remark -> terminal.out().println(terminal.fitted("  note: ", remark)));
      execution
          .warnings()
          .forEach(text -> terminal.out().println(terminal.fitted("  note: run warned: ", text)));
    }
    terminal.out().println("  next: ./kvrank validate " + ShellWord.of(shown));
    pack.doubtful().forEach((text, files) -> terminal.error(PackRemarks.doubt(text, files)));
    return pack.doubtful().isEmpty() ? ExitStatus.COMPLETED : ExitStatus.RUN_FAILED;
  }
}
