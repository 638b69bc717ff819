package kvrank.stats.infer;

import java.util.Collection;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * The ranks that an engine may have. The best is one more than the number of engines separated as
 * better; the worst is the number of engines minus those separated as worse.
 */
public record RankRange(int best, int worst) {

  /** Returns the ranks of {@code engine} among {@code engines}. */
  public static RankRange of(
      String engine, Collection<String> engines, BiPredicate<String, String> better) {
    long above = engines.stream().filter(other -> better.test(other, engine)).count();
    long below = engines.stream().filter(other -> better.test(engine, other)).count();
    return new RankRange((int) above + 1, (int) (engines.size() - below));
  }

  /** Returns whether no two of several engines with these ranks are separated. */
  public static boolean undecided(List<RankRange> ranks) {
    RankRange any = new RankRange(1, ranks.size());
    return ranks.size() > 1 && ranks.stream().allMatch(any::equals);
  }

  public boolean exact() {
    return best == worst;
  }

  @Override
  public String toString() {
    return exact() ? Integer.toString(best) : best + "–" + worst;
  }
}
