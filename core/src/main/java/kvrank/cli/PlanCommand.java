package kvrank.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.engine.Fsync;
import kvrank.engine.Tuning;
import kvrank.input.InvalidInputException;
import kvrank.plan.Plan;
import kvrank.plan.PlannedPhase;
import kvrank.plan.RunKey;
import kvrank.plan.RunSpec;
import kvrank.plan.RunSpec.CrashTestSpec;
import kvrank.provision.LocalProvisioner;
import kvrank.provision.Provisioner;
import kvrank.report.section.DetectableDifferences;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.Repetitions;
import kvrank.scenario.Setting;
import kvrank.stats.DetectableRatio;
import kvrank.workload.request.DurationFormat;

/** Shows what would be done. */
final class PlanCommand extends ScenarioCommand {

  PlanCommand(Command parent) {
    super(parent, "Show every run in order, what is left out and why, and the expected time.");
  }

  @Override
  public Integer call() throws InvalidInputException, IOException {
    // First, as it asks already whether there is a Docker daemon.
    try (Provisioner provisioner =
        new LocalProvisioner(installation.environment(), terminal.err()::println)) {
      Plan plan = plan(List.of());
      return print(plan, absent(plan, provisioner));
    }
  }

  private int print(Plan plan, SortedMap<String, String> absent) {
    PrintStream out = terminal.out();
    out.println(plan.scenario().name() + ": " + plan.scenario().question());
    out.println();
    Repetitions asked = plan.scenario().repetitions();
    List<RunSpec> runs =
        plan.guaranteedRuns().stream()
            .filter(RunSpec::startable)
            .filter(run -> !absent.containsKey(run.engine().label()))
            .toList();
    int width = runs.stream().mapToInt(run -> run.id().length()).max().orElse(1);
    for (EngineSpec row : plan.tuned()) {
      Tuning tuning = row.tuning().orElseThrow();
      out.println(
          terminal.wrapped(
              row.row().name() + ": ",
              "first up to %d values of %s from %,d to %,d are measured once; the best are tuned-1 to tuned-%d"
                  .formatted(
                      tuning.trials(),
                      tuning.option(),
                      tuning.from(),
                      tuning.to(),
                      Math.min(Tuning.ROWS, tuning.trials()))));
    }
    Optional<ExecutionResults> earlier = earlier(plan);
    Map<List<Object>, Duration> known = earlier.map(PlanCommand::times).orElse(Map.of());
    Duration total = plan.tuning();
    for (int i = 0; i < runs.size(); i++) {
      RunSpec run = runs.get(i);
      total = total.plus(known.getOrDefault(place(run.key()), Plan.expected(run)));
      String heading = ("%4s  %-" + width + "s  ").formatted(i + 1, run.id());
      out.println(terminal.wrapped(heading, steps(run)));
    }
    printLeftOut(plan, absent, terminal, out);
    out.println();
    out.printf(
        "%s, about %s (%s)%n",
        counted(runs.size(), "run"),
        ExecutionConsole.minutes(total),
        known.isEmpty() ? "load times are estimates" : "by " + earlier.get().name());
    int engines = (int) runs.stream().map(run -> run.key().engine()).distinct().count();
    // One engine alone has nothing to be separated from.
    if (asked.adaptive() && (engines > 1 || asked.interval().isPresent())) {
      Duration once = total.minus(plan.tuning()).dividedBy(asked.atLeast());
      Duration most = plan.tuning().plus(once.multipliedBy(asked.atMost()));
      out.printf(
          "then what is not settled, up to %d repetitions, %s in all%n",
          asked.atMost(),
          asked
              .budget()
              .filter(budget -> budget.compareTo(most) < 0)
              .map(budget -> DurationFormat.format(budget) + " with all waiting")
              .orElse("about " + ExecutionConsole.minutes(most)));
    }
    if (asked.budget().isEmpty() && !asked.patience().isZero()) {
      out.printf(
          "and at most %s more for others on the machine, if they are busy%n",
          DurationFormat.format(asked.patience()));
    }
    warn(plan, total, terminal);
    if (engines > 1) {
      SortedSet<Integer> looks = new TreeSet<>(List.of(asked.atLeast(), asked.atMost()));
      Optional<Double> noise = earlier.map(DetectableRatio::noise).filter(Double::isFinite);
      String runsVary =
          noise.map(any -> "Runs of " + earlier.get().name() + " vary").orElse("If runs vary");
      for (double each : noise.map(List::of).orElse(List.of(0.03, 0.1))) {
        String differences = DetectableDifferences.of(engines, looks, asked.adaptive(), each);
        String text = "%s by %.0f %%: %s".formatted(runsVary, 100 * each, differences);
        out.println(terminal.wrapped("", text));
      }
    }
    return runs.isEmpty() ? ExitStatus.NOTHING_RAN : ExitStatus.COMPLETED;
  }

  /** Warns if the budget is less than is sure to come, or if no time to live ends within a run. */
  static void warn(Plan plan, Duration certain, Terminal terminal) {
    plan.guaranteedRuns().stream()
        .filter(RunSpec::startable)
        .max(Comparator.comparing(Plan::expected))
        .ifPresent(
            longest -> {
              long ttl = longest.dataset().values().ttl().seconds();
              long about = Plan.expected(longest).toSeconds();
              if (ttl > about) {
                warn(
                    terminal,
                    "no time to live of %d s ends within a run, about %d s: reads miss nothing by it; make 'warmup' as long, or it shorter"
                        .formatted(ttl, about));
              }
            });
    Repetitions asked = plan.scenario().repetitions();
    asked
        .budget()
        .filter(budget -> budget.compareTo(certain) < 0)
        .ifPresent(
            budget ->
                warn(
                    terminal,
                    "the budget of %s is less than %d repetitions of all engines take, about %s; these are done all the same, and nothing is repeated"
                        .formatted(
                            DurationFormat.format(budget),
                            asked.atLeast(),
                            ExecutionConsole.minutes(certain))));
  }

  private static void warn(Terminal terminal, String text) {
    terminal.err().println(terminal.wrapped("warning: ", text));
  }

  /** Returns the newest results of the scenario of {@code plan}, if they can be read. */
  private static Optional<ExecutionResults> earlier(Plan plan) {
    Path latest = Path.of("results", plan.scenario().name(), "latest");
    try {
      return Optional.of(ResultsDirectory.at(latest).read());
    } catch (UnreadableException e) {
      return Optional.empty();
    }
  }

  private static List<Object> place(RunKey run) {
    return List.of(run.engine(), run.factors());
  }

  /** Returns how long a run of each engine took at each factor point, on average. */
  private static Map<List<Object>, Duration> times(ExecutionResults earlier) {
    return earlier.runs().stream()
        .filter(run -> run.outcome() instanceof Outcome.Completed)
        .collect(
            Collectors.groupingBy(
                run -> place(run.key()),
                Collectors.collectingAndThen(
                    Collectors.averagingLong(run -> run.time().toMillis()),
                    millis -> Duration.ofMillis(Math.round(millis)))));
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

  /** What is refused, each reason once, after why engines are absent here, by their labels. */
  static void printLeftOut(
      Plan plan, Map<String, String> absent, Terminal terminal, PrintStream out) {
    List<String> unavailable = new ArrayList<>();
    BiConsumer<String, String> tell =
        (engine, reason) -> unavailable.add(terminal.wrapped("  " + engine + ": ", reason));
    absent.forEach(tell);
    for (EngineSpec engine : plan.scenario().engines()) {
      engine.definition().planned().ifPresent(reason -> tell.accept(engine.label(), reason));
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
            .filter(
                run -> run.fsync().kind() == Fsync.Kind.NONE && !asked.contains(Fsync.NONE.label()))
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
