package kvrank.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
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
import kvrank.provision.disk.VolatileDisk;
import kvrank.provision.host.Executables;
import kvrank.report.block.Quantities;
import kvrank.report.block.Width;
import kvrank.report.section.DetectableDifferences;
import kvrank.results.CrashTrialResult;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import kvrank.scenario.CrashTest;
import kvrank.scenario.CrashTest.PowerCut;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.GroupSpec;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Repetitions;
import kvrank.scenario.Setting;
import kvrank.scenario.WorkloadSummary;
import kvrank.stats.Rankings;
import kvrank.workload.request.DurationFormat;

/** Shows the runs of a scenario without starting any. */
final class PlanCommand extends ScenarioCommand {

  /** Whether the scenario names programs that do not come with kvrank. */
  private boolean foreign;

  PlanCommand(Command parent) {
    super(
        parent, "Show every run in order, those left out with the reason, and the expected time.");
  }

  @Override
  public Integer call() throws InvalidInputException, IOException {
    // Created first, as it starts to look for a Docker daemon.
    try (Provisioner provisioner =
        new LocalProvisioner(installation.environment(), terminal.err()::println)) {
      Plan plan = plan(reader(this::shown));
      SortedMap<String, String> unavailable = unavailable(plan, provisioner);
      return print(plan.without(unavailable.keySet()), unavailable);
    }
  }

  /** Warns of {@code programs}, which this command does not start. */
  private boolean shown(List<String> programs) {
    foreign = true;
    warn(
        terminal,
        "'run' needs --allow-commands, as this scenario runs '%s'"
            .formatted(String.join("', '", programs)));
    return true;
  }

  private int print(Plan plan, SortedMap<String, String> unavailable) {
    PrintStream out = terminal.out();
    out.println(plan.scenario().name() + ": " + Width.oneLine(plan.scenario().question()));
    out.println();
    Repetitions repetitions = plan.scenario().repetitions();
    List<RunSpec> runs =
        plan.guaranteedRuns().stream()
            .filter(RunSpec::startable)
            .filter(run -> !unavailable.containsKey(run.engine().label()))
            .toList();
    printNoted(plan, !runs.isEmpty());
    int width = runs.stream().mapToInt(run -> run.id().length()).max().orElse(1);
    for (EngineSpec row : plan.tuned()) {
      Tuning tuning = row.tuning().orElseThrow();
      out.println(
          terminal.wrapped(
              row.row().name() + ": ",
              "first measures up to %d values of %s from %,d to %,d once; the best become tuned-1 to tuned-%d"
                  .formatted(
                      tuning.trials(),
                      tuning.option(),
                      tuning.from(),
                      tuning.to(),
                      Math.min(Tuning.ROWS, tuning.trials()))));
    }
    Optional<ExecutionResults> earlier = earlier(plan);
    Map<List<Object>, Duration> measured = earlier.map(PlanCommand::times).orElse(Map.of());
    Map<List<Object>, Duration> expected = new HashMap<>(measured);
    boolean ceilings = installation.namedFiles().home().resolve("bindings/noop").toFile().exists();
    Duration once = plan.tuning().plus(ceilings ? plan.ceilings() : Duration.ZERO);
    Duration total = once;
    for (int i = 0; i < runs.size(); i++) {
      RunSpec run = runs.get(i);
      total = total.plus(expected.computeIfAbsent(place(run.key()), any -> Plan.expected(run)));
      String heading = ("%4s  %-" + width + "s  ").formatted(i + 1, run.id());
      out.println(terminal.wrapped(heading, steps(run)));
    }
    printLeftOut(plan, unavailable, installation, terminal, out);
    out.println();
    out.printf(
        "%s, about %s (%s)%n",
        Quantities.counted(runs.size(), "run"),
        ExecutionConsole.minutes(total),
        measured.isEmpty() ? "load times are estimates" : "as in " + earlier.get().name());
    int engines = (int) runs.stream().map(run -> run.key().engine()).distinct().count();
    if (runs.size() > 1) {
      out.printf(
          "order of runs: --set order-seed=%d; without it, each execution draws another%n",
          plan.scenario().orderSeed().orElseThrow());
    }
    // A single engine cannot be separated from another.
    if (repetitions.adaptive() && (engines > 1 || repetitions.interval().isPresent())) {
      Duration repeated = total.minus(once).dividedBy(repetitions.atLeast());
      Duration most = once.plus(repeated.multipliedBy(repetitions.atMost()));
      out.printf(
          "then more repetitions, up to %d, until results are settled; %s in total%n",
          repetitions.atMost(),
          repetitions
              .budget()
              .filter(budget -> budget.compareTo(most) < 0)
              .map(budget -> DurationFormat.format(budget) + " with waiting")
              .orElse("about " + ExecutionConsole.minutes(most)));
    }
    if (repetitions.budget().isEmpty() && !repetitions.patience().isZero()) {
      out.printf(
          "plus at most %s of waiting while other processes are busy%n",
          DurationFormat.format(repetitions.patience()));
    }
    warnOfPasswords(plan, terminal);
    warn(plan, total, terminal);
    if (engines > 1) {
      SortedSet<Integer> looks =
          new TreeSet<>(List.of(repetitions.atLeast(), repetitions.atMost()));
      Optional<Double> noise = earlier.map(Rankings::noise).filter(Double::isFinite);
      String runsVary =
          noise.map(known -> "Runs of " + earlier.get().name() + " vary").orElse("If runs vary");
      for (double deviation : noise.map(List::of).orElse(List.of(0.03, 0.1))) {
        String differences =
            DetectableDifferences.of(engines, looks, repetitions.adaptive(), deviation);
        String text = "%s by %.0f %%: %s".formatted(runsVary, 100 * deviation, differences);
        out.println(terminal.wrapped("", text));
      }
    }
    return runs.isEmpty() ? ExitStatus.NOTHING_RAN : ExitStatus.COMPLETED;
  }

  /** Prints phases with groups, or whose workload has notes, such as those of YCSB files. */
  private void printNoted(Plan plan, boolean more) {
    List<PhaseSpec> noted =
        plan.scenario().phases().stream()
            .filter(phase -> !phase.workload().notes().isEmpty() || !phase.groups().isEmpty())
            .toList();
    for (PhaseSpec phase : noted) {
      for (GroupSpec group : phase.groups()) {
        String heading = phase.name() + ", " + group.name() + ": ";
        terminal.out().println(terminal.wrapped(heading, WorkloadSummary.of(group)));
      }
      if (phase.groups().isEmpty()) {
        String text = WorkloadSummary.of(phase.workload());
        terminal.out().println(terminal.wrapped(phase.name() + ": ", text));
      }
      phase
          .workload()
          .notes()
          .forEach(note -> terminal.out().println(terminal.wrapped("  ", note)));
    }
    if (more && !noted.isEmpty()) {
      terminal.out().println();
    }
  }

  /** Warns of passwords that would cross a network unencrypted. */
  static void warnOfPasswords(Plan plan, Terminal terminal) {
    for (EngineSpec engine : plan.scenario().engines()) {
      String addresses = engine.server().map(ServerChoice::argument).orElse("");
      if (engine.access().password().isPresent()
          && engine.access().tls().isEmpty()
          && !addresses.matches("((localhost|127[0-9.]+|\\[::1\\]):[0-9]+,?)+|unix:.*")) {
        warn(
            terminal,
            "the password of '%s' crosses the network to '%s' unencrypted; set 'tls: true'"
                .formatted(engine.label(), addresses));
      }
    }
  }

  /** Warns if the budget is too small for all {@code guaranteed} runs, or if no record expires. */
  static void warn(Plan plan, Duration guaranteed, Terminal terminal) {
    plan.guaranteedRuns().stream()
        .filter(run -> run.startable() && run.key().repetition() == 1) // the others take as long
        .max(Comparator.comparing(Plan::expected))
        .ifPresent(
            longest -> {
              long ttl = longest.dataset().values().ttl().seconds();
              long seconds = Plan.expected(longest).toSeconds();
              if (ttl > seconds) {
                warn(
                    terminal,
                    "no record expires: its time to live is %d s, and a run takes about %d s; set 'warmup' to %1$ds, or shorten the time to live"
                        .formatted(ttl, seconds));
              }
            });
    Repetitions repetitions = plan.scenario().repetitions();
    repetitions
        .budget()
        .filter(budget -> budget.compareTo(guaranteed) < 0)
        .ifPresent(
            budget ->
                warn(
                    terminal,
                    "the budget of %s is less than the first %d repetitions take, about %s; they run anyway, and nothing is repeated after them"
                        .formatted(
                            DurationFormat.format(budget),
                            repetitions.atLeast(),
                            ExecutionConsole.minutes(guaranteed))));
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

  /** Returns the mean time of a run of each engine at each factor point. */
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
        run.supportedCrashTest().map(CrashTestSpec::test).stream()
            .map(test -> CrashTrialResult.label(test.crashes(), test.powerCut().isPresent()));
    return Stream.concat(run.supportedPhases().stream().map(PlannedPhase::name), crashes)
        .collect(Collectors.joining(", "));
  }

  /** Returns the engines that are not available here, by label, with the reason. */
  private SortedMap<String, String> unavailable(Plan plan, Provisioner provisioner) {
    SortedMap<String, String> unavailable = new TreeMap<>();
    for (EngineSpec engine : plan.scenario().engines()) {
      // A server with a login is not asked, and the flags of a foreign engine are not tried.
      if (engine.access().login() || (foreign && engine.bindings().isPresent())) {
        continue;
      }
      provisioner.absence(engine).ifPresent(reason -> unavailable.put(engine.label(), reason));
    }
    return unavailable;
  }

  /** Prints which engines are unavailable, and what others do not support, each reason once. */
  static void printLeftOut(
      Plan plan,
      Map<String, String> unavailable,
      Installation installation,
      Terminal terminal,
      PrintStream out) {
    Map<String, String> absent = new LinkedHashMap<>(unavailable);
    for (EngineSpec engine : plan.scenario().engines()) {
      engine.definition().planned().ifPresent(reason -> absent.put(engine.label(), reason));
    }
    List<String> absences = new ArrayList<>();
    absent.forEach(
        (engine, reason) -> absences.add(terminal.wrapped("  " + engine + ": ", reason)));
    SortedMap<String, Integer> reasons = new TreeMap<>();
    for (RunSpec run : plan.runs()) {
      String label = run.engine().label();
      if (run.unsupported().isPresent()) {
        reasons.merge(label + ": " + run.unsupported().get(), 1, Integer::sum);
        continue;
      }
      for (PlannedPhase phase : run.phases()) {
        phase
            .unsupported()
            .map(reason -> label + ", phase " + phase.name() + ": " + reason)
            .ifPresent(reason -> reasons.merge(reason, 1, Integer::sum));
      }
      run.crashTest()
          .flatMap(CrashTestSpec::unsupported)
          .ifPresent(reason -> reasons.merge(label + ", crash test: " + reason, 1, Integer::sum));
    }
    noPowerCut(plan, installation)
        .ifPresent(
            reason ->
                plan.supported().stream()
                    .filter(run -> run.supportedCrashTest().isPresent())
                    .forEach(any -> reasons.merge("power cuts: " + reason, 1, Integer::sum)));
    List<String> unsupported = new ArrayList<>();
    reasons.forEach(
        (reason, runs) ->
            unsupported.add(
                terminal.wrapped(
                    "  ", "%s (%s)".formatted(reason, Quantities.counted(runs, "run")))));
    printList("Left out as unavailable:", absences, out);
    printList("Left out as unsupported:", unsupported, out);
    List<String> levels = plan.scenario().factors().get(Setting.FSYNC);
    String withoutLog =
        plan.engines(
            plan.supported().stream()
                .filter(run -> run.fsync().kind() == Fsync.Kind.NONE)
                .filter(run -> !levels.contains(Fsync.NONE.label()))
                .toList());
    if (!withoutLog.isEmpty()) {
      out.println();
      out.println(terminal.wrapped("Without a log, so ranked at fsync=none: ", withoutLog));
    }
    for (String setting : levels) {
      SortedMap<String, List<RunSpec>> actual =
          plan.supported().stream()
              .filter(run -> Fsync.atLeast(setting).isPresent())
              .filter(run -> run.key().factors().get(Setting.FSYNC.label()).equals(setting))
              .collect(
                  Collectors.groupingBy(
                      run -> run.fsync().label(), TreeMap::new, Collectors.toList()));
      actual.forEach(
          (level, runs) ->
              out.println(
                  terminal.wrapped(
                      "At fsync=%s with the level %s: ".formatted(setting, level),
                      plan.engines(runs))));
    }
  }

  /**
   * Returns the reason that this machine cannot cut the power of a disk, if the scenario asks for
   * it.
   */
  private static Optional<String> noPowerCut(Plan plan, Installation installation) {
    return plan.scenario()
        .crashTest()
        .flatMap(CrashTest::powerCut)
        .map(PowerCut::fileSystem)
        .flatMap(
            fileSystem ->
                VolatileDisk.missing(fileSystem, new Executables(installation.environment())));
  }

  private static void printList(String heading, List<String> lines, PrintStream out) {
    if (!lines.isEmpty()) {
      out.println();
      out.println(heading);
      lines.forEach(out::println);
    }
  }
}
