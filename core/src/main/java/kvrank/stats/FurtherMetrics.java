package kvrank.stats;

import java.util.Collection;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import kvrank.results.Latency;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.results.Usage;

/**
 * Metrics that only the tables of some reference documents rank by. Those of a run are the same in
 * every phase of it; they need all of its phases.
 */
public final class FurtherMetrics {

  public static final Metric LATENCY_MIN =
      Metric.latency("latency-min", "min", latency -> OptionalDouble.of((double) latency.min()));

  public static final Metric LATENCY_P95 =
      Metric.latency("latency-p95", "p95", latency -> Metric.toDouble(latency.p95()));

  public static final Metric LATENCY_MAX =
      Metric.latency("latency-max", "max", latency -> OptionalDouble.of((double) latency.max()));

  /** How long a phase was measured. */
  public static final Metric PHASE_TIME =
      lower("phase-time", "time", Unit.SECONDS, sample -> seconds(sample.phase()));

  /** The time of a phase by the records that it answered, all threads together. */
  public static final Metric TIME_PER_RECORD =
      lower(
          "time-per-record",
          "time per record",
          Unit.NANOSECONDS,
          sample -> (double) sample.phase().elapsedNanos() / ok(sample.phase()));

  /** Records that were answered without an error, as a percentage. */
  public static final Metric SUCCESS =
      new Metric(
          "success",
          "success",
          Unit.COUNT,
          Direction.HIGHER,
          "it did no such operation",
          sample ->
              sample
                  .measured()
                  .map(record -> OptionalDouble.of(success(record)))
                  .orElseGet(OptionalDouble::empty));

  /** How long the phases of a run took together. */
  public static final Metric RUN_TIME =
      ofRun(
          "run-time",
          "total time",
          Unit.SECONDS,
          Direction.LOWER,
          run -> Optional.of(run.phases().stream().mapToDouble(FurtherMetrics::seconds).sum()));

  /** The mean latency of all requests of a run. */
  public static final Metric RUN_LATENCY_MEAN =
      ofRun(
          "run-latency-mean",
          "mean latency",
          Unit.NANOSECONDS,
          Direction.LOWER,
          run -> weighted(latencies(run).toList()));

  /** OK records of a run by the time of its phases. */
  public static final Metric RUN_THROUGHPUT =
      ofRun(
          "run-throughput",
          "throughput",
          Unit.PER_SECOND,
          Direction.HIGHER,
          run ->
              Optional.of(
                  run.phases().stream().mapToDouble(FurtherMetrics::ok).sum()
                      / run.phases().stream().mapToDouble(FurtherMetrics::seconds).sum()));

  /** CPU time of the process that holds the engine, in all phases of a run. */
  public static final Metric RUN_CPU =
      ofRun(
          "run-cpu",
          "CPU time",
          Unit.SECONDS,
          Direction.LOWER,
          run -> over(run, FurtherMetrics::cpu, Double::sum));

  /**
   * CPU seconds per second in the phase of a run where this is the most: how many cores it kept.
   */
  public static final Metric RUN_CPU_PEAK =
      ofRun(
          "run-cpu-peak",
          "busy cores",
          Unit.SECONDS,
          Direction.LOWER,
          run ->
              run.phases().stream()
                  .map(phase -> usage(run, phase).map(usage -> cpu(usage) / seconds(phase)))
                  .reduce(FurtherMetrics.both(Math::max))
                  .flatMap(peak -> peak));

  /** Resident memory of the process that holds the engine: the mean of the phases' means. */
  public static final Metric RUN_MEMORY_MEAN =
      ofRun(
          "run-memory-mean",
          "mean memory",
          Unit.BYTES,
          Direction.LOWER,
          run ->
              over(run, usage -> (double) usage.residentMeanBytes(), Double::sum)
                  .map(sum -> sum / run.phases().size()));

  /** Allocated blocks of the data directory after the engine was closed. */
  public static final Metric RUN_CLOSED_FOOTPRINT =
      ofRun(
          "run-closed-footprint",
          "storage after close",
          Unit.BYTES,
          Direction.LOWER,
          run ->
              Optional.ofNullable(run.facts().get("footprint.closedBytes")).map(Double::valueOf));

  /** The largest sample of that memory in a run. */
  public static final Metric RUN_MEMORY_PEAK =
      ofRun(
          "run-memory-peak",
          "peak memory",
          Unit.BYTES,
          Direction.LOWER,
          run -> over(run, usage -> (double) usage.residentPeakBytes(), Math::max));

  private FurtherMetrics() {}

  private static Metric lower(
      String name, String title, Unit unit, ToDoubleFunction<Sample> value) {
    return new Metric(
        name,
        title,
        unit,
        Direction.LOWER,
        "it measured nothing",
        sample -> finite(value.applyAsDouble(sample)));
  }

  private static Metric ofRun(
      String name,
      String title,
      Unit unit,
      Direction direction,
      Function<RunRecord, Optional<Double>> value) {
    return new Metric(
        name,
        title,
        unit,
        direction,
        "a phase is missing, or its process cannot be seen",
        sample -> {
          boolean whole =
              sample.run().phases().stream()
                  .allMatch(phase -> phase.outcome() instanceof Outcome.Completed);
          return whole
              ? value.apply(sample.run()).map(FurtherMetrics::finite).orElse(OptionalDouble.empty())
              : OptionalDouble.empty();
        });
  }

  private static OptionalDouble finite(double value) {
    return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  private static double seconds(PhaseRecord phase) {
    return phase.elapsedNanos() / 1e9;
  }

  private static double ok(PhaseRecord phase) {
    return phase.operations().values().stream().mapToDouble(record -> (double) record.ok()).sum();
  }

  private static double success(OperationRecord record) {
    double good = (double) record.ok() + record.notFound();
    return 100 * good / (good + record.errorTotal());
  }

  private static Stream<Latency> latencies(RunRecord run) {
    return run.phases().stream()
        .flatMap(phase -> phase.operations().values().stream())
        .flatMap(record -> record.latencyNanos().stream());
  }

  private static Optional<Double> weighted(Collection<Latency> latencies) {
    double count = latencies.stream().mapToDouble(each -> (double) each.count()).sum();
    return latencies.isEmpty()
        ? Optional.empty()
        : Optional.of(
            latencies.stream().mapToDouble(each -> each.count() * each.mean()).sum() / count);
  }

  private static Optional<Usage> usage(RunRecord run, PhaseRecord phase) {
    return new Sample(run, phase, Optional.empty()).engineProcess();
  }

  private static double cpu(Usage usage) {
    return usage.userSeconds() + usage.systemSeconds();
  }

  /** All phases in one; empty if one of them has no value. */
  private static Optional<Double> over(
      RunRecord run, Function<Usage, Double> value, BinaryOperator<Double> both) {
    return run.phases().stream()
        .map(phase -> usage(run, phase).map(value))
        .reduce(both(both))
        .flatMap(all -> all);
  }

  private static BinaryOperator<Optional<Double>> both(BinaryOperator<Double> both) {
    return (one, other) -> one.flatMap(a -> other.map(b -> both.apply(a, b)));
  }
}
