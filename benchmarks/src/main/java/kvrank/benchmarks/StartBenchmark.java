package kvrank.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import kvrank.benchmarks.PeerBenchmark.Stage;
import org.HdrHistogram.HistogramLogReader;

/** How long {@code ./kvrank run} takes until the first operation that counts. */
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

  static PeerBenchmark of(Build build) {
    return new PeerBenchmark(
        "start",
        "./kvrank run, RocksDB, 1,000 records, s to the first counted operation",
        "",
        Bar.valueAtMost(3),
        Optional.empty(),
        folder ->
            new Stage() {
              @Override
              public Figure kvrank() throws IOException, InterruptedException {
                return Figure.of(seconds(build, folder));
              }

              @Override
              public Optional<Figure> peer() {
                return Optional.empty();
              }
            });
  }

  /** From before the process was started to the start of the load, which counts from its first. */
  private static double seconds(Build build, Path folder) throws IOException, InterruptedException {
    Path temporary = Files.createDirectories(folder.resolve("tmp"));
    Path scenario = folder.resolve("start.yaml");
    Path results = Files.createTempDirectory(folder, "results");
    Files.writeString(scenario, SCENARIO);
    ProcessBuilder builder =
        new ProcessBuilder(
            build.home().resolve("kvrank").toString(),
            "run",
            scenario.toString(),
            "--out",
            results.toString());
    // Its own folder for the lock that keeps two executions apart.
    builder.environment().put("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary);
    Path log = folder.resolve("kvrank.log");
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    long start = System.currentTimeMillis();
    int status = builder.start().waitFor();
    if (status != 0) {
      throw new IOException("kvrank ended with " + status + ": " + Files.readString(log));
    }
    return (firstPhase(results) - start) / 1e3;
  }

  private static long firstPhase(Path results) throws IOException {
    try (Stream<Path> files = Files.walk(results)) {
      Path log =
          files
              .filter(file -> file.getFileName().toString().equals("latency.hlog"))
              .findFirst()
              .orElseThrow(() -> new IOException("no latency.hlog in " + results));
      try (InputStream in = Files.newInputStream(log);
          HistogramLogReader reader = new HistogramLogReader(in)) {
        return reader.nextIntervalHistogram().getStartTimeStamp();
      }
    }
  }
}
