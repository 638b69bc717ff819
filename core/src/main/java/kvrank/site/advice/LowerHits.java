package kvrank.site.advice;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import kvrank.stats.Standing;

/**
 * A hit ratio that is certainly lower than another engine's, which throughput does not show: an
 * engine that evicts more may answer faster.
 *
 * @param contest of the hit ratios
 * @param higher the highest that is certainly higher
 */
public record LowerHits(Contest contest, Standing own, Standing higher) {

  /** What follows an engine on the first page. */
  public static final String NOTE = " (lower hit ratio)";

  /** Hit ratios that differ by fewer percentage points are as good as equal. */
  public static final int POINTS = 1;

  /** Returns the lowest of an engine, compared with others of the contest; empty if none is. */
  public static Optional<LowerHits> of(Collection<Contest> contests, String engine) {
    return contests.stream()
        .filter(contest -> contest.role() == Contest.Role.QUALIFIES)
        .flatMap(contest -> of(contest, engine).stream())
        .max(Comparator.comparing(LowerHits::points));
  }

  private static Optional<LowerHits> of(Contest contest, String engine) {
    return contest.ranking().standing(engine).stream()
        .flatMap(own -> contest.tested().stream().map(other -> new LowerHits(contest, own, other)))
        .filter(each -> contest.order(each.higher().engine(), engine) > 0)
        .filter(each -> each.points() > POINTS)
        .findFirst();
  }

  private double points() {
    return higher.estimate().value() - own.estimate().value();
  }

  /** Adds for example {@code its hit ratio is lower: 70.1 % against 75.2 % of redis (…)}. */
  public Claim addTo(Claim claim) {
    return claim
        .text("its hit ratio is lower: ")
        .link(contest.value(own), contest.runs(own.engine()))
        .text(" against ")
        .link(contest.value(higher), contest.runs(higher.engine()))
        .text(" of ")
        .engine(higher.engine())
        .text(" (" + contest.place() + ")");
  }
}
