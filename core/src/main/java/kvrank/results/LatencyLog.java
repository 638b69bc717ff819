package kvrank.results;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.zip.DataFormatException;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;

/** Reads {@code latency.hlog}: nanoseconds, one or more intervals per tag. */
public final class LatencyLog {

  /** A percentile is given only if at least this many operations lie beyond it. */
  private static final int BEYOND = 10;

  private static final String TAG = "Tag=";

  private LatencyLog() {}

  /**
   * Returns the intervals of each tag ({@code phase/operation}) added up; empty if there is no
   * file.
   */
  public static SortedMap<String, Histogram> read(Path file) {
    return read(file, tag -> true);
  }

  /**
   * Returns the intervals of each of some tags added up. HdrHistogram's own reader takes three
   * times as long, as it scans by regular expressions and decodes every tag.
   *
   * @throws IllegalArgumentException if the file is broken
   */
  static SortedMap<String, Histogram> read(Path file, Predicate<String> tags) {
    SortedMap<String, Histogram> histograms = new TreeMap<>();
    if (!Files.exists(file)) {
      return histograms;
    }
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String tag = line.startsWith(TAG) ? line.substring(TAG.length()).split(",", 2)[0] : "";
        if (!tag.isEmpty() && tags.test(tag)) {
          byte[] bytes = Base64.getDecoder().decode(line.substring(line.lastIndexOf(',') + 1));
          Histogram interval = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
          interval.setAutoResize(true);
          histograms.merge(tag, interval, LatencyLog::sum);
        }
      }
    } catch (IOException | DataFormatException e) {
      throw new IllegalArgumentException(e);
    }
    return histograms;
  }

  /** Returns {@code one}, to which {@code other} was added. */
  public static Histogram sum(Histogram one, Histogram other) {
    one.add(other);
    return one;
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
