package kvrank.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import kvrank.report.history.HistoryFiles;
import kvrank.report.history.HistoryReport;
import kvrank.report.write.Reports;
import kvrank.results.ExecutionResults;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import kvrank.stats.history.History;
import kvrank.stats.history.HistoryBuilder;
import picocli.CommandLine.Model.ArgSpec;

/** Reports when the results of a scenario changed. */
final class HistoryCommand extends Command {

  private final ArgSpec results =
      add(
          parameters(
                  "RESULTS",
                  "1..*",
                  "A scenario for all its results, folders, or archives of 'kvrank pack'.")
              .completionCandidates(installation.scenarios()));
  private final ArgSpec recent =
      add(
          option(
                  "--recent",
                  "N",
                  Integer.class,
                  "How many of the newest executions are judged (default: ${DEFAULT-VALUE}).")
              .defaultValue("10"));
  private final ArgSpec tolerance = add(CompareCommand.toleranceOption());
  private final ArgSpec out = addOut("DIR", "The folder for history.html and history.md.");
  private final ArgSpec csv =
      addFlag("--csv", "Also write history.csv and otava.yaml for Apache Otava.");
  private final ArgSpec json =
      addFlag(
          "--json",
          "Also write the newest values for github-action-benchmark (bigger-is-better.json,"
              + " smaller-is-better.json) and Bencher (bencher.json).");
  private final ArgSpec asGiven =
      addFlag("--as-given", "Keep the order of RESULTS (default: by time).");
  private final ArgSpec acrossMachines =
      addFlag("--across-machines", "Put executions of different machines into one line.");

  HistoryCommand(Command parent) {
    super(parent, "Report when the results of a scenario changed from execution to execution.");
    spec.usageMessage()
        .footer(
            "",
            "Exit status: 0 nothing got worse recently; 1 something did; 2 the input is invalid.");
  }

  @Override
  public Integer call() throws UnreadableException, IOException {
    boolean files = csv.<Boolean>getValue() || json.<Boolean>getValue();
    Path folder = out.getValue();
    if (files && folder == null) {
      throw usageError("--csv and --json write files, so they need --out DIR");
    }
    if (recent.<Integer>getValue() < 1) {
      throw usageError("--recent '%s': give a number from 1".formatted(recent.<Integer>getValue()));
    }
    HistoryBuilder builder = new HistoryBuilder(acrossMachines.getValue());
    try (Sources sources = new Sources(installation, terminal)) {
      List<ExecutionResults> executions = new ArrayList<>();
      for (String given : results.<List<String>>getValue()) {
        executions.addAll(sources.all(given));
      }
      for (ExecutionResults execution : sources.distinct(executions)) {
        builder.add(execution);
      }
    }
    if (builder.scenarios().size() > 1) {
      terminal.error(
          "these are results of several scenarios (%s); give those of one"
              .formatted(String.join(", ", builder.scenarios())));
      return ExitStatus.INVALID_INPUT;
    }
    History history = builder.build(asGiven.getValue());
    HistoryReport report =
        new HistoryReport(history, recent.getValue(), tolerance.<Double>getValue());
    terminal.out().print(Reports.console(report, terminal.width(), terminal.colours()));
    if (folder != null) {
      SortedMap<String, byte[]> written = Reports.files(report);
      HistoryFiles others = new HistoryFiles(history);
      if (csv.<Boolean>getValue()) {
        written.putAll(Reports.csv(others));
      }
      if (json.<Boolean>getValue()) {
        written.putAll(Reports.json(others));
      }
      ResultsDirectory.writeReport(folder, written);
      Path page = folder.toAbsolutePath().resolve("history.html");
      terminal.out().println();
      terminal.out().println("Report: " + Installation.shorten(page));
    }
    return history.worse(recent.getValue(), tolerance.<Double>getValue())
        ? ExitStatus.RUN_FAILED
        : ExitStatus.COMPLETED;
  }
}
