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
import kvrank.metric.Expectation;
import kvrank.metric.Latency;
import kvrank.metric.Usage;
import kvrank.plan.RunKey;
import kvrank.results.CrashTrialResult;
import kvrank.results.Durability;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.results.RunRecord;
import kvrank.scenario.TableRequest;

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
        "0.1.0",
        "example",
        "Which engine is fastest?",
        "ssd",
        List.of(),
        List.of(),
        engines,
        phases,
        new TreeMap<>(factors),
        repetitions,
        Optional.empty(),
        42,
        List.of(),
        THEN,
        List.of());
  }

  /** {@code manifest} of another scenario, with its runs. */
  public static Manifest with(
      Manifest manifest,
      String scenario,
      String question,
      String medium,
      List<TableRequest> tables,
      List<RunRecord> runs) {
    List<String> ids = runs.stream().map(RunRecord::id).toList();
    return new Manifest(
        manifest.kvrank(),
        scenario,
        question,
        medium,
        tables,
        manifest.expectations(),
        manifest.engines(),
        manifest.phases(),
        manifest.factors(),
        manifest.repetitions(),
        manifest.adaptive(),
        manifest.seed(),
        ids,
        manifest.planned(),
        manifest.extended());
  }

  /** {@code manifest} with bounds. */
  public static Manifest with(Manifest manifest, List<Expectation> expectations) {
    return with(manifest, expectations, manifest.adaptive(), manifest.planned());
  }

  /** {@code manifest}, planned at another time. */
  public static Manifest with(Manifest manifest, Instant planned) {
    return with(manifest, manifest.expectations(), manifest.adaptive(), planned);
  }

  /** {@code manifest} with repetitions, 3 at least, until {@code compare} are separated. */
  public static Manifest asking(Manifest manifest, List<List<String>> compare) {
    Manifest.Adaptive asked =
        new Manifest.Adaptive(
            3, 1.1, Optional.empty(), compare, Optional.empty(), Optional.empty(), List.of());
    return with(manifest, manifest.expectations(), Optional.of(asked), manifest.planned());
  }

  private static Manifest with(
      Manifest manifest,
      List<Expectation> expectations,
      Optional<Manifest.Adaptive> adaptive,
      Instant planned) {
    return new Manifest(
        manifest.kvrank(),
        manifest.scenario(),
        manifest.question(),
        manifest.medium(),
        manifest.tables(),
        expectations,
        manifest.engines(),
        manifest.phases(),
        manifest.factors(),
        manifest.repetitions(),
        adaptive,
        manifest.seed(),
        manifest.runs(),
        planned,
        manifest.extended());
  }

  /** {@code results} with other runs. */
  public static ExecutionResults with(ExecutionResults results, List<RunRecord> runs) {
    return new ExecutionResults(
        results.directory(), results.manifest(), results.environment(), runs, results.unreadable());
  }

  public static ExecutionResults results(Manifest manifest, List<RunRecord> runs) {
    return new ExecutionResults(Path.of("results"), manifest, new TreeMap<>(), runs, List.of());
  }

  public static RunRecord run(
      String engine,
      Map<String, String> factors,
      int repetition,
      Outcome outcome,
      List<PhaseRecord> phases) {
    return new RunRecord(
        new RunKey(
            engine + factors.values() + repetition, engine, new TreeMap<>(factors), repetition, 42),
        outcome,
        "",
        new TreeMap<>(),
        phases,
        THEN,
        THEN,
        Optional.empty());
  }

  /** {@code run} with options that are factors of its row. */
  public static RunRecord with(RunRecord run, Map<String, String> options) {
    return new RunRecord(
        new RunKey(
            run.id(),
            run.engine(),
            new TreeMap<>(options),
            run.factors(),
            run.repetition(),
            run.key().seed()),
        run.outcome(),
        run.note(),
        run.facts(),
        run.phases(),
        run.started(),
        run.ended(),
        run.crashTest());
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
        Optional.empty(),
        List.of(),
        new TreeMap<>());
  }

  /** A phase that has no measurement. */
  public static PhaseRecord phase(String name, Outcome outcome) {
    return new PhaseRecord(name, name, name.equals("load"), outcome, new TreeMap<>());
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
    Usage engine = usage(6.5, 2.25, memory, memory, memory, 0, footprint);
    Usage worker = usage(8, 1, 300L << 20, 320L << 20, 310L << 20, 0, 4096);
    SortedMap<String, String> facts = new TreeMap<>(phase.facts());
    facts.put("records", "10000");
    facts.put("user.liveBytes", Long.toString(footprint / 3));
    facts.put("user.writtenBytes", phase.load() ? Long.toString(footprint / 2) : "0");
    facts.put("harness.residentBytes", Long.toString(memory / 4));
    Resources resources =
        resources(embedded ? null : engine, embedded ? engine : worker, footprint);
    return with(
        with(phase, elapsedNanos, phase.operations(), Optional.of(resources), phase.durability()),
        facts);
  }

  /** What a process used that started no other and whose I/O can be seen. */
  public static Usage usage(
      double userSeconds,
      double systemSeconds,
      long residentMean,
      long residentPeak,
      long residentEnd,
      long readBytes,
      long writtenBytes) {
    return new Usage(
        userSeconds,
        systemSeconds,
        residentMean,
        residentPeak,
        residentEnd,
        0,
        OptionalLong.of(readBytes),
        OptionalLong.of(writtenBytes),
        OptionalLong.of(0));
  }

  /**
   * Resources of a data directory that is on no device.
   *
   * @param server null for none
   */
  public static Resources resources(Usage server, Usage client, long footprint) {
    return new Resources(
        Optional.ofNullable(server),
        Optional.ofNullable(client),
        OptionalLong.of(footprint),
        Optional.empty());
  }

  /** {@code phase} with other measurements. */
  public static PhaseRecord with(
      PhaseRecord phase,
      long elapsedNanos,
      SortedMap<String, OperationRecord> operations,
      Optional<Resources> resources,
      Optional<Durability> durability) {
    return new PhaseRecord(
        phase.name(),
        phase.workload(),
        phase.load(),
        phase.outcome(),
        phase.settings(),
        elapsedNanos,
        operations,
        resources,
        durability,
        phase.points(),
        phase.facts());
  }

  /** {@code phase} with other facts. */
  public static PhaseRecord with(PhaseRecord phase, Map<String, String> facts) {
    return new PhaseRecord(
        phase.name(),
        phase.workload(),
        phase.load(),
        phase.outcome(),
        phase.settings(),
        phase.elapsedNanos(),
        phase.operations(),
        phase.resources(),
        phase.durability(),
        phase.points(),
        new TreeMap<>(facts));
  }

  /** {@code phase} with other counts. */
  public static PhaseRecord counted(
      PhaseRecord phase, SortedMap<String, OperationRecord> operations) {
    return with(phase, phase.elapsedNanos(), operations, phase.resources(), phase.durability());
  }

  /** {@code phase} with what the disk says of its durability. */
  public static PhaseRecord with(PhaseRecord phase, Durability durability) {
    return phase.with(durability);
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
    return counted(phase, operations);
  }

  /** {@code run} with facts and a note. */
  public static RunRecord with(RunRecord run, Map<String, String> facts, String note) {
    return new RunRecord(
        run.key(),
        run.outcome(),
        note,
        new TreeMap<>(facts),
        run.phases(),
        run.started(),
        run.ended(),
        run.crashTest());
  }

  /** {@code run} with a crash test. */
  public static RunRecord with(RunRecord run, CrashTrialResult test) {
    return new RunRecord(
        run.key(),
        run.outcome(),
        run.note(),
        run.facts(),
        run.phases(),
        run.started(),
        run.ended(),
        Optional.of(test));
  }

  /** The repetitions of one execution. */
  public static SortedMap<RepetitionBlock, Double> blocks(List<Double> values) {
    SortedMap<RepetitionBlock, Double> blocks = new TreeMap<>();
    values.forEach(value -> blocks.put(new RepetitionBlock(0, blocks.size() + 1), value));
    return blocks;
  }

  /** The repetitions of engines in one execution. */
  public static SortedMap<String, SortedMap<RepetitionBlock, Double>> blocks(
      Map<String, List<Double>> engines) {
    SortedMap<String, SortedMap<RepetitionBlock, Double>> blocks = new TreeMap<>();
    engines.forEach((engine, values) -> blocks.put(engine, blocks(values)));
    return blocks;
  }

  /** A ranking's ranges of ranks by engine, the best first: {@code {a=1, b=2–3, c=2–3}}. */
  public static String ranges(Ranking ranking) {
    Map<String, RankRange> ranges = new LinkedHashMap<>();
    ranking.standings().forEach(each -> ranges.put(each.engine(), each.ranks()));
    return ranges.toString();
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
