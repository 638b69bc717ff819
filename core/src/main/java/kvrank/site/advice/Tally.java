package kvrank.site.advice;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import kvrank.stats.Standing;

/**
 * An engine in the comparisons of one use at one level.
 *
 * @param all the comparisons that it took part in
 * @param counting those that decide, and those in which it failed
 * @param best those in which it is among the best
 * @param alone those in which there is no other leader
 * @param far those in which its value is {@link #FAR} times behind the best, or more
 * @param last those in which it is that far behind, separated from the best and can be last, or
 *     failed
 * @param failed those in which it failed by its own doing
 * @param unproven those in which the disk's flushes contradict its durability
 */
public record Tally(
    String engine,
    List<Contest> all,
    List<Contest> counting,
    List<Contest> best,
    List<Contest> alone,
    List<Contest> far,
    List<Contest> last,
    List<Contest> failed,
    List<Contest> unproven) {

  /** Being behind the best by this factor is worth a warning. */
  public static final int FAR = 2;

  public static Tally of(String engine, Collection<Contest> contests) {
    List<Contest> all =
        contests.stream()
            .filter(each -> each.compares() && each.engines().contains(engine))
            .toList();
    List<Contest> failed = all.stream().filter(each -> each.failure(engine).isPresent()).toList();
    List<Contest> far =
        all.stream()
            .filter(each -> !failed.contains(each))
            .filter(each -> each.behind(each.standing(engine)).value() >= FAR)
            .toList();
    return new Tally(
        engine,
        all,
        all.stream().filter(each -> each.decides() || failed.contains(each)).toList(),
        all.stream().filter(each -> has(each.best(), engine)).toList(),
        all.stream().filter(each -> has(each.winner().stream().toList(), engine)).toList(),
        far,
        all.stream()
            .filter(
                each ->
                    failed.contains(each)
                        || (far.contains(each)
                            && each.order(each.first().engine(), engine) > 0
                            && each.canBeLast(each.standing(engine))))
            .toList(),
        failed,
        all.stream().filter(each -> !failed.contains(each) && each.unproven(engine)).toList());
  }

  private static boolean has(List<Standing> standings, String engine) {
    return standings.stream().anyMatch(each -> each.engine().equals(engine));
  }

  /** Returns the sum of the logarithms of how far it is behind the best. */
  public double distance() {
    return all.stream()
        .filter(each -> !failed.contains(each))
        .mapToDouble(each -> Math.log(each.behind(each.standing(engine)).value()))
        .sum();
  }

  /** Returns whether it is among the best in more than half of the comparisons that count. */
  public boolean mostlyBest() {
    return 2 * best.size() > counting.size();
  }

  /** Returns the share of the comparisons that count in which it is among the best. */
  public double bestShare() {
    return counting.isEmpty() ? 0 : best.size() / (double) counting.size();
  }

  /** Returns whether a single comparison counts, so that another may say the opposite. */
  public boolean provisionallyBest() {
    return counting.size() == 1;
  }

  public boolean provisionallyLast() {
    return all.size() == 1;
  }

  /** Returns whether it failed, or can be last and is far behind, in more than half of all. */
  public boolean mostlyLast() {
    return 2 * last.size() > all.size();
  }

  /** Returns the one of {@code among} and {@link #far} in which it is furthest behind the best. */
  public Optional<Contest> furthest(Collection<Contest> among) {
    return far.stream()
        .filter(among::contains)
        .max(Comparator.comparingDouble(each -> each.behind(each.standing(engine)).value()));
  }

  /** Returns the engines of some comparisons. */
  public static Set<String> field(Collection<Contest> contests) {
    Set<String> field = new TreeSet<>();
    contests.forEach(each -> field.addAll(each.engines()));
    return field;
  }
}
