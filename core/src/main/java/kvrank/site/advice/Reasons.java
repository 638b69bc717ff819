package kvrank.site.advice;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.Labels;
import kvrank.stats.QualityFlag;
import kvrank.stats.Standing;

/** The reasons for advice, which the page of a use and that of an engine state alike. */
public final class Reasons {

  /** Follows the name of an engine for or against which there is one comparison. */
  public static final String PROVISIONAL = ", provisionally";

  /** The most figures of a sentence. */
  private static final int MOST = 3;

  /** With more engines than this, a field is not named. */
  public static final int FEW = 5;

  private final Choice choice;

  public Reasons(Choice choice) {
    this.choice = choice;
  }

  /** Adds the comparisons in which an engine is among the best, its figures there and doubts. */
  public Claim reach(Claim claim, Tally tally) {
    best(claim, tally);
    String labels = labels(tally);
    if (!labels.isEmpty()) {
      claim.text("; ").link("labelled", "../" + Links.LABELS).text(" " + labels);
    }
    choice.lowerHits(tally.engine()).ifPresent(lower -> lower.addTo(claim.text(", but ")));
    CrashCosts costs = choice.crashCosts(tally.engine());
    return costs.none() ? claim : costs.addTo(claim.text(", but "));
  }

  /**
   * Adds for example {@code among the best servers in 3 of 4 comparisons that count, alone in 1,
   * with no clear lead in 2 more: 45.1 k/s (ssd · get on xeon)}.
   */
  public Claim best(Claim claim, Tally tally) {
    boolean single = tally.provisionallyBest();
    int alone = tally.alone().size();
    claim.text(
        "among the best %s in %s, %s%s"
            .formatted(
                field(tally.counting(), choice.kind().noun() + "s"),
                single
                    ? "the only comparison that counts"
                    : "%d of %d comparisons that count"
                        .formatted(tally.best().size(), tally.counting().size()),
                single
                    ? (alone == 0 ? "with others" : "as the single best")
                    : (alone == 0 ? "never alone" : "alone in " + alone),
                tally.failed().isEmpty() ? "" : ", and failed in " + tally.failed().size()));
    int undecided = tally.all().size() - tally.counting().size();
    claim.text(undecided == 0 ? "" : ", with no clear lead in %d more".formatted(undecided));
    String separator = ": ";
    List<Contest> best = tally.best();
    for (Contest contest : best.subList(0, Math.min(MOST, best.size()))) {
      figure(claim.text(separator), contest, tally.engine()).text(" (" + contest.place() + ")");
      separator = "; ";
    }
    return claim.text(best.size() > MOST ? "; and %d more".formatted(best.size() - MOST) : "");
  }

  /**
   * Adds for example {@code can be last, and is at least 2x behind the best server, in 2 of 3
   * comparisons; furthest with 1.2 k/s against …}.
   */
  public Claim avoid(Claim claim, Tally tally) {
    int failed = tally.failed().size();
    String slow =
        "can be last, and is at least %dx behind the best %s,"
            .formatted(Tally.FAR, field(tally.all(), choice.kind().noun()));
    claim.text(
        "%s in %s"
            .formatted(
                failed == 0
                    ? slow
                    : failed == tally.last().size() ? "failed" : "failed, or " + slow,
                tally.provisionallyLast()
                    ? "the only comparison"
                    : "%d of %d comparisons".formatted(tally.last().size(), tally.all().size())));
    return furthest(claim, tally, tally.last());
  }

  /** Adds that an engine is far behind, and the comparison in which it is furthest. */
  public Claim behind(Claim claim, Tally tally) {
    claim.text(
        "at least %dx behind the best %s in %d of %s"
            .formatted(
                Tally.FAR,
                field(tally.all(), choice.kind().noun()),
                tally.far().size(),
                Quantities.counted(tally.all().size(), "comparison")));
    return furthest(claim, tally, tally.far());
  }

  private static Claim furthest(Claim claim, Tally tally, List<Contest> among) {
    Optional<Contest> furthest = tally.furthest(among);
    if (furthest.isPresent()) {
      Contest contest = furthest.get();
      against(claim.text("; furthest with "), contest, tally.engine());
      String level = contest.level(tally.engine());
      if (Need.stricter(level, contest.level(contest.first().engine()))) {
        claim.text("; " + Promise.syncs(level));
      }
    }
    return claim;
  }

  /** Adds for example {@code 1.2 k/s against 45.1 k/s of redis, 38x (30–47x) behind (…)}. */
  public static Claim against(Claim claim, Contest contest, String engine) {
    Standing first = contest.first();
    figure(claim, contest, engine).text(" against ");
    return figure(claim, contest, first.engine())
        .text(" of ")
        .engine(first.engine())
        .text(
            ", %s behind (%s)"
                .formatted(contest.distance(contest.standing(engine)), contest.place()));
  }

  private static Claim figure(Claim claim, Contest contest, String engine) {
    return claim.link(contest.value(contest.standing(engine)), contest.runs(engine));
  }

  /** Returns {@code of lmdb, redis and rocksdb} for a few engines, otherwise {@code many}. */
  private static String field(Collection<Contest> contests, String many) {
    Set<String> field = Tally.field(contests);
    return field.size() > FEW ? many : "of " + Labels.joined(List.copyOf(field));
  }

  /** Returns the labels of an engine where it is among the best; resources have none. */
  private String labels(Tally tally) {
    Map<QualityFlag.Kind, Integer> kinds = new EnumMap<>(QualityFlag.Kind.class);
    if (!choice.use().ofResources()) {
      for (Contest each : tally.best()) {
        each.index()
            .flags(each.group(), tally.engine())
            .forEach(flag -> kinds.merge(flag.kind(), 1, Integer::sum));
      }
    }
    int of = tally.best().size();
    List<String> labels = new ArrayList<>();
    kinds.forEach(
        (kind, in) -> labels.add(kind.label() + (of == 1 ? "" : " in %d of %d".formatted(in, of))));
    return String.join(", ", labels);
  }
}
