package kvrank.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.ClientSettings;
import kvrank.workload.Dataset;
import kvrank.workload.OperationMix;
import kvrank.workload.key.KeyShape;
import kvrank.workload.pace.ArrivalProcess;
import kvrank.workload.pace.Pacing;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;

/** What workers are asked to do: keys of 16 bytes, values of 100, scans of 100 records. */
final class Work {

  static final int VALUE_BYTES = 100;

  /** The number of records that a scan reads. */
  static final int SCAN_RECORDS = 100;

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
        new ValueShape(ValueShape.Kind.RANDOM, ValueSizes.fixed(VALUE_BYTES), compressibility);
    return new WorkerSpec(
        binding,
        new TreeMap<>(properties),
        SEED,
        new Dataset(records, KeyShape.DEFAULT, values, false),
        false,
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
        settings(1, 1, batch, 1, 0, 0, 0));
  }

  /** Applies operations of equal weight. */
  static WorkerPhase mix(Distribution keys, ClientSettings settings, Operation... operations) {
    SortedMap<Operation, Integer> weights = new TreeMap<>();
    for (Operation operation : operations) {
      weights.put(operation, 1);
    }
    return phase(MEASURED, WorkerPhase.Kind.MIX, weights, keys, settings);
  }

  /** As fast as it goes, one request at a time: seconds that do not count, and seconds that do. */
  static ClientSettings closed(int threads, int warmup, int duration) {
    return settings(threads, 1, 1, 1, 0, warmup, duration);
  }

  /**
   * How operations are applied.
   *
   * @param rate operations per second, or 0 for as fast as it goes
   * @param warmup seconds that do not count
   * @param duration seconds that count
   */
  static ClientSettings settings(
      int threads,
      int connections,
      int batch,
      int pipeline,
      double rate,
      int warmup,
      int duration) {
    return new ClientSettings(
        threads,
        connections,
        batch,
        pipeline,
        new Pacing(rate, ArrivalProcess.CONSTANT),
        new Limits(Duration.ofSeconds(warmup), Duration.ofSeconds(duration), 0));
  }

  private static WorkerPhase phase(
      String name,
      WorkerPhase.Kind kind,
      SortedMap<Operation, Integer> operations,
      Distribution keys,
      ClientSettings settings) {
    return new WorkerPhase(
        name,
        kind,
        new OperationMix(operations, KeyChoice.of(keys), SCAN_RECORDS, false),
        settings,
        Optional.empty());
  }
}
