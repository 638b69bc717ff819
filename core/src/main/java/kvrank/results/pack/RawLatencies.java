package kvrank.results.pack;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Latency;
import kvrank.results.LatencyLog;
import kvrank.results.RunDirectory;
import kvrank.results.UnreadableException;
import kvrank.workload.request.Operation;
import org.HdrHistogram.Histogram;

/** The histograms of {@code latency.hlog} by stretch: a phase, or one step of a sweep. */
final class RawLatencies {

  static final String FILE = "latency.hlog";

  /** The suffix of the tag of an open loop that is measured from the sending of requests. */
  private static final String SERVICE = "/service";

  private final Map<String, LatencyLog.Recorded> tags;
  private final OptionalDouble started;

  private RawLatencies(Map<String, LatencyLog.Recorded> tags, OptionalDouble started) {
    this.tags = tags;
    this.started = started;
  }

  /**
   * Reads the log of a run.
   *
   * @throws UnreadableException if it is broken
   */
  static RawLatencies of(RunDirectory folder) throws UnreadableException {
    try {
      return new RawLatencies(
          LatencyLog.read(folder.latencyLog(), tag -> tag),
          LatencyLog.started(folder.latencyLog()));
    } catch (IllegalArgumentException e) {
      throw new UnreadableException(
          "%s: broken or truncated: %s".formatted(folder.latencyLog(), e.getMessage()));
    }
  }

  /** Returns the time of day of its start, in seconds since 1970; empty if it has none. */
  OptionalDouble started() {
    return started;
  }

  /** Returns the measured operations of a stretch, by label. */
  SortedMap<String, LatencyLog.Recorded> of(String stretch) {
    SortedMap<String, LatencyLog.Recorded> operations = new TreeMap<>();
    tags.forEach(
        (tag, recorded) -> {
          String label = tag.substring(Math.min(tag.length(), stretch.length() + 1));
          if (tag.equals(stretch + "/" + label)
              && !label.contains("/")
              && Operation.ofResult(label).isPresent()) {
            operations.put(label, recorded);
          }
        });
    return operations;
  }

  /** Returns the latencies from the sending of requests. */
  Histogram fromSending(String stretch, String label) {
    LatencyLog.Recorded service = tags.get(stretch + "/" + label + SERVICE);
    return service == null ? of(stretch).get(label).histogram() : service.histogram();
  }

  /** Compares the latencies of an operation at {@code place}. */
  static void compare(
      String place, Optional<Latency> stated, Optional<Histogram> raw, Contradictions found) {
    if (stated.isPresent() != raw.isPresent()) {
      found.add(
          "%s: latencyNanos is %s, but %s has %s"
              .formatted(
                  place,
                  stated.isPresent() ? "present" : "missing",
                  FILE,
                  raw.isPresent() ? "latencies" : "none"));
    }
    if (stated.isEmpty() || raw.isEmpty()) {
      return;
    }
    Latency seen = LatencyLog.summary(raw.get());
    found.same(place + ": count", stated.get().count(), seen.count(), FILE);
    Map<String, OptionalDouble> figures = figures(seen);
    figures(stated.get())
        .forEach(
            (name, figure) -> {
              OptionalDouble other = figures.get(name);
              if (figure.isPresent() && other.isPresent()) {
                found.near(place + ": " + name, figure.getAsDouble(), other.getAsDouble(), 0, FILE);
              } else if (figure.isPresent() || other.isPresent()) {
                found.add(
                    "%s: %s is %s, but %s has %s requests for it"
                        .formatted(
                            place,
                            name,
                            figure.isPresent() ? "present" : "missing",
                            FILE,
                            other.isPresent() ? "enough" : "too few"));
              }
            });
  }

  private static Map<String, OptionalDouble> figures(Latency latency) {
    Map<String, OptionalDouble> figures = new LinkedHashMap<>();
    figures.put("mean", OptionalDouble.of(latency.mean()));
    figures.put("stddev", OptionalDouble.of(latency.stddev()));
    figures.put("min", OptionalDouble.of((double) latency.min()));
    figures.put("p50", real(latency.p50()));
    figures.put("p90", real(latency.p90()));
    figures.put("p95", real(latency.p95()));
    figures.put("p99", real(latency.p99()));
    figures.put("p999", real(latency.p999()));
    figures.put("p9999", real(latency.p9999()));
    figures.put("max", OptionalDouble.of((double) latency.max()));
    return figures;
  }

  private static OptionalDouble real(OptionalLong number) {
    return number.isPresent()
        ? OptionalDouble.of((double) number.getAsLong())
        : OptionalDouble.empty();
  }
}
