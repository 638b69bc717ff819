package kvrank.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.plan.RunSpec;
import kvrank.provision.Placeholders;
import kvrank.provision.ProvisionException;
import kvrank.scenario.DurationFormat;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Setting;
import kvrank.scenario.Shapes;
import kvrank.worker.WorkerPhase;
import kvrank.worker.WorkerSpec;
import kvrank.workload.Arrivals;
import kvrank.workload.Distribution;
import kvrank.workload.KeyChoice;
import kvrank.workload.Operation;

/** What a run asks of its worker: settings become numbers, placeholders become addresses. */
final class WorkerSpecs {

  /** Mostly inserts, so that there is much to find; deletes last, as they hide what was before. */
  private static final SortedMap<Operation, Integer> KILL_WRITES =
      Collections.unmodifiableSortedMap(
          new TreeMap<>(Map.of(Operation.INSERT, 6, Operation.UPDATE, 3, Operation.DELETE, 1)));

  private WorkerSpecs() {}

  /**
   * The worker's part of {@code run}.
   *
   * @param connection the placeholders of the binding's properties, from the server
   * @param output the run's folder
   */
  static WorkerSpec of(RunSpec run, SortedMap<String, String> connection, Path output)
      throws ProvisionException {
    List<WorkerPhase> phases = new ArrayList<>();
    for (PhaseSpec phase : run.supportedPhases()) {
      phases.add(phase(phase, run.settings(phase)));
    }
    return new WorkerSpec(
        run.engine().definition().binding().className(),
        properties(run, connection),
        run.seed(),
        Long.parseLong(run.factors().get(Setting.RECORDS)),
        Shapes.keys(run.phases(), run.factors()),
        Shapes.values(run.phases(), run.factors()),
        run.factors().get(Setting.VERIFY).equals("values"),
        output,
        phases);
  }

  /**
   * One half of a kill test of {@code run}.
   *
   * @param kind which half
   * @param seed the seed of the writes
   * @param output the kill's folder
   */
  static WorkerSpec kill(
      RunSpec run,
      WorkerPhase.Kind kind,
      long seed,
      SortedMap<String, String> connection,
      Path output)
      throws ProvisionException {
    WorkerPhase phase =
        new WorkerPhase(
            "kill",
            kind,
            KILL_WRITES,
            KeyChoice.of(Distribution.UNIFORM),
            Integer.parseInt(run.factors().get(Setting.THREADS)),
            1,
            1,
            1,
            0,
            Arrivals.CONSTANT,
            Duration.ZERO,
            Duration.ZERO,
            0,
            1,
            false,
            Optional.empty());
    return new WorkerSpec(
        run.engine().definition().binding().className(),
        properties(run, connection),
        seed,
        1,
        Shapes.keys(run.phases(), run.factors()),
        Shapes.values(run.phases(), run.factors()),
        true,
        output,
        List.of(phase));
  }

  private static WorkerPhase phase(PhaseSpec phase, SortedMap<Setting, String> settings) {
    String rate = settings.get(Setting.RATE);
    String operations = settings.getOrDefault(Setting.OPERATIONS, "");
    boolean counted = !operations.isEmpty();
    return new WorkerPhase(
        phase.name(),
        phase.load() ? WorkerPhase.Kind.LOAD : WorkerPhase.Kind.MIX,
        phase.workload().operations(),
        phase.workload().keys(),
        Integer.parseInt(settings.get(Setting.THREADS)),
        Integer.parseInt(settings.get(Setting.CONNECTIONS)),
        Integer.parseInt(settings.get(Setting.BATCH)),
        Integer.parseInt(settings.get(Setting.PIPELINE)),
        rate.equals("max") ? 0 : Double.parseDouble(rate),
        Arrivals.of(settings.get(Setting.ARRIVALS)).orElseThrow(),
        duration(settings, Setting.WARMUP),
        counted ? Duration.ZERO : duration(settings, Setting.DURATION),
        counted ? Long.parseLong(operations) : 0,
        phase.workload().scanRecords(),
        phase.workload().drain(),
        phase.workload().hosted());
  }

  private static Duration duration(SortedMap<Setting, String> settings, Setting setting) {
    return DurationFormat.parse(settings.get(setting)).orElseThrow();
  }

  private static SortedMap<String, String> properties(
      RunSpec run, SortedMap<String, String> connection) throws ProvisionException {
    Placeholders placeholders = new Placeholders(run.engine().label(), connection);
    SortedMap<String, String> properties = new TreeMap<>();
    for (Map.Entry<String, String> each : run.engine().properties(run.fsync()).entrySet()) {
      properties.put(each.getKey(), placeholders.resolve(each.getValue()));
    }
    return properties;
  }
}
