package kvrank.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.Arrivals;
import kvrank.workload.Distribution;
import kvrank.workload.HostedWorkload;
import kvrank.workload.KeyChoice;
import kvrank.workload.KeyShape;
import kvrank.workload.Operation;
import kvrank.workload.ValueShape;

/** Builds the specs of tests. */
final class Specs {

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
  private long seed = 42;
  private int connections = 1;
  private int pipeline = 1;
  private Arrivals arrivals = Arrivals.CONSTANT;
  private Optional<HostedWorkload> hosted = Optional.empty();

  /** A run over 1,000 records in the store that is named as {@code output}. */
  Specs(Path output) {
    this.output = output;
    properties.put("store", output.toString());
  }

  Specs load(Distribution order, int threads, int batch) {
    WorkerPhase.Kind load = WorkerPhase.Kind.LOAD;
    return phase("load", load, Map.of(), order, threads, batch, 0, NONE, NONE, 0, false);
  }

  Specs mix(Map<Operation, Integer> mix, int threads, int batch, long count) {
    return mix(Distribution.ZIPFIAN, mix, threads, batch, count);
  }

  Specs mix(Distribution keys, Map<Operation, Integer> mix, int threads, int batch, long count) {
    String name = "mix" + phases.size();
    return phase(name, MIX, mix, keys, threads, batch, 0, NONE, NONE, count, false);
  }

  Specs drain(Map<Operation, Integer> mix, int threads, int batch) {
    Duration warmup = Duration.ofSeconds(5);
    Duration duration = Duration.ofHours(1);
    Distribution keys = Distribution.UNIFORM;
    return phase("drain", MIX, mix, keys, threads, batch, 0, warmup, duration, 0, true);
  }

  Specs timed(Map<Operation, Integer> mix, int threads, double rate, Duration warmup) {
    Duration duration = Duration.ofMillis(300);
    Distribution keys = Distribution.LATEST;
    return phase("timed", MIX, mix, keys, threads, 1, rate, warmup, duration, 0, false);
  }

  private Specs phase(
      String name,
      WorkerPhase.Kind kind,
      Map<Operation, Integer> mix,
      Distribution keys,
      int threads,
      int batch,
      double rate,
      Duration warmup,
      Duration duration,
      long count,
      boolean drain) {
    return phase(
        new WorkerPhase(
            name,
            kind,
            new TreeMap<>(mix),
            KeyChoice.of(keys),
            threads,
            connections,
            batch,
            pipeline,
            rate,
            arrivals,
            warmup,
            duration,
            count,
            10,
            drain,
            hosted));
  }

  Specs phase(WorkerPhase phase) {
    phases.add(phase);
    return this;
  }

  /** The phases that follow are those of a workload of YCSB. */
  Specs hosted(Class<?> workload, Map<String, String> workloadProperties) {
    hosted =
        Optional.of(
            new HostedWorkload(workload.getName(), new TreeMap<>(workloadProperties), List.of()));
    return this;
  }

  /** The phases that follow have such arrivals. */
  Specs arrivals(Arrivals kind) {
    arrivals = kind;
    return this;
  }

  /** The threads of the phases that follow have so many connections each. */
  Specs connections(int number) {
    connections = number;
    return this;
  }

  /** The phases that follow have so many requests in flight. */
  Specs pipeline(int depth) {
    pipeline = depth;
    return this;
  }

  Specs binding(Class<?> type) {
    binding = type.getName();
    return this;
  }

  Specs binding(String className) {
    binding = className;
    return this;
  }

  Specs property(String name, String value) {
    properties.put(name, value);
    return this;
  }

  Specs seed(long number) {
    seed = number;
    return this;
  }

  Specs records(long count) {
    records = count;
    return this;
  }

  Specs keys(KeyShape shape) {
    keyShape = shape;
    return this;
  }

  Specs values(ValueShape shape, boolean verified) {
    values = shape;
    verify = verified;
    return this;
  }

  WorkerSpec spec() {
    return new WorkerSpec(
        binding, properties, seed, records, keyShape, values, verify, output, phases);
  }
}
