package kvrank.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.binding.EngineCounters;

/** What an engine counts, and what Linux counts of this process. */
public final class Counts {

  private Counts() {}

  /** Returns the current figures of {@code engine}, totals and gauges, by their names. */
  public static SortedMap<String, Double> of(EngineCounters engine) throws Exception {
    SortedMap<String, Double> figures = new TreeMap<>();
    engine.addCounters(
        new EngineCounters.Figures() {
          @Override
          public void gauge(String name, double value) {
            figures.put(name, value);
          }

          @Override
          public void total(String name, double value) {
            figures.put(name, value);
          }
        });
    return figures;
  }

  /**
   * Returns the bytes of all calls of this process to read or to write, from {@code /proc/PID/io}.
   *
   * @param kind {@code rchar} or {@code wchar}
   */
  public static long called(String kind) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/io")).stream()
        .filter(line -> line.startsWith(kind + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(kind.length() + 1).strip()))
        .findFirst()
        .orElseThrow();
  }
}
