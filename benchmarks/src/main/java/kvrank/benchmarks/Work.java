package kvrank.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.worker.WorkerPhase;
import kvrank.worker.WorkerSpec;
import kvrank.workload.Arrivals;
import kvrank.workload.Distribution;
import kvrank.workload.KeyChoice;
import kvrank.workload.KeyShape;
import kvrank.workload.Operation;
import kvrank.workload.ValueShape;

/** What workers are asked to do: keys of 16 bytes, values of 100. */
final class Work {

  static final int VALUE_BYTES = 100;

  static final String MEASURED = "measured";
  static final String LOAD = "load";

  private static final long SEED = 42;

  private Work() {}

  static WorkerSpec spec(
      String binding,
      Map<String, String> properties,
      long records,
      double compressibility,
      Path output,
      WorkerPhase... phases) {
    ValueShape values =
        new ValueShape(
            ValueShape.Kind.RANDOM,
            VALUE_BYTES,
            VALUE_BYTES,
            ValueShape.Sizes.UNIFORM,
            compressibility);
    return new WorkerSpec(
        binding,
        new TreeMap<>(properties),
        SEED,
        records,
        KeyShape.DEFAULT,
        values,
        false,
        output,
        List.of(phases));
  }

  /** Inserts every record once, in key order, on one thread. */
  static WorkerPhase load(int batch) {
    return phase(
        LOAD,
        WorkerPhase.Kind.LOAD,
        new TreeMap<>(Map.of(Operation.INSERT, 1)),
        Distribution.SEQUENTIAL,
        new Pace(1, 1, batch, 1, 0, 0, 0));
  }

  /** Applies operations of equal weight. */
  static WorkerPhase mix(Distribution keys, Pace pace, Operation... operations) {
    SortedMap<Operation, Integer> weights = new TreeMap<>();
    for (Operation operation : operations) {
      weights.put(operation, 1);
    }
    return phase(MEASURED, WorkerPhase.Kind.MIX, weights, keys, pace);
  }

  /**
   * How operations are applied.
   *
   * @param rate operations per second, or 0 for as fast as it goes
   * @param warmup seconds that do not count
   * @param duration seconds that count
   */
  record Pace(
      int threads,
      int connections,
      int batch,
      int pipeline,
      double rate,
      int warmup,
      int duration) {

    static Pace closed(int threads, int warmup, int duration) {
      return new Pace(threads, 1, 1, 1, 0, warmup, duration);
    }
  }

  private static WorkerPhase phase(
      String name,
      WorkerPhase.Kind kind,
      SortedMap<Operation, Integer> operations,
      Distribution keys,
      Pace pace) {
    return new WorkerPhase(
        name,
        kind,
        operations,
        KeyChoice.of(keys),
        pace.threads(),
        pace.connections(),
        pace.batch(),
        pace.pipeline(),
        pace.rate(),
        Arrivals.CONSTANT,
        Duration.ofSeconds(pace.warmup()),
        Duration.ofSeconds(pace.duration()),
        0,
        1,
        false,
        Optional.empty());
  }
}
