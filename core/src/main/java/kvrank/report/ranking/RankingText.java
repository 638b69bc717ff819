package kvrank.report.ranking;

import java.util.Optional;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.report.block.Quantities;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.Ratio;

/** The text of ranks, values, intervals and ratios in tables and sentences, and how to read it. */
public final class RankingText {

  /** Why the interval of a ratio is wider than those of its values. */
  public static final String RATIOS =
      "A ratio's interval allows for few runs and all comparisons, so it is wider than ± and whiskers"
          + " of single values.";

  /** The same for a line of a terminal. */
  public static final String RATIOS_IN_SHORT =
      "Intervals of ratios allow for few runs and all comparisons, ± for one value";

  /** How to read ranks after values, if each value has one. */
  public static final String EACH_RANK = "In brackets is the rank: 2–3 is one of these.";

  /** How to read ranks after values. */
  public static final String RANKS = EACH_RANK + " Without brackets, any rank is possible.";

  private RankingText() {}

  /** Returns the name of the metric, with its operation if the phase has several. */
  public static String title(RankingIndex index, Ranking ranking) {
    return (ranking.group().operation().isEmpty() ? "" : prefix(index, ranking.group()))
        + ranking.metric().title();
  }

  /** Returns the operation as a prefix, if its phase has several. */
  public static String prefix(RankingIndex index, Group operation) {
    return index.operations(operation).size() > 1 ? operation.operation().orElseThrow() + " " : "";
  }

  /** Returns the possible ranks; with a question mark if there are too few values for a test. */
  public static String rank(Standing standing) {
    return standing.ranks() + (standing.untested() ? "?" : "");
  }

  /** Returns the possible ranks for a place after a value; empty if any is possible. */
  public static String inBrackets(Ranking ranking, Standing standing) {
    return ranking.undecided() ? "" : " (" + rank(standing) + ")";
  }

  /** Returns the words instead of ranks, after {@code before}; empty if there are ranks. */
  public static String undecided(Ranking ranking, String before) {
    return ranking.undecided() ? before + "no two separated" : "";
  }

  public static String value(Metric metric, Standing standing) {
    return Quantities.of(metric.unit(), standing.estimate().value());
  }

  /** Returns the value as a key for sorting; NaN without one. */
  static double key(Optional<Standing> standing) {
    return standing.map(found -> found.estimate().value()).orElse(Double.NaN);
  }

  /** Returns the reach of the interval to each side, or the reason for a missing one. */
  public static String spread(Estimate estimate) {
    return estimate.hasInterval()
        ? Quantities.spread(estimate.low(), estimate.high())
        : estimate.samples() < Estimate.FEWEST ? "n=" + estimate.samples() : Quantities.NONE;
  }

  /** Returns the interval, or the reason for a missing one. */
  static String interval(Estimate estimate) {
    return estimate.hasInterval()
        ? Quantities.range(Metrics.THROUGHPUT.unit(), estimate.low(), estimate.high())
        : spread(estimate);
  }

  /** Returns for example {@code (0.46–0.51x)}; empty without, or if the ratio looks the same. */
  public static String reach(Ratio ratio) {
    String interval = interval(ratio);
    boolean same = interval.equals(Quantities.ratio(ratio.value()));
    return interval.isEmpty() || same ? "" : " (" + interval + ")";
  }

  public static String interval(Ratio ratio) {
    return ratio.hasInterval() ? Quantities.ratios(ratio.low(), ratio.high()) : "";
  }
}
