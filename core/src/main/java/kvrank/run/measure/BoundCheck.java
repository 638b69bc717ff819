package kvrank.run.measure;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import kvrank.metric.Latency;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.results.LatencyLog;
import kvrank.scenario.Sweep;

/** The verdict on a step of a search, and its evidence. */
record BoundCheck(Verdict verdict, String evidence) {

  enum Verdict {
    GOOD,
    BAD,
    UNDETERMINED
  }

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
      return new BoundCheck(Verdict.BAD, share + " % of the rate were achieved");
    }
    if (asked.isEmpty()) {
      return new BoundCheck(Verdict.GOOD, "");
    }
    Sweep.Search search = asked.get();
    Latency latency = latencies.get(search.operation().label());
    if (latency == null) {
      return new BoundCheck(Verdict.UNDETERMINED, "no " + search.operation().label());
    }
    double bound = search.below().toNanos();
    OptionalDouble statistic = search.statistic().value(latency);
    if (statistic.isPresent()) {
      return judged(search.statistic(), statistic.getAsDouble(), bound);
    }
    if (latency.max() < bound) {
      return new BoundCheck(Verdict.GOOD, "max " + millis((double) latency.max()));
    }
    // Other statistics with enough requests are lower, except for these two.
    for (Metric lower : Metrics.latencies()) {
      OptionalDouble value = lower.value(latency);
      if (!Set.of("mean", "max").contains(lower.shortName()) && value.orElse(0) >= bound) {
        return judged(lower, value.getAsDouble(), bound);
      }
    }
    return new BoundCheck(
        Verdict.UNDETERMINED,
        "%d requests, %s needs %d"
            .formatted(
                latency.count(),
                search.statistic().title(),
                LatencyLog.fewest(search.statistic())));
  }

  private static BoundCheck judged(Metric statistic, double nanos, double bound) {
    return new BoundCheck(
        nanos < bound ? Verdict.GOOD : Verdict.BAD, statistic.title() + " " + millis(nanos));
  }

  private static String millis(double nanos) {
    return SweepRunner.rounded(nanos / 1e6) + " ms";
  }
}
