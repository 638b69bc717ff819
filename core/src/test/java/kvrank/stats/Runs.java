package kvrank.stats;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.results.Durability;
import kvrank.results.Latency;
import kvrank.results.Manifest;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.results.Results;
import kvrank.results.RunRecord;
import kvrank.results.Usage;

/** Records as tests need them. */
public final class Runs {

  /** When everything in tests happened. */
  public static final Instant THEN = Instant.parse("2026-01-02T03:04:05Z");

  private Runs() {}

  /** The manifest of a scenario without an extra table. */
  public static Manifest manifest(
      List<String> engines,
      List<String> phases,
      Map<String, List<String>> factors,
      int repetitions) {
    return new Manifest(
        "1.0",
        "0.1.0",
        "example",
        "Which engine is fastest?",
        engines,
        phases,
        new TreeMap<>(factors),
        "ssd",
        repetitions,
        42,
        Optional.empty(),
        List.of(),
        THEN);
  }

  public static Results results(Manifest manifest, List<RunRecord> runs) {
    return new Results(Path.of("results"), manifest, new TreeMap<>(), runs, List.of());
  }

  public static RunRecord run(
      String engine,
      Map<String, String> factors,
      int repetition,
      Outcome outcome,
      List<PhaseRecord> phases) {
    return new RunRecord(
        "1.0",
        engine + factors.values() + repetition,
        engine,
        new TreeMap<>(factors),
        repetition,
        42,
        outcome,
        "",
        new TreeMap<>(),
        phases,
        THEN,
        THEN);
  }

  /** A completed run of one phase with one operation. */
  public static RunRecord run(
      String engine, Map<String, String> factors, int repetition, double throughput) {
    return run(
        engine,
        factors,
        repetition,
        new Outcome.Completed(),
        List.of(phase("get", "get", factors, Map.of("read", throughput), 1)));
  }

  /** A completed phase of 10 s with plausible latencies. */
  public static PhaseRecord phase(
      String name,
      String workload,
      Map<String, String> settings,
      Map<String, Double> throughputs,
      int threads) {
    SortedMap<String, OperationRecord> operations = new TreeMap<>();
    double total = throughputs.values().stream().mapToDouble(Double::doubleValue).sum();
    throughputs.forEach(
        (operation, throughput) ->
            operations.put(operation, operation(throughput, threads * 1e9 / total, Map.of())));
    return new PhaseRecord(
        name,
        workload,
        name.equals("load"),
        new Outcome.Completed(),
        new TreeMap<>(settings),
        10_000_000_000L,
        operations,
        Optional.empty(),
        new TreeMap<>());
  }

  /** A phase that has no measurement. */
  public static PhaseRecord phase(String name, Outcome outcome) {
    return new PhaseRecord(
        name,
        name,
        name.equals("load"),
        outcome,
        new TreeMap<>(),
        0,
        new TreeMap<>(),
        Optional.empty(),
        new TreeMap<>());
  }

  /** An operation over 10 s. */
  public static OperationRecord operation(
      double throughput, double meanNanos, Map<String, Long> errors) {
    long ok = Math.round(throughput * 10);
    return new OperationRecord(
        ok, 0, new TreeMap<>(errors), throughput, Optional.of(latency(ok, meanNanos)));
  }

  private static Latency latency(long count, double mean) {
    return new Latency(
        count,
        mean,
        mean / 2,
        Math.round(mean / 4),
        percentile(count, 0.5, mean * 0.9),
        percentile(count, 0.1, mean * 1.5),
        percentile(count, 0.05, mean * 2),
        percentile(count, 0.01, mean * 3),
        percentile(count, 0.001, mean * 9),
        percentile(count, 0.0001, mean * 20),
        Math.round(mean * 50));
  }

  private static OptionalLong percentile(long count, double beyond, double value) {
    return count * beyond < 10 ? OptionalLong.empty() : OptionalLong.of(Math.round(value));
  }

  /** {@code phase} with the memory of the engine's process and its storage. */
  public static PhaseRecord with(
      PhaseRecord phase, boolean embedded, long elapsedNanos, long memory, long footprint) {
    Usage engine = new Usage(6.5, 2.25, memory, memory, memory, 0, footprint);
    Usage worker = new Usage(8, 1, 300L << 20, 320L << 20, 310L << 20, 0, 4096);
    SortedMap<String, String> facts = new TreeMap<>(phase.facts());
    facts.put("records", "10000");
    facts.put("user.liveBytes", Long.toString(footprint / 3));
    facts.put("user.writtenBytes", phase.load() ? Long.toString(footprint / 2) : "0");
    facts.put("harness.residentBytes", Long.toString(memory / 4));
    return new PhaseRecord(
        phase.name(),
        phase.workload(),
        phase.load(),
        phase.outcome(),
        phase.settings(),
        elapsedNanos,
        phase.operations(),
        Optional.of(
            new Resources(
                embedded ? Optional.empty() : Optional.of(engine),
                Optional.of(embedded ? engine : worker),
                OptionalLong.of(footprint))),
        facts);
  }

  /** {@code phase} with what the disk says of its durability. */
  public static PhaseRecord with(PhaseRecord phase, Durability durability) {
    return new PhaseRecord(
        phase.name(),
        phase.workload(),
        phase.load(),
        phase.outcome(),
        phase.settings(),
        phase.elapsedNanos(),
        phase.operations(),
        phase.resources(),
        Optional.of(durability),
        phase.facts(),
        phase.points());
  }

  /** What a disk that is idle otherwise says of {@code flushes}. */
  public static Durability durability(
      Durability.Verdict verdict, long flushes, long writes, String reason) {
    return new Durability(
        Optional.of("nvme0n1"),
        OptionalLong.of(flushes),
        OptionalDouble.of(0.5),
        writes,
        writes == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) flushes / writes),
        verdict,
        reason);
  }

  /** {@code phase} with other counts for {@code operation}. */
  public static PhaseRecord with(PhaseRecord phase, String operation, OperationRecord record) {
    SortedMap<String, OperationRecord> operations = new TreeMap<>(phase.operations());
    operations.put(operation, record);
    return new PhaseRecord(
        phase.name(),
        phase.workload(),
        phase.load(),
        phase.outcome(),
        phase.settings(),
        phase.elapsedNanos(),
        operations,
        phase.resources(),
        phase.facts());
  }

  /** {@code run} with facts and a note. */
  public static RunRecord with(RunRecord run, Map<String, String> facts, String note) {
    return new RunRecord(
        run.schema(),
        run.id(),
        run.engine(),
        run.factors(),
        run.repetition(),
        run.seed(),
        run.outcome(),
        note,
        new TreeMap<>(facts),
        run.phases(),
        run.started(),
        run.ended());
  }

  /** A ranking's engines by rank, for example {@code {1=[a, b], 3=[c]}}. */
  public static Map<Integer, List<String>> ranks(Ranking ranking) {
    Map<Integer, List<String>> ranks = new LinkedHashMap<>();
    for (Standing standing : ranking.standings()) {
      ranks.computeIfAbsent(standing.rank(), rank -> new ArrayList<>()).add(standing.engine());
    }
    return ranks;
  }
}
