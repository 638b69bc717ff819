package kvrank.run.measure;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import kvrank.metric.Latency;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.scenario.Sweep;

/**
 * The result of a step of a search, and its evidence.
 *
 * @param excess the natural logarithm of the latency over the bound: negative below it, infinite if
 *     the rate was not kept, NaN if there were too few requests
 */
record BoundCheck(double excess, String evidence) {

  /** An engine that achieves less than this share of the requested rate is saturated. */
  private static final double KEPT = 0.95;

  /**
   * Judges a step at {@code rate}, or 0 for no limit. A percentile with too few requests is above
   * the bound if a lower one is, and below it if the maximum is. Steps of curves have no bound.
   */
  static BoundCheck of(
      Optional<Sweep.Search> asked, double rate, double achieved, Map<String, Latency> latencies) {
    if (rate > 0 && achieved < KEPT * rate) {
      long share = Math.round(100 * achieved / rate);
      return new BoundCheck(Double.POSITIVE_INFINITY, share + " % of the rate were achieved");
    }
    if (asked.isEmpty()) {
      return new BoundCheck(Double.NEGATIVE_INFINITY, "");
    }
    Sweep.Search search = asked.get();
    Latency latency = latencies.get(search.operation().label());
    if (latency == null) {
      return new BoundCheck(Double.NaN, "no " + search.operation().label());
    }
    double bound = search.below().toNanos();
    OptionalDouble statistic = search.statistic().value(latency);
    if (statistic.isPresent()) {
      return judged(search.statistic().title(), statistic.getAsDouble(), bound);
    }
    if (latency.max() < bound) {
      return judged("max", (double) latency.max(), bound);
    }
    // Other percentiles with enough requests are lower.
    for (Metric lower : Metrics.latencies()) {
      OptionalDouble value = lower.value(latency);
      if (Metrics.fewest(lower) > 1 && value.orElse(0) >= bound) {
        return judged(lower.title(), value.getAsDouble(), bound);
      }
    }
    return new BoundCheck(
        Double.NaN,
        "%d requests, %s needs %d"
            .formatted(
                latency.count(), search.statistic().title(), Metrics.fewest(search.statistic())));
  }

  private static BoundCheck judged(String statistic, double nanos, double bound) {
    return new BoundCheck(
        Math.log(nanos / bound), "%s %s ms".formatted(statistic, SweepRunner.rounded(nanos / 1e6)));
  }

  boolean good() {
    return excess < 0;
  }

  boolean undetermined() {
    return Double.isNaN(excess);
  }
}
