package kvrank.stats.infer;

import java.util.Collection;
import java.util.function.BiPredicate;

/**
 * The ranks that an engine may have, as far as the data say: the best is one more than the number
 * of engines that are separated from it as better, the worst is the number of engines less those
 * that are separated from it as worse.
 */
public record RankRange(int best, int worst) {

  /**
   * Returns the ranks of {@code engine} among {@code engines}, by which of two is separated as
   * better.
   */
  public static RankRange of(
      String engine, Collection<String> engines, BiPredicate<String, String> better) {
    long above = engines.stream().filter(other -> better.test(other, engine)).count();
    long below = engines.stream().filter(other -> better.test(engine, other)).count();
    return new RankRange((int) above + 1, (int) (engines.size() - below));
  }

  public boolean exact() {
    return best == worst;
  }

  @Override
  public String toString() {
    return exact() ? Integer.toString(best) : best + "–" + worst;
  }
}
