package kvrank.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.Distribution;
import kvrank.workload.KeyChoice;
import kvrank.workload.KeyShape;
import kvrank.workload.Operation;
import kvrank.workload.ValueShape;

/** Builds the specs of tests. */
final class Specs {

  private final Path output;
  private final List<WorkerPhase> phases = new ArrayList<>();
  private final SortedMap<String, String> properties = new TreeMap<>();
  private String binding = MemoryBinding.class.getName();
  private long records = 1000;
  private KeyShape keyShape = new KeyShape(9, 10);
  private ValueShape values = ValueShape.fixed(100);
  private boolean verify = true;

  /** A run over 1,000 records in the store that is named as {@code output}. */
  Specs(Path output) {
    this.output = output;
    properties.put("store", output.toString());
  }

  /** A phase of {@code kind} in which only the count ends a mix. */
  static WorkerPhase phase(
      String name,
      WorkerPhase.Kind kind,
      Map<Operation, Integer> mix,
      Distribution keys,
      int threads,
      int batch,
      long count) {
    return new WorkerPhase(
        name,
        kind,
        new TreeMap<>(mix),
        KeyChoice.of(keys),
        threads,
        batch,
        1,
        0,
        Duration.ZERO,
        Duration.ZERO,
        count,
        10,
        false);
  }

  Specs load(Distribution order, int threads, int batch) {
    return phase(phase("load", WorkerPhase.Kind.LOAD, Map.of(), order, threads, batch, 0));
  }

  Specs mix(Map<Operation, Integer> mix, int threads, int batch, long count) {
    String name = "mix" + phases.size();
    WorkerPhase.Kind kind = WorkerPhase.Kind.MIX;
    return phase(phase(name, kind, mix, Distribution.ZIPFIAN, threads, batch, count));
  }

  Specs drain(Map<Operation, Integer> mix, int threads, int batch) {
    return phase(
        new WorkerPhase(
            "drain",
            WorkerPhase.Kind.MIX,
            new TreeMap<>(mix),
            KeyChoice.of(Distribution.UNIFORM),
            threads,
            batch,
            1,
            0,
            Duration.ofSeconds(5),
            Duration.ofHours(1),
            0,
            10,
            true));
  }

  Specs timed(Map<Operation, Integer> mix, int threads, double rate, Duration warmup) {
    return phase(
        new WorkerPhase(
            "timed",
            WorkerPhase.Kind.MIX,
            new TreeMap<>(mix),
            KeyChoice.of(Distribution.LATEST),
            threads,
            1,
            1,
            rate,
            warmup,
            Duration.ofMillis(300),
            0,
            10,
            false));
  }

  Specs phase(WorkerPhase phase) {
    phases.add(phase);
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
        binding, properties, 42, records, keyShape, values, verify, output, phases);
  }
}
