package kvrank.run.measure;

import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import kvrank.machine.ProcessSample;
import kvrank.metric.Usage;
import kvrank.results.ResourceSeries;
import kvrank.results.ResourceSeries.Column;

/** The samples of one side of a run since a phase started. */
final class WatchedProcess {

  private final String role;
  private final Supplier<Optional<ProcessSample>> watch;
  private Optional<ProcessSample> first = Optional.empty();
  private Optional<ProcessSample> last = Optional.empty();
  private LongSummaryStatistics resident = new LongSummaryStatistics();
  private LongSummaryStatistics anonymous = new LongSummaryStatistics();
  private long childrenPeak;

  WatchedProcess(String role, Supplier<Optional<ProcessSample>> watch) {
    this.role = role;
    this.watch = watch;
  }

  /** Forgets the samples so far. */
  void begin() {
    first = watch.get();
    last = first;
    resident = new LongSummaryStatistics();
    anonymous = new LongSummaryStatistics();
    childrenPeak = 0;
  }

  /** Adds the current figures, and a line with them to {@code series} if there are some. */
  void sample(String phase, long elapsedMillis, boolean warmup, StringBuilder series) {
    Optional<ProcessSample> seen = watch.get();
    if (seen.isEmpty()) {
      return;
    }
    ProcessSample now = seen.get();
    last = seen;
    resident.accept(now.residentBytes());
    anonymous.accept(now.anonymousBytes());
    childrenPeak = Math.max(childrenPeak, now.childrenBytes());
    series.append(
        ResourceSeries.line(
            phase,
            elapsedMillis,
            role,
            warmup,
            Map.of(
                Column.USER_SECONDS, seconds(now.userSeconds()),
                Column.SYSTEM_SECONDS, seconds(now.systemSeconds()),
                Column.RESIDENT_BYTES, Long.toString(now.residentBytes()),
                Column.READ_BYTES, ResourceSampler.text(now.readBytes()),
                Column.WRITTEN_BYTES, ResourceSampler.text(now.writtenBytes()),
                Column.CHILDREN_BYTES, Long.toString(now.childrenBytes()),
                Column.CANCELLED_BYTES, ResourceSampler.text(now.cancelledBytes()),
                Column.ANONYMOUS_BYTES, Long.toString(now.anonymousBytes()),
                Column.MAJOR_FAULTS, Long.toString(now.majorFaults()))));
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.2f", seconds);
  }

  /** Returns the last sample; {@link ProcessSample#NONE} without any. */
  ProcessSample last() {
    return last.orElse(ProcessSample.NONE);
  }

  /** Returns the use since {@link #begin}; empty if the process was not visible. */
  Optional<Usage> usage() {
    if (first.isEmpty() || resident.getCount() == 0) {
      return Optional.empty();
    }
    ProcessSample used = last.get().since(first.get());
    return Optional.of(
        new Usage(
            used.userSeconds(),
            used.systemSeconds(),
            resident.getSum() / resident.getCount(),
            resident.getMax(),
            used.residentBytes(),
            childrenPeak,
            used.readBytes(),
            used.writtenBytes(),
            used.cancelledBytes(),
            OptionalLong.of(used.majorFaults()),
            OptionalLong.of(used.anonymousBytes()),
            OptionalLong.of(anonymous.getSum() / anonymous.getCount()),
            OptionalLong.of(anonymous.getMax())));
  }
}
