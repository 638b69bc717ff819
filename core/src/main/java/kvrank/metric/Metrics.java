package kvrank.metric;

import static kvrank.metric.Direction.HIGHER;
import static kvrank.metric.Direction.LOWER;
import static kvrank.metric.Prominence.DETAIL;
import static kvrank.metric.Prominence.MAIN;
import static kvrank.metric.Prominence.MINOR;
import static kvrank.metric.Prominence.ON_REQUEST;
import static kvrank.metric.Unit.BYTES;
import static kvrank.metric.Unit.CORES;
import static kvrank.metric.Unit.FACTOR;
import static kvrank.metric.Unit.PERCENT;
import static kvrank.metric.Unit.PER_SECOND;
import static kvrank.metric.Unit.SECONDS;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/**
 * Every metric. Rankings, tables, expectations, the bounds of searches, files and docs/results.md
 * go by this list.
 */
public final class Metrics {

  private static final String NO_OPERATION = "it did no such operation";
  private static final String UNSEEN = "its process cannot be seen";

  public static final Metric THROUGHPUT =
      new Metric(
          "throughput",
          "throughput",
          PER_SECOND,
          HIGHER,
          Scope.PHASE_AND_OPERATION,
          MAIN,
          "successful operations per second, in records",
          NO_OPERATION,
          Measured::throughput);

  public static final Metric LATENCY_P50 = percentile(MAIN, "p50", "p50", LatencySummary::p50);
  public static final Metric LATENCY_P99 = percentile(MAIN, "p99", "p99", LatencySummary::p99);

  public static final Metric ERRORS =
      count("errors", "errors", "records that failed, per repetition", Measured::errors);

  public static final Metric LOAD_TIME =
      lower(
          Scope.LOAD,
          DETAIL,
          "load-time",
          "load time",
          SECONDS,
          "how long the load took",
          "it is not the load",
          phase -> phase.load() ? phase.seconds() : Double.NaN);

  public static final Metric MEMORY =
      lower(
          Scope.PHASE,
          DETAIL,
          "memory",
          "memory",
          BYTES,
          "resident memory at the end: of the server's process, or of the client's, JVM included, if"
              + " the engine is embedded",
          UNSEEN,
          phase -> phase.engine(ProcessUsage::residentEndBytes));

  public static final Metric FOOTPRINT =
      lower(
          Scope.PHASE,
          DETAIL,
          "footprint",
          "storage",
          BYTES,
          "allocated blocks of the data directory at the end",
          "its data directory cannot be seen",
          Measured::footprintBytes);

  /** Every metric, in the order of reports. */
  public static final List<Metric> ALL =
      List.of(
          THROUGHPUT,
          latency(DETAIL, "mean", "mean", "mean latency of requests", LatencySummary::mean),
          latency(ON_REQUEST, "min", "min", "lowest latency", latency -> (double) latency.min()),
          LATENCY_P50,
          percentile(ON_REQUEST, "p90", "p90", LatencySummary::p90),
          percentile(ON_REQUEST, "p95", "p95", LatencySummary::p95),
          LATENCY_P99,
          percentile(DETAIL, "p999", "p99.9", LatencySummary::p999),
          percentile(MINOR, "p9999", "p99.99", LatencySummary::p9999),
          latency(ON_REQUEST, "max", "max", "highest latency", latency -> (double) latency.max()),
          ERRORS,
          count(
              "not-found",
              "not found",
              "records answered to be missing, per repetition; neither successful nor errors",
              Measured::notFound),
          new Metric(
              "success",
              "success",
              PERCENT,
              HIGHER,
              Scope.PHASE_AND_OPERATION,
              ON_REQUEST,
              "records answered without an error, of all; one that is not found is an answer",
              NO_OPERATION,
              Metrics::success),
          LOAD_TIME,
          lower(
              Scope.PHASE,
              ON_REQUEST,
              "phase-time",
              "time",
              SECONDS,
              "measured time of the phase",
              "it measured nothing",
              Measured::seconds),
          lower(
              Scope.PHASE,
              ON_REQUEST,
              "time-per-record",
              "time per record",
              Unit.NANOSECONDS,
              "that time by the successful records, all threads together",
              "it measured nothing",
              phase -> phase.seconds() * 1e9 / phase.ok()),
          ofProcess(
              DETAIL,
              "cpu-per-record",
              "CPU per record",
              SECONDS,
              "CPU time of the process that holds the engine, per successful record",
              phase -> phase.engine(ProcessUsage::cpuSeconds) / phase.ok()),
          ofProcess(
              MINOR,
              "busy-cores",
              "busy cores",
              CORES,
              "that CPU time per second",
              Metrics::busyCores),
          MEMORY,
          ofProcess(
              MINOR,
              "memory-mean",
              "mean memory",
              BYTES,
              "mean of the samples of that memory",
              phase -> phase.engine(ProcessUsage::residentMeanBytes)),
          ofProcess(
              MINOR,
              "memory-peak",
              "peak memory",
              BYTES,
              "largest sample of that memory",
              phase -> phase.engine(ProcessUsage::residentPeakBytes)),
          ofProcess(
              MINOR,
              "children-memory-peak",
              "peak memory of children",
              BYTES,
              "largest sample of the part of it that belonged to processes which the server started",
              phase -> ifPositive(phase.engine(ProcessUsage::childrenPeakBytes))),
          ofProcess(
              MINOR,
              "heap",
              "heap in use",
              BYTES,
              "heap of an embedded engine's JVM at the end, garbage and client included",
              phase -> ofEmbedded(phase, "client.heapBytes")),
          ofProcess(
              MINOR,
              "off-heap",
              "off heap, at least",
              BYTES,
              "memory of that JVM beyond the heap that it took from the system",
              phase ->
                  Math.max(
                      0,
                      phase.engine(ProcessUsage::residentEndBytes)
                          - ofEmbedded(phase, "client.heapCommittedBytes"))),
          ofProcess(
              MINOR,
              "harness-memory",
              "client without engine",
              BYTES,
              "memory of such a JVM at the end of the phase if it holds no engine",
              phase -> ofEmbedded(phase, "harness.residentBytes")),
          lower(
              Scope.PHASE,
              DETAIL,
              "memory-per-record",
              "memory per record",
              BYTES,
              "`memory` without what the process took when it was empty (the server before the"
                  + " load, or such a JVM without an engine), by the records that are there",
              "its memory or the number of its records is not known, or they are less than a"
                  + " tenth of what the process takes when it is empty, which varies by that much",
              Metrics::memoryPerRecord),
          FOOTPRINT,
          lower(
              Scope.PHASE,
              DETAIL,
              "space-amplification",
              "space amplification",
              FACTOR,
              "`footprint` by the bytes of keys and values that are there",
              "its data directory or the size of its records is not known",
              phase -> phase.footprintBytes() / phase.fact("user.liveBytes")),
          lower(
              Scope.PHASE,
              DETAIL,
              "write-amplification",
              "write amplification",
              FACTOR,
              "`written-bytes` by the bytes of keys and values that were written",
              "nothing was written, or it cannot be seen",
              phase -> phase.engine(Metrics::written) / phase.fact("user.writtenBytes")),
          ofProcess(
              MINOR,
              "read-bytes",
              "read from storage",
              BYTES,
              "bytes that the engine's process fetched from the storage layer",
              phase -> phase.engine(usage -> orNaN(usage.readBytes()))),
          ofProcess(
              MINOR,
              "written-bytes",
              "written",
              BYTES,
              "bytes of the page cache that the engine's process made to be written",
              phase -> phase.engine(Metrics::written)),
          ofProcess(
              MINOR,
              "cancelled-bytes",
              "written, never stored",
              BYTES,
              "the part of them that never was, as the file was removed before",
              phase -> phase.engine(usage -> orNaN(usage.cancelledBytes()))),
          lower(
              Scope.PHASE,
              MINOR,
              "device-written-bytes",
              "written to the device",
              BYTES,
              "bytes that went to the block device meanwhile, by any process",
              "it has no device",
              Measured::deviceWrittenBytes),
          lower(
              Scope.PHASE,
              MINOR,
              "client-cpu-per-record",
              "client CPU per record",
              SECONDS,
              "CPU time of the client, per successful record; missing if it holds the engine",
              UNSEEN,
              phase -> phase.client(ProcessUsage::cpuSeconds) / phase.ok()),
          lower(
              Scope.PHASE,
              MINOR,
              "client-busy-cores",
              "client's busy cores",
              CORES,
              "that CPU time per second",
              UNSEEN,
              phase -> phase.client(ProcessUsage::cpuSeconds) / phase.seconds()),
          lower(
              Scope.PHASE,
              MINOR,
              "others-cpu",
              "CPU of other processes",
              PERCENT,
              "what processes other than server, client and controller used of all cores",
              "it was not looked at",
              phase -> 100 * phase.fact("others.cpuShare")),
          lower(
              Scope.PHASE,
              MINOR,
              "steal-cpu",
              "CPU of other machines",
              PERCENT,
              "what the hypervisor gave to other machines of all cores",
              "it was not looked at",
              phase -> 100 * phase.fact("steal.cpuShare")),
          ofRun(
              "run-time",
              "total time",
              SECONDS,
              LOWER,
              "measured time of all phases",
              (phases, run) -> sum(phases, Measured::seconds)),
          ofRun(
              "run-throughput",
              "throughput",
              PER_SECOND,
              HIGHER,
              "successful records of all phases by that time",
              (phases, run) -> sum(phases, Measured::ok) / sum(phases, Measured::seconds)),
          ofRun(
              "run-latency-mean",
              "mean latency",
              Unit.NANOSECONDS,
              LOWER,
              "mean latency of all requests",
              (phases, run) -> meanLatency(phases)),
          ofRun(
              "run-cpu",
              "CPU time",
              SECONDS,
              LOWER,
              "CPU time of the process that holds the engine, in all phases",
              (phases, run) -> sum(phases, phase -> phase.engine(ProcessUsage::cpuSeconds))),
          ofRun(
              "run-cpu-peak",
              "busy cores",
              CORES,
              LOWER,
              "`busy-cores` of the phase where this is the most",
              (phases, run) -> largest(phases, Metrics::busyCores)),
          ofRun(
              "run-memory-mean",
              "mean memory",
              BYTES,
              LOWER,
              "mean of the phases' `memory-mean`",
              (phases, run) ->
                  sum(phases, phase -> phase.engine(ProcessUsage::residentMeanBytes))
                      / phases.size()),
          ofRun(
              "run-memory-peak",
              "peak memory",
              BYTES,
              LOWER,
              "largest of the phases' `memory-peak`",
              (phases, run) ->
                  largest(phases, phase -> phase.engine(ProcessUsage::residentPeakBytes))),
          ofRun(
              "run-closed-footprint",
              "storage after close",
              BYTES,
              LOWER,
              "allocated blocks of the data directory after the engine was closed",
              (phases, run) -> run.runFact("footprint.closedBytes")));

  private static final Map<String, Metric> BY_NAME = byName();

  private Metrics() {}

  private static Map<String, Metric> byName() {
    Map<String, Metric> names = new TreeMap<>();
    for (Metric metric : ALL) {
      names.put(metric.id(), metric);
      names.put(metric.shortName(), metric);
      if (!metric.id().equals(metric.shortName())) {
        names.put(metric.title(), metric);
      }
    }
    return names;
  }

  /** The metric of an id, a short name, or a percentile as tables write it: {@code p99.9}. */
  public static Optional<Metric> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /**
   * The metric of an id or another name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Metric named(String name) {
    return find(name)
        .orElseThrow(() -> new IllegalArgumentException("unknown metric '" + name + "'"));
  }

  /** The latencies of an operation. */
  public static List<Metric> latencies() {
    return ALL.stream().filter(metric -> metric.id().startsWith(Metric.LATENCY)).toList();
  }

  private static Metric lower(
      Scope scope,
      Prominence prominence,
      String id,
      String title,
      Unit unit,
      String meaning,
      String absence,
      ToDoubleFunction<Measured> formula) {
    return new Metric(id, title, unit, LOWER, scope, prominence, meaning, absence, formula);
  }

  private static Metric ofProcess(
      Prominence prominence,
      String id,
      String title,
      Unit unit,
      String meaning,
      ToDoubleFunction<Measured> formula) {
    return lower(Scope.PHASE, prominence, id, title, unit, meaning, UNSEEN, formula);
  }

  private static Metric percentile(
      Prominence prominence,
      String name,
      String title,
      Function<LatencySummary, OptionalLong> percentile) {
    return latency(
        prominence,
        name,
        title,
        title.substring(1) + " % of requests took no longer",
        latency -> orNaN(percentile.apply(latency)));
  }

  private static Metric latency(
      Prominence prominence,
      String name,
      String title,
      String meaning,
      ToDoubleFunction<LatencySummary> statistic) {
    return lower(
        Scope.OPERATION,
        prominence,
        Metric.LATENCY + name,
        title,
        Unit.NANOSECONDS,
        meaning,
        "too few requests for this statistic",
        operation -> operation.latency().map(statistic::applyAsDouble).orElse(Double.NaN));
  }

  private static Metric count(
      String id, String title, String meaning, ToDoubleFunction<Measured> formula) {
    return lower(
        Scope.PHASE_AND_OPERATION, DETAIL, id, title, Unit.COUNT, meaning, NO_OPERATION, formula);
  }

  private static Metric ofRun(
      String id,
      String title,
      Unit unit,
      Direction direction,
      String meaning,
      ToDoubleBiFunction<List<? extends Measured>, Measured> formula) {
    return new Metric(
        id,
        title,
        unit,
        direction,
        Scope.RUN,
        ON_REQUEST,
        meaning,
        "a phase is missing, or its process cannot be seen",
        run -> run.phases().isEmpty() ? Double.NaN : formula.applyAsDouble(run.phases(), run));
  }

  private static double success(Measured measured) {
    double good = measured.ok() + measured.notFound();
    return 100 * good / (good + measured.errors());
  }

  private static double busyCores(Measured phase) {
    return phase.engine(ProcessUsage::cpuSeconds) / phase.seconds();
  }

  private static double memoryPerRecord(Measured phase) {
    double empty =
        phase.embedded() ? phase.fact("harness.residentBytes") : phase.runFact("memory.emptyBytes");
    if (phase.fact("user.liveBytes") < empty / 10) {
      return Double.NaN;
    }
    double data = Math.max(0, phase.engine(ProcessUsage::residentEndBytes) - empty);
    return data / phase.fact("records");
  }

  private static double meanLatency(List<? extends Measured> phases) {
    List<? extends LatencySummary> latencies =
        phases.stream()
            .flatMap(phase -> phase.operations().stream())
            .flatMap(operation -> operation.latency().stream())
            .toList();
    double count = latencies.stream().mapToDouble(LatencySummary::count).sum();
    return latencies.stream().mapToDouble(each -> each.count() * each.mean()).sum() / count;
  }

  private static double ofEmbedded(Measured phase, String fact) {
    return phase.embedded() ? phase.fact(fact) : Double.NaN;
  }

  private static double sum(List<? extends Measured> phases, ToDoubleFunction<Measured> figure) {
    return phases.stream().mapToDouble(figure).sum();
  }

  private static double largest(
      List<? extends Measured> phases, ToDoubleFunction<Measured> figure) {
    return phases.stream().mapToDouble(figure).reduce(Math::max).orElse(Double.NaN);
  }

  private static double written(ProcessUsage usage) {
    return orNaN(usage.writtenBytes());
  }

  private static double ifPositive(double value) {
    return value > 0 ? value : Double.NaN;
  }

  private static double orNaN(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : Double.NaN;
  }
}
