package kvrank.run;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import kvrank.machine.ProcessSample;
import kvrank.results.Usage;

/** One side of a run, and what was seen of it since a phase began. */
final class WatchedProcess {

  private final String role;
  private final Supplier<Optional<ProcessSample>> watch;
  private Optional<ProcessSample> first = Optional.empty();
  private Optional<ProcessSample> last = Optional.empty();
  private long samples;
  private long residentSum;
  private long residentPeak;
  private long childrenPeak;

  /**
   * @param role what the series calls it
   */
  WatchedProcess(String role, Supplier<Optional<ProcessSample>> watch) {
    this.role = role;
    this.watch = watch;
  }

  /** Forgets what was seen so far. */
  void begin() {
    first = watch.get();
    last = first;
    samples = 0;
    residentSum = 0;
    residentPeak = 0;
    childrenPeak = 0;
  }

  /** Takes a sample, and adds it to {@code series} as a line of CSV. */
  void sample(String phase, long elapsedMillis, StringBuilder series) {
    Optional<ProcessSample> seen = watch.get();
    if (seen.isEmpty()) {
      return;
    }
    ProcessSample now = seen.get();
    last = seen;
    samples++;
    residentSum += now.residentBytes();
    residentPeak = Math.max(residentPeak, now.residentBytes());
    childrenPeak = Math.max(childrenPeak, now.childrenBytes());
    series.append(
        String.format(
            Locale.ROOT,
            "%s,%d,%s,%.2f,%.2f,%d,%s,%s,%d,%s\n",
            phase,
            elapsedMillis,
            role,
            now.userSeconds(),
            now.systemSeconds(),
            now.residentBytes(),
            text(now.readBytes()),
            text(now.writtenBytes()),
            now.childrenBytes(),
            text(now.cancelledBytes())));
  }

  private static String text(OptionalLong value) {
    return value.isPresent() ? Long.toString(value.getAsLong()) : "";
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
    ProcessSample used = last.get().since(first.get());
    return Optional.of(
        new Usage(
            used.userSeconds(),
            used.systemSeconds(),
            residentSum / samples,
            residentPeak,
            used.residentBytes(),
            childrenPeak,
            used.readBytes(),
            used.writtenBytes(),
            used.cancelledBytes()));
  }
}
