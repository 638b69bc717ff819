package kvrank.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import kvrank.benchmarks.table.Bar;
import kvrank.benchmarks.table.PeerBenchmark;
import kvrank.benchmarks.table.PeerBenchmark.Stage;

/**
 * How long {@code ./kvrank report} takes: of 1,000 runs with a heap of at most 1 GiB, of twice as
 * many beside that, and of 10,000 with 2 GiB; how large the page is; and how long {@code site} and
 * {@code history} take for 1,000 executions of 30 runs.
 */
final class ReportBenchmarks {

  /** Times 100 runs. */
  private static final int REPETITIONS = 10;

  private static final int EXECUTIONS = 1_000;

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
            folder -> stage(MadeUpResults.write(folder, REPETITIONS))),
        new PeerBenchmark(
            "report-twice",
            "./kvrank report, 2,000 runs, s",
            "1,000 runs",
            Bar.ratioAtMost(2.2),
            Optional.empty(),
            folder -> {
              Path twice = MadeUpResults.write(folder, 2 * REPETITIONS);
              Path once = MadeUpResults.write(folder, REPETITIONS);
              return Stage.of(() -> seconds(twice), () -> seconds(once));
            }),
        new PeerBenchmark(
            "report-page",
            "report.html of 1,000 runs, kB",
            "",
            Bar.valueAtMost(2_000),
            Optional.empty(),
            folder -> page(MadeUpResults.write(folder, REPETITIONS))),
        new PeerBenchmark(
            "report-10000",
            "./kvrank report, 10,000 runs, heap of 2 GiB, s",
            "",
            Bar.valueAtMost(40),
            Optional.empty(),
            folder -> {
              Path results = MadeUpResults.write(folder, 10 * REPETITIONS);
              return Stage.of(() -> seconds(folder, "2g", "report", results.toString()));
            }),
        ofExecutions("site", folder -> List.of("--out", folder.resolve("site").toString())),
        // What the made-up noise looks like is not judged.
        ofExecutions("history", folder -> List.of("--tolerance", "99%")));
  }

  private PeerBenchmark ofExecutions(String command, Function<Path, List<String>> options) {
    return new PeerBenchmark(
        command,
        "./kvrank %s, 1,000 executions of 30 runs, heap of 2 GiB, s".formatted(command),
        "",
        Bar.valueAtMost(60),
        Optional.empty(),
        folder -> {
          List<String> words = new ArrayList<>(List.of(command));
          MadeUpResults.daily(folder, EXECUTIONS).forEach(each -> words.add(each.toString()));
          words.addAll(options.apply(folder));
          return Stage.of(() -> seconds(folder, "2g", words.toArray(String[]::new)));
        });
  }

  private Stage stage(Path results) {
    return Stage.of(() -> seconds(results));
  }

  private Stage page(Path results) {
    return Stage.of(
        () -> {
          seconds(results);
          return Files.size(results.resolve("report/report.html")) / 1e3;
        });
  }

  private double seconds(Path results) throws IOException, InterruptedException {
    return seconds(results, "1g", "report", results.toString());
  }

  private double seconds(Path folder, String heap, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(build.home().resolve("kvrank").toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JDK_JAVA_OPTIONS", "-Xmx" + heap);
    Path log = folder.resolve("kvrank.log");
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
