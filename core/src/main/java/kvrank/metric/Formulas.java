package kvrank.metric;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import kvrank.fact.Fact;

/** The formulas of {@link Metrics} that need more than a line; NaN if there is no value. */
final class Formulas {

  /** Compression rarely halves values, so with less, some writes were not counted. */
  private static final double LEAST_AMPLIFICATION = 0.5;

  private Formulas() {}

  /** Returns NaN for an impossible count; four standard errors of a sample of 20,000 are 1.4 %. */
  static double expiredSpace(Measured phase) {
    double alive = phase.fact(Fact.ALIVE_RECORDS);
    double max = phase.fact(Fact.ALIVE_MOST);
    double stored = phase.fact(Fact.ENGINE_RECORDS);
    double error = phase.fact(Fact.ALIVE_SAMPLE) < max ? 0.014 * max : 0;
    return stored > max || stored < alive - error
        ? Double.NaN
        : Math.max(0, 100 * (1 - alive / stored));
  }

  /** Returns the share of records; a request that never succeeded is in none of the counts. */
  static double failedShare(Measured phase) {
    double failed = phase.fact(Fact.REPEATED_RECORDS);
    return 100 * failed / Math.max(failed, phase.ok() + phase.notFound());
  }

  static double success(Measured measured) {
    double good = measured.ok() + measured.notFound();
    return 100 * good / (good + measured.errors());
  }

  static double busyCores(Measured phase) {
    return phase.engine(Usage::cpuSeconds) / phase.seconds();
  }

  static double anonymous(Measured phase) {
    return phase.engine(usage -> orNaN(usage.anonymousEndBytes()));
  }

  static double meanMemory(Measured phase) {
    return phase.engine(usage -> orNaN(usage.anonymousMeanBytes()));
  }

  static double peakMemory(Measured phase) {
    return phase.engine(usage -> orNaN(usage.anonymousPeakBytes()));
  }

  static double offHeap(Measured phase) {
    return anonymous(phase) - ofEmbedded(phase, Fact.CLIENT_HEAP_RESIDENT_BYTES);
  }

  static double counted(Measured phase) {
    double used = phase.fact(Fact.ENGINE_USED_MEMORY);
    return Double.isNaN(used) ? phase.fact(Fact.ENGINE_OFF_HEAP_BYTES) : used;
  }

  static double residentOffHeap(Measured phase) {
    return phase.engine(Usage::residentEndBytes)
        - ofEmbedded(phase, Fact.CLIENT_HEAP_RESIDENT_BYTES);
  }

  /**
   * Returns the memory for data. An engine that writes its records to a mapped file, as Chronicle
   * Map does, has no anonymous memory for them, only for its code. So its own count replaces that.
   */
  static double dataMemory(Measured phase) {
    double empty =
        phase.embedded()
            ? phase.fact(Fact.HARNESS_OFF_HEAP_BYTES)
            : phase.runFact(Fact.MEMORY_EMPTY_ANONYMOUS_BYTES);
    if (!(phase.fact(Fact.USER_LIVE_BYTES) >= empty / 10)) {
      return Double.NaN;
    }
    if (!phase.embedded()) {
      return Math.max(0, anonymous(phase) - empty);
    }
    double heap =
        phase.fact(Fact.CLIENT_HEAP_LIVE_BYTES) - phase.fact(Fact.HARNESS_HEAP_LIVE_BYTES);
    double counted = phase.fact(Fact.ENGINE_OFF_HEAP_BYTES);
    double outside =
        Double.isNaN(counted) ? offHeap(phase) - empty : Math.min(counted, residentOffHeap(phase));
    return Math.max(0, outside) + Math.max(0, heap);
  }

  static double meanLatency(Measured run) {
    List<Latency> latencies =
        run.phases().stream()
            .flatMap(phase -> phase.operations().stream())
            .filter(operation -> !operation.withinTransaction())
            .flatMap(operation -> operation.latency().stream())
            .toList();
    double count = latencies.stream().mapToDouble(Latency::count).sum();
    return latencies.stream().mapToDouble(l -> l.count() * l.mean()).sum() / count;
  }

  static double ofEmbedded(Measured phase, Fact fact) {
    return phase.embedded() ? phase.fact(fact) : Double.NaN;
  }

  /** Returns the sum over all phases; NaN if there are none. */
  static double sum(Measured run, ToDoubleFunction<Measured> figure) {
    return run.phases().isEmpty() ? Double.NaN : run.phases().stream().mapToDouble(figure).sum();
  }

  static double runTime(Measured run) {
    return run.phases().stream().anyMatch(Measured::fixedTime)
        ? Double.NaN
        : sum(run, Measured::seconds);
  }

  static double largest(Measured run, ToDoubleFunction<Measured> figure) {
    return run.phases().stream().mapToDouble(figure).reduce(Math::max).orElse(Double.NaN);
  }

  static double dataPer(Measured phase, Fact size) {
    return phase.fact(Fact.USER_LIVE_BYTES) / phase.runFact(size);
  }

  static double written(Usage usage) {
    return orNaN(usage.writtenBytes());
  }

  static double amplification(Measured phase, double bytes) {
    double factor = bytes / phase.fact(Fact.USER_WRITTEN_BYTES);
    return factor < LEAST_AMPLIFICATION ? Double.NaN : factor;
  }

  static double counted(Measured phase, Fact engine, Fact user) {
    return ifPositive(phase.fact(engine)) / ifPositive(phase.fact(user));
  }

  static double ifPositive(double value) {
    return value > 0 ? value : Double.NaN;
  }

  static double orNaN(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : Double.NaN;
  }
}
