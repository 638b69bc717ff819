package kvrank.metric;

/**
 * Why a completed phase has no value of a metric.
 *
 * @param applies whether the metric applies to the phase, whose value cannot be measured
 */
public record NoValue(boolean applies, String reason) {

  static NoValue because(String reason) {
    return new NoValue(false, reason);
  }

  static NoValue notMeasurable(String reason) {
    return new NoValue(true, reason);
  }
}
