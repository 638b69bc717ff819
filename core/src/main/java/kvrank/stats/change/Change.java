package kvrank.stats.change;

import java.util.Locale;
import java.util.Optional;
import kvrank.metric.Metric;
import kvrank.stats.Group;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.Ratio;

/**
 * One cell of a comparison: one metric of one engine in one comparison group, before and after.
 *
 * @param deciding whether the phase is judged by this metric
 * @param ratio geometric mean of the candidate divided by that of the baseline; the interval
 *     includes 1 exactly if the change is not significant
 * @param detectable the factor above 1 that four of five comparisons would detect; NaN without a
 *     test
 * @param reason why there is no verdict, or what broke; may be empty
 */
public record Change(
    Group group,
    String engine,
    Metric metric,
    boolean deciding,
    Optional<Estimate> baseline,
    Optional<Estimate> candidate,
    Ratio ratio,
    Verdict verdict,
    double detectable,
    String reason) {

  public enum Verdict {
    /** Runs that completed before no longer do. */
    BROKEN,
    /** Significantly worse, by more than the tolerance. */
    REGRESSION,
    /** Significantly better, by more than the tolerance. */
    IMPROVEMENT,
    /** Significantly different, but not by more than the tolerance. */
    WITHIN_THE_TOLERANCE,
    NO_SIGNIFICANT_CHANGE,
    /** The data cannot carry a verdict. */
    NO_VERDICT,
    /** Only one of the two has a value. */
    NOT_COMPARED;

    /** Returns for example {@code no verdict}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns whether the candidate is worse. */
    public boolean bad() {
      return this == BROKEN || this == REGRESSION;
    }
  }
}
