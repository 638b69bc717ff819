package kvrank.run;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import kvrank.engine.EngineDefinition.ServerDefinition;
import kvrank.engine.ProvisionMethod;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.machine.CpuSets;
import kvrank.machine.MemoryGroup;
import kvrank.machine.PageCache;
import kvrank.machine.ProcessLimits;
import kvrank.plan.Plan;
import kvrank.plan.PlannedPhase;
import kvrank.plan.RunSpec;
import kvrank.provision.MethodStatus;
import kvrank.provision.Provisioner;
import kvrank.run.measure.ExecutionListener;
import kvrank.run.worker.LoadLauncher;
import kvrank.scenario.EngineSpec;
import kvrank.workload.ClientSettings;

/**
 * The checks before an execution: they refuse a plan that this machine cannot execute before
 * anything is started.
 */
public final class Preflight {

  private final Plan plan;
  private final Provisioner provisioner;
  private final CpuSets cpus;
  private final ExecutionListener listener;

  Preflight(Plan plan, Provisioner provisioner, CpuSets cpus, ExecutionListener listener) {
    this.plan = plan;
    this.provisioner = provisioner;
    this.cpus = cpus;
    this.listener = listener;
  }

  /**
   * The result of the checks.
   *
   * @param missing the labels of the engines that are not available here
   * @param storage the storage that the engines keep their data on
   */
  record Findings(Set<String> missing, StorageCheck storage) {}

  /**
   * Checks the machine, pulls images, and looks for every engine.
   *
   * @param results the folder of the results, which need not exist
   * @param requireAll whether every engine has to be available
   * @throws InvalidInputException if the machine cannot be what the scenario asks for
   * @throws UnavailableException if no engine is available, or less than is required
   */
  Findings check(Path results, boolean requireAll)
      throws InvalidInputException, UnavailableException, IOException {
    requireDroppableCache();
    refuse(plan, "isolation", cpus.problem());
    requireWithinLimits();
    Set<String> missing = survey(requireAll);
    return new Findings(missing, StorageCheck.of(plan, results, listener));
  }

  /** Refuses cold phases if the page cache is not ours to drop. */
  private void requireDroppableCache() throws InvalidInputException {
    Optional<PlannedPhase> cold =
        plan.supported().stream()
            .flatMap(run -> run.phases().stream().filter(PlannedPhase::cold))
            .findFirst();
    String problem =
        "phase '%s' is cold, and only root may drop the page cache; run kvrank as root, or take 'cold' away";
    refuse(
        plan,
        "cold",
        cold.filter(any -> !PageCache.droppable()).map(phase -> problem.formatted(phase.name())));
  }

  /** Refuses more clients than the limits of this process allow. */
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

  /** Looks for the engines, and returns the labels of those that are missing. */
  private Set<String> survey(boolean requireAll)
      throws InvalidInputException, UnavailableException {
    Set<String> missing = new TreeSet<>();
    Set<ProvisionMethod> used = EnumSet.noneOf(ProvisionMethod.class);
    for (EngineSpec engine : plan.scenario().engines()) {
      if (engine.definition().planned().isPresent() || isStarted(engine)) {
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

  private boolean isStarted(EngineSpec engine) {
    return plan.supported().stream().anyMatch(run -> run.engine().row().equals(engine.row()));
  }

  /** Returns the method that provides {@code engine} here; empty if it is not available. */
  private Optional<ProvisionMethod> method(EngineSpec engine) {
    boolean planned = engine.definition().planned().isPresent();
    // Images are pulled now, not in the middle of the measurements; the survey then knows.
    List<MethodStatus> methods = planned ? List.of() : provisioner.prepare(engine);
    listener.surveyed(engine, methods);
    return methods.stream().filter(MethodStatus::available).findFirst().map(MethodStatus::method);
  }

  /** Refuses limits of memory that cannot be set here; if only some runs have one, warns. */
  private void requireMemoryGroup() throws InvalidInputException {
    boolean limited = plan.supported().stream().anyMatch(run -> run.memory().isPresent());
    Optional<String> problem = limited ? MemoryGroup.problem() : Optional.empty();
    if (problem.isPresent()) {
      if (plan.supported().stream().allMatch(run -> run.memory().isPresent())) {
        throw refused(plan, "memory", problem.get() + "; or take it away: --set memory=none");
      }
      listener.warned("runs with a limit of memory are left out: " + problem.get());
    }
  }

  /** Returns the largest number of machines that the load of one run comes from. */
  public static int mostMachines(Plan plan) {
    return plan.supported().stream().mapToInt(run -> run.machines().orElse(1)).max().orElse(1);
  }

  /** Refuses several machines if the user has not said how workers are started there. */
  public static void requireOneMachine(Plan plan) throws InvalidInputException {
    int most = mostMachines(plan);
    if (most > 1) {
      throw refused(
          plan,
          "machines",
          "the load is to come from '%d' machines; say how workers are started there: --load-by %s"
              .formatted(most, LoadLauncher.FORMS));
    }
  }

  /** Refuses servers that kvrank starts, which listen on the loopback interface only. */
  public static void requireReachable(Plan plan) throws InvalidInputException {
    refuseServers(
        plan,
        server -> true,
        "other machines do not reach the server of '%s', which kvrank starts for this machine alone; say --address HOST, or start it yourself and say server: {external: HOST:PORT}");
  }

  /** Refuses servers that kvrank starts and can give no password, if others can reach them. */
  public static void requirePasswords(Plan plan) throws InvalidInputException {
    refuseServers(
        plan,
        server -> server.password().isEmpty(),
        "kvrank can give the server of '%s' no password, without which it does not let one leave this machine; leave it out, or start it yourself where only your machines reach it and say server: {external: HOST:PORT}");
  }

  private static void refuseServers(Plan plan, Predicate<ServerDefinition> refused, String problem)
      throws InvalidInputException {
    String labels =
        plan.supported().stream()
            .map(RunSpec::engine)
            .filter(engine -> !engine.external())
            .filter(engine -> engine.definition().server().filter(refused).isPresent())
            .map(EngineSpec::label)
            .distinct()
            .collect(joining(", "));
    refuse(
        plan, "engines", Optional.of(labels).filter(any -> !any.isEmpty()).map(problem::formatted));
  }

  /** Refuses the plan if there is a problem with what its scenario says at {@code path}. */
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
