package kvrank.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import kvrank.benchmarks.PeerBenchmark.Stage;
import org.HdrHistogram.HistogramLogReader;

/** How long {@code ./kvrank} takes to plan, and to run until the first operation that counts. */
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

  private StartBenchmark() {}

  static List<PeerBenchmark> of(Build build) {
    return List.of(
        row("plan", "./kvrank plan quick, s", 0.35, folder -> planSeconds(build, folder)),
        row(
            "start",
            "./kvrank run, RocksDB, 1,000 records, s to the first counted operation",
            1.5,
            folder -> startSeconds(build, folder)));
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
        folder ->
            new Stage() {
              @Override
              public Figure kvrank() throws IOException, InterruptedException {
                return Figure.of(measure.seconds(folder));
              }

              @Override
              public Optional<Figure> peer() {
                return Optional.empty();
              }
            });
  }

  private static double planSeconds(Build build, Path folder)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    run(build, folder, "plan", "quick");
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
