package kvrank.stats;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import kvrank.results.Latency;
import kvrank.results.OperationRecord;

/**
 * Something that engines are ranked by.
 *
 * @param name the name in files, unique
 * @param title the name in tables
 * @param direction which value is better
 * @param absence why a completed phase may have no value
 * @param value the value of one sample, if it has one
 */
public record Metric(
    String name,
    String title,
    Unit unit,
    Direction direction,
    String absence,
    Function<Sample, OptionalDouble> value) {

  /** OK records per second: of one operation, or of all operations of a phase together. */
  public static final Metric THROUGHPUT =
      new Metric(
          "throughput",
          "throughput",
          Unit.PER_SECOND,
          Direction.HIGHER,
          "it did no such operation",
          sample ->
              sample.operation().isEmpty()
                  ? OptionalDouble.of(sample.phase().throughput())
                  : ofOperation(sample, OperationRecord::throughput));

  public static final Metric LATENCY_MEAN =
      latency("latency-mean", "mean", latency -> OptionalDouble.of(latency.mean()));

  public static final Metric LATENCY_P50 =
      latency("latency-p50", "p50", latency -> toDouble(latency.p50()));

  public static final Metric LATENCY_P99 =
      latency("latency-p99", "p99", latency -> toDouble(latency.p99()));

  public static final Metric LATENCY_P999 =
      latency("latency-p999", "p99.9", latency -> toDouble(latency.p999()));

  /** Requests that failed, in records per repetition. */
  public static final Metric ERRORS = count("errors", OperationRecord::errorTotal);

  /** Records that were answered to be missing, per repetition; neither OK nor errors. */
  public static final Metric NOT_FOUND = count("not-found", OperationRecord::notFound);

  /** How long the load took. */
  public static final Metric LOAD_TIME =
      new Metric(
          "load-time",
          "load time",
          Unit.SECONDS,
          Direction.LOWER,
          "it is not the load",
          sample ->
              sample.operation().isEmpty() && sample.phase().load()
                  ? OptionalDouble.of(sample.phase().elapsedNanos() / 1e9)
                  : OptionalDouble.empty());

  /** Resident memory of the process that holds the engine, at the end of the phase. */
  public static final Metric MEMORY =
      new Metric(
          "memory",
          "memory",
          Unit.BYTES,
          Direction.LOWER,
          "its process cannot be seen",
          sample ->
              sample.operation().isPresent()
                  ? OptionalDouble.empty()
                  : sample
                      .engineProcess()
                      .map(usage -> OptionalDouble.of((double) usage.residentEndBytes()))
                      .orElseGet(OptionalDouble::empty));

  /** Allocated blocks of the data directory at the end of the phase. */
  public static final Metric FOOTPRINT =
      new Metric(
          "footprint",
          "storage",
          Unit.BYTES,
          Direction.LOWER,
          "its data directory cannot be seen",
          sample ->
              sample.operation().isPresent()
                  ? OptionalDouble.empty()
                  : sample
                      .phase()
                      .resources()
                      .map(used -> toDouble(used.footprintBytes()))
                      .orElseGet(OptionalDouble::empty));

  /** CPU time of the process that holds the engine, per OK record. */
  public static final Metric CPU_PER_RECORD =
      ofPhase(
          "cpu-per-record",
          "CPU per record",
          Unit.SECONDS,
          "its process cannot be seen",
          sample -> sample.engineProcess().map(usage -> usage.cpuSeconds() / sample.records()));

  /**
   * Resident memory at the end of the phase per record that is there, without what the process took
   * when it was empty: the server before the load, or a worker without an engine.
   */
  public static final Metric MEMORY_PER_RECORD =
      ofPhase(
          "memory-per-record",
          "memory per record",
          Unit.BYTES,
          "its memory or the number of its records is not known",
          sample ->
              sample.dataMemory().flatMap(bytes -> sample.fact("records").map(n -> bytes / n)));

  /**
   * Bytes that the engine's process made to be written, per byte of keys and values that were
   * written. Only where something was.
   */
  public static final Metric WRITE_AMPLIFICATION =
      ofPhase(
          "write-amplification",
          "write amplification",
          Unit.FACTOR,
          "nothing was written, or it cannot be seen",
          sample ->
              sample
                  .engineProcess()
                  .filter(usage -> usage.writtenBytes().isPresent())
                  .flatMap(
                      usage ->
                          sample
                              .fact("user.writtenBytes")
                              .map(bytes -> usage.writtenBytes().getAsLong() / bytes)));

  /** Allocated blocks of the data directory per byte of keys and values that are there. */
  public static final Metric SPACE_AMPLIFICATION =
      ofPhase(
          "space-amplification",
          "space amplification",
          Unit.FACTOR,
          "its data directory or the size of its records is not known",
          sample ->
              sample
                  .phase()
                  .resources()
                  .filter(used -> used.footprintBytes().isPresent())
                  .flatMap(
                      used ->
                          sample
                              .fact("user.liveBytes")
                              .map(bytes -> used.footprintBytes().getAsLong() / bytes)));

  /** Every metric, in the order of reports. */
  public static final List<Metric> ALL =
      List.of(
          THROUGHPUT,
          LATENCY_MEAN,
          LATENCY_P50,
          LATENCY_P99,
          LATENCY_P999,
          ERRORS,
          NOT_FOUND,
          LOAD_TIME,
          CPU_PER_RECORD,
          MEMORY,
          MEMORY_PER_RECORD,
          FOOTPRINT,
          SPACE_AMPLIFICATION,
          WRITE_AMPLIFICATION);

  public Metric {
    requireNonNull(name, "name is null");
    requireNonNull(title, "title is null");
    requireNonNull(unit, "unit is null");
    requireNonNull(direction, "direction is null");
    requireNonNull(absence, "absence is null");
    requireNonNull(value, "value is null");
  }

  private static Metric ofPhase(
      String name,
      String title,
      Unit unit,
      String absence,
      Function<Sample, Optional<Double>> value) {
    return new Metric(
        name,
        title,
        unit,
        Direction.LOWER,
        absence,
        sample ->
            sample.operation().isPresent()
                ? OptionalDouble.empty()
                : value
                    .apply(sample)
                    .filter(Double::isFinite)
                    .map(OptionalDouble::of)
                    .orElseGet(OptionalDouble::empty));
  }

  static Metric latency(String name, String title, Function<Latency, OptionalDouble> statistic) {
    return new Metric(
        name,
        title,
        Unit.NANOSECONDS,
        Direction.LOWER,
        "too few requests for this statistic",
        sample ->
            sample
                .measured()
                .flatMap(OperationRecord::latencyNanos)
                .map(statistic)
                .orElseGet(OptionalDouble::empty));
  }

  private static Metric count(String name, ToLongFunction<OperationRecord> count) {
    return new Metric(
        name,
        name.replace('-', ' '),
        Unit.COUNT,
        Direction.LOWER,
        "it did no such operation",
        sample ->
            sample.operation().isEmpty()
                ? OptionalDouble.of(
                    sample.phase().operations().values().stream()
                        .mapToDouble(record -> (double) count.applyAsLong(record))
                        .sum())
                : ofOperation(sample, record -> (double) count.applyAsLong(record)));
  }

  private static OptionalDouble ofOperation(
      Sample sample, Function<OperationRecord, Double> value) {
    return sample.measured().map(value).map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
  }

  static OptionalDouble toDouble(OptionalLong value) {
    return value.isPresent()
        ? OptionalDouble.of((double) value.getAsLong())
        : OptionalDouble.empty();
  }
}
