package kvrank.stats;

import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.RankRange;
import kvrank.stats.infer.Ratio;

/**
 * An engine's place in a ranking.
 *
 * @param untested whether there are too few repetitions for a test: the rank follows only from
 *     values: from their order if no engine is tested, otherwise from those that are far apart
 * @param ratio the value divided by the best engine's; 1 without an interval for the best itself
 */
public record Standing(
    RankRange ranks, String engine, Estimate estimate, boolean untested, Ratio ratio) {

  public int rank() {
    return ranks.best();
  }
}
