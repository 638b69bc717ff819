package kvrank.site;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.engine.Fsync;
import kvrank.report.block.Quantities;
import kvrank.site.Contest.Role;
import kvrank.stats.ResourceRanking;
import kvrank.stats.Standing;

/**
 * The engines to reach for and to avoid, for one use at one level of durability, on all machines.
 *
 * @param contests all of them, also those without a comparison
 * @param tallies of the engines that were compared, in the order of their names
 */
record Choice(UseCase use, String level, List<Contest> contests, List<Tally> tallies) {

  static final String TOO_FEW =
      "Nothing can be compared: ranks need two engines with at least 3 repetitions each.";

  private static final String UNEQUAL_WORK =
      "Nothing can be compared: " + ResourceRanking.UNEQUAL_WORK + ".";

  private static final String NOT_SEPARATED =
      "Not separated: no comparison shows an engine to be better than more than half of the others.";

  private static final String NONE_BEST =
      "No engine that may be recommended is among the best in more than half of the comparisons that"
          + " decide.";

  /** The order of levels; settings such as {@code at-least-every-1s} follow their weakest level. */
  private static final Comparator<String> STRONGEST_FIRST =
      Comparator.comparing(
              (String level) ->
                  Fsync.atLeast(level).or(() -> Fsync.parse(level)).orElse(Fsync.AS_IS),
              Fsync.STRONGEST_FIRST)
          .thenComparing(Comparator.naturalOrder());

  /** Returns the choices in the order of the uses, each with the strongest level first. */
  static List<Choice> of(Collection<Contest> contests) {
    Map<UseCase, Map<String, List<Contest>>> uses = new LinkedHashMap<>();
    for (UseCase use : UseCase.values()) {
      for (Contest contest : contests) {
        if (contest.use() == use) {
          uses.computeIfAbsent(use, any -> new TreeMap<>(STRONGEST_FIRST))
              .computeIfAbsent(contest.level(), any -> new ArrayList<>())
              .add(contest);
        }
      }
    }
    List<Choice> choices = new ArrayList<>();
    uses.forEach(
        (use, levels) ->
            levels.forEach((level, own) -> choices.add(new Choice(use, level, own, tallies(own)))));
    return choices;
  }

  private static List<Tally> tallies(List<Contest> contests) {
    return contests.stream()
        .filter(Contest::compares)
        .flatMap(contest -> contest.tested().stream().map(Standing::engine))
        .distinct()
        .sorted()
        .map(engine -> Tally.of(engine, contests))
        .toList();
  }

  /** Returns the comparisons: contests with two tested engines or more. */
  List<Contest> compared() {
    return contests.stream().filter(Contest::compares).toList();
  }

  /** Returns for example {@code fsync=off}; empty without a level. */
  String at() {
    return level.isEmpty() ? "" : "fsync=" + level;
  }

  /** Returns for example {@code fsync=off (writes are not synced)}. */
  String promise() {
    String promise = contests.get(0).group().promise();
    return at() + (promise.isEmpty() ? "" : " (" + promise + ")");
  }

  /** Returns the tally of an engine that was compared. */
  Optional<Tally> tally(String engine) {
    return tallies.stream().filter(each -> each.engine().equals(engine)).findFirst();
  }

  /**
   * Returns the engines to reach for: those that are among the best in all of their comparisons
   * that decide, and took part in half of these or more; else those that are in more than half of
   * all. An engine whose durability is not proven is not among them.
   */
  List<Tally> reach() {
    long all = deciding();
    List<Tally> proven =
        tallies.stream().filter(each -> each.best() > 0 && each.unproven() == 0).toList();
    List<Tally> always =
        proven.stream()
            .filter(each -> each.best() == each.deciding() && 2 * each.deciding() >= all)
            .toList();
    return (always.isEmpty()
            ? proven.stream().filter(each -> 2 * each.best() > all).toList()
            : always)
        .stream()
            .sorted(
                Comparator.comparing((Tally each) -> -each.alone())
                    .thenComparing(each -> -each.best())
                    .thenComparing(Tally::distance))
            .toList();
  }

  /**
   * Returns the engines that can be last, and are certainly far behind the best, in more than half
   * of their comparisons.
   */
  List<Tally> avoid() {
    return tallies.stream()
        .filter(each -> 2 * each.last() > each.of())
        .sorted(Comparator.comparing((Tally each) -> -each.last()))
        .toList();
  }

  /** Returns the number of comparisons in which any engine is among the best. */
  private long deciding() {
    return contests.stream().filter(Contest::decides).count();
  }

  /** Returns the reason that there is no engine to reach for. */
  String noReach() {
    return deciding() == 0 ? "not separated" : "none";
  }

  /** Returns the numbers of comparisons with a single best engine, and of those that decide. */
  Claim sure() {
    return Claim.of(
        compared().isEmpty()
            ? contests.stream().allMatch(each -> each.role() == Role.SHOWS) ? UNEQUAL_WORK : TOO_FEW
            : "One best engine in %d of %s%s."
                .formatted(
                    compared().stream().filter(contest -> contest.winner().isPresent()).count(),
                    Quantities.counted(compared().size(), "comparison"),
                    undecided()));
  }

  /** Returns for example {@code , and 2 do not decide}; empty if all do. */
  private String undecided() {
    long undecided = compared().size() - deciding();
    return undecided == 0
        ? ""
        : ", and %d %s not decide".formatted(undecided, undecided == 1 ? "does" : "do");
  }

  /** Returns the sentences about what to reach for and to avoid, with the reasons. */
  List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    if (compared().isEmpty()) {
      return List.of(sure());
    }
    List<Tally> reach = reach();
    for (Tally each : reach) {
      claims.add(
          Claim.of("Reach for ").engine(each.engine()).text(": %s.".formatted(each.leading())));
    }
    if (reach.isEmpty()) {
      claims.add(Claim.of(deciding() == 0 ? NOT_SEPARATED : NONE_BEST));
    }
    for (Tally each : avoid()) {
      claims.add(
          Claim.of("Avoid ")
              .engine(each.engine())
              .text(
                  ": can be last, and is at least %dx behind the best, in %d of %s."
                      .formatted(
                          Tally.FAR, each.last(), Quantities.counted(each.of(), "comparison"))));
    }
    for (Tally each : tallies) {
      if (each.unproven() > 0) {
        claims.add(
            Claim.of("Durability of ")
                .engine(each.engine())
                .text(
                    " is not proven in %d of %s, so it is not recommended."
                        .formatted(each.unproven(), Quantities.counted(each.of(), "comparison"))));
      }
    }
    claims.add(sure());
    return claims;
  }
}
