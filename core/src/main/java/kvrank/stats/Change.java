package kvrank.stats;

import java.util.Locale;
import java.util.Optional;
import kvrank.metric.Metric;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.Ratio;

/**
 * One cell of a comparison: one metric of one engine in one comparison group, then and now.
 *
 * @param ratio the candidate's value divided by the baseline's, as geometric means; its interval
 *     includes 1 just if the change is not significant
 * @param deciding whether its phase is judged by it
 * @param detectable the factor above 1 that would have been found in four of five comparisons; NaN
 *     if it is not tested
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
    /** Runs that completed do not complete any more. */
    BROKEN,
    /** Significantly worse, by more than the tolerance. */
    REGRESSION,
    /** Significantly better, by more than the tolerance. */
    IMPROVEMENT,
    /** Significantly different, and not by more than that. */
    WITHIN_THE_TOLERANCE,
    NO_SIGNIFICANT_CHANGE,
    /** The data cannot carry a verdict. */
    NO_VERDICT,
    /** Only one of the two has a value. */
    NOT_COMPARED;

    /** For example {@code no verdict}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Whether this is what a comparison looks for. */
    public boolean bad() {
      return this == BROKEN || this == REGRESSION;
    }
  }
}
