package kvrank.run;

import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import kvrank.engine.ProvisionMethod;
import kvrank.engine.ServerDefinition;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.machine.CpuSets;
import kvrank.machine.MemoryGroup;
import kvrank.machine.PageCache;
import kvrank.machine.ProcessLimits;
import kvrank.machine.Storage;
import kvrank.plan.Plan;
import kvrank.plan.PlannedPhase;
import kvrank.plan.RunSpec;
import kvrank.provision.MethodStatus;
import kvrank.provision.Provisioner;
import kvrank.run.measure.ExecutionListener;
import kvrank.run.worker.LoadLauncher;
import kvrank.scenario.CrashTest;
import kvrank.scenario.CrashTest.PowerCut;
import kvrank.scenario.EngineRow;
import kvrank.scenario.EngineSpec;
import kvrank.workload.ClientSettings;

/** Refuses a plan that this machine cannot execute, before anything is started. */
public record Preflight(
    Plan plan, Provisioner provisioner, CpuSets cpus, ExecutionListener listener) {

  /** The labels of missing engines, and the storage of the data. */
  record Findings(Set<String> missing, StorageCheck storage) {}

  /**
   * Checks the machine, pulls images, and looks for every engine.
   *
   * @throws InvalidInputException if the machine does not fulfil the scenario
   * @throws UnavailableException if no engine is available, or {@code requireAll} and one is
   *     missing or a power cut that it asks for is impossible
   */
  Findings check(Path results, boolean requireAll)
      throws InvalidInputException, UnavailableException, IOException {
    requireDroppableCache();
    refuse(plan, "isolation", cpus.problem());
    requireWithinLimits();
    requireLoadableLibraries();
    Set<String> missing = survey(requireAll);
    Optional<String> noPowerCut = noPowerCut().filter(any -> requireAll);
    if (noPowerCut.isPresent()) {
      throw new UnavailableException(noPowerCut.get());
    }
    return new Findings(missing, StorageCheck.of(plan, results, listener));
  }

  /** Returns the reason that this machine cannot cut power, if the scenario asks for it. */
  private Optional<String> noPowerCut() {
    return plan.scenario()
        .crashTest()
        .flatMap(CrashTest::powerCut)
        .map(PowerCut::fileSystem)
        .flatMap(provisioner::missing);
  }

  private void requireDroppableCache() throws InvalidInputException {
    Optional<PlannedPhase> cold =
        plan.supported().stream()
            .flatMap(run -> run.phases().stream().filter(PlannedPhase::cold))
            .findFirst();
    String problem =
        "phase '%s' is cold, and only root may drop the page cache; run kvrank as root, or remove 'cold'";
    refuse(
        plan,
        "cold",
        cold.filter(any -> !PageCache.droppable()).map(phase -> problem.formatted(phase.name())));
  }

  private void requireWithinLimits() throws InvalidInputException {
    ProcessLimits limits = ProcessLimits.here();
    refuse(
        plan,
        "threads",
        plan.supported().stream()
            .flatMap(run -> run.supportedPhases().stream())
            .map(PlannedPhase::settings)
            .max(Comparator.comparing(ClientSettings::clients))
            .flatMap(most -> limits.problem(most.clients(), most.threads())));
  }

  /** Embedded engines unpack native libraries into the temporary folder. */
  private void requireLoadableLibraries() throws InvalidInputException, IOException {
    if (plan.supported().stream().anyMatch(run -> run.engine().definition().embedded())) {
      refuse(
          plan, "engines", Storage.of(Path.of(System.getProperty("java.io.tmpdir"))).noLibraries());
    }
  }

  /** Looks for the engines, and returns the labels of those that are missing. */
  private Set<String> survey(boolean requireAll)
      throws InvalidInputException, UnavailableException {
    Set<String> missing = new TreeSet<>();
    Set<EngineRow> started =
        plan.supported().stream().map(run -> run.engine().row()).collect(toSet());
    Set<ProvisionMethod> used = EnumSet.noneOf(ProvisionMethod.class);
    for (EngineSpec engine : plan.scenario().engines()) {
      if (engine.definition().planned().isPresent() || started.contains(engine.row())) {
        method(engine).ifPresentOrElse(used::add, () -> missing.add(engine.label()));
      }
    }
    if (used.isEmpty() || (requireAll && !missing.isEmpty())) {
      throw new UnavailableException(missing, used.isEmpty());
    }
    if (!used.equals(Set.of(ProvisionMethod.CONTAINER))) {
      requireMemoryGroup();
    }
    return missing;
  }

  private Optional<ProvisionMethod> method(EngineSpec engine) {
    boolean planned = engine.definition().planned().isPresent();
    // Images are pulled now, not between measurements.
    List<MethodStatus> methods = planned ? List.of() : provisioner.prepare(engine);
    listener.surveyed(engine, methods);
    return methods.stream().filter(MethodStatus::available).findFirst().map(MethodStatus::method);
  }

  /** Refuses memory limits that cannot be set here; warns if only some runs have one. */
  private void requireMemoryGroup() throws InvalidInputException {
    boolean limited = plan.supported().stream().anyMatch(run -> run.memory().isPresent());
    Optional<String> problem = limited ? MemoryGroup.problem() : Optional.empty();
    if (problem.isPresent()) {
      if (plan.supported().stream().allMatch(run -> run.memory().isPresent())) {
        throw refused(plan, "memory", problem.get() + "; or remove it: --set memory=none");
      }
      listener.warned("runs with a limit of memory are left out: " + problem.get());
    }
  }

  /** Returns the largest number of load machines of a run. */
  public static int mostMachines(Plan plan) {
    return plan.supported().stream().mapToInt(run -> run.machines().orElse(1)).max().orElse(1);
  }

  /** Refuses several machines without a way to start workers there. */
  public static void requireOneMachine(Plan plan) throws InvalidInputException {
    int most = mostMachines(plan);
    if (most > 1) {
      throw refused(
          plan,
          "machines",
          "the load needs '%d' machines; set how workers are started there: --load-by %s"
              .formatted(most, LoadLauncher.FORMS));
    }
  }

  /** Refuses servers on Unix sockets, and those that kvrank would start on {@code loopback}. */
  public static void requireReachable(Plan plan, boolean loopback) throws InvalidInputException {
    refuse(
        plan,
        plan.supported().stream().filter(run -> run.engine().onSocket()),
        "other machines cannot reach the Unix socket of '%s'; use a port");
    refuseServers(
        plan,
        server -> loopback,
        "other machines cannot reach the server of '%s', which kvrank starts on the loopback interface; use --address HOST, or start it yourself and set server: {external: HOST:PORT}");
  }

  /** Refuses servers that other machines could reach without a password. */
  public static void requirePasswords(Plan plan) throws InvalidInputException {
    refuseServers(
        plan,
        server -> server.password().isEmpty(),
        "kvrank cannot set a password for the server of '%s', so it is not exposed; leave it out, or start it yourself in a private network and set server: {external: HOST:PORT}");
  }

  private static void refuseServers(Plan plan, Predicate<ServerDefinition> refused, String problem)
      throws InvalidInputException {
    refuse(
        plan,
        plan.supported().stream()
            .filter(run -> !run.engine().external())
            .filter(run -> run.engine().definition().server().filter(refused).isPresent()),
        problem);
  }

  private static void refuse(Plan plan, Stream<RunSpec> runs, String problem)
      throws InvalidInputException {
    String labels = plan.engines(runs.toList());
    refuse(
        plan, "engines", Optional.of(labels).filter(any -> !any.isEmpty()).map(problem::formatted));
  }

  /** Refuses the plan if there is a problem at {@code path} of its scenario. */
  static void refuse(Plan plan, String path, Optional<String> problem)
      throws InvalidInputException {
    if (problem.isPresent()) {
      throw refused(plan, path, problem.get());
    }
  }

  static InvalidInputException refused(Plan plan, String path, String problem) {
    return new InvalidInputException(
        List.of(new Problem(plan.scenario().file(), 0, 0, path, problem, "")));
  }
}
