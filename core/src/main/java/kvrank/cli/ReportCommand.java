package kvrank.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import kvrank.report.Reports;
import kvrank.results.Evidence;
import kvrank.results.Results;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the tables of a results directory anew. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Make the tables of a results directory anew; touches no server.")
final class ReportCommand implements Callable<Integer> {

  private final Terminal terminal;

  @Parameters(
      paramLabel = "DIR",
      description = "A results directory: results/SCENARIO/TIME, or .../latest.")
  private Path directory = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the report's files go; default: DIR/report.")
  private Path out;

  ReportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws UnreadableException, IOException {
    write(ResultsDirectory.at(directory), out, terminal);
    return ExitStatus.COMPLETED;
  }

  /** Reads {@code results}, writes the report's files and prints the tables. */
  static Results write(ResultsDirectory results, Path out, Terminal terminal)
      throws UnreadableException, IOException {
    Results read = results.read();
    Path folder = out == null ? results.report() : out;
    ResultsDirectory.writeReport(folder, Reports.files(read, Evidence.in(results)));
    terminal.out().print(Reports.console(read, terminal.ansi()));
    terminal.out().println();
    terminal.out().println("Report: " + Installation.shorten(folder.toAbsolutePath()));
    return read;
  }
}
