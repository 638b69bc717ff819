package kvrank.run;

import java.io.Closeable;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.machine.ProcessSample;
import kvrank.machine.ProcessWatch;
import kvrank.results.Usage;

/** One process and what was seen of it in the current phase. */
final class WatchedProcess implements Closeable {

  private final String role;
  private final ProcessWatch watch;
  private Optional<ProcessSample> first = Optional.empty();
  private Optional<ProcessSample> last = Optional.empty();
  private long samples;
  private long residentSum;
  private long residentPeak;
  private long childrenPeak;

  /**
   * @param role what the series calls it
   */
  WatchedProcess(String role, ProcessWatch watch) {
    this.role = role;
    this.watch = watch;
  }

  /** Forgets what was seen so far. */
  void begin() {
    first = watch.sample();
    last = first;
    samples = 0;
    residentSum = 0;
    residentPeak = 0;
    childrenPeak = 0;
  }

  /** Takes a sample, and adds it to {@code series} as a line of CSV. */
  void sample(String phase, long elapsedMillis, StringBuilder series) {
    Optional<ProcessSample> seen = watch.sample();
    if (seen.isEmpty()) {
      return;
    }
    ProcessSample now = seen.get();
    last = seen;
    samples++;
    residentSum += now.residentBytes();
    residentPeak = Math.max(residentPeak, now.residentBytes());
    childrenPeak = Math.max(childrenPeak, now.childrenBytes());
    series.append(phase).append(',').append(elapsedMillis).append(',').append(role).append(',');
    hundredths(series, now.userSeconds());
    hundredths(series, now.systemSeconds());
    series.append(now.residentBytes());
    number(series, now.readBytes());
    number(series, now.writtenBytes());
    series.append(',').append(now.childrenBytes());
    number(series, now.cancelledBytes());
    series.append('\n');
  }

  private static void hundredths(StringBuilder series, double seconds) {
    long hundredths = Math.round(seconds * 100);
    series.append(hundredths / 100).append('.');
    series.append(hundredths % 100 < 10 ? "0" : "").append(hundredths % 100).append(',');
  }

  private static void number(StringBuilder series, OptionalLong value) {
    series.append(',');
    if (value.isPresent()) {
      series.append(value.getAsLong());
    }
  }

  /** CPU seconds since the process began, as it was last seen. */
  double cpuSeconds() {
    return last.map(ProcessSample::cpuSeconds).orElse(0.0);
  }

  /** Returns what was used since {@link #begin}; empty if the process could not be seen. */
  Optional<Usage> usage() {
    if (first.isEmpty() || last.isEmpty() || samples == 0) {
      return Optional.empty();
    }
    ProcessSample from = first.get();
    ProcessSample to = last.get();
    return Optional.of(
        new Usage(
            to.userSeconds() - from.userSeconds(),
            to.systemSeconds() - from.systemSeconds(),
            residentSum / samples,
            residentPeak,
            to.residentBytes(),
            childrenPeak,
            difference(from.readBytes(), to.readBytes()),
            difference(from.writtenBytes(), to.writtenBytes()),
            difference(from.cancelledBytes(), to.cancelledBytes())));
  }

  private static OptionalLong difference(OptionalLong from, OptionalLong to) {
    return from.isPresent() && to.isPresent()
        ? OptionalLong.of(to.getAsLong() - from.getAsLong())
        : OptionalLong.empty();
  }

  @Override
  public void close() {
    watch.close();
  }
}
