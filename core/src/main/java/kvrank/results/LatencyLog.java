package kvrank.results;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import kvrank.metric.Latency;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Reads {@code latency.hlog}: nanoseconds, one or more intervals per tag. */
public final class LatencyLog {

  private static final String TAG = "Tag=";
  private static final Pattern START =
      Pattern.compile("#\\[StartTime: ([0-9]{1,12}(?:\\.[0-9]{1,9})?) .*");

  private static final int DIGITS = 3;
  private static final int VERSION_2 = 0x1c849313;
  private static final int COMPRESSED = 0x1c849314;
  private static final int HEADER = 40;

  /** Nanoseconds, and requests of a phase. */
  private static final long MOST = 1_000_000_000_000_000_000L;

  /** Of a histogram's range, up to {@link #MOST}. */
  private static final int MOST_DOUBLINGS = 50;

  /** Over the slots of a histogram of 64 bits, at nine bytes each. */
  private static final int MOST_BYTES = 1 << 20;

  private LatencyLog() {}

  /** When a histogram was recorded, in seconds after the start of the file. */
  public record Interval(double start, double end) {

    Interval later(double seconds) {
      return new Interval(start + seconds, end + seconds);
    }

    Interval union(Interval other) {
      return new Interval(Math.min(start, other.start), Math.max(end, other.end));
    }
  }

  /** The sum of histograms, and when they were recorded. */
  public record Recorded(Histogram histogram, Interval interval) {

    Recorded later(double seconds) {
      return new Recorded(histogram, interval.later(seconds));
    }

    /** Returns the sum with {@code other}, and changes the histogram. */
    Recorded and(Recorded other) {
      return new Recorded(sum(histogram, other.histogram), interval.union(other.interval));
    }
  }

  /** Returns the sum of the intervals of each tag, {@code phase/operation}. */
  public static SortedMap<String, Histogram> read(Path file) {
    SortedMap<String, Histogram> sums = new TreeMap<>();
    addTo(sums, file, tag -> tag);
    return sums;
  }

  /** Returns the same for {@code lines} of a file. */
  public static SortedMap<String, Histogram> ofLines(String lines) {
    SortedMap<String, Histogram> sums = new TreeMap<>();
    counts(lines, tag -> tag)
        .forEach((tag, each) -> sums.put(tag, each.addTo(new Histogram(DIGITS))));
    return sums;
  }

  /** Adds the histograms of {@code file} to {@code sums}, all or none, as {@link #read}. */
  static void addTo(Map<String, Histogram> sums, Path file, UnaryOperator<String> names) {
    counts(file, names)
        .forEach(
            (name, each) -> each.addTo(sums.computeIfAbsent(name, any -> new Histogram(DIGITS))));
  }

  private static Histogram sum(Histogram sum, Histogram other) {
    sum.add(other);
    return sum;
  }

  /**
   * Returns the sum of the intervals of each tag, by the tag's name, if it is not empty, in the
   * order of the file. Throws IllegalArgumentException on a broken file.
   */
  public static Map<String, Recorded> read(Path file, UnaryOperator<String> names) {
    Map<String, Recorded> all = new LinkedHashMap<>();
    counts(file, names)
        .forEach(
            (name, each) ->
                all.put(name, new Recorded(each.addTo(new Histogram(DIGITS)), each.interval)));
    return all;
  }

  /** The counts of a tag that are not zero: a histogram of 64 bits has ten times as many slots. */
  private static final class Counts {

    /** More go to a histogram, as a file of strangers may repeat a tag without end. */
    private static final int MOST_VALUES = 1 << 16;

    private Interval interval;
    private Optional<Histogram> rest = Optional.empty();
    private long[] values = new long[512];
    private long[] counts = new long[512];
    private int size;
    private double total;

    Counts(Interval interval) {
      this.interval = interval;
    }

    void add(long value, long count) throws IOException {
      total += count;
      if (value > MOST || total > MOST) {
        throw tooMuch();
      }
      if (size == MOST_VALUES) {
        rest = Optional.of(addTo(new Histogram(DIGITS)));
        size = 0;
      } else if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
        counts = Arrays.copyOf(counts, 2 * size);
      }
      values[size] = value;
      counts[size++] = count;
    }

    Histogram addTo(Histogram sum) {
      rest.ifPresent(sum::add);
      for (int i = size - 1; i >= 0; i--) { // the largest first, so that it resizes once
        sum.recordValueWithCount(values[i], counts[i]);
      }
      return sum;
    }
  }

  private static IOException tooMuch() {
    return new IOException("latencies or counts over %,d".formatted(MOST));
  }

  private static Map<String, Counts> counts(Path file, UnaryOperator<String> names) {
    try {
      return Files.exists(file, NOFOLLOW_LINKS)
          ? counts(Json.unlinkedText(file), names)
          : new LinkedHashMap<>();
    } catch (IOException e) {
      throw new IllegalArgumentException("line 0: " + e, e);
    }
  }

  /** HdrHistogram's reader takes five times as long. */
  private static Map<String, Counts> counts(String text, UnaryOperator<String> names) {
    Map<String, Counts> all = new LinkedHashMap<>();
    int number = 0;
    Inflater inflater = new Inflater();
    try {
      for (String line : (Iterable<String>) text.lines()::iterator) {
        number++;
        if (!line.startsWith(TAG) && !line.startsWith("#") && !line.startsWith("\"Start")) {
          throw new IOException("not a histogram with a tag");
        }
        String tag = line.startsWith(TAG) ? line.substring(TAG.length()).split(",", 2)[0] : "";
        String name = tag.isEmpty() ? "" : names.apply(tag);
        if (!name.isEmpty()) {
          Interval interval = interval(line);
          Counts sum = all.computeIfAbsent(name, any -> new Counts(interval));
          sum.interval = sum.interval.union(interval);
          byte[] bytes = Base64.getDecoder().decode(line.substring(line.lastIndexOf(',') + 1));
          add(sum, bytes, inflater);
        }
      }
      return all;
    } catch (IOException | DataFormatException | RuntimeException e) {
      // HdrHistogram throws undeclared exceptions on a broken file.
      throw new IllegalArgumentException("line %d: %s".formatted(number, e), e);
    } finally {
      inflater.end();
    }
  }

  private static Interval interval(String line) {
    String[] fields = line.split(",", 4);
    double start = Double.parseDouble(fields[1]);
    return new Interval(start, start + Double.parseDouble(fields[2]));
  }

  /**
   * Adds a histogram in HdrHistogram's compressed form, version 2: a header, then each slot's count
   * in zigzag LEB128; a negative number skips that many empty slots.
   */
  private static void add(Counts sum, byte[] bytes, Inflater inflater)
      throws IOException, DataFormatException {
    if (bytes.length < 8 || ByteBuffer.wrap(bytes).getInt() != COMPRESSED) {
      throw new IOException("not a compressed histogram");
    }
    inflater.reset();
    ByteBuffer in;
    try (InputStream inflated =
        new InflaterInputStream(new ByteArrayInputStream(bytes, 8, bytes.length - 8), inflater)) {
      in = ByteBuffer.wrap(inflated.readNBytes(MOST_BYTES + 1));
    }
    if (in.capacity() > MOST_BYTES) {
      throw new IOException("it inflates to more than %,d bytes".formatted(MOST_BYTES));
    }
    boolean understood = in.getInt(0) == VERSION_2 && in.getInt(8) == 0; // slots without an offset
    if (in.getInt(12) > DIGITS) {
      throw new IOException("more than %d significant digits".formatted(DIGITS));
    }
    if (!understood || in.getInt(12) != DIGITS || in.getLong(16) != 1) {
      Histogram decoded = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
      for (HistogramIterationValue each : decoded.recordedValues()) {
        sum.add(each.getValueIteratedTo(), each.getCountAtValueIteratedTo());
      }
      return;
    }
    in.limit(HEADER + in.getInt(4)).position(HEADER);
    for (int slot = 0; in.hasRemaining(); ) {
      long number = 0;
      byte next = -1;
      for (int bits = 0; next < 0; bits += 7) {
        next = in.get();
        number |= (bits == 56 ? next & 0xFFL : next & 0x7FL) << bits;
        next = bits == 56 ? 0 : next;
      }
      long count = (number >>> 1) ^ -(number & 1);
      if (count > 0) {
        int magnitude = Math.max(0, (slot >> 10) - 1); // 2,048 slots, then 1,024 for each doubling
        if (slot < 0 || magnitude > MOST_DOUBLINGS) {
          throw tooMuch();
        }
        sum.add((long) (slot - (magnitude << 10)) << magnitude, count);
      }
      slot += count < 0 ? (int) -count : 1;
    }
  }

  /**
   * Returns the time of day, in seconds since 1970, from which the intervals of {@code file} count;
   * empty if it has none.
   */
  public static OptionalDouble started(Path file) throws UnreadableException {
    if (!Files.exists(file, NOFOLLOW_LINKS)) {
      return OptionalDouble.empty();
    }
    return Json.text(file)
        .lines()
        .map(START::matcher)
        .filter(Matcher::matches)
        .mapToDouble(found -> Double.parseDouble(found.group(1)))
        .findFirst();
  }

  /** Returns the summary of {@code histogram} in nanoseconds. */
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
    return beyond + 1e-9 < Latency.BEYOND
        ? OptionalLong.empty()
        : OptionalLong.of(histogram.getValueAtPercentile(percentile));
  }
}
