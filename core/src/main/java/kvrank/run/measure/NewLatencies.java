package kvrank.run.measure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.input.InputFile;
import kvrank.results.LatencyLog;
import org.HdrHistogram.Histogram;

/**
 * The latencies that a worker has added to its log since they were last read: a run can have
 * thousands of phases.
 */
final class NewLatencies {

  private final Path log;
  private long begin;

  NewLatencies(Path log) {
    this.log = log;
  }

  /** Returns the sum of the new intervals of each tag, as {@link LatencyLog#read(Path)}. */
  SortedMap<String, Histogram> read() throws IOException {
    if (!Files.exists(log, NOFOLLOW_LINKS)) {
      return new TreeMap<>();
    }
    try (InputStream in = InputFile.open(log, NOFOLLOW_LINKS)) {
      in.skipNBytes(begin);
      byte[] lines = in.readAllBytes();
      begin += lines.length;
      return LatencyLog.ofLines(new String(lines, UTF_8));
    }
  }
}
