package kvrank.stats;

import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.RankRange;
import kvrank.stats.infer.Ratio;

/**
 * An engine's place in a ranking.
 *
 * @param untested whether the rank follows only from the value, for lack of repetitions
 * @param ratio the value divided by the best engine's; 1 without an interval for the best itself
 */
public record Standing(
    RankRange ranks, String engine, Estimate estimate, boolean untested, Ratio ratio) {

  public int rank() {
    return ranks.best();
  }
}
