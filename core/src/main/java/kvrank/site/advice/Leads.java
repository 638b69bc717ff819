package kvrank.site.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.Labels;
import kvrank.stats.Standing;

/** The best engines of a contest with their figures, and how far the next is behind. */
public final class Leads {

  /** The most engines that are named. */
  public static final int MOST = 3;

  private final Contest contest;
  private final Claim claim;

  private Leads(Contest contest, String place) {
    this.contest = contest;
    this.claim = Claim.of(place + ", " + contest.metric() + ": ");
  }

  /**
   * Returns for example {@code ssd · get, throughput: map (embedded) 1.20 M/s; next: redis (server)
   * 45.1 k/s, 27x (24–30x).}
   *
   * @param place the name of the contest
   */
  public static Claim of(Contest contest, String place) {
    Leads leads = new Leads(contest, place);
    leads.write();
    return leads.claim;
  }

  private void write() {
    List<Standing> others = new ArrayList<>(contest.tested());
    List<Standing> leaders = leaders(others);
    others.removeAll(leaders);
    Optional<Standing> next = others.stream().findFirst();
    // One with few runs or much noise may be worse than an engine that is separated as behind.
    List<Standing> named =
        leaders.stream()
            .filter(each -> next.isEmpty() || contest.worse(next.get(), each))
            .limit(MOST)
            .toList();
    String separator = "";
    for (Standing each : named) {
      claim.text(separator);
      separator = ", ";
      figure(each);
    }
    if (leaders.size() > named.size()) {
      claim.text(" and %d more".formatted(leaders.size() - named.size()));
    }
    claim.text(leaders.size() > 1 ? ", " + apart(leaders) : "");
    next.ifPresent(each -> add("next", each));
    Kind kind = contest.kind(leaders.get(0).engine());
    if (leaders.stream().allMatch(each -> contest.kind(each.engine()) == kind)) {
      others.stream()
          .filter(each -> contest.kind(each.engine()) != kind)
          .findFirst()
          .filter(each -> !Optional.of(each).equals(next))
          .ifPresent(each -> add("first " + contest.kind(each.engine()).label(), each));
    }
    List<String> few =
        contest.ranking().standings().stream()
            .filter(Standing::untested)
            .map(Standing::engine)
            .toList();
    claim.text(few.isEmpty() ? "." : "; too few runs of " + Labels.joined(few) + ".");
  }

  /** Returns the tested leaders; without any, the first of those tested. */
  private List<Standing> leaders(List<Standing> tested) {
    List<Standing> leaders = tested.stream().filter(contest.front().leaders()::contains).toList();
    int best = tested.stream().mapToInt(Standing::rank).min().orElseThrow();
    return leaders.isEmpty()
        ? tested.stream().filter(each -> each.rank() == best).toList()
        : leaders;
  }

  /** Returns the largest difference of engines of which none is ahead. */
  private String apart(List<Standing> leaders) {
    double most = 1;
    boolean separated = false;
    for (Standing each : leaders) {
      for (Standing other : leaders) {
        separated |= contest.order(each.engine(), other.engine()) != 0;
        most = Math.max(most, each.estimate().value() / other.estimate().value());
      }
    }
    return !separated
        ? "not separated"
        : most <= Front.LEAD
            ? "within %s of each other".formatted(Quantities.portion(most - 1))
            : "not separated by over %.0f %%".formatted(100 * (Front.LEAD - 1));
  }

  private void figure(Standing standing) {
    String kind = contest.kind(standing.engine()).label();
    claim
        .engine(standing.engine())
        .text(kind.isEmpty() ? " " : " (" + kind + ") ")
        .link(contest.value(standing), contest.runs(standing.engine()));
  }

  private void add(String which, Standing standing) {
    claim.text("; " + which + ": ");
    figure(standing);
    claim.text(", " + distance(standing));
  }

  /** Returns the distance from the first, or from a leader that is ahead if the first is not. */
  private String distance(Standing standing) {
    String engine = standing.engine();
    return contest.ranking().standings().stream()
        .map(Standing::engine)
        .filter(each -> contest.order(each, engine) > 0)
        .findFirst()
        .filter(ahead -> !ahead.equals(contest.first().engine()))
        .map(
            ahead -> {
              double ratio = contest.ranking().verdict(ahead, engine).ratio().value();
              return "%s behind %s".formatted(Quantities.ratio(Math.max(ratio, 1 / ratio)), ahead);
            })
        .orElse(contest.distance(standing));
  }

  /** Returns the sentences about contests, and the number of those that are not shown. */
  public static List<Claim> of(List<Contest> contests, boolean oneMachine, Claim rest) {
    List<Claim> claims = new ArrayList<>();
    for (Contest each : contests.subList(0, Math.min(MOST, contests.size()))) {
      claims.add(of(each, oneMachine ? each.name() : each.place()));
    }
    if (contests.size() > MOST) {
      claims.add(rest);
    }
    return claims;
  }
}
