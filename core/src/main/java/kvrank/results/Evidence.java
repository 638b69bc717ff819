package kvrank.results;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;

/**
 * What stands behind the records: the raw series of each run, and the scenario as it was resolved.
 */
public interface Evidence {

  /**
   * The scenario as it was resolved; empty if it is not there.
   *
   * @throws UnreadableException if it cannot be read
   */
  String scenario() throws UnreadableException;

  /**
   * The latencies of {@code run} in nanoseconds, by {@code phase/operation}; empty if there are
   * none.
   *
   * @throws UnreadableException if the file is broken
   */
  SortedMap<String, Histogram> latencies(RunRecord run) throws UnreadableException;

  /**
   * The operations of {@code run} over time; empty if there are none.
   *
   * @throws UnreadableException if the file is broken
   */
  Timeline timeline(RunRecord run) throws UnreadableException;

  /** No series and no scenario, for executions that are merged: their runs' names may collide. */
  static Evidence none() {
    return new Evidence() {
      @Override
      public String scenario() {
        return "";
      }

      @Override
      public SortedMap<String, Histogram> latencies(RunRecord run) {
        return Collections.emptySortedMap();
      }

      @Override
      public Timeline timeline(RunRecord run) {
        return new Timeline(List.of());
      }
    };
  }

  /** The files of {@code directory}, each read when it is asked for. */
  static Evidence in(ResultsDirectory directory) {
    return new Evidence() {
      @Override
      public String scenario() throws UnreadableException {
        Path file = directory.scenarioFile();
        try {
          return Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
          throw new UnreadableException(file + ": cannot be read: " + e.getMessage());
        }
      }

      @Override
      public SortedMap<String, Histogram> latencies(RunRecord run) throws UnreadableException {
        Path file = directory.run(run.id()).latencyLog();
        try {
          return LatencyLog.read(file);
        } catch (RuntimeException e) { // what HdrHistogram throws at a broken file is not declared
          throw new UnreadableException(file + ": broken or truncated: " + e.getMessage());
        }
      }

      @Override
      public Timeline timeline(RunRecord run) throws UnreadableException {
        return Timeline.read(directory.run(run.id()).timeline());
      }
    };
  }
}
