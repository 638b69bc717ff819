package kvrank.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import kvrank.fact.Facts;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.Runs;
import kvrank.table.TableRequest;

/** Executions of the scenarios of the reference documents. The numbers are made up. */
public final class ReferenceExamples {

  private static final List<Double> JITTER = List.of(1.0, 0.97, 1.021);

  /** The tables that have an example of their own. */
  public static final List<String> OWN =
      List.of("head-to-head", "sizes-and-connections", "benchtool", "entries-and-batches");

  private ReferenceExamples() {}

  /** An execution that asks for the table {@code name}: its own example, or the common one. */
  public static ExecutionResults of(String name) {
    return switch (name) {
      case "head-to-head" -> headToHead();
      case "sizes-and-connections" -> sizesAndConnections();
      case "benchtool" -> benchtool();
      case "entries-and-batches" -> entriesAndBatches();
      default -> Examples.ssdNofsync(name);
    };
  }

  /** Kvrocks writes faster, reads are tied, deletes of one client are slower. */
  public static ExecutionResults headToHead() {
    return results(
        "head-to-head",
        List.of("ssdb", "kvrocks"),
        List.of("set", "get", "del"),
        Map.of("threads", List.of("1", "8"), "operations", List.of("10000")),
        (engine, phase, point) ->
            switch (phase) {
                  case "set" -> engine.equals("ssdb") ? 9_000 : 16_000;
                  case "get" -> engine.equals("ssdb") ? 21_000 : 21_300;
                  default -> engine.equals("ssdb") ? 24_000 : 17_000;
                }
                * (point.get("threads").equals("8") ? 2.5 : 1));
  }

  /** Ignix is faster with many connections only. */
  public static ExecutionResults sizesAndConnections() {
    return results(
        "sizes-and-connections",
        List.of("redis", "ignix"),
        List.of("load", "set", "get"),
        Map.of("threads", List.of("1", "50"), "value-bytes", List.of("64", "4096")),
        (engine, phase, point) -> {
          boolean many = point.get("threads").equals("50");
          double size = point.get("value-bytes").equals("64") ? 1 : 0.7;
          return size
              * (engine.equals("redis")
                  ? 20_000
                  : many ? 28_000 : phase.equals("get") ? 20_040 : 15_000);
        });
  }

  /** TidesDB has no binding yet. */
  public static ExecutionResults benchtool() {
    return results(
        "benchtool",
        List.of("tidesdb", "rocksdb"),
        List.of("load", "put-seq", "get-seq", "iter", "mixed", "delete"),
        Map.of("threads", List.of("4"), "key-bytes", List.of("16"), "value-bytes", List.of("100")),
        (engine, phase, point) ->
            engine.equals("tidesdb") ? 0 : phase.startsWith("get") ? 1_600_000 : 423_000);
  }

  /** Both engines of benchtool, as if TidesDB were available. */
  public static ExecutionResults benchtoolOfBoth() {
    return results(
        "benchtool",
        List.of("tidesdb", "rocksdb"),
        List.of("load", "put-seq", "get-seq"),
        Map.of("threads", List.of("4")),
        (engine, phase, point) -> engine.equals("tidesdb") ? 291_000 : 423_000);
  }

  /** Two kinds of redis by entries and batches; Chronicle Map has no binding yet. */
  public static ExecutionResults entriesAndBatches() {
    return results(
        "entries-and-batches",
        List.of("redis", "redis-32bit", "chronicle-map"),
        List.of("load", "get"),
        Map.of("records", List.of("10000", "100000"), "batch", List.of("1", "50", "5000")),
        (engine, phase, point) ->
            engine.equals("chronicle-map")
                ? 0
                : (engine.equals("redis") ? 20_000 : 20_100)
                    * (point.get("batch").equals("1") ? 1 : 12));
  }

  /** How many operations a second an engine does; 0 if it is missing. */
  private interface Speed {
    double of(String engine, String phase, Map<String, String> point);
  }

  private static ExecutionResults results(
      String table,
      List<String> engines,
      List<String> phases,
      Map<String, List<String>> varied,
      Speed speed) {
    TreeMap<String, List<String>> factors = new TreeMap<>(varied);
    factors.put("fsync", List.of("off"));
    factors.putIfAbsent("records", List.of("10000"));
    List<RunRecord> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= 3; repetition++) {
      for (Map<String, String> point : points(factors)) {
        for (String engine : engines) {
          runs.add(run(engine, point, repetition, phases, speed));
        }
      }
    }
    Manifest manifest =
        Runs.manifest(engines)
            .phases(phases)
            .factors(factors)
            .repetitions(3)
            .scenario(table)
            .question("Which one is better?")
            .medium("any")
            .tables(TableRequest.of(table))
            .runs(runs)
            .build();
    return new ExecutionResults(Path.of("results"), manifest, new Facts(), runs, List.of());
  }

  private static List<Map<String, String>> points(Map<String, List<String>> factors) {
    List<Map<String, String>> points = List.of(Map.of());
    for (Map.Entry<String, List<String>> factor : factors.entrySet()) {
      List<Map<String, String>> next = new ArrayList<>();
      for (Map<String, String> point : points) {
        for (String value : factor.getValue()) {
          Map<String, String> more = new TreeMap<>(point);
          more.put(factor.getKey(), value);
          next.add(more);
        }
      }
      points = next;
    }
    return points;
  }

  private static RunRecord run(
      String engine, Map<String, String> point, int repetition, List<String> phases, Speed speed) {
    if (speed.of(engine, phases.get(0), point) == 0) {
      return Runs.run(engine)
          .at(point)
          .repetition(repetition)
          .outcome(new Outcome.Unavailable("no binding yet: a C library"))
          .build();
    }
    List<PhaseRecord> records = new ArrayList<>();
    for (String phase : phases) {
      double throughput =
          speed.of(engine, phase, point)
              * JITTER.get((repetition + engine.charAt(2)) % JITTER.size());
      long memory =
          Math.round(
              (engine.length() << 20)
                  * 7.5
                  * JITTER.get((repetition + engine.charAt(2)) % JITTER.size()));
      int threads = Integer.parseInt(point.getOrDefault("threads", "1"));
      PhaseRecord record =
          Runs.phase(phase)
              .at(point)
              .operations(operations(phase, throughput))
              .threads(threads)
              .elapsedNanos(Math.round(10_000 / throughput * 1e9))
              .memory(memory)
              .footprint(memory * 3)
              .embedded(false)
              .build();
      records.add(counted(record));
    }
    return Runs.run(engine).at(point).repetition(repetition).phases(records).build();
  }

  /** The phase as one of 10,000 records. */
  private static PhaseRecord counted(PhaseRecord phase) {
    TreeMap<String, OperationRecord> operations = new TreeMap<>(phase.operations());
    operations.replaceAll(
        (name, each) ->
            new OperationRecord(
                Math.round(10_000 * each.throughput() / phase.throughput()),
                each.notFound(),
                each.errors(),
                each.throughput(),
                each.latencyNanos()));
    return Runs.from(phase).records(operations).build();
  }

  private static Map<String, Double> operations(String phase, double throughput) {
    return switch (phase) {
      case "load" -> Map.of("insert", throughput);
      case "iter" -> Map.of("iterate", throughput);
      case "mixed" -> Map.of("read", throughput / 2, "update", throughput / 2);
      case "del", "delete" -> Map.of("delete", throughput);
      default -> Map.of(phase.startsWith("get") ? "read" : "update", throughput);
    };
  }
}
