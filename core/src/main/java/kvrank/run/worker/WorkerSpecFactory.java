package kvrank.run.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.binding.net.Tls;
import kvrank.engine.Capability;
import kvrank.plan.PlannedPhase;
import kvrank.plan.RunSpec;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.Placeholders;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.MemoryLimit;
import kvrank.scenario.PhaseSpec;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerPhase.Kind;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.ClientSettings;
import kvrank.workload.Dataset;
import kvrank.workload.OperationMix;
import kvrank.workload.Workload;
import kvrank.workload.pace.Pacing;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import kvrank.workload.value.Ttl;

/** Creates workers' specifications, with the server's addresses in the binding's properties. */
public final class WorkerSpecFactory {

  /** Mostly inserts, for much to find; few deletes, as they hide earlier versions. */
  private static final Map<Operation, Integer> CRASH_WRITES =
      Map.of(Operation.INSERT, 6, Operation.UPDATE, 3, Operation.DELETE, 1);

  /** The stretch of single writes; no phase of a scenario can have this name. */
  public static final String SINGLE = "durability@one-write";

  /** Twice the interval of most engines with a sync timer, one second. */
  private static final Duration SHORTEST = Duration.ofSeconds(2);

  /** Enough to see that an engine syncs at its interval. */
  private static final int INTERVALS = 4;

  private WorkerSpecFactory() {}

  private static OperationMix mix(Map<Operation, Integer> weights) {
    return new OperationMix(new TreeMap<>(weights), KeyChoice.of(Distribution.UNIFORM), 1, false);
  }

  /** Returns the worker's part of {@code run}, with the server's placeholders. */
  public static WorkerSpec of(RunSpec run, SortedMap<String, String> connection, Path output)
      throws ProvisionException {
    List<WorkerPhase> phases = new ArrayList<>();
    run.supportedPhases().forEach(phase -> phases.add(phase(phase, kind(phase.spec()))));
    singleWrites(run).ifPresent(phase -> phases.add(phase(phase, Kind.PROOF)));
    return new WorkerSpec(
        run.engine().definition().binding().className(),
        properties(run, connection),
        run.key().seed(),
        run.dataset(),
        run.verify(),
        run.engine().external(),
        output,
        phases);
  }

  /**
   * Returns one half of a crash test of {@code run}, with the writes that its engine has, in which
   * no record expires.
   *
   * @param clients one per thread
   */
  public static WorkerSpec crash(
      RunSpec run,
      Kind kind,
      ClientSettings clients,
      long seed,
      SortedMap<String, String> connection,
      Path output)
      throws ProvisionException {
    Dataset dataset = run.dataset();
    Map<Operation, Integer> possible = new TreeMap<>(CRASH_WRITES);
    possible
        .keySet()
        .removeIf(each -> !run.engine().capabilities().contains(Capability.valueOf(each.name())));
    OperationMix writes = mix(possible);
    return new WorkerSpec(
        run.engine().definition().binding().className(),
        properties(run, connection),
        seed,
        new Dataset(1, dataset.keys(), dataset.values().with(Ttl.NONE), false),
        true,
        run.engine().external(),
        output,
        List.of(new WorkerPhase("crash", kind, writes, clients, Optional.empty())));
  }

  /**
   * Returns the stretch that proves durability, if {@code run} claims any: one client alternates
   * writes and reads after the phases. The reads show the latency without flushes.
   */
  public static Optional<PlannedPhase> singleWrites(RunSpec run) {
    if (!run.fsync().promises() || !run.startable()) {
      return Optional.empty();
    }
    boolean recordsStay =
        run.phases().stream()
            .map(phase -> phase.spec().workload())
            .noneMatch(
                workload ->
                    workload.mix().drain()
                        || workload.hosted().isPresent()
                        || workload.trace().isPresent());
    Operation write = recordsStay ? Operation.UPDATE : Operation.INSERT;
    Workload workload =
        new Workload(
            SINGLE,
            "",
            mix(Map.of(Operation.READ, 1, write, 1)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    Duration several = run.fsync().interval().multipliedBy(INTERVALS);
    Duration length = several.compareTo(SHORTEST) > 0 ? several : SHORTEST;
    Limits limits = new Limits(Duration.ZERO, length, 0);
    return Optional.of(
        new PlannedPhase(
            new PhaseSpec(SINGLE, workload, false, new TreeMap<>(), Optional.empty()),
            new ClientSettings(1, 1, 1, 1, Pacing.CLOSED, limits),
            List.of()));
  }

  private static Kind kind(PhaseSpec phase) {
    boolean trace = phase.workload().trace().isPresent();
    return phase.load() ? Kind.LOAD : trace ? Kind.TRACE : Kind.MIX;
  }

  private static WorkerPhase phase(PlannedPhase phase, Kind kind) {
    Workload workload = phase.spec().workload();
    return new WorkerPhase(
        phase.name(), kind, workload.mix(), phase.settings(), workload.hosted(), phase.groups());
  }

  private static SortedMap<String, String> properties(
      RunSpec run, SortedMap<String, String> connection) throws ProvisionException {
    Dataset dataset = run.dataset();
    SortedMap<String, String> known = new TreeMap<>(connection);
    known.put("records", Long.toString(dataset.records()));
    known.put("key-bytes", Integer.toString(dataset.keys().bytes()));
    known.put("value-bytes", Long.toString(Math.round(dataset.values().sizes().mean())));
    known.put("ttl", Boolean.toString(dataset.expires()));
    known.put("cache-bytes", Long.toString(MemoryLimit.cache(run.memory())));
    known.put("write-buffer-bytes", Long.toString(MemoryLimit.writeBuffer(run.memory())));
    Placeholders placeholders = new Placeholders(run.engine().label(), known);
    EngineSpec engine = run.engine();
    SortedMap<String, String> properties = placeholders.resolve(engine.properties(run.fsync()));
    // Every binding gets the server's address, whatever engine.yaml and options contain.
    for (String name : List.of("host", "port", "members")) {
      Optional.ofNullable(connection.get(name)).ifPresent(value -> properties.put(name, value));
    }
    if (properties.containsKey("members")
        && run.phases().stream().anyMatch(phase -> phase.settings().errorsAllowed())) {
      // kvrank repeats requests itself then, with shorter pauses than a client's.
      properties.put("attempts", "2");
    }
    Optional<Tls> tls = engine.access().tls();
    tls.ifPresent(any -> properties.put("tls", "true"));
    tls.flatMap(Tls::authorities).ifPresent(file -> properties.put("authorities", file.toString()));
    tls.flatMap(Tls::certificate).ifPresent(file -> properties.put("certificate", file.toString()));
    tls.flatMap(Tls::key).ifPresent(file -> properties.put("key", file.toString()));
    if (!dataset.keys().prefix().isEmpty()) {
      properties.put("key-prefix", dataset.keys().prefix());
    }
    return properties;
  }
}
