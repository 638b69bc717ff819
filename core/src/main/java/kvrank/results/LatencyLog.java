package kvrank.results;

import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/** Reads {@code latency.hlog}: nanoseconds, one or more intervals per tag. */
public final class LatencyLog {

  /** A percentile is given only if at least this many operations lie beyond it. */
  private static final int BEYOND = 10;

  private LatencyLog() {}

  /**
   * Returns the intervals of each tag ({@code phase/operation}) added up; empty if there is no
   * file.
   */
  public static SortedMap<String, Histogram> read(Path file) {
    SortedMap<String, Histogram> histograms = new TreeMap<>();
    if (!file.toFile().exists()) {
      return Collections.unmodifiableSortedMap(histograms);
    }
    try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
      EncodableHistogram interval;
      while ((interval = reader.nextIntervalHistogram()) != null) {
        if (interval instanceof AbstractHistogram counted && interval.getTag() != null) {
          histograms.computeIfAbsent(interval.getTag(), tag -> new Histogram(3)).add(counted);
        }
      }
    } catch (FileNotFoundException e) {
      return Collections.unmodifiableSortedMap(histograms);
    }
    return Collections.unmodifiableSortedMap(histograms);
  }

  /** Returns the summary of {@code histogram}, whose values are nanoseconds. */
  public static Latency summary(AbstractHistogram histogram) {
    return new Latency(
        histogram.getTotalCount(),
        histogram.getMean(),
        histogram.getStdDeviation(),
        histogram.getMinValue(),
        percentile(histogram, 50),
        percentile(histogram, 90),
        percentile(histogram, 95),
        percentile(histogram, 99),
        percentile(histogram, 99.9),
        percentile(histogram, 99.99),
        histogram.getMaxValue());
  }

  private static OptionalLong percentile(AbstractHistogram histogram, double percentile) {
    double beyond = histogram.getTotalCount() * (1 - percentile / 100);
    return beyond + 1e-9 < BEYOND
        ? OptionalLong.empty()
        : OptionalLong.of(histogram.getValueAtPercentile(percentile));
  }
}
