package kvrank.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.report.write.Reports;
import kvrank.results.ExecutionResults;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import kvrank.scenario.Scenario;
import kvrank.stats.Merge;
import kvrank.stats.change.Comparison;
import kvrank.stats.change.Shift;
import kvrank.stats.change.Sides;
import kvrank.stats.infer.Estimate;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** Reports what changed significantly between executions. */
final class CompareCommand extends Command {

  /** The most other executions that show how much they differ. */
  private static final int MOST_EARLIER = 20;

  private static final String MEDIUM = Fact.STORAGE_MEDIUM.label();

  private final ArgSpec directories =
      add(
          parameters(
                  "BASELINE... CANDIDATE",
                  "0..*",
                  "Results or packs to compare; the last is the candidate. With three or more"
                      + " baselines, intervals include how much executions vary. With --run, options"
                      + " of run after '--'.")
              .required(false)
              .hideParamSyntax(true));
  private final ArgSpec run =
      addText(
          "--run",
          "SCENARIO",
          "Run this scenario first, with each engine as NAME-base and NAME-head.");
  private final ArgSpec base = add(list("--base", "DIR|ENGINE=FILE", "As in run."));
  private final ArgSpec head = add(list("--head", "DIR|ENGINE=FILE", "As in run."));
  private final ArgSpec tolerance = add(toleranceOption());
  private final ArgSpec shift =
      add(
          option(
                  "--shift",
                  "PERCENT",
                  Double.class,
                  "Standard deviation between executions of the same code, if the baselines do not"
                      + " show it (default: from three or more earlier executions, else 5%%).")
              .converters(CompareCommand::share));
  private final ArgSpec out =
      addOut("DIR", "The folder for comparison.md, comparison.csv and comparison.xml (JUnit).");
  private final ArgSpec acrossMachines =
      addFlag(
          "--across-machines",
          "Compare even if the machines differ; a change may then come from the machine.");

  static OptionSpec.Builder toleranceOption() {
    return option(
            "--tolerance",
            "PERCENT",
            Double.class,
            "How much worse a value may be (default: ${DEFAULT-VALUE}).")
        .defaultValue("5%")
        .converters(CompareCommand::share);
  }

  CompareCommand(Command parent) {
    super(parent, "Report significant changes between executions, or between two rows of one.");
    spec.usageMessage()
        .footer("", "Exit status: 0 nothing is worse; 1 something is; 2 the input is invalid.");
  }

  @Override
  public Integer call() throws UnreadableException, IOException {
    List<String> given = given();
    if (run.getValue() != null) {
      return runAndCompare(given);
    }
    if (given.isEmpty()) {
      throw new MissingParameterException(spec.commandLine(), directories, "nothing to compare");
    }
    if (base.<List<String>>getValue().size() + head.<List<String>>getValue().size() > 0) {
      throw usageError("--base and --head need --run; results are given without them");
    }
    try (Sources sources = new Sources(installation, terminal)) {
      List<ExecutionResults> executions = new ArrayList<>();
      for (String each : given) {
        executions.addAll(sources.of(each));
      }
      ExecutionResults candidate = executions.remove(executions.size() - 1);
      return compare(sources, sources.distinct(executions), candidate);
    }
  }

  /** Compares an execution with baselines, or two rows of the only one. */
  private int compare(Sources sources, List<ExecutionResults> baselines, ExecutionResults candidate)
      throws IOException {
    if (baselines.isEmpty()) {
      Optional<Sides> sides = Sides.of(candidate, Scenario.BASE, Scenario.HEAD);
      return sides.isPresent()
          ? compare(Comparison.of(sides.get(), tolerance.getValue()))
          : refuse(
              candidate.directory()
                  + ": has no rows NAME-base and NAME-head; give a baseline before it");
    }
    if (baselines.stream().anyMatch(candidate::sameExecution)) {
      return refuse(
          sources.place(candidate) + ": given twice; an execution cannot be compared with itself");
    }
    SortedMap<String, List<String>> machines = new TreeMap<>();
    baselines.forEach(baseline -> machines.putAll(Merge.machines(baseline, candidate)));
    if (!machines.isEmpty()
        && (!acrossMachines.<Boolean>getValue() || machines.containsKey(MEDIUM))) {
      machines.forEach(
          (fact, values) -> terminal.error(fact + " differs: " + String.join(" and ", values)));
      return refuse(
          machines.containsKey(MEDIUM)
              ? "executions on different storage cannot be compared"
              : "to compare executions on different machines, add --across-machines; a change may"
                  + " then come from the machine");
    }
    return compare(
        Comparison.of(
            Merge.of(baselines).results(),
            candidate,
            tolerance.getValue(),
            shift(baselines, candidate)));
  }

  private List<String> given() {
    List<String> given = directories.getValue();
    return given == null ? List.of() : given;
  }

  /** Runs the scenario with two rows of each engine, and compares them. */
  private int runAndCompare(List<String> options) throws UnreadableException, IOException {
    String scenario = run.getValue();
    if (base.<List<String>>getValue().isEmpty() && head.<List<String>>getValue().isEmpty()) {
      throw usageError("--run needs --base or --head, the engines that differ");
    }
    if (shift.getValue() != null || acrossMachines.<Boolean>getValue()) {
      throw usageError(
          "--shift and --across-machines are for several executions; --run compares within one");
    }
    Path folder =
        Path.of(
            "results",
            Path.of(scenario).getFileName().toString().replaceFirst("\\.ya?ml$", "")
                + Scenario.BASE
                + Scenario.HEAD);
    List<String> arguments = new ArrayList<>(List.of("run", scenario, "--out", folder.toString()));
    base.<List<String>>getValue().forEach(value -> arguments.addAll(List.of("--base", value)));
    head.<List<String>>getValue().forEach(value -> arguments.addAll(List.of("--head", value)));
    arguments.addAll(options);
    Path latest = folder.resolve("latest");
    Optional<Path> before = target(latest);
    int status = Kvrank.run(installation, terminal, arguments.toArray(String[]::new));
    if (target(latest).equals(before)) {
      return status;
    }
    terminal.out().println();
    Optional<Sides> sides =
        Sides.of(ResultsDirectory.at(latest).read(), Scenario.BASE, Scenario.HEAD);
    if (sides.isEmpty()) {
      return status;
    }
    int compared = compare(Comparison.of(sides.get(), tolerance.getValue()));
    // A base that fails is worse than the head.
    int ended = RunCommand.status(sides.get().head());
    return ended == ExitStatus.COMPLETED ? compared : ended;
  }

  private static Optional<Path> target(Path link) throws IOException {
    return Files.exists(link) ? Optional.of(link.toRealPath()) : Optional.empty();
  }

  private int compare(Comparison comparison) throws IOException {
    if (!comparison.comparable()) {
      comparison.differences().forEach(terminal::error);
      return refuse(
          "nothing to compare: no engine has a value in both for the same phase and settings");
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

  /** Returns the stated shift, or that of the newest executions of the same on this machine. */
  private Shift shift(List<ExecutionResults> baselines, ExecutionResults candidate)
      throws IOException {
    Double stated = shift.getValue();
    if (stated != null || baselines.size() >= Estimate.FEWEST) {
      return Shift.stated(stated == null ? Shift.USUAL : stated);
    }
    Set<Path> given = new TreeSet<>();
    NavigableSet<Path> beside = new TreeSet<>();
    for (ExecutionResults execution : withLast(baselines, candidate)) {
      given.add(execution.directory().toRealPath());
      beside.addAll(ResultsDirectory.at(execution.directory()).siblings());
    }
    beside.removeAll(given);
    List<ExecutionResults> earlier = new ArrayList<>();
    for (Path folder : beside.descendingSet()) {
      if (earlier.size() == MOST_EARLIER) {
        break;
      }
      try {
        ExecutionResults read = ResultsDirectory.at(folder).read();
        if (read.manifest().scenario().equals(candidate.manifest().scenario())
            && Merge.machines(read, candidate).isEmpty()) {
          earlier.add(read);
        }
      } catch (UnreadableException e) {
        // It shows nothing about the machine.
      }
    }
    return new Shift(Shift.USUAL, earlier);
  }

  private static List<ExecutionResults> withLast(
      List<ExecutionResults> baselines, ExecutionResults candidate) {
    return Stream.concat(baselines.stream(), Stream.of(candidate)).toList();
  }

  private int refuse(String reason) {
    terminal.error(reason);
    return ExitStatus.INVALID_INPUT;
  }

  /** Reads {@code 5%} or {@code 0.05}. */
  static double share(String text) {
    boolean percent = text.endsWith("%");
    try {
      double number = Double.parseDouble(percent ? text.substring(0, text.length() - 1) : text);
      double share = percent ? number / 100 : number;
      if (share >= 0 && share < 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new TypeConversionException("'" + text + "' is not a share such as 5% or 0.05");
  }
}
