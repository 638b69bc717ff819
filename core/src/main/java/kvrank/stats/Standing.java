package kvrank.stats;

import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.RankRange;
import kvrank.stats.infer.Ratio;

/**
 * An engine's place in a ranking.
 *
 * @param untested whether the rank goes by the value alone, as too few repetitions cannot say more
 * @param ratio the value divided by that of the best: below 1 where higher is better, above 1 where
 *     lower is, unless the repetitions that both share say otherwise than the medians; of the best
 *     itself 1 without an interval
 */
public record Standing(
    RankRange ranks, String engine, Estimate estimate, boolean untested, Ratio ratio) {

  public int rank() {
    return ranks.best();
  }
}
