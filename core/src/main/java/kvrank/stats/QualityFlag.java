package kvrank.stats;

import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.YesNo;
import kvrank.metric.Latency;
import kvrank.metric.Unit;
import kvrank.metric.Usage;
import kvrank.results.Durability.Verdict;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.workload.request.DurationFormat;
import kvrank.workload.request.Operation;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * A reason why a measurement is less reliable.
 *
 * @param count the number of repetitions with this flag, {@code of} all
 * @param size the median of those, for example {@code +45 %}; may be empty
 */
public record QualityFlag(Kind kind, int count, int of, String size) {

  /** A harness that reaches less than twice the measured throughput may have limited it. */
  private static final double HEADROOM = 0.5;

  /** An engine that achieves less than this share of the rate is saturated. */
  private static final double KEPT = 0.95;

  /** If others use more than this share of the machine, they may have slowed the engine down. */
  public static final double OTHERS = 0.1;

  /** Pages of files that the rest of a quiet machine may read again. */
  private static final double LEAST_REFAULTS = 1_000;

  /** Linux has up to 1,000 timer ticks per second. */
  private static final double MOST_TIMERS = 3_000;

  /** Compiler threads that use more than this share of a core take it from the clients. */
  private static final double COMPILED = 0.05;

  /** A process writes logs in a phase of reads, too, which are less. */
  private static final double LOGS_BYTES = 1 << 20;

  /** A closed loop that is measured for less than this share of its time is short. */
  private static final double WHOLE = 0.9;

  /** The least share of a closed loop's time that must have been measured. */
  private static final double LEAST = 0.01;

  /** A client that is busy for more than this share of its time is the limit. */
  private static final double BUSY = 0.9;

  /** In less time, a share shows the clock rather than the phase. */
  private static final double MEASURABLE_NANOS = 1e8;

  /** The kinds, the most important first. */
  public enum Kind {
    NOT_PROVEN(
        "the disk's flushes contradict the level of fsync",
        phase ->
            phase.durability().stream()
                .anyMatch(durability -> durability.verdict() == Verdict.NOT_PROVEN)),
    STALE_READS(
        "over 1 % of the records that reads asked for were found more than a second after their"
            + " time to live",
        phase -> stale(phase) > 0.01),
    NOTHING_FOUND(
        "reads or scans found no record, so their latency is the latency of misses",
        QualityFlag::foundNothing),
    SATURATED("the engine did not keep the rate", QualityFlag::saturated),
    LATE(
        "over 10 % of the trace's requests began more than 1 ms late, although the rate was kept",
        phase -> late(phase) > 0.1 && !saturated(phase)),
    OVER_MAXMEMORY(
        "the server's anonymous memory exceeded its limit 'maxmemory' by over 1 %",
        phase -> excess(phase) > 0.01),
    HARNESS_BOUND(
        "the client may be the bottleneck: its threads were busy over 90 % of the time, client and"
            + " server used over 90 % of their CPUs, or without an engine the client reaches less"
            + " than twice as much",
        QualityFlag::harnessBound),
    NOT_COLD(
        "the phase asked for a cold start, but the server kept its own caches and buffers, over 1 % of"
            + " the engine's files stayed in the page cache, or the engine read its data into memory"
            + " when it was opened",
        QualityFlag::notCold),
    PENDING(
        "over 10 % of the data waited for compactions and similar work when the phase began, or was"
            + " written during a phase of reads, so requests shared the device with that work",
        phase -> pending(phase) > 0.1),
    NOT_SETTLED(
        "the engine was still busy when the wait of 'settle' ended",
        phase -> phase.facts().is(Fact.SETTLE_IDLE, YesNo.NO)),
    NEVER_FLUSHED(
        "the engine had not written a buffer of writes to storage when the phase ended, so all data was"
            + " in its memory",
        phase -> fact(phase, Fact.ENGINE_FLUSHES) == 0 && !phase.facts().has(Fact.REOPENED)),
    SERVED_FROM_MEMORY(
        "the engine has its data in files, but read from storage less than 1 % of what its reads"
            + " returned",
        QualityFlag::servedFromMemory),
    NOT_STEADY(
        "throughput still changed after the warm-up, from the first third to the last or in the"
            + " middle",
        phase ->
            phase.facts().is(Fact.STEADY, YesNo.NO)
                || phase.facts().is(Fact.WARMUP_STEADY, YesNo.NO)),
    HITS_NOT_LEVEL(
        "the hit ratio still changed after ten times the configured warm-up",
        phase -> phase.facts().is(Fact.HITS_LEVEL, YesNo.NO)),
    SHORT(
        "less than 90 % of the time of a closed loop was measured: a request of the warm-up lasted"
            + " into it, or the client did not run",
        phase -> measured(phase) < WHOLE),
    COMPILING(
        "the worker's JVM still compiled while it was measured: its compiler used over 5 % of a core",
        phase -> !phase.load() && compiled(phase) > COMPILED),
    DISTURBED(
        "other processes or the hypervisor used over 10 % of the machine; or, for over 10 % of the time,"
            + " others kept server or client from a CPU or waited for a disk, or the kernel was short of"
            + " memory for TCP; or others held over 10 % of the memory, and the engine's files did not fit"
            + " into the rest, or their files displaced these from the page cache; or there were over"
            + " 3,000 timer interrupts per second and CPU beyond context switches",
        phase -> disturbed(phase.facts()) || refaulted(phase)),
    UNEVEN(
        "one load machine did less than 80 % of the median one's work, per client",
        phase -> fact(phase, Fact.GENERATORS_LEAST_SHARE) < 0.8),
    GENERATOR_BUSY(
        "one load machine used over 70 % of its CPUs",
        phase -> fact(phase, Fact.GENERATORS_BUSIEST) > 0.7);

    private final String meaning;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Predicate<PhaseRecord> holds;

    Kind(String meaning, Predicate<PhaseRecord> holds) {
      this.meaning = meaning;
      this.holds = holds;
    }

    /** Returns for example {@code not steady}. */
    public String label() {
      String words = name().toLowerCase(Locale.ROOT);
      return this == HARNESS_BOUND ? words.replace('_', '-') : words.replace('_', ' ');
    }

    public boolean holds(PhaseRecord phase) {
      return holds.test(phase);
    }

    public String meaning() {
      return meaning;
    }
  }

  public static List<QualityFlag> of(Collection<PhaseRecord> repetitions) {
    return Stream.of(Kind.values())
        .filter(kind -> repetitions.stream().anyMatch(kind::holds))
        .map(
            kind -> of(kind, repetitions.stream().filter(kind::holds).toList(), repetitions.size()))
        .toList();
  }

  private static QualityFlag of(Kind kind, List<PhaseRecord> holding, int of) {
    double[] sizes =
        holding.stream().mapToDouble(phase -> size(kind, phase)).filter(Double::isFinite).toArray();
    // The median of a rise and a drop would be meaningless.
    double size =
        kind == Kind.NOT_STEADY
            ? DoubleStream.of(sizes)
                .boxed()
                .max(Comparator.comparingDouble(Math::abs))
                .orElse(Double.NaN)
            : new Median().evaluate(sizes);
    boolean change = kind == Kind.NOT_STEADY || kind == Kind.OVER_MAXMEMORY;
    String form = change ? "%+.0f %%" : "%.0f %%";
    String text =
        Double.isNaN(size) ? "" : String.format(Locale.ROOT, form, 100 * size).replace('-', '−');
    return new QualityFlag(kind, holding.size(), of, text);
  }

  private static double size(Kind kind, PhaseRecord phase) {
    return switch (kind) {
      case NOT_STEADY ->
          phase.facts().is(Fact.STEADY, YesNo.NO) ? fact(phase, Fact.DRIFT) - 1 : Double.NaN;
      case STALE_READS -> stale(phase);
      case PENDING -> pending(phase);
      case LATE -> late(phase);
      case OVER_MAXMEMORY -> excess(phase);
      case SHORT, COMPILING ->
          phase.elapsedNanos() < MEASURABLE_NANOS
              ? Double.NaN
              : Math.min(1, kind == Kind.SHORT ? measured(phase) : compiled(phase));
      default -> Double.NaN;
    };
  }

  /** Returns the stale share of the records that reads asked for. */
  private static double stale(PhaseRecord phase) {
    return fact(phase, Fact.STALE_READS)
        / (fact(phase, Fact.READS_HITS) + fact(phase, Fact.READS_MISSES));
  }

  /** Returns the largest memory of a server beyond its limit, as a share of that. */
  private static double excess(PhaseRecord phase) {
    OptionalDouble limit = Unit.BYTES.value(phase.settings().getOrDefault("maxmemory", ""));
    OptionalLong memory =
        phase
            .resources()
            .flatMap(Resources::server)
            .map(Usage::anonymousPeakBytes)
            .orElse(OptionalLong.empty());
    return memory.isEmpty() || limit.isEmpty()
        ? Double.NaN
        : memory.getAsLong() / limit.getAsDouble() - 1;
  }

  /** Returns whether a closed loop was measured for too little of its time to have a value. */
  static boolean hardlyMeasured(PhaseRecord phase) {
    return measured(phase) < LEAST;
  }

  /** Returns the measured share of the time of a phase that only the time ends; otherwise NaN. */
  private static double measured(PhaseRecord phase) {
    // A trace, whose bytes are unknown, may end earlier, and so may deletes of all records.
    boolean endless = phase.facts().has(Fact.USER_WRITTEN_BYTES) && fact(phase, Fact.RECORDS) != 0;
    return phase.fixedTime() && phase.points().isEmpty() && endless
        ? DurationFormat.parse(phase.settings().get("duration"))
            .map(duration -> phase.elapsedNanos() / (double) duration.toNanos())
            .orElse(Double.NaN)
        : Double.NaN;
  }

  /** Returns the processor time of the compiler per measured time. */
  private static double compiled(PhaseRecord phase) {
    return 1e9 * fact(phase, Fact.COMPILER_CPU_SECONDS) / phase.elapsedNanos();
  }

  /** Engines without files, and servers that do not report flushes, may hold all data in memory. */
  private static boolean servedFromMemory(PhaseRecord phase) {
    boolean embedded = phase.resources().flatMap(Resources::server).isEmpty();
    return (embedded || phase.facts().has(Fact.ENGINE_FLUSHES))
        && footprint(phase) >= 0.5 * fact(phase, Fact.USER_LIVE_BYTES)
        && readFromStorage(phase) < 0.01 * fact(phase, Fact.USER_READ_BYTES);
  }

  private static double readFromStorage(PhaseRecord phase) {
    return engine(phase)
        .map(usage -> (double) usage.readBytes().orElse(Long.MAX_VALUE))
        .orElse(Double.NaN);
  }

  private static double footprint(PhaseRecord phase) {
    return phase.resources().stream()
        .flatMapToLong(resources -> resources.footprintBytes().stream())
        .findFirst()
        .orElse(0);
  }

  private static boolean notCold(PhaseRecord phase) {
    // A cold engine reads a record from storage only once, however often it returns it.
    boolean loaded =
        phase.facts().is(Fact.COLD_REOPENED, YesNo.YES)
            && servedFromMemory(phase)
            && readFromStorage(phase) < 0.01 * fact(phase, Fact.USER_LIVE_BYTES);
    return phase.facts().is(Fact.COLD_REOPENED, YesNo.NO)
        || fact(phase, Fact.COLD_CACHED_BYTES) > 0.01 * footprint(phase)
        || loaded;
  }

  /**
   * Returns the share of the data that waited for background work at the start, by the engine's own
   * estimate or, if the phase wrote no data, by what the engine wrote nevertheless.
   */
  private static double pending(PhaseRecord phase) {
    // An idle engine may state what it has decided to leave, as Pebble does.
    boolean idle = fact(phase, Fact.PENDING_BEGIN_WORK) == 0;
    double stated = idle ? 0 : fact(phase, Fact.PENDING_BEGIN_BYTES);
    double written =
        fact(phase, Fact.USER_WRITTEN_BYTES) == 0
            ? engine(phase).map(usage -> (double) usage.writtenBytes().orElse(0)).orElse(0.0)
            : 0;
    double bytes = Math.max(Double.isNaN(stated) ? 0 : stated, written > LOGS_BYTES ? written : 0);
    // Records of an older kvrank have only the data at the end.
    double data =
        fact(
            phase,
            phase.facts().has(Fact.USER_BEGIN_BYTES)
                ? Fact.USER_BEGIN_BYTES
                : Fact.USER_LIVE_BYTES);
    return data > 0 ? bytes / data : 0;
  }

  /** Returns the use of the engine's process, which is the client's if the engine is embedded. */
  private static Optional<Usage> engine(PhaseRecord phase) {
    return phase.resources().flatMap(resources -> resources.server().or(resources::client));
  }

  private static boolean foundNothing(PhaseRecord phase) {
    return phase.operations().entrySet().stream()
        .filter(
            operation ->
                !Operation.ofResult(operation.getKey()).equals(Optional.of(Operation.DELETE)))
        .anyMatch(
            operation -> operation.getValue().ok() == 0 && operation.getValue().notFound() > 0);
  }

  /** Returns the late share of a trace's requests, without fills. */
  private static double late(PhaseRecord phase) {
    return fact(phase, Fact.TRACE_LATE) / requests(phase);
  }

  /** Returns label, size, and count if not all have it: {@code not steady +45 % 1/3}. */
  public String label() {
    return kind.label()
        + (size.isEmpty() ? "" : " " + size)
        + (count == of ? "" : " %d/%d".formatted(count, of));
  }

  private static boolean saturated(PhaseRecord phase) {
    double asked = fact(phase, Fact.RATE_ASKED);
    boolean slow =
        fact(phase, Fact.RATE_ACHIEVED) < KEPT * asked || fact(phase, Fact.RATE_UNSENT) > 0;
    return phase.points().isEmpty() && ((asked > 0 && slow) || slowGroup(phase.facts()));
  }

  private static boolean slowGroup(Facts facts) {
    Map<String, String> achieved = facts.parts(Fact.GROUP_RATE_ACHIEVED);
    return facts.parts(Fact.GROUP_RATE_ASKED).entrySet().stream()
        .anyMatch(asked -> number(achieved.get(asked.getKey())) < KEPT * number(asked.getValue()));
  }

  private static double number(String fact) {
    return fact == null ? Double.NaN : Double.parseDouble(fact);
  }

  /**
   * Returns whether the ceiling is near, or the client's threads were busy without a rate to wait
   * for, or client and server together left none of their CPUs idle.
   */
  private static boolean harnessBound(PhaseRecord phase) {
    if (phase.throughput() > HEADROOM * fact(phase, Fact.HARNESS_CEILING)) {
      return true;
    }
    Optional<Usage> server = phase.resources().flatMap(Resources::server);
    Optional<Usage> client = phase.resources().flatMap(Resources::client);
    if (server.isEmpty() || client.isEmpty()) {
      return false;
    }
    double seconds = phase.elapsedNanos() / 1e9;
    double cpus = fact(phase, Fact.CLIENT_CPUS);
    double others = fact(phase, Fact.SERVER_CPUS);
    String stated = phase.settings().getOrDefault("threads", "");
    double threads = stated.isEmpty() ? Double.NaN : Double.parseDouble(stated);
    double used = client.get().cpuSeconds();
    return (used > BUSY * seconds * (cpus < threads ? cpus : threads)
            && !phase.facts().has(Fact.RATE_ASKED))
        || used + server.get().cpuSeconds()
            > BUSY * seconds * (cpus + (Double.isNaN(others) ? 0 : others));
  }

  /** Returns whether over 0.1 % of the requests may have read a page that others displaced. */
  private static boolean refaulted(PhaseRecord phase) {
    double pages = fact(phase, Fact.OTHERS_REFAULTS);
    return pages > LEAST_REFAULTS && pages > 0.001 * requests(phase);
  }

  private static double requests(PhaseRecord phase) {
    return phase.operations().entrySet().stream()
        .filter(operation -> !operation.getKey().equals(Operation.FILL.label()))
        .flatMap(operation -> operation.getValue().latencyNanos().stream())
        .mapToLong(Latency::count)
        .sum();
  }

  public static boolean disturbed(Facts facts) {
    return others(facts) > OTHERS
        || facts.number(Fact.OTHERS_DELAY_SHARE) > OTHERS
        || facts.number(Fact.OTHERS_DISK_SHARE) > OTHERS
        || facts.number(Fact.TIMERS_PER_SECOND) > MOST_TIMERS
        || facts.number(Fact.OTHERS_MEMORY_SHARE) > OTHERS
        || facts.number(Fact.TCP_SHORT_SHARE) > OTHERS;
  }

  /** Returns the share of the machine that others used, including steal time if it is known. */
  private static double others(Facts facts) {
    double steal = facts.number(Fact.STEAL_CPU_SHARE);
    return facts.number(Fact.OTHERS_CPU_SHARE) + (Double.isNaN(steal) ? 0 : steal);
  }

  /** Returns for example {@code others used 43 % of the machine, the hypervisor 5 %}. */
  public static String disturbance(Facts facts) {
    double held = facts.number(Fact.OTHERS_MEMORY_SHARE);
    double pages = facts.number(Fact.OTHERS_REFAULTS);
    double timers = facts.number(Fact.TIMERS_PER_SECOND);
    double steal = facts.number(Fact.STEAL_CPU_SHARE);
    return Stream.of(
            "others used %.0f %% of the machine"
                .formatted(100 * facts.number(Fact.OTHERS_CPU_SHARE)),
            during(", made server or client wait for a CPU", facts.number(Fact.OTHERS_DELAY_SHARE)),
            during(" and waited for a disk", facts.number(Fact.OTHERS_DISK_SHARE)),
            held >= 0.01
                ? ", held %.0f %% of the memory, and the rest was too small for the engine's files"
                    .formatted(100 * held)
                : "",
            pages > LEAST_REFAULTS
                ? ", made Linux drop %,.0f pages that were read again".formatted(pages)
                : "",
            timers > MOST_TIMERS
                ? ", caused %,.0f timer interrupts per second and CPU".formatted(timers)
                : "",
            during(", the kernel was short of memory for TCP", facts.number(Fact.TCP_SHORT_SHARE)),
            steal >= 0.01 ? ", the hypervisor %.0f %%".formatted(100 * steal) : "")
        .collect(joining());
  }

  private static String during(String what, double share) {
    return share >= 0.01 ? "%s for %.0f %% of the time".formatted(what, 100 * share) : "";
  }

  private static double fact(PhaseRecord phase, Fact fact) {
    return phase.facts().number(fact);
  }
}
