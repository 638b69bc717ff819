package kvrank.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.benchmarks.table.Bar;
import kvrank.benchmarks.table.PeerBenchmark;
import kvrank.benchmarks.table.PeerBenchmark.Stage;
import kvrank.fact.Fact;
import kvrank.results.PhaseRecord;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException;
import org.HdrHistogram.HistogramLogReader;

/**
 * How long {@code ./kvrank} takes to plan, to run until the first operation that counts, and to
 * answer a scenario.
 */
final class StartBenchmark {

  private static final String SCENARIO =
      """
      question: How soon does the first operation count?
      engines: [rocksdb]
      fsync: off
      records: 1_000
      phases: [load, get]
      measure: {warmup: 0s, operations: 1_000}
      repetitions: 1
      """;

  /** 5 engines x 10 x 20 factor points x 10 repetitions. */
  private static final String LARGE =
      """
      question: How long does a plan take?
      engines: [rocksdb, lmdb, h2-mvstore, mapdb, xodus]
      fsync: off
      records: 1_000
      phases: [load, get, set, set-get]
      factors:
        threads: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
        value-bytes: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200]
      repetitions: 10
      """;

  private StartBenchmark() {}

  static List<PeerBenchmark> of(Build build) {
    return List.of(
        row("plan", "./kvrank plan quick, s", 0.35, folder -> planSeconds(build, folder, "quick")),
        row(
            "plan-10000",
            "./kvrank plan, 10,000 runs, s",
            1.5,
            folder -> {
              Path scenario = Files.createDirectories(folder).resolve("large.yaml");
              Files.writeString(scenario, LARGE);
              return planSeconds(build, folder, scenario.toString());
            }),
        row(
            "start",
            "./kvrank run, RocksDB, 1,000 records, s to the first counted operation",
            1.5,
            folder -> startSeconds(build, folder)),
        row(
            "answer",
            "./kvrank run quick with 3 repetitions, s to the verdict",
            120,
            folder -> answerSeconds(build, folder)));
  }

  private interface Measure {
    double seconds(Path folder) throws IOException, InterruptedException;
  }

  private static PeerBenchmark row(String name, String what, double bar, Measure measure) {
    return new PeerBenchmark(
        name,
        what,
        "",
        Bar.valueAtMost(bar),
        Optional.empty(),
        folder -> Stage.of(() -> measure.seconds(folder)));
  }

  private static double planSeconds(Build build, Path folder, String scenario)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    run(build, folder, "plan", scenario);
    return (System.nanoTime() - start) / 1e9;
  }

  /**
   * From before the process was started to the start of the load, which counts from its first. That
   * does not wait for a quiet machine.
   */
  private static double startSeconds(Build build, Path folder)
      throws IOException, InterruptedException {
    Path scenario = Files.createDirectories(folder).resolve("start.yaml");
    Path results = Files.createTempDirectory(folder, "results");
    Files.writeString(scenario, SCENARIO);
    long start = System.currentTimeMillis();
    run(build, folder, "run", scenario.toString(), "--no-wait", "--out", results.toString());
    return (firstPhase(results) - start) / 1e3;
  }

  /** Also prints what the time was spent on. */
  private static double answerSeconds(Build build, Path folder)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Path results = Files.createTempDirectory(folder, "results");
    long start = System.nanoTime();
    String out = results.toString();
    run(build, folder, "run", "quick", "--repetitions", "3", "--no-wait", "--out", out);
    double seconds = (System.nanoTime() - start) / 1e9;
    double load = 0;
    double warmUp = 0;
    double measured = 0;
    double all = 0;
    List<RunRecord> runs = runs(results.resolve("latest"));
    for (RunRecord run : runs) {
      all += run.time().toMillis() / 1e3;
      for (PhaseRecord phase : run.phases()) {
        if (phase.load()) {
          load += phase.elapsedNanos() / 1e9;
        } else {
          measured += phase.elapsedNanos() / 1e9;
          warmUp += phase.facts().number(Fact.WARMUP_NANOS) / 1e9;
        }
      }
    }
    double rest = all - load - warmUp - measured;
    System.out.printf(
        "answer: %d engines, %d runs: load %.1f s, warm-up %.1f s, measured %.1f s, rest of the runs"
            + " %.1f s (%.2f each), beside runs %.1f s%n",
        runs.stream().map(RunRecord::engine).distinct().count(),
        runs.size(),
        load,
        warmUp,
        measured,
        rest,
        rest / runs.size(),
        seconds - all);
    runs.stream()
        .collect(Collectors.groupingBy(RunRecord::engine, TreeMap::new, Collectors.toList()))
        .forEach((engine, its) -> System.out.printf("answer: %s: %s%n", engine, parts(its)));
    return seconds;
  }

  /** Returns the mean time of the parts of {@code runs} beside their phases. */
  private static String parts(List<RunRecord> runs) {
    return Stream.of(
            Fact.TIME_SERVER_SECONDS,
            Fact.TIME_WORKER_SECONDS,
            Fact.TIME_BETWEEN_SECONDS,
            Fact.TIME_STOP_SECONDS)
        .map(
            part ->
                "%s %.3f"
                    .formatted(
                        part.label(),
                        runs.stream()
                            .filter(run -> run.facts().has(part))
                            .mapToDouble(run -> run.facts().number(part))
                            .average()
                            .orElse(0)))
        .collect(Collectors.joining(", "));
  }

  private static List<RunRecord> runs(Path results) throws IOException {
    try {
      return ResultsDirectory.at(results).read().runs();
    } catch (UnreadableException e) {
      throw new IOException(e);
    }
  }

  private static void run(Build build, Path folder, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(build.home().resolve("kvrank").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    // Its own folder for the lock that keeps two executions apart.
    Path temporary = Files.createDirectories(folder.resolve("tmp"));
    builder.environment().put("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary);
    Path log = folder.resolve("kvrank.log");
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    int status = builder.start().waitFor();
    if (status != 0) {
      throw new IOException("kvrank ended with " + status + ": " + Files.readString(log));
    }
  }

  private static long firstPhase(Path results) throws IOException {
    try (Stream<Path> files = Files.walk(results)) {
      Path log =
          files
              .filter(file -> file.endsWith("rocksdb.r1/latency.hlog"))
              .findFirst()
              .orElseThrow(() -> new IOException("no latency.hlog in " + results));
      try (InputStream in = Files.newInputStream(log);
          HistogramLogReader reader = new HistogramLogReader(in)) {
        return reader.nextIntervalHistogram().getStartTimeStamp();
      }
    }
  }
}
