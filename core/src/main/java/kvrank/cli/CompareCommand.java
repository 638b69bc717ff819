package kvrank.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.report.write.Reports;
import kvrank.results.ExecutionResults;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import kvrank.stats.Comparison;
import kvrank.stats.Merge;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.TypeConversionException;

/** Says what changed significantly between two executions. */
final class CompareCommand extends Command {

  private static final String MEDIUM = Fact.STORAGE_MEDIUM.label();

  private final ArgSpec directories =
      takes(
          words(
                  "BASELINE... CANDIDATE",
                  "2..*",
                  "Results: then, and the last one now. From three baselines on, what executions"
                      + " differ by is in the intervals.")
              .hideParamSyntax(true));
  private final ArgSpec tolerance =
      takes(
          option(
                  "--tolerance",
                  "PERCENT",
                  Double.class,
                  "How much may get worse; default: ${DEFAULT-VALUE}.")
              .defaultValue("5%")
              .converters(CompareCommand::share));
  private final ArgSpec out =
      takesFolder("--out", "Where comparison.md, comparison.csv and comparison.xml (JUnit) go.");
  private final ArgSpec acrossMachines =
      takesFlag(
          "--across-machines", "Compare although the machines differ; the change may be theirs.");

  CompareCommand(Command parent) {
    super(parent, "Say what changed significantly between two executions; touches no server.");
    spec.usageMessage()
        .footer("", "Exit status: 0 nothing is worse; 1 something is; 2 the input is invalid.");
  }

  @Override
  public Integer call() throws UnreadableException, IOException {
    List<ExecutionResults> all = new ArrayList<>();
    for (String directory : directories.<List<String>>getValue()) {
      all.add(ResultsDirectory.at(installation.results(directory)).read());
    }
    ExecutionResults now = all.remove(all.size() - 1);
    if (all.stream().anyMatch(then -> then.directory().equals(now.directory()))) {
      terminal.error(
          now.directory() + ": is given twice, and an execution is not compared with itself");
      return ExitStatus.INVALID_INPUT;
    }
    SortedMap<String, List<String>> machines = new TreeMap<>();
    all.forEach(then -> machines.putAll(Merge.machines(then, now)));
    if (!machines.isEmpty()
        && (!acrossMachines.<Boolean>getValue() || machines.containsKey(MEDIUM))) {
      machines.forEach(
          (fact, values) -> terminal.error(fact + " differs: " + String.join(" and ", values)));
      terminal.error(
          machines.containsKey(MEDIUM)
              ? "executions on different storage are not compared"
              : "executions on different machines are not compared;"
                  + " with --across-machines they are, and the change may be the machines'");
      return ExitStatus.INVALID_INPUT;
    }
    Comparison comparison = Comparison.of(Merge.of(all).results(), now, tolerance.getValue());
    if (!comparison.comparable()) {
      comparison.differences().forEach(terminal::error);
      terminal.error(
          "nothing to compare: no engine has a value in both at the same phase and settings");
      return ExitStatus.INVALID_INPUT;
    }
    terminal.out().print(Reports.console(comparison, terminal.width(), terminal.colours()));
    Path folder = out.getValue();
    if (folder != null) {
      ResultsDirectory.writeTexts(folder, Reports.files(comparison));
      terminal.out().println();
      terminal.out().println("Report: " + Installation.shorten(folder.toAbsolutePath()));
    }
    return comparison.regressed() ? ExitStatus.RUN_FAILED : ExitStatus.COMPLETED;
  }

  /** Reads {@code 5%} or {@code 0.05}. */
  private static double share(String text) {
    boolean percent = text.endsWith("%");
    try {
      double number = Double.parseDouble(percent ? text.substring(0, text.length() - 1) : text);
      double share = percent ? number / 100 : number;
      if (share >= 0 && share < 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new TypeConversionException("'" + text + "' is no share such as 5% or 0.05");
  }
}
