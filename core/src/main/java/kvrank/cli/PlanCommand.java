package kvrank.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.plan.Plan;
import kvrank.plan.PlannedPhase;
import kvrank.plan.RunSpec;
import kvrank.plan.RunSpec.CrashTestSpec;
import kvrank.provision.Provisioner;
import kvrank.provision.Provisioning;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.Fsync;
import kvrank.scenario.InvalidInputException;
import kvrank.scenario.Repetitions;
import kvrank.scenario.Setting;
import kvrank.stats.DetectableRatio;
import kvrank.workload.DurationFormat;

/** Shows what would be done. */
final class PlanCommand extends Command {

  private final ScenarioOptions options = new ScenarioOptions(this);

  PlanCommand(Installation installation, Terminal terminal) {
    super(
        installation,
        terminal,
        "Show every run in order, what is left out and why, and the expected time.");
  }

  @Override
  public Integer call() throws InvalidInputException, IOException {
    // First, as it asks already whether there is a Docker daemon.
    try (Provisioner provisioner =
        new Provisioning(installation.environment(), terminal.err()::println)) {
      Plan plan = options.plan(List.of());
      return print(plan, absent(plan, provisioner));
    }
  }

  private int print(Plan plan, SortedMap<String, String> absent) {
    PrintStream out = terminal.out();
    out.println(plan.scenario().name() + ": " + plan.scenario().question());
    out.println();
    Repetitions asked = plan.scenario().repetitions();
    List<RunSpec> runs =
        plan.certain().stream().filter(run -> !absent.containsKey(run.engine().label())).toList();
    int width = runs.stream().mapToInt(run -> run.id().length()).max().orElse(1);
    Duration total = Duration.ZERO;
    for (int i = 0; i < runs.size(); i++) {
      RunSpec run = runs.get(i);
      total = total.plus(Plan.expected(run));
      String heading = ("%4s  %-" + width + "s  ").formatted(i + 1, run.id());
      out.println(terminal.wrapped(heading, steps(run)));
    }
    List<String> lines = new ArrayList<>();
    absent.forEach((engine, reason) -> lines.add(terminal.wrapped("  " + engine + ": ", reason)));
    printLeftOut(plan, lines, terminal, out);
    out.println();
    out.printf(
        "%s, about %s (load times are estimates)%n",
        counted(runs.size(), "run"), ExecutionConsole.minutes(total));
    long engines = runs.stream().map(RunSpec::engine).distinct().count();
    if (engines > 1 && !asked.adaptive()) {
      out.println(terminal.wrapped("", power(asked.atMost(), (int) engines)));
    }
    if (asked.adaptive()) {
      out.printf(
          "then what is not settled, up to %d repetitions%s in all%n",
          asked.atMost(),
          asked.budget().map(time -> " and " + DurationFormat.format(time)).orElse(""));
    }
    return runs.isEmpty() ? ExitStatus.NOTHING_RAN : ExitStatus.COMPLETED;
  }

  /** Returns what a table can show, at the noise of a quiet machine and at that of a busy one. */
  private static String power(int repetitions, int engines) {
    double quiet = DetectableRatio.of(engines, repetitions, 0.03);
    return Double.isNaN(quiet)
        ? "%s cannot tell a difference from noise; 3 can"
            .formatted(counted(repetitions, "repetition"))
        : String.format(
            Locale.ROOT,
            "%d repetitions of %d engines show a difference of %.2fx in 4 of 5 tables where runs"
                + " vary by 3 %%, of %.2fx where they vary by 10 %%",
            repetitions,
            engines,
            quiet,
            DetectableRatio.of(engines, repetitions, 0.1));
  }

  /** Returns the phases that the engine can do, and the crash test. */
  private static String steps(RunSpec run) {
    Stream<String> crashes =
        run.supportedCrashTest().map(CrashTestSpec::crashes).stream()
            .map(count -> count + (count == 1 ? " crash" : " crashes"));
    return Stream.concat(run.supportedPhases().stream().map(PlannedPhase::name), crashes)
        .collect(Collectors.joining(", "));
  }

  /** Returns why engines that could do what is asked are not available here, by their labels. */
  private static SortedMap<String, String> absent(Plan plan, Provisioner provisioner) {
    SortedMap<String, String> absent = new TreeMap<>();
    for (EngineSpec engine : plan.scenario().engines()) {
      provisioner.absence(engine).ifPresent(reason -> absent.put(engine.label(), reason));
    }
    return absent;
  }

  /** What is refused, each reason once. */
  static void printLeftOut(Plan plan, List<String> absent, Terminal terminal, PrintStream out) {
    List<String> unavailable = new ArrayList<>(absent);
    for (EngineSpec engine : plan.scenario().engines()) {
      for (String reason : engine.definition().planned().stream().toList()) {
        unavailable.add(terminal.wrapped("  " + engine.label() + ": ", reason));
      }
    }
    Map<String, Integer> reasons = new LinkedHashMap<>();
    for (RunSpec run : plan.runs()) {
      String label = run.engine().label();
      if (run.unsupported().isPresent()) {
        reasons.merge(label + ": " + run.unsupported().get(), 1, Integer::sum);
        continue;
      }
      for (PlannedPhase phase : run.phases()) {
        String what = label + ", phase " + phase.name() + ": ";
        phase.unsupported().ifPresent(reason -> reasons.merge(what + reason, 1, Integer::sum));
      }
      run.crashTest()
          .flatMap(CrashTestSpec::unsupported)
          .ifPresent(reason -> reasons.merge(label + ", crash test: " + reason, 1, Integer::sum));
    }
    List<String> unsupported = new ArrayList<>();
    reasons.forEach(
        (reason, runs) ->
            unsupported.add(terminal.wrapped("  ", reason + " (" + counted(runs, "run") + ")")));
    printList("Left out as unavailable:", unavailable, out);
    printList("Left out as unsupported:", unsupported, out);
    List<String> asked = plan.scenario().factors().get(Setting.FSYNC);
    String withoutLog =
        plan.supported().stream()
            .filter(run -> run.fsync().equals(Fsync.NONE) && !asked.contains(Fsync.NONE.label()))
            .map(run -> run.engine().label())
            .distinct()
            .collect(Collectors.joining(", "));
    if (!withoutLog.isEmpty()) {
      out.println();
      out.println(terminal.wrapped("Without a log, so ranked at fsync=none: ", withoutLog));
    }
  }

  private static void printList(String heading, List<String> lines, PrintStream out) {
    if (!lines.isEmpty()) {
      out.println();
      out.println(heading);
      lines.forEach(out::println);
    }
  }

  private static String counted(int count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}
