package kvrank.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.metric.Usage;
import kvrank.plan.RunKey;
import kvrank.results.Durability;
import kvrank.results.Json;
import kvrank.results.LatencyLog;
import kvrank.results.Manifest;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * A results directory as an execution of 5 engines, up to 20 factor points and 7 phases leaves it,
 * with all files that a report reads. The numbers are made up.
 */
final class MadeUpResults {

  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private static final List<String> ENGINES =
      List.of("redis", "kvrocks", "ssdb", "ignix", "rocksdb");

  private static final List<String> THREADS = List.of("1", "4", "16", "64");

  private static final List<String> VALUE_BYTES = List.of("16", "64", "256", "1024", "4096");

  /** The operations of each phase. */
  private static final Map<String, List<String>> PHASES =
      new TreeMap<>(
          Map.of(
              "load", List.of("insert"),
              "prefix-scan", List.of("prefix-scan"),
              "range-scan", List.of("range-scan"),
              "set", List.of("update"),
              "get", List.of("read"),
              "set-get", List.of("read", "update"),
              "delete", List.of("delete")));

  private static final int SECONDS = 13;

  private final ResultsDirectory results;
  private final Instant begin;
  private final Random random;

  private MadeUpResults(Path parent, Instant begin) throws IOException {
    this.results = ResultsDirectory.create(parent, begin);
    this.begin = begin;
    this.random = new Random(begin.getEpochSecond());
  }

  /** Writes {@code repetitions} times 100 runs below {@code parent}; returns their folder. */
  static Path write(Path parent, int repetitions) throws IOException {
    MadeUpResults madeUp = new MadeUpResults(parent, BEGIN);
    madeUp.write(THREADS, VALUE_BYTES, repetitions);
    return madeUp.results.path();
  }

  /** Writes executions of 30 runs, one for each day; returns their folders. */
  static List<Path> daily(Path parent, int executions) throws IOException {
    List<Path> folders = new ArrayList<>();
    for (int day = 0; day < executions; day++) {
      MadeUpResults madeUp = new MadeUpResults(parent, BEGIN.plus(Duration.ofDays(day)));
      madeUp.write(List.of("4"), List.of("256"), 6);
      folders.add(madeUp.results.path());
    }
    return folders;
  }

  private void write(List<String> threadCounts, List<String> sizes, int repetitions)
      throws IOException {
    List<String> ids = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (String threads : threadCounts) {
        for (String bytes : sizes) {
          SortedMap<String, String> point =
              new TreeMap<>(Map.of("fsync", "off", "threads", threads, "value-bytes", bytes));
          for (String engine : ENGINES) {
            String id = "%s.t%s.v%s.r%d".formatted(engine, threads, bytes, repetition);
            ids.add(id);
            run(results.run(id), new RunKey(id, engine, point, repetition, 42));
          }
        }
      }
    }
    SortedMap<String, List<String>> factors =
        new TreeMap<>(
            Map.of("fsync", List.of("off"), "threads", threadCounts, "value-bytes", sizes));
    results.begin(
        "question: How long does a report take?\n",
        Json.file(
            new Manifest(
                "0.1.0",
                "made-up",
                "How long does a report take?",
                "ssd",
                List.of(),
                List.of(),
                Optional.empty(),
                ENGINES,
                List.copyOf(PHASES.keySet()),
                factors,
                repetitions,
                Optional.empty(),
                42,
                Optional.empty(),
                ids,
                begin,
                List.of())),
        new Facts().put(Fact.HOST, "made-up").put(Fact.CPU_CORES, 2));
  }

  private void run(RunDirectory directory, RunKey key) throws IOException {
    Files.createDirectories(directory.path());
    List<PhaseRecord> phases = new ArrayList<>();
    StringBuilder timeline =
        new StringBuilder("phase,second,elapsed_ms,warmup,operation,ok,not_found,errors\n");
    try (PrintStream out = new PrintStream(directory.latencyLog().toFile())) {
      HistogramLogWriter log = new HistogramLogWriter(out);
      log.outputLegend();
      for (Map.Entry<String, List<String>> phase : PHASES.entrySet()) {
        phases.add(phase(key, phase.getKey(), phase.getValue(), log, timeline));
      }
    }
    Files.writeString(directory.timeline(), timeline);
    directory.write(
        new RunRecord(
            key,
            new Outcome.Completed(),
            "",
            new Facts().put(Fact.ENGINE_VERSION, "1.2.3").put(Fact.WAY, "process"),
            phases,
            begin,
            begin,
            Optional.empty()));
  }

  private PhaseRecord phase(
      RunKey key,
      String name,
      List<String> operations,
      HistogramLogWriter log,
      StringBuilder timeline) {
    double threads = Double.parseDouble(key.factors().get("threads"));
    double speed = 20_000 * (1 + ENGINES.indexOf(key.engine())) * Math.sqrt(threads) * noise(0.05);
    SortedMap<String, OperationRecord> records = new TreeMap<>();
    for (String operation : operations) {
      Histogram latencies = latencies(threads * 1e9 / speed);
      latencies.setTag(name + "/" + operation);
      log.outputIntervalHistogram(latencies);
      double throughput = speed / operations.size();
      records.put(
          operation,
          new OperationRecord(
              Math.round(throughput * 10),
              0,
              new TreeMap<>(),
              throughput,
              Optional.of(LatencyLog.summary(latencies))));
      for (int second = 0; second < SECONDS; second++) {
        timeline.append(
            "%s,%d,%d,%s,%s,%d,0,0%n"
                .formatted(
                    name,
                    second,
                    (second + 1) * 1000,
                    second < 3,
                    operation,
                    Math.round(throughput * noise(0.03))));
      }
    }
    return new PhaseRecord(
        name,
        name,
        name.equals("load"),
        new Outcome.Completed(),
        new TreeMap<>(key.factors()),
        10_000_000_000L,
        records,
        Optional.of(
            new Resources(
                Optional.of(usage()),
                Optional.of(usage()),
                OptionalLong.of(Math.round(1e8 * noise(0.1))),
                Optional.empty())),
        Optional.of(
            new Durability(
                Optional.of("sda"),
                OptionalLong.of(3),
                OptionalDouble.of(0.5),
                1_000,
                OptionalDouble.of(0.003),
                Durability.Verdict.PROVEN,
                "3 flushes, which are few")),
        List.of(),
        new Facts().put(Fact.STEADY, random.nextInt(3) == 0 ? "no" : "yes"));
  }

  private Histogram latencies(double mean) {
    Histogram latencies = new Histogram(3);
    for (int i = 0; i < 2_000; i++) {
      double tail = i % 100 == 0 ? 20 : 1;
      latencies.recordValueWithCount(
          Math.max(1, Math.round(mean * tail * noise(0.4))), 1 + random.nextInt(100));
    }
    return latencies;
  }

  private Usage usage() {
    long bytes = Math.round(5e7 * noise(0.1));
    return new Usage(
        8 * noise(0.1),
        2 * noise(0.1),
        bytes,
        bytes,
        bytes,
        0,
        OptionalLong.of(0),
        OptionalLong.of(bytes),
        OptionalLong.of(0),
        OptionalLong.of(0),
        OptionalLong.of(bytes),
        OptionalLong.of(bytes),
        OptionalLong.of(bytes));
  }

  /** A factor around 1, whose logarithm has that standard deviation. */
  private double noise(double deviation) {
    return Math.exp(random.nextGaussian() * deviation);
  }
}
