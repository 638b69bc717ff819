package kvrank.site.advice;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import kvrank.metric.Direction;
import kvrank.stats.Ranking;
import kvrank.stats.Standing;
import kvrank.stats.infer.PairVerdict;
import kvrank.stats.infer.Ratio;

/**
 * The engines at the front of a ranking.
 *
 * @param leaders those that no other is ahead of, also with too few runs for a test
 * @param best the tested leaders that are among the best: the value is not {@link Tally#FAR} times
 *     behind the first, nor worse than that of an engine behind them, and they are ahead of more
 *     than half of the others. Without that, engines would be named that nothing sets apart, or
 *     that only their noise keeps from being separated.
 */
public record Front(List<Standing> leaders, List<Standing> best) {

  /**
   * An engine is ahead by more than this factor: what is called equal elsewhere does not matter.
   */
  public static final double LEAD = PairVerdict.EQUAL;

  public static Front of(Ranking ranking, Collection<Failure> failures) {
    List<Standing> tested = tested(ranking).toList();
    List<Standing> leaders =
        ranking.standings().stream()
            .filter(each -> each.rank() - 1 == slightlyBetter(ranking, tested, each))
            .toList();
    return new Front(
        leaders,
        leaders.stream()
            .filter(each -> !each.untested() && behind(ranking, each).value() < Tally.FAR)
            .filter(
                each ->
                    tested.stream()
                        .filter(other -> !leaders.contains(other))
                        .noneMatch(other -> better(ranking, other, each)))
            .filter(each -> failures.stream().noneMatch(it -> it.engine().equals(each.engine())))
            .filter(
                each ->
                    2 * tested.stream().filter(worse -> ahead(ranking, each, worse)).count()
                        > tested.size() - 1)
            .toList());
  }

  public static Stream<Standing> tested(Ranking ranking) {
    return ranking.standings().stream().filter(standing -> !standing.untested());
  }

  /** Returns the number of engines that are separated as better, but not ahead. */
  private static long slightlyBetter(Ranking ranking, List<Standing> tested, Standing standing) {
    return tested.stream()
        .filter(other -> order(ranking, other.engine(), standing.engine()) > 0)
        .filter(other -> !ahead(ranking, other, standing))
        .count();
  }

  private static boolean better(Ranking ranking, Standing one, Standing other) {
    double value = one.estimate().value();
    return ranking.metric().direction().compare(value, other.estimate().value()) < 0;
  }

  private static boolean ahead(Ranking ranking, Standing one, Standing other) {
    double ratio = ranking.verdict(one.engine(), other.engine()).ratio().value();
    return order(ranking, one.engine(), other.engine()) > 0 && Math.max(ratio, 1 / ratio) > LEAD;
  }

  /** Returns 1 if the first engine is separated as better, -1 if as worse, otherwise 0. */
  public static int order(Ranking ranking, String engine, String second) {
    PairVerdict verdict = ranking.verdict(engine, second);
    if (!verdict.separated()) {
      return 0;
    }
    boolean more = verdict.ratio().value() > 1;
    return more == (ranking.metric().direction() == Direction.HIGHER) ? 1 : -1;
  }

  /** Returns the distance of a standing from the first: the ratio, 1 or more if it is worse. */
  public static Ratio behind(Ranking ranking, Standing standing) {
    Ratio ratio = standing.ratio();
    return ranking.metric().direction() == Direction.HIGHER
        ? new Ratio(1 / ratio.value(), 1 / ratio.high(), 1 / ratio.low(), ratio.confidence())
        : ratio;
  }
}
