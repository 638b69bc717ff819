package kvrank.stats;

import static java.util.Objects.requireNonNull;

/**
 * An engine's place in a ranking.
 *
 * @param rank one more than the number of engines that the data separates from this one's rank
 *     group as better: 1, 1, 3
 * @param engine the engine's label
 * @param tied whether the rank is shared because the data cannot separate those that have it
 */
public record Standing(int rank, String engine, Estimate estimate, boolean tied) {

  public Standing {
    requireNonNull(engine, "engine is null");
    requireNonNull(estimate, "estimate is null");
  }
}
