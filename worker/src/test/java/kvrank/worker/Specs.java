package kvrank.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.ClientSettings;
import kvrank.workload.Dataset;
import kvrank.workload.HostedWorkload;
import kvrank.workload.OperationMix;
import kvrank.workload.key.KeyShape;
import kvrank.workload.pace.ArrivalProcess;
import kvrank.workload.pace.Pacing;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Replay;
import kvrank.workload.value.ValueShape;

/** Builds the specs of tests. */
public final class Specs {

  private static final WorkerPhase.Kind MIX = WorkerPhase.Kind.MIX;
  private static final Duration NONE = Duration.ZERO;

  private final Path output;
  private final List<WorkerPhase> phases = new ArrayList<>();
  private final SortedMap<String, String> properties = new TreeMap<>();
  private String binding = MemoryBinding.class.getName();
  private long records = 1000;
  private KeyShape keyShape = new KeyShape(9, 10);
  private ValueShape values = ValueShape.fixed(100);
  private boolean verify = true;
  private boolean evicts;
  private boolean external;
  private long seed = 42;
  private int connections = 1;
  private int pipeline = 1;
  private boolean errorsAllowed;
  private ArrivalProcess arrivals = ArrivalProcess.CONSTANT;
  private Optional<HostedWorkload> hosted = Optional.empty();
  private Optional<Replay> trace = Optional.empty();

  /** A run over 1,000 records in the store that is named as {@code output}. */
  public Specs(Path output) {
    this.output = output;
    properties.put("store", output.toString());
  }

  public Specs load(Distribution order, int threads, int batch) {
    return phase(
        "load",
        WorkerPhase.Kind.LOAD,
        mix(Map.of(), order, false),
        threads,
        batch,
        0,
        new Limits(NONE, NONE, 0));
  }

  public Specs mix(Map<Operation, Integer> mix, int threads, int batch, long count) {
    return mix(Distribution.ZIPFIAN, mix, threads, batch, count);
  }

  public Specs mix(
      Distribution keys, Map<Operation, Integer> mix, int threads, int batch, long count) {
    Limits limits = new Limits(NONE, NONE, count);
    return phase("mix" + phases.size(), MIX, mix(mix, keys, false), threads, batch, 0, limits);
  }

  /** Reads of a mix whose misses are filled. */
  Specs filling(int threads, int batch, double rate, Limits limits) {
    OperationMix reads =
        new OperationMix(
            new TreeMap<>(Map.of(Operation.READ, 1)),
            KeyChoice.of(Distribution.UNIFORM),
            1,
            false,
            true);
    return phase("filling", MIX, reads, threads, batch, rate, limits);
  }

  public Specs drain(Map<Operation, Integer> mix, int threads, int batch) {
    Limits limits = new Limits(Duration.ofSeconds(5), Duration.ofHours(1), 0);
    OperationMix drain = mix(mix, Distribution.UNIFORM, true);
    return phase("drain", MIX, drain, threads, batch, 0, limits);
  }

  /** Reads after the phases, as the proof of durability does. */
  Specs proof(long count) {
    OperationMix reads = mix(Map.of(Operation.READ, 1), Distribution.UNIFORM, false);
    Limits limits = new Limits(NONE, NONE, count);
    return phase("proof", WorkerPhase.Kind.PROOF, reads, 1, 1, 0, limits);
  }

  public Specs timed(Map<Operation, Integer> mix, int threads, double rate, Duration warmup) {
    return timed(mix, threads, rate, new Limits(warmup, Duration.ofMillis(300), 0));
  }

  Specs timed(Map<Operation, Integer> mix, int threads, double rate, Limits limits) {
    return phase("timed", MIX, mix(mix, Distribution.LATEST, false), threads, 1, rate, limits);
  }

  /** Loads the records of a trace, and applies its requests; so fast that each is due at once. */
  Specs trace(Replay replay, int threads) {
    return trace(replay, threads, false);
  }

  Specs trace(Replay replay, int threads, boolean fill) {
    trace = Optional.of(replay);
    records = replay.records();
    load(Distribution.SEQUENTIAL, threads, 1);
    OperationMix all =
        new OperationMix(
            new TreeMap<>(Map.of(Operation.READ, 1)),
            KeyChoice.of(Distribution.UNIFORM),
            1,
            false,
            fill);
    double rate = replay.paced() ? 1e9 : 0;
    Limits limits = new Limits(NONE, NONE, 0);
    return phase("trace", WorkerPhase.Kind.TRACE, all, threads, 1, rate, limits);
  }

  private Specs phase(
      String name,
      WorkerPhase.Kind kind,
      OperationMix mix,
      int threads,
      int batch,
      double rate,
      Limits limits) {
    Pacing pacing = new Pacing(rate, arrivals);
    return phase(
        new WorkerPhase(
            name,
            kind,
            mix,
            new ClientSettings(
                threads, connections, batch, pipeline, pacing, limits, errorsAllowed),
            hosted));
  }

  /** A mix whose scans read ten records. */
  public static OperationMix mix(
      Map<Operation, Integer> weights, Distribution keys, boolean drain) {
    return new OperationMix(new TreeMap<>(weights), KeyChoice.of(keys), 10, drain);
  }

  public Specs phase(WorkerPhase phase) {
    phases.add(phase);
    return this;
  }

  /** The phases that follow run a workload of YCSB. */
  Specs hosted(Class<?> workload, Map<String, String> workloadProperties) {
    hosted =
        Optional.of(
            new HostedWorkload(workload.getName(), new TreeMap<>(workloadProperties), List.of()));
    return this;
  }

  /** The phases that follow have such arrivals. */
  Specs arrivals(ArrivalProcess kind) {
    arrivals = kind;
    return this;
  }

  /** The threads of the phases that follow have this many connections each. */
  public Specs connections(int number) {
    connections = number;
    return this;
  }

  /** The phases that follow repeat requests that fail. */
  Specs errorsAllowed() {
    errorsAllowed = true;
    return this;
  }

  /** The phases that follow have this many requests in flight. */
  public Specs pipeline(int depth) {
    pipeline = depth;
    return this;
  }

  public Specs binding(Class<?> type) {
    binding = type.getName();
    return this;
  }

  public Specs binding(String className) {
    binding = className;
    return this;
  }

  public Specs property(String name, String value) {
    properties.put(name, value);
    return this;
  }

  Specs seed(long number) {
    seed = number;
    return this;
  }

  public Specs records(long count) {
    records = count;
    return this;
  }

  /** The engine may give up records. */
  Specs evicting() {
    evicts = true;
    return this;
  }

  /** The server is not one that kvrank started. */
  Specs external() {
    external = true;
    return this;
  }

  public Specs keys(KeyShape shape) {
    keyShape = shape;
    return this;
  }

  public Specs values(ValueShape shape, boolean verified) {
    values = shape;
    verify = verified;
    return this;
  }

  public WorkerSpec spec() {
    return new WorkerSpec(
        binding,
        properties,
        seed,
        new Dataset(records, keyShape, values, evicts, trace),
        verify,
        external,
        output,
        phases);
  }
}
