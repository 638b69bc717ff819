package kvrank.cli;

import static java.util.concurrent.CompletableFuture.supplyAsync;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import kvrank.input.Reason;
import kvrank.report.write.Reports;
import kvrank.results.Evidence;
import kvrank.results.ExecutionResults;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import kvrank.stats.Merge;
import kvrank.stats.RankingIndex;
import picocli.CommandLine.Model.ArgSpec;

/** Regenerates the report for a results directory, or for several merged. */
final class ReportCommand extends Command {

  private final ArgSpec directories =
      add(
          parameters("RESULTS", "1..*", Sources.DESCRIPTION)
              .completionCandidates(installation.scenarios()));
  private final ArgSpec out =
      addOut(
          "DIR",
          "The folder for the report's files (default: report/ in the results, for one"
              + " execution).");
  private final ArgSpec png =
      addFlag("--png", "Also write every chart of the page as SVG and PNG, to DIR/charts.");

  ReportCommand(Command parent) {
    super(
        parent,
        "Regenerate the report for an execution, or merge several; starts no server.",
        "Merges equal repetitions; keeps different hosts, storage, durability and versions"
            + " apart.");
  }

  @Override
  public Integer call() throws UnreadableException, IOException {
    List<String> given = directories.getValue();
    if (given.size() == 1 && !Sources.isPack(given.get(0))) {
      write(
          ResultsDirectory.at(installation.results(given.get(0))),
          out.getValue(),
          png.getValue(),
          terminal);
      return ExitStatus.COMPLETED;
    }
    if (png.<Boolean>getValue() && out.getValue() == null) {
      throw usageError("--png needs --out DIR, as only a single folder of results has a report/");
    }
    try (Sources sources = new Sources(installation, terminal)) {
      List<ExecutionResults> readable = sources.readable(given);
      if (readable.isEmpty()) {
        return ExitStatus.INVALID_INPUT;
      }
      print(Merge.of(readable), out.getValue(), png.getValue(), terminal);
      if (out.getValue() == null) {
        terminal.out().println("To write the report to files, add --out DIR.");
      }
      return ExitStatus.COMPLETED;
    }
  }

  /** Reads {@code results}, writes the report's files, prints the tables and returns the index. */
  static RankingIndex write(ResultsDirectory results, Path out, boolean png, Terminal terminal)
      throws UnreadableException, IOException {
    ExecutionResults read = results.read();
    Path folder = out == null ? results.report() : out;
    if (out == null && Files.isSymbolicLink(folder)) {
      throw new IOException(
          "%s is a link to '%s', so no report is written there; remove it or add --out DIR"
              .formatted(folder, Files.readSymbolicLink(folder)));
    }
    Reports reports = print(Merge.of(List.of(read)), folder, png, terminal);
    String next = reports.next(Installation.shorten(results.path().toAbsolutePath()).toString());
    next.lines().forEach(line -> terminal.out().println(terminal.wrapped("", line)));
    return reports.index();
  }

  /** Prints the tables, and writes the files to {@code folder} unless it is null. */
  private static Reports print(Merge merge, Path folder, boolean png, Terminal terminal)
      throws IOException {
    Reports reports = Reports.of(merge);
    // At the same time, as the tables for the terminal take one processor.
    Optional<CompletableFuture<SortedMap<String, byte[]>>> files =
        Optional.ofNullable(folder)
            .map(target -> supplyAsync(() -> reports.files(Evidence.of(merge.results()), png)));
    terminal.out().print(reports.console(terminal.width(), terminal.colours()));
    if (files.isEmpty()) {
      terminal.out().println();
    } else {
      try {
        ResultsDirectory.writeReport(folder, joined(files.get()));
      } catch (IOException e) {
        throw new IOException(
            "%s: the report cannot be written: %s; solve that, then run './kvrank report'"
                .formatted(folder, Reason.located(e)),
            e);
      }
      Path page = Installation.shorten(folder.toAbsolutePath().resolve("report.html"));
      terminal.out().println("Report: " + page);
    }
    return reports;
  }

  private static SortedMap<String, byte[]> joined(
      CompletableFuture<SortedMap<String, byte[]>> files) throws IOException {
    try {
      return files.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof UncheckedIOException io) {
        throw io.getCause();
      }
      throw e;
    }
  }
}
