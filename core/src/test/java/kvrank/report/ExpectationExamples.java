package kvrank.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.metric.Expectation;
import kvrank.metric.Metrics;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.stats.Runs;

/** {@link Examples#ssdNofsync} with expectations that end in every way. */
public final class ExpectationExamples {

  private ExpectationExamples() {}

  public static ExecutionResults judged() {
    ExecutionResults plain = Examples.ssdNofsync();
    Manifest manifest =
        Runs.from(plain.manifest())
            .expectations(
                latency("redis get p99 < 2ms", "redis", "get", 2e6, Map.of()),
                latency(
                    "rocksdb get p99 < 1us at threads=8",
                    "rocksdb",
                    "get",
                    1e3,
                    Map.of("threads", "8")),
                latency(
                    "redis prefix-scan p99 < 1ms at threads=1",
                    "redis",
                    "prefix-scan",
                    1e6,
                    Map.of("threads", "1")),
                throughput("kvrocks set throughput > 1k", "kvrocks", "set", 1e3),
                throughput("redis set throughput > 41.2k", "redis", "set", 41_200))
            .build();
    return new ExecutionResults(
        plain.directory(), manifest, plain.environment(), plain.runs(), plain.unreadable());
  }

  private static Expectation latency(
      String text, String engine, String phase, double bound, Map<String, String> point) {
    String operation = phase.equals("get") ? "read" : phase;
    return new Expectation(
        text,
        engine,
        List.of(new Expectation.Cell(Optional.of(phase), Optional.of(operation))),
        Metrics.LATENCY_P99,
        true,
        bound,
        new TreeMap<>(point));
  }

  private static Expectation throughput(String text, String engine, String phase, double bound) {
    return new Expectation(
        text,
        engine,
        List.of(new Expectation.Cell(Optional.of(phase), Optional.empty())),
        Metrics.THROUGHPUT,
        false,
        bound,
        new TreeMap<>());
  }
}
