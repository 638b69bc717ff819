package kvrank.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A peer's process, from its start to its end. */
final class Tool {

  private static final int POLL_MILLIS = 50;

  private Tool() {}

  /**
   * What a tool did.
   *
   * @param cores how many cores it kept busy after it had settled
   */
  record Outcome(String output, double cores) {

    /** The first group of the last match of {@code pattern}. */
    double number(String pattern) throws IOException {
      List<MatchResult> found = Pattern.compile(pattern).matcher(output).results().toList();
      if (found.isEmpty()) {
        throw new IOException("no match of '" + pattern + "' in: " + output);
      }
      return Double.parseDouble(found.get(found.size() - 1).group(1));
    }
  }

  /**
   * Runs {@code command}.
   *
   * @param settleSeconds how long its CPU time is not counted
   */
  static Outcome run(List<String> command, double settleSeconds, Path log)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    long start = System.nanoTime();
    long[] first = null;
    long[] last = null;
    boolean ended = false;
    try {
      while (!ended) {
        ended = process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
        long now = System.nanoTime();
        long ticks = Machine.ticks(process.pid());
        if (!ended && ticks >= 0 && now - start >= settleSeconds * 1e9) {
          last = new long[] {now, ticks};
          first = first == null ? last : first;
        }
      }
    } finally {
      process.destroyForcibly();
    }
    String output = Files.readString(log);
    if (process.exitValue() != 0) {
      throw new IOException(command + " ended with " + process.exitValue() + ": " + output);
    }
    return new Outcome(output, cores(first, last));
  }

  private static double cores(long[] first, long[] last) {
    return first == null || first == last
        ? Double.NaN
        : (last[1] - first[1]) / Machine.TICKS_PER_SECOND / ((last[0] - first[0]) / 1e9);
  }

  /** The executable that the PATH has under {@code name}. */
  static Optional<Path> find(String name) {
    for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
      Path file = Path.of(folder, name);
      if (Files.isExecutable(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }
}
