package kvrank.site.advice;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import kvrank.report.block.Quantities;
import kvrank.stats.Standing;

/**
 * An engine in the comparisons of one use at one level.
 *
 * @param of the comparisons that it took part in
 * @param deciding those in which an engine is among the best
 * @param best those in which it is among the best
 * @param alone those in which no other engine can be first
 * @param far those in which it is certainly {@link #FAR} times behind the best
 * @param last those in which it is that far behind and can be last, or failed
 * @param failed those in which it failed by its own doing
 * @param distance the sum of the logarithms of how far it is behind
 * @param unproven those in which the disk's flushes contradict its durability
 */
public record Tally(
    String engine,
    int of,
    int deciding,
    int best,
    int alone,
    int far,
    int last,
    int failed,
    double distance,
    int unproven) {

  /** Being behind the best by this factor is worth a warning. */
  public static final int FAR = 2;

  public static Tally of(String engine, Collection<Contest> contests) {
    List<Contest> having =
        contests.stream()
            .filter(Contest::compares)
            .filter(
                contest ->
                    standing(contest, engine).isPresent() || contest.failure(engine).isPresent())
            .toList();
    int deciding = 0;
    int best = 0;
    int alone = 0;
    int far = 0;
    int last = 0;
    int failed = 0;
    double distance = 0;
    int unproven = 0;
    for (Contest contest : having) {
      deciding += contest.decides() ? 1 : 0;
      if (contest.failure(engine).isPresent()) {
        failed++;
        last++;
        continue;
      }
      Standing standing = standing(contest, engine).orElseThrow();
      best += contest.best().contains(standing) ? 1 : 0;
      distance += Math.log(contest.behind(standing).value());
      alone += contest.winner().filter(standing::equals).isPresent() ? 1 : 0;
      boolean behind = contest.surelyBehind(standing) >= FAR;
      far += behind ? 1 : 0;
      last += behind && contest.canBeLast(standing) ? 1 : 0;
      unproven += contest.unproven(engine) ? 1 : 0;
    }
    return new Tally(
        engine, having.size(), deciding, best, alone, far, last, failed, distance, unproven);
  }

  /**
   * Returns for example {@code among the best servers in 3 of 4 comparisons that decide, alone in
   * 1}.
   */
  String leading(Kind kind) {
    return "among the best %ss in %d of %s that decide%s, %s"
        .formatted(
            kind.noun(),
            best,
            Quantities.counted(deciding, "comparison"),
            deciding == 1 ? "s" : "",
            alone == 0 ? "never alone" : "alone in " + alone);
  }

  private static Optional<Standing> standing(Contest contest, String engine) {
    return contest.ranking().standing(engine).filter(standing -> !standing.untested());
  }
}
