package kvrank.stats;

import static java.util.Objects.requireNonNull;

/**
 * An engine's place in a ranking.
 *
 * @param rank one more than the number of engines in the groups of better ranks: 1, 1, 3
 * @param engine the engine's label
 * @param tied whether the rank is shared because the data cannot separate those that have it
 * @param ratio the value divided by the best value: at most 1 where higher is better, at least 1
 *     where lower is; of the best itself 1 without an interval
 */
public record Standing(int rank, String engine, Estimate estimate, boolean tied, Ratio ratio) {

  /** Whether the rank goes by the value alone, as too few repetitions cannot tell a tie. */
  public boolean untested() {
    return !tied && !estimate.hasInterval() && estimate.samples() < Estimate.FEWEST;
  }

  public Standing {
    requireNonNull(engine, "engine is null");
    requireNonNull(estimate, "estimate is null");
    requireNonNull(ratio, "ratio is null");
  }
}
