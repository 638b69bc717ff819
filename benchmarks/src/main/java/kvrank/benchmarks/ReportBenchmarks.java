package kvrank.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import kvrank.benchmarks.PeerBenchmark.Stage;

/**
 * How long {@code ./kvrank report} takes with a heap of at most 1 GiB: of 1,000 runs, and of twice
 * as many beside that; and how large the page is.
 */
final class ReportBenchmarks {

  /** Times 100 runs. */
  private static final int REPETITIONS = 10;

  private final Build build;

  ReportBenchmarks(Build build) {
    this.build = build;
  }

  List<PeerBenchmark> all() {
    return List.of(
        new PeerBenchmark(
            "report",
            "./kvrank report, 1,000 runs, heap of 1 GiB, s",
            "",
            Bar.valueAtMost(5),
            Optional.empty(),
            folder -> stage(MadeUpResults.write(folder, REPETITIONS), Optional.empty())),
        new PeerBenchmark(
            "report-twice",
            "./kvrank report, 2,000 runs, s",
            "1,000 runs",
            Bar.ratioAtMost(2.2),
            Optional.empty(),
            folder ->
                stage(
                    MadeUpResults.write(folder, 2 * REPETITIONS),
                    Optional.of(MadeUpResults.write(folder, REPETITIONS)))),
        new PeerBenchmark(
            "report-page",
            "report.html of 1,000 runs, kB",
            "",
            Bar.valueAtMost(2_000),
            Optional.empty(),
            folder -> page(MadeUpResults.write(folder, REPETITIONS))));
  }

  private Stage stage(Path results, Optional<Path> peer) {
    return new Stage() {
      @Override
      public Figure kvrank() throws IOException, InterruptedException {
        return Figure.of(seconds(results));
      }

      @Override
      public Optional<Figure> peer() throws IOException, InterruptedException {
        return peer.isPresent() ? Optional.of(Figure.of(seconds(peer.get()))) : Optional.empty();
      }
    };
  }

  private Stage page(Path results) {
    return new Stage() {
      @Override
      public Figure kvrank() throws IOException, InterruptedException {
        seconds(results);
        return Figure.of(Files.size(results.resolve("report/report.html")) / 1e3);
      }

      @Override
      public Optional<Figure> peer() {
        return Optional.empty();
      }
    };
  }

  private double seconds(Path results) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(build.home().resolve("kvrank").toString(), "report", results.toString());
    builder.environment().put("JDK_JAVA_OPTIONS", "-Xmx1g");
    Path log = results.resolve("kvrank.log");
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    long start = System.nanoTime();
    int status = builder.start().waitFor();
    double seconds = (System.nanoTime() - start) / 1e9;
    if (status != 0) {
      throw new IOException("kvrank ended with " + status + ": " + Files.readString(log));
    }
    return seconds;
  }
}
