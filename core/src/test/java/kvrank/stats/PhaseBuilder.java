package kvrank.stats;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.Level;
import kvrank.metric.Usage;
import kvrank.results.Durability;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RatePoint;
import kvrank.results.Resources;

/** Builds records of completed phases, of 10 s and with plausible latencies unless stated. */
public final class PhaseBuilder {

  private static final Usage WORKER =
      Runs.usage()
          .cpuSeconds(8, 1)
          .resident(300L << 20, 320L << 20, 310L << 20)
          .writtenBytes(4096)
          .build();

  private final String name;
  private String workload;
  private boolean load;
  private Outcome outcome = new Outcome.Completed();
  private SortedMap<String, String> settings = new TreeMap<>();
  private int threads = 1;
  private long elapsedNanos = 10_000_000_000L;
  private final SortedMap<String, Double> throughputs = new TreeMap<>();
  private final SortedMap<String, OperationRecord> records = new TreeMap<>();
  private Optional<Resources> resources = Optional.empty();
  private OptionalLong memory = OptionalLong.empty();
  private long footprint;
  private boolean embedded;
  private Optional<Durability> durability = Optional.empty();
  private List<RatePoint> points = List.of();
  private Facts facts = new Facts();

  PhaseBuilder(String name) {
    this.name = name;
    this.workload = name;
    this.load = name.equals("load");
  }

  PhaseBuilder(PhaseRecord phase) {
    name = phase.name();
    workload = phase.workload();
    load = phase.load();
    outcome = phase.outcome();
    settings = new TreeMap<>(phase.settings());
    elapsedNanos = phase.elapsedNanos();
    records.putAll(phase.operations());
    resources = phase.resources();
    durability = phase.durability();
    points = phase.points();
    facts = new Facts(phase.facts());
  }

  /** Sets that it writes the records, whatever its name. */
  public PhaseBuilder load() {
    load = true;
    return this;
  }

  public PhaseBuilder workload(String file) {
    workload = file;
    return this;
  }

  /** Sets a setting, as of the factor point. */
  public PhaseBuilder at(String setting, String value) {
    settings.put(setting, value);
    return this;
  }

  public PhaseBuilder at(Map<String, String> values) {
    settings = new TreeMap<>(values);
    return this;
  }

  /** Sets the threads, which share the throughput: the more, the longer an operation takes. */
  public PhaseBuilder threads(int number) {
    threads = number;
    return this;
  }

  public PhaseBuilder elapsedNanos(long nanos) {
    elapsedNanos = nanos;
    return this;
  }

  /** Adds an operation that was done that often per second. */
  public PhaseBuilder operation(String operation, double perSecond) {
    throughputs.put(operation, perSecond);
    return this;
  }

  public PhaseBuilder operations(Map<String, Double> perSecond) {
    throughputs.putAll(perSecond);
    return this;
  }

  public PhaseBuilder operation(String operation, OperationRecord record) {
    records.put(operation, record);
    return this;
  }

  public PhaseBuilder records(SortedMap<String, OperationRecord> operations) {
    records.clear();
    records.putAll(operations);
    return this;
  }

  public PhaseBuilder resources(Resources used) {
    resources = Optional.of(used);
    return this;
  }

  /**
   * Sets the memory of the engine's process; it and the worker then have used other things, too.
   */
  public PhaseBuilder memory(long bytes) {
    memory = OptionalLong.of(bytes);
    return this;
  }

  /** Sets the storage of an engine whose memory is set. */
  public PhaseBuilder footprint(long bytes) {
    footprint = bytes;
    return this;
  }

  /** Sets whether an engine whose memory is set runs in the worker. */
  public PhaseBuilder embedded(boolean inWorker) {
    embedded = inWorker;
    return this;
  }

  public PhaseBuilder durability(Durability proof) {
    durability = Optional.of(proof);
    return this;
  }

  public PhaseBuilder facts(Map<String, String> values) {
    facts = Runs.facts(Level.PHASE, values);
    return this;
  }

  public PhaseRecord build() {
    if (memory.isPresent()) {
      use(load, memory.getAsLong());
    }
    SortedMap<String, OperationRecord> operations = new TreeMap<>();
    double total = throughputs.values().stream().mapToDouble(Double::doubleValue).sum();
    throughputs.forEach(
        (operation, perSecond) ->
            operations.put(operation, Runs.operation(perSecond, threads * 1e9 / total, Map.of())));
    operations.putAll(records);
    return new PhaseRecord(
        name,
        workload,
        load,
        outcome,
        settings,
        elapsedNanos,
        operations,
        resources,
        durability,
        points,
        facts);
  }

  private void use(boolean load, long bytes) {
    Usage engine =
        Runs.usage()
            .cpuSeconds(6.5, 2.25)
            .resident(bytes, bytes, bytes)
            .writtenBytes(load ? footprint : 0)
            .build();
    resources =
        Optional.of(
            Runs.resources(embedded ? null : engine, embedded ? engine : WORKER, footprint));
    facts
        .put(Fact.RECORDS, 10_000)
        .put(Fact.USER_LIVE_BYTES, footprint / 3)
        .put(Fact.USER_WRITTEN_BYTES, load ? footprint / 2 : 0)
        .put(Fact.HARNESS_RESIDENT_BYTES, bytes / 4)
        .put(Fact.CLIENT_HEAP_RESIDENT_BYTES, bytes / 8)
        .put(Fact.CLIENT_HEAP_LIVE_BYTES, bytes / 16)
        .put(Fact.HARNESS_OFF_HEAP_BYTES, bytes / 8)
        .put(Fact.HARNESS_HEAP_LIVE_BYTES, bytes / 32);
  }
}
