package kvrank.metric;

import static kvrank.metric.Direction.LOWER;
import static kvrank.metric.Formulas.amplification;
import static kvrank.metric.Formulas.anonymous;
import static kvrank.metric.Formulas.counted;
import static kvrank.metric.Formulas.dataMemory;
import static kvrank.metric.Formulas.dataPer;
import static kvrank.metric.Formulas.ifPositive;
import static kvrank.metric.Formulas.largest;
import static kvrank.metric.Formulas.ofEmbedded;
import static kvrank.metric.Formulas.orNaN;
import static kvrank.metric.Formulas.sum;
import static kvrank.metric.Prominence.DETAIL;
import static kvrank.metric.Prominence.MAIN;
import static kvrank.metric.Prominence.MINOR;
import static kvrank.metric.Prominence.ON_REQUEST;
import static kvrank.metric.Unit.BYTES;
import static kvrank.metric.Unit.CORES;
import static kvrank.metric.Unit.COUNT;
import static kvrank.metric.Unit.FACTOR;
import static kvrank.metric.Unit.NANOSECONDS;
import static kvrank.metric.Unit.PERCENT;
import static kvrank.metric.Unit.PER_SECOND;
import static kvrank.metric.Unit.SECONDS;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import kvrank.fact.Fact;

/** All metrics of rankings, tables, expectations, searches and files. */
public final class Metrics {

  private static final String NO_OPERATION = "it had no such operation";
  private static final String STRICT = "it does not allow errors";

  /** Why a figure of the engine's process is missing, and why if the process was observed. */
  private static final String UNSEEN = "kvrank cannot observe its process";

  private static final String UNRECORDED =
      "the record does not have it; an older kvrank may have written it";

  private static final String NOT_EMBEDDED =
      "the engine is not in the client's JVM, or an older kvrank wrote the record";
  private static final String SMALL =
      "its memory or the number of its records is unknown, or its data is less than a tenth of the"
          + " memory of the empty process, which varies by that much";
  private static final String UNREPORTED = "the engine does not report it";
  private static final String UNWRITTEN = "it wrote nothing, or kvrank cannot observe its process";
  private static final String UNSETTLED =
      "it wrote nothing, has no 'settle', or its write amplification is not measurable";

  /** Why write amplification is missing although the engine wrote and was observed. */
  private static final String UNCOUNTED =
      "Linux counted less than half of the bytes that clients wrote; the others are in memory, or in"
          + " pages of files that were dirty before, which count only once";

  private static final String UNWATCHED = "it was not measured";

  public static final Metric THROUGHPUT =
      phase(MAIN, "throughput", "throughput", PER_SECOND)
          .means("successful operations per second, in records")
          .of(Scope.PHASE_AND_OPERATION, NO_OPERATION)
          .higherIsBetter()
          .by(Measured::throughput);

  public static final Metric LATENCY_P50 = percentile(MAIN, "p50", "p50", Latency::p50);
  public static final Metric LATENCY_P99 = percentile(MAIN, "p99", "p99", Latency::p99);

  public static final Metric ERRORS =
      phase(DETAIL, "errors", "errors", COUNT)
          .means("records that failed, per repetition")
          .of(Scope.PHASE_AND_OPERATION, NO_OPERATION)
          .by(Measured::errors);

  public static final Metric HIT_RATIO =
      phase(MAIN, "hit-ratio", "hit ratio", PERCENT)
          .means(
              "share of the records requested by reads that were found; only if records are evicted"
                  + " or expire, or if misses are filled")
          .of(Scope.PHASE, "it read nothing, or its reads cannot miss")
          .higherIsBetter()
          .by(
              phase ->
                  100
                      * phase.fact(Fact.READS_HITS)
                      / (phase.fact(Fact.READS_HITS) + phase.fact(Fact.READS_MISSES)));

  public static final Metric UNAVAILABLE =
      phase(MAIN, "unavailable", "unavailable time", SECONDS)
          .means(
              "time during which at least one request had failed and had not succeeded yet; only"
                  + " with `errors: allowed`")
          .of(Scope.PHASE, STRICT)
          .by(phase -> phase.fact(Fact.UNAVAILABLE_NANOS) / 1e9);

  public static final Metric LOAD_TIME =
      phase(DETAIL, "load-time", "load time", SECONDS)
          .means("duration of the load")
          .of(Scope.LOAD, "it is not the load")
          .by(phase -> phase.load() ? phase.seconds() : Double.NaN);

  public static final Metric MEMORY =
      phase(DETAIL, "memory", "memory", BYTES)
          .means(
              "anonymous memory at the end of the server's process, or of the client's process, JVM"
                  + " included, if the engine is embedded: resident memory without pages of files,"
                  + " which the system can drop")
          .by(Formulas::anonymous);

  public static final Metric DATA_MEMORY =
      phase(DETAIL, "data-memory", "memory for data", BYTES)
          .means(
              "`memory` minus that of the server before the load; of an embedded engine, growth of"
                  + " the heap without garbage and of `off-heap` against the same phase without an"
                  + " engine, or instead of `off-heap` what the engine itself counts outside of the"
                  + " heap, as far as it is resident")
          .of(Scope.PHASE, SMALL)
          .by(Formulas::dataMemory);

  public static final Metric FOOTPRINT =
      phase(DETAIL, "footprint", "storage", BYTES)
          .means("allocated blocks of the data directory at the end, after `settle`")
          .of(Scope.PHASE, "kvrank cannot read its data directory")
          .by(Measured::footprintBytes);

  public static final Metric WRITE_AMPLIFICATION =
      phase(DETAIL, "write-amplification", "write amplification", FACTOR)
          .means(
              "`written-bytes` divided by the bytes of keys and values written; none below 0.5, as"
                  + " the rest is still in memory")
          .of(Scope.PHASE, Metrics::unwritten)
          .by(phase -> amplification(phase, phase.engine(Formulas::written)));

  public static final Metric SETTLED_WRITE_AMPLIFICATION =
      phase(DETAIL, "settled-write-amplification", "write amplification until settled", FACTOR)
          .means(
              "`written-bytes` and `settle-written-bytes`, divided by the bytes of keys and values"
                  + " written")
          .of(Scope.PHASE, UNSETTLED)
          .by(
              phase ->
                  amplification(
                      phase,
                      phase.engine(Formulas::written) + phase.fact(Fact.SETTLE_WRITTEN_BYTES)));

  /** Every metric, in the order of reports. */
  public static final List<Metric> ALL =
      List.of(
          THROUGHPUT,
          latency(DETAIL, "mean", "mean", Latency::mean).means("mean latency of requests"),
          latency(ON_REQUEST, "min", "min", Latency::min).means("lowest latency"),
          LATENCY_P50,
          percentile(ON_REQUEST, "p90", "p90", Latency::p90),
          percentile(ON_REQUEST, "p95", "p95", Latency::p95),
          LATENCY_P99,
          percentile(DETAIL, "p999", "p99.9", Latency::p999),
          percentile(MINOR, "p9999", "p99.99", Latency::p9999),
          latency(ON_REQUEST, "max", "max", Latency::max).means("highest latency"),
          latency(ON_REQUEST, "stddev", "stddev", Latency::stddev)
              .means("standard deviation of the latency of requests"),
          ERRORS,
          phase(DETAIL, "not-found", "not found", COUNT)
              .means(
                  "records that the engine reported as missing, per repetition; neither successful"
                      + " nor errors")
              .of(Scope.PHASE_AND_OPERATION, NO_OPERATION)
              .by(Measured::notFound),
          HIT_RATIO,
          UNAVAILABLE,
          phase(DETAIL, "unavailable-longest", "longest unavailable time", SECONDS)
              .means("longest part of `unavailable` without a break")
              .of(Scope.PHASE, STRICT)
              .by(phase -> phase.fact(Fact.UNAVAILABLE_LONGEST_NANOS) / 1e9),
          phase(DETAIL, "failed", "failed", COUNT)
              .means(
                  "records whose request failed at least once with `errors: allowed`, per"
                      + " repetition")
              .of(Scope.PHASE, STRICT)
              .by(phase -> phase.fact(Fact.REPEATED_RECORDS)),
          phase(DETAIL, "failed-share", "failed share", PERCENT)
              .means("`failed` divided by all records that were requested")
              .of(Scope.PHASE, STRICT)
              .by(Formulas::failedShare),
          phase(MINOR, "stale-reads", "stale reads", COUNT)
              .means(
                  "records that were found by reads that started over a second after the end of"
                      + " their time to live, among the last million records written with one; per"
                      + " repetition")
              .of(
                  Scope.PHASE,
                  "no record has a time to live, or values are too short to identify their record")
              .by(phase -> phase.fact(Fact.STALE_READS)),
          phase(MINOR, "expired-space", "expired space", PERCENT)
              .means(
                  "share of the records that the engine stores at the end, by its own count, whose"
                      + " time to live is over, so that reads do not find them")
              .of(
                  Scope.PHASE,
                  "no time to live has ended, or the engine does not count expired records, or it"
                      + " counts more records than were written or fewer than are found")
              .by(Formulas::expiredSpace),
          phase(ON_REQUEST, "success", "success", PERCENT)
              .means("share of the records without an error; records that are not found count")
              .of(Scope.PHASE_AND_OPERATION, NO_OPERATION)
              .higherIsBetter()
              .by(Formulas::success),
          LOAD_TIME,
          phase(ON_REQUEST, "phase-time", "time", SECONDS)
              .means("measured time of the phase, unless the scenario sets it by `duration`")
              .of(Scope.PHASE, "the scenario set its time by 'duration'")
              .by(phase -> phase.fixedTime() ? Double.NaN : phase.seconds()),
          phase(ON_REQUEST, "time-per-record", "time per record", NANOSECONDS)
              .means("measured time of the phase divided by the successful records of all threads")
              .of(Scope.PHASE, "it measured nothing")
              .by(phase -> phase.seconds() * 1e9 / phase.ok()),
          phase(DETAIL, "cpu-per-record", "CPU per record", SECONDS)
              .means("CPU time of the engine's process per successful record")
              .by(phase -> phase.engine(Usage::cpuSeconds) / phase.ok()),
          phase(MINOR, "busy-cores", "busy cores", CORES)
              .means("CPU time of the engine's process per second")
              .by(Formulas::busyCores),
          MEMORY,
          phase(MINOR, "resident-memory", "resident memory", BYTES)
              .means("resident memory of the same process at the end, pages of files included")
              .by(phase -> phase.engine(Usage::residentEndBytes)),
          phase(MINOR, "file-memory", "memory of files", BYTES)
              .means("`resident-memory` minus `memory`: pages of files, which the system can drop")
              .by(phase -> ifPositive(phase.engine(Usage::residentEndBytes) - anonymous(phase))),
          phase(MINOR, "memory-mean", "mean memory", BYTES)
              .means("mean of the samples of the same process's anonymous memory")
              .by(Formulas::meanMemory),
          phase(MINOR, "memory-peak", "peak memory", BYTES)
              .means("largest sample of the same process's anonymous memory")
              .by(Formulas::peakMemory),
          phase(MINOR, "children-memory-peak", "peak memory of children", BYTES)
              .means("largest sample of the resident memory of processes that the server started")
              .by(phase -> ifPositive(phase.engine(Usage::childrenPeakBytes))),
          phase(MINOR, "heap", "heap in use", BYTES)
              .means("heap of an embedded engine's JVM at the end, garbage and client included")
              .of(Scope.PHASE, NOT_EMBEDDED)
              .by(phase -> ofEmbedded(phase, Fact.CLIENT_HEAP_BYTES)),
          phase(MINOR, "go-heap", "Go heap in use", BYTES)
              .means(
                  "heap of an engine written in Go at the end, garbage included: `HeapInuse` of Go's"
                      + " runtime")
              .of(Scope.PHASE, UNREPORTED)
              .by(phase -> phase.fact(Fact.ENGINE_GO_HEAP_BYTES)),
          phase(MINOR, "off-heap", "off heap", BYTES)
              .means("memory of an embedded engine's JVM at the end, without its heap")
              .of(Scope.PHASE, NOT_EMBEDDED)
              .by(Formulas::offHeap),
          phase(MINOR, "harness-memory", "client without engine", BYTES)
              .means("resident memory of such a JVM at the end of the phase without the engine")
              .of(Scope.PHASE, NOT_EMBEDDED)
              .by(phase -> ofEmbedded(phase, Fact.HARNESS_RESIDENT_BYTES)),
          DATA_MEMORY,
          phase(MINOR, "engine-memory", "memory by the engine's count", BYTES)
              .means(
                  "memory that the engine counts as its own: `used_memory` of Redis, or outside of"
                      + " the heap")
              .of(Scope.PHASE, UNREPORTED)
              .by(Formulas::counted),
          phase(DETAIL, "memory-per-record", "memory per record", BYTES)
              .means("`data-memory` divided by the stored records")
              .of(Scope.PHASE, SMALL)
              .by(phase -> dataMemory(phase) / phase.fact(Fact.RECORDS)),
          FOOTPRINT,
          phase(MINOR, "footprint-peak", "peak storage", BYTES)
              .means("largest `footprint` in the phase, read each second and at the end")
              .of(Scope.PHASE, "kvrank cannot read its data directory")
              .by(phase -> phase.fact(Fact.FOOTPRINT_PEAK_BYTES)),
          phase(DETAIL, "space-amplification", "space amplification", FACTOR)
              .means("`footprint` divided by the bytes of stored keys and values")
              .of(Scope.PHASE, "its data directory or the size of its records is unknown")
              .by(phase -> phase.footprintBytes() / phase.fact(Fact.USER_LIVE_BYTES)),
          WRITE_AMPLIFICATION,
          SETTLED_WRITE_AMPLIFICATION,
          phase(MINOR, "engine-write-amplification", "write amplification by its count", FACTOR)
              .means(
                  "bytes that an embedded engine wrote to its files by its own count, divided by the"
                      + " bytes of keys and values written")
              .of(Scope.PHASE, UNREPORTED)
              .by(phase -> counted(phase, Fact.COUNTED_WRITTEN_BYTES, Fact.USER_WRITTEN_BYTES)),
          phase(MINOR, "settle-time", "time until settled", SECONDS)
              .means(
                  "time from the end of the phase until the engine's background work was over; only"
                      + " with `settle`, and if it was over when the wait ended")
              .of(Scope.PHASE, UNSETTLED)
              .by(phase -> phase.fact(Fact.SETTLE_NANOS) / 1e9),
          phase(MINOR, "settle-written-bytes", "written until settled", BYTES)
              .means("bytes that the engine's process wrote during the wait of `settle`")
              .of(Scope.PHASE, UNSETTLED)
              .by(phase -> phase.fact(Fact.SETTLE_WRITTEN_BYTES)),
          phase(ON_REQUEST, "settle-read-bytes", "read until settled", BYTES)
              .means("bytes that it read from the storage layer during that wait")
              .of(Scope.PHASE, UNSETTLED)
              .by(phase -> phase.fact(Fact.SETTLE_READ_BYTES)),
          phase(ON_REQUEST, "pending-start-bytes", "pending at the start", BYTES)
              .means(
                  "bytes that background work, such as a compaction, still had to move at the start,"
                      + " by the engine's own estimate")
              .of(Scope.PHASE, UNREPORTED)
              .by(phase -> phase.fact(Fact.PENDING_BEGIN_BYTES)),
          phase(MINOR, "pending-bytes", "pending at the end", BYTES)
              .means("the same at the end, before `settle`")
              .of(Scope.PHASE, UNREPORTED)
              .by(phase -> phase.fact(Fact.ENGINE_PENDING_BYTES)),
          phase(MINOR, "flushes", "write buffers flushed", COUNT)
              .means(
                  "how often the engine wrote a buffer of writes to storage, warm-up included, by its"
                      + " own count")
              .of(Scope.PHASE, UNREPORTED)
              .by(phase -> phase.fact(Fact.FLUSHES_COUNT)),
          phase(MINOR, "data-per-write-buffer", "data / write buffer", FACTOR)
              .means("bytes of stored keys and values divided by the size of one write buffer")
              .of(Scope.PHASE, UNREPORTED)
              .by(phase -> dataPer(phase, Fact.ENGINE_WRITE_BUFFER_BYTES)),
          phase(MINOR, "data-per-cache", "data / cache", FACTOR)
              .means("bytes of stored keys and values divided by the size of the engine's cache")
              .of(Scope.PHASE, UNREPORTED)
              .by(phase -> dataPer(phase, Fact.ENGINE_CACHE_BYTES)),
          phase(MINOR, "data-per-memory", "data / memory", FACTOR)
              .means(
                  "bytes of stored keys and values divided by the memory limit of the run, or by the"
                      + " machine's memory")
              .of(Scope.PHASE, Metrics::unseen)
              .by(phase -> dataPer(phase, Fact.MEMORY_AVAILABLE_BYTES)),
          phase(MINOR, "read-bytes", "read from storage", BYTES)
              .means("bytes that the engine's process read from the storage layer")
              .by(phase -> phase.engine(usage -> orNaN(usage.readBytes()))),
          phase(MINOR, "read-amplification", "read amplification", FACTOR)
              .means(
                  "`read-bytes` divided by the bytes of the keys and values that reads and scans"
                      + " returned")
              .of(Scope.PHASE, "it read nothing from storage, or kvrank cannot observe its process")
              .by(
                  phase ->
                      ifPositive(phase.engine(usage -> orNaN(usage.readBytes())))
                          / ifPositive(phase.fact(Fact.USER_READ_BYTES))),
          phase(MINOR, "engine-read-amplification", "read amplification by its count", FACTOR)
              .means(
                  "bytes that an embedded engine read from its files by its own count, page cache"
                      + " included, divided by the same bytes")
              .of(Scope.PHASE, UNREPORTED)
              .by(phase -> counted(phase, Fact.COUNTED_READ_BYTES, Fact.USER_READ_BYTES)),
          phase(MINOR, "major-faults", "major page faults", COUNT)
              .means("page faults for which the engine's process waited for storage")
              .by(phase -> phase.engine(usage -> orNaN(usage.majorFaults()))),
          phase(MINOR, "written-bytes", "written", BYTES)
              .means("bytes of the page cache that the engine's process caused to be written")
              .by(phase -> phase.engine(Formulas::written)),
          phase(MINOR, "cancelled-bytes", "written, never stored", BYTES)
              .means(
                  "part of `written-bytes` that was never written because the file was removed"
                      + " before")
              .by(phase -> phase.engine(usage -> orNaN(usage.cancelledBytes()))),
          phase(MINOR, "device-written-bytes", "written to the device", BYTES)
              .means("bytes that all processes wrote to the block device during the phase")
              .of(Scope.PHASE, "its data is not on a block device")
              .by(Measured::deviceWrittenBytes),
          phase(MINOR, "device-read-bytes", "read from the device", BYTES)
              .means("bytes that all processes read from the block device during the phase")
              .of(Scope.PHASE, "its data is not on a block device")
              .by(Measured::deviceReadBytes),
          phase(MINOR, "client-cpu-per-record", "client CPU per record", SECONDS)
              .means(
                  "CPU time of the client, on all machines, per successful record; missing if the"
                      + " engine is embedded")
              .by(phase -> phase.clientCpuSeconds() / phase.ok()),
          phase(MINOR, "client-busy-cores", "client's busy cores", CORES)
              .means("CPU time of the client per second")
              .by(phase -> phase.clientCpuSeconds() / phase.seconds()),
          phase(MINOR, "others-cpu", "CPU of other processes", PERCENT)
              .means(
                  "share of all cores used by processes other than server, client and controller")
              .of(Scope.PHASE, UNWATCHED)
              .by(phase -> 100 * phase.fact(Fact.OTHERS_CPU_SHARE)),
          phase(MINOR, "steal-cpu", "CPU of other machines", PERCENT)
              .means("share of all cores that the hypervisor gave to other machines")
              .of(Scope.PHASE, UNWATCHED)
              .by(phase -> 100 * phase.fact(Fact.STEAL_CPU_SHARE)),
          run("run-time", "total time", SECONDS)
              .means("measured time of all phases, unless the scenario sets one by `duration`")
              .of(Scope.RUN, "a phase is missing, or the scenario sets its time")
              .by(Formulas::runTime),
          run("run-throughput", "throughput", PER_SECOND)
              .means("successful records of all phases divided by their measured time")
              .higherIsBetter()
              .by(run -> sum(run, Measured::ok) / sum(run, Measured::seconds)),
          run("run-latency-mean", "mean latency", NANOSECONDS)
              .means("mean latency of all requests")
              .by(Formulas::meanLatency),
          run("run-cpu", "CPU time", SECONDS)
              .means("CPU time of the engine's process in all phases")
              .by(run -> sum(run, phase -> phase.engine(Usage::cpuSeconds))),
          run("run-busy-cores", "mean busy cores", CORES)
              .means("`run-cpu` divided by the measured time of all phases")
              .by(
                  run ->
                      sum(run, phase -> phase.engine(Usage::cpuSeconds))
                          / sum(run, Measured::seconds)),
          run("run-cpu-peak", "busy cores", CORES)
              .means("largest of the phases' `busy-cores`")
              .by(run -> largest(run, Formulas::busyCores)),
          run("run-memory-mean", "mean memory", BYTES)
              .means("mean of the phases' `memory-mean`")
              .by(run -> sum(run, Formulas::meanMemory) / run.phases().size()),
          run("run-memory-peak", "peak memory", BYTES)
              .means("largest of the phases' `memory-peak`")
              .by(run -> largest(run, Formulas::peakMemory)),
          run("run-closed-footprint", "storage after close", BYTES)
              .means("allocated blocks of the data directory after the engine was closed")
              .by(
                  run ->
                      run.phases().isEmpty()
                          ? Double.NaN
                          : run.runFact(Fact.FOOTPRINT_CLOSED_BYTES)));

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
    names.put("cpu", names.get("cpu-per-record"));
    return names;
  }

  /** Returns the metric with an id, a short name, or the title of a percentile: {@code p99.9}. */
  public static Optional<Metric> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** Returns the metric with a valid name. */
  public static Metric named(String name) {
    return find(name)
        .orElseThrow(() -> new IllegalArgumentException("unknown metric '" + name + "'"));
  }

  public static List<Metric> latencies() {
    return ALL.stream().filter(metric -> metric.id().startsWith(Metric.LATENCY)).toList();
  }

  private static Metric phase(Prominence prominence, String id, String title, Unit unit) {
    return new Metric(
        id, title, unit, LOWER, Scope.PHASE, prominence, "", Metrics::unseen, phase -> 0);
  }

  private static NoValue unseen(Measured phase) {
    return NoValue.because(observed(phase) ? UNRECORDED : UNSEEN);
  }

  private static NoValue unwritten(Measured phase) {
    return observed(phase) && phase.fact(Fact.USER_WRITTEN_BYTES) > 0
        ? NoValue.notMeasurable(UNCOUNTED)
        : NoValue.because(UNWRITTEN);
  }

  private static boolean observed(Measured phase) {
    return Double.isFinite(phase.engine(Usage::cpuSeconds));
  }

  private static Metric run(String id, String title, Unit unit) {
    return phase(ON_REQUEST, id, title, unit)
        .of(Scope.RUN, "a phase is missing, or kvrank cannot observe its process");
  }

  private static Metric percentile(
      Prominence prominence,
      String name,
      String title,
      Function<Latency, OptionalLong> percentile) {
    Metric metric =
        latency(prominence, name, title, latency -> orNaN(percentile.apply(latency)))
            .means(title.substring(1) + " % of requests took at most this long");
    return metric.of(Scope.OPERATION, measured -> tooFew(metric, measured));
  }

  /** Returns the number of requests from which a latency is given: 1,000 for the p99. */
  public static long fewest(Metric latency) {
    String name = latency.shortName();
    return name.matches("p\\d+")
        ? Math.round(Latency.BEYOND / (1 - Double.parseDouble("0." + name.substring(1))))
        : 1;
  }

  private static NoValue tooFew(Metric percentile, Measured operation) {
    String number = operation.latency().map(found -> ": %,d".formatted(found.count())).orElse("");
    return NoValue.because(
        "too few requests%s; %s needs %,d"
            .formatted(number, percentile.title(), fewest(percentile)));
  }

  private static Metric latency(
      Prominence prominence, String name, String title, ToDoubleFunction<Latency> statistic) {
    return phase(prominence, Metric.LATENCY + name, title, NANOSECONDS)
        .of(Scope.OPERATION, "no request has a latency")
        .by(operation -> operation.latency().map(statistic::applyAsDouble).orElse(Double.NaN));
  }
}
