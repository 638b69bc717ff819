package kvrank.worker;

import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;

/** Reads {@code latency.hlog} back with HdrHistogram's own reader. */
public final class LatencyLog {

  private LatencyLog() {}

  static Path file(Path folder) {
    return folder.resolve("latency.hlog");
  }

  /** The number of values under each tag. */
  public static Map<String, Long> totals(Path folder) throws FileNotFoundException {
    Map<String, Long> totals = new TreeMap<>();
    histograms(folder).forEach((tag, histogram) -> totals.put(tag, histogram.getTotalCount()));
    return totals;
  }

  /** The histogram of each tag; where there are several of one, their sum. */
  static Map<String, AbstractHistogram> histograms(Path folder) throws FileNotFoundException {
    Map<String, AbstractHistogram> histograms = new TreeMap<>();
    try (HistogramLogReader reader = new HistogramLogReader(file(folder).toFile())) {
      EncodableHistogram histogram = reader.nextIntervalHistogram();
      while (histogram != null) {
        histograms.merge(
            histogram.getTag(),
            (AbstractHistogram) histogram,
            (sum, more) -> {
              sum.add(more);
              return sum;
            });
        histogram = reader.nextIntervalHistogram();
      }
    }
    return histograms;
  }
}
