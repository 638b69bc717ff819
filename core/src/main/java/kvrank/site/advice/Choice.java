package kvrank.site.advice;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import kvrank.stats.Group;

/**
 * The engines of one kind to reach for and to avoid, for one use at one level of durability, on all
 * machines.
 *
 * @param contests all of them among engines of that kind, also those without a comparison
 * @param tallies of the engines that were compared, in the order of their names
 * @param crashes of engines at this level
 * @param stricter those at stricter levels: what is lost there is also lost at this one
 * @param reach the engines to reach for, the best first
 */
public record Choice(
    UseCase use,
    String level,
    Kind kind,
    List<Contest> contests,
    List<Tally> tallies,
    List<CrashResult> crashes,
    List<CrashResult> stricter,
    List<Tally> reach) {

  public Choice(
      UseCase use,
      String level,
      Kind kind,
      List<Contest> contests,
      List<Tally> tallies,
      List<CrashResult> crashes,
      List<CrashResult> stricter) {
    this(
        use,
        level,
        kind,
        contests,
        tallies,
        crashes,
        stricter,
        reach(
            tallies.stream()
                .filter(Tally::mostlyBest)
                .filter(each -> !heldBack(tallies, crashes, each))
                .toList(),
            engine -> CrashCosts.of(crashes, stricter, engine).none()));
  }

  public static Choice of(
      UseCase use,
      String level,
      Kind kind,
      Collection<Contest> contests,
      Collection<CrashResult> crashes,
      Collection<CrashResult> stricter) {
    List<Contest> own =
        Contest.voting(
            contests.stream()
                .filter(contest -> contest.kinds().contains(kind))
                .map(contest -> contest.among(kind))
                .toList());
    List<Tally> tallies =
        own.stream()
            .filter(Contest::compares)
            .flatMap(contest -> contest.engines().stream())
            .distinct()
            .sorted()
            .map(engine -> Tally.of(engine, own))
            .toList();
    return new Choice(
        use,
        level,
        kind,
        own,
        tallies,
        crashes.stream().filter(each -> each.kind() == kind).toList(),
        stricter.stream().filter(each -> each.kind() == kind).toList());
  }

  /** Returns the comparisons: contests with two tested engines or more. */
  public List<Contest> compared() {
    return contests.stream().filter(Contest::compares).toList();
  }

  /** Returns the number of comparisons in which any engine is among the best. */
  public long deciding() {
    return contests.stream().filter(Contest::decides).count();
  }

  /** Returns for example {@code Reads at fsync=off}. */
  public String title() {
    String at = Promise.at(level);
    return use.title() + (at.isEmpty() ? "" : " at " + at);
  }

  /** Returns for example {@code fsync=off (writes are not synced)}. */
  public String promise() {
    String promise =
        Stream.concat(
                contests.stream().map(Contest::group), crashes.stream().map(CrashResult::group))
            .map(Group::promise)
            .findFirst()
            .orElse("");
    return Promise.at(level) + (promise.isEmpty() ? "" : " (" + promise + ")");
  }

  /** Returns the tally of an engine that was compared. */
  public Optional<Tally> tally(String engine) {
    return tallies.stream().filter(each -> each.engine().equals(engine)).findFirst();
  }

  /** Returns the tally of an engine to reach for. */
  public Optional<Tally> reach(String engine) {
    return reach.stream().filter(each -> each.engine().equals(engine)).findFirst();
  }

  /** Returns the engines that broke the promise of their level in crashes, with these. */
  public Map<String, List<CrashResult>> unsafe() {
    return unsafe(crashes);
  }

  private static Map<String, List<CrashResult>> unsafe(List<CrashResult> crashes) {
    return crashes.stream()
        .filter(CrashResult::unsafe)
        .collect(groupingBy(CrashResult::engine, TreeMap::new, toList()));
  }

  /** Returns the other engines that may lose writes, with the crashes that do not show it. */
  public Map<String, List<CrashResult>> doubted() {
    return doubted(crashes);
  }

  private static Map<String, List<CrashResult>> doubted(List<CrashResult> crashes) {
    Map<String, List<CrashResult>> doubted =
        crashes.stream()
            .filter(CrashResult::unproven)
            .filter(each -> crashes.stream().noneMatch(other -> settles(other, each)))
            .collect(groupingBy(CrashResult::engine, TreeMap::new, toList()));
    doubted.keySet().removeAll(unsafe(crashes).keySet());
    return doubted;
  }

  private static boolean settles(CrashResult result, CrashResult doubt) {
    return result.proves()
        && result.engine().equals(doubt.engine())
        && result.losses().powerCut() == doubt.losses().powerCut();
  }

  /**
   * Returns whether an engine must not be recommended: its durability is not proven, another
   * comparison has it far behind, or it met too few rivals.
   */
  private static boolean heldBack(List<Tally> tallies, List<CrashResult> crashes, Tally tally) {
    return !tally.unproven().isEmpty()
        || !tally.far().isEmpty()
        || unsafe(crashes).containsKey(tally.engine())
        || doubted(crashes).containsKey(tally.engine())
        || 2 * rivals(tally) < rivals(tallies);
  }

  /** Returns those that are mostly best, but must not be recommended. */
  public List<Tally> heldBack() {
    return tallies.stream()
        .filter(Tally::mostlyBest)
        .filter(each -> heldBack(tallies, crashes, each))
        .toList();
  }

  /** Returns the number of other engines in the comparisons that decide. */
  private static int rivals(List<Tally> tallies) {
    return tallies.stream()
            .filter(each -> each.all().stream().anyMatch(Contest::decides))
            .toList()
            .size()
        - 1;
  }

  /** Returns the number of those that an engine met where it is among the best. */
  private static int rivals(Tally tally) {
    return Tally.field(tally.best()).size() - 1;
  }

  /** Returns the number of rivals of an engine, and of all, if it met less than half of them. */
  public Optional<int[]> fewRivals(Tally tally) {
    int met = rivals(tally);
    int all = rivals(tallies);
    return 2 * met < all ? Optional.of(new int[] {met, all}) : Optional.empty();
  }

  /**
   * Returns the engines to reach for among {@code candidates}: those that are always among the
   * best, or all if a single comparison says that; those of several comparisons come first, and
   * those that lose nothing in crashes.
   */
  private static List<Tally> reach(List<Tally> candidates, Predicate<String> keepsAll) {
    Predicate<Tally> always = each -> each.best().size() == each.counting().size();
    boolean firm = candidates.stream().anyMatch(always.and(each -> !each.provisionallyBest()));
    return candidates.stream()
        .filter(firm ? always : any -> true)
        .sorted(
            Comparator.comparing(Tally::provisionallyBest)
                .thenComparing(each -> !keepsAll.test(each.engine()))
                .thenComparing(each -> -each.alone().size())
                .thenComparing(each -> -each.best().size())
                .thenComparing(Tally::distance))
        .toList();
  }

  /** Returns the engines to avoid for broken promises, with their crashes. */
  public Map<String, List<CrashResult>> notDurable() {
    return use == UseCase.DURABLE ? unsafe() : Map.of();
  }

  /** Returns the engines to avoid for their speed, memory or storage, the worst first. */
  public List<Tally> slow() {
    return tallies.stream()
        .filter(Tally::mostlyLast)
        .sorted(Comparator.comparing((Tally each) -> -each.last().size()))
        .toList();
  }

  /** Returns whether an engine is one to avoid. */
  public boolean avoids(String engine) {
    return notDurable().containsKey(engine)
        || slow().stream().anyMatch(each -> each.engine().equals(engine));
  }

  /** Returns the hit ratio that an engine has in caches, if it is certainly a lower one. */
  public Optional<LowerHits> lowerHits(String engine) {
    return LowerHits.of(contests, engine);
  }

  /** Returns the losses of an engine in crashes at this level and at stricter ones. */
  public CrashCosts crashCosts(String engine) {
    return CrashCosts.of(crashes, stricter, engine);
  }
}
