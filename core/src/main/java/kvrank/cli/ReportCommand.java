package kvrank.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import kvrank.report.Reports;
import kvrank.results.Evidence;
import kvrank.results.Results;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import kvrank.stats.Merge;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the tables of results directories anew, or merges several into one. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = {
      "Make the tables of a results directory anew, or merge several; touches no server.",
      "Repetitions of the same merge; different hosts, storage, durability or versions do not."
    })
final class ReportCommand implements Callable<Integer> {

  private final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "DIR",
      description = "Results directories: results/SCENARIO/TIME, or .../latest.")
  private List<Path> directories = List.of();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the report's files go; default: DIR/report, if there is one DIR.")
  private Path out;

  ReportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws UnreadableException, IOException {
    if (directories.size() == 1) {
      write(ResultsDirectory.at(directories.get(0)), out, terminal);
      return ExitStatus.COMPLETED;
    }
    List<Results> readable = new ArrayList<>();
    for (Path directory : directories) {
      try {
        readable.add(ResultsDirectory.at(directory).read());
      } catch (UnreadableException e) {
        terminal.error(e.getMessage());
      }
    }
    if (readable.isEmpty()) {
      terminal.error("none of the directories can be read");
      return ExitStatus.INVALID_INPUT;
    }
    print(Merge.of(readable), out, terminal);
    if (out == null) {
      terminal.out().println("To write the report's files, give --out DIR.");
    }
    return ExitStatus.COMPLETED;
  }

  /** Reads {@code results}, writes the report's files and prints the tables. */
  static Results write(ResultsDirectory results, Path out, Terminal terminal)
      throws UnreadableException, IOException {
    Results read = results.read();
    print(Merge.of(List.of(read)), out == null ? results.report() : out, terminal);
    return read;
  }

  /** Writes the files to {@code folder}, if there is one, and prints the tables. */
  private static void print(Merge merge, Path folder, Terminal terminal) throws IOException {
    terminal.out().print(Reports.console(merge, terminal.ansi()));
    terminal.out().println();
    if (folder != null) {
      ResultsDirectory.writeReport(folder, Reports.files(merge, Evidence.of(merge.results())));
      terminal.out().println("Report: " + Installation.shorten(folder.toAbsolutePath()));
    }
  }
}
