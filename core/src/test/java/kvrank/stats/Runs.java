package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;

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
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.Level;
import kvrank.metric.Latency;
import kvrank.metric.Usage;
import kvrank.results.Durability;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.results.RunRecord;
import kvrank.stats.infer.RankRange;
import kvrank.stats.infer.RepetitionBlock;

/** Records as tests need them. */
public final class Runs {

  /** When everything in tests happened. */
  public static final Instant THEN = Instant.parse("2026-01-02T03:04:05Z");

  private Runs() {}

  /** Begins the manifest of a scenario with these engines, and one repetition. */
  public static ManifestBuilder manifest(String... engines) {
    return manifest(List.of(engines));
  }

  public static ManifestBuilder manifest(List<String> engines) {
    return new ManifestBuilder(engines);
  }

  public static ManifestBuilder from(Manifest manifest) {
    return new ManifestBuilder(manifest);
  }

  /** Begins the record of a completed run, of the first repetition. */
  public static RunBuilder run(String engine) {
    return new RunBuilder(engine);
  }

  public static RunBuilder from(RunRecord run) {
    return new RunBuilder(run);
  }

  /** Begins the record of a completed phase. */
  public static PhaseBuilder phase(String name) {
    return new PhaseBuilder(name);
  }

  public static PhaseBuilder from(PhaseRecord phase) {
    return new PhaseBuilder(phase);
  }

  public static UsageBuilder usage() {
    return new UsageBuilder();
  }

  /** {@code results} with other runs. */
  public static ExecutionResults with(ExecutionResults results, List<RunRecord> runs) {
    return new ExecutionResults(
        results.directory(), results.manifest(), results.environment(), runs, results.unreadable());
  }

  public static ExecutionResults results(Manifest manifest, List<RunRecord> runs) {
    return new ExecutionResults(Path.of("results"), manifest, new Facts(), runs, List.of());
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

  /** Returns facts by their names, all of which must be declared. */
  public static Facts facts(Level level, Map<String, String> values) {
    assertThat(values)
        .allSatisfy((name, value) -> assertThat(Fact.find(level, name)).as(name).isPresent());
    return Facts.of(values);
  }
}
