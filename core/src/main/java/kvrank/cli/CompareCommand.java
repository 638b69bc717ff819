package kvrank.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import kvrank.report.write.Reports;
import kvrank.results.Results;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import kvrank.stats.Comparison;
import kvrank.stats.Merge;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Says what changed significantly between two executions. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    addMethodSubcommands = false,
    description = "Say what changed significantly between two executions; touches no server.",
    footer = {"", "Exit status: 0 nothing is worse; 1 something is; 2 the input is invalid."})
final class CompareCommand implements Callable<Integer> {

  private static final String MEDIUM = "storage.medium";

  private final Installation installation;
  private final Terminal terminal;

  @Parameters(
      arity = "2..*",
      paramLabel = "BASELINE... CANDIDATE",
      description =
          "Results: then, and the last one now. From three baselines on, what executions differ by"
              + " is in the intervals.")
  private List<String> directories = List.of();

  @Option(
      names = "--tolerance",
      paramLabel = "PERCENT",
      defaultValue = "5%",
      converter = Share.class,
      description = "How much may get worse; default: ${DEFAULT-VALUE}.")
  private double tolerance;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where comparison.md, comparison.csv and comparison.xml (JUnit) go.")
  private Path out;

  @Option(
      names = "--across-machines",
      description = "Compare although the machines differ; the change may be theirs.")
  private boolean acrossMachines;

  CompareCommand(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws UnreadableException, IOException {
    List<Results> all = new ArrayList<>();
    for (String directory : directories) {
      all.add(ResultsDirectory.at(installation.results(directory)).read());
    }
    Results now = all.remove(all.size() - 1);
    SortedMap<String, List<String>> machines = new TreeMap<>();
    all.forEach(then -> machines.putAll(Merge.machines(then, now)));
    if (!machines.isEmpty() && (!acrossMachines || machines.containsKey(MEDIUM))) {
      machines.forEach(
          (fact, values) -> terminal.error(fact + " differs: " + String.join(" and ", values)));
      terminal.error(
          machines.containsKey(MEDIUM)
              ? "executions on different storage are not compared"
              : "executions on different machines are not compared;"
                  + " with --across-machines they are, and the change may be the machines'");
      return ExitStatus.INVALID_INPUT;
    }
    Comparison comparison = Comparison.of(Merge.of(all).results(), now, tolerance);
    if (!comparison.comparable()) {
      comparison.differences().forEach(terminal::error);
      terminal.error(
          "nothing to compare: no engine has a value in both at the same phase and settings");
      return ExitStatus.INVALID_INPUT;
    }
    terminal.out().print(Reports.console(comparison, terminal.width(), terminal.colours()));
    if (out != null) {
      ResultsDirectory.writeTexts(out, Reports.files(comparison));
      terminal.out().println();
      terminal.out().println("Report: " + Installation.shorten(out.toAbsolutePath()));
    }
    return comparison.regressed() ? ExitStatus.RUN_FAILED : ExitStatus.COMPLETED;
  }

  /** {@code 5%} or {@code 0.05}. */
  static final class Share implements ITypeConverter<Double> {

    @Override
    public Double convert(String text) {
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
}
