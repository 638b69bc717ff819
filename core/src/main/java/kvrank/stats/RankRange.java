package kvrank.stats;

/**
 * The ranks that an engine may have, as far as the data say: the best is one more than the number
 * of engines that are separated from it as better, the worst is the number of engines less those
 * that are separated from it as worse.
 *
 * @param best the smallest rank it may have
 * @param worst the largest rank it may have
 */
public record RankRange(int best, int worst) {

  /** Whether the data leave one rank only. */
  public boolean exact() {
    return best == worst;
  }

  @Override
  public String toString() {
    return exact() ? Integer.toString(best) : best + "–" + worst;
  }
}
