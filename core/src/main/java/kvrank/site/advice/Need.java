package kvrank.site.advice;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import kvrank.engine.Fsync;

/**
 * One use at one level of durability, on all machines.
 *
 * @param contests all of them, those last that recommend no engine
 * @param crashes of engines at this level
 * @param choices one for each kind of engine
 */
public record Need(
    UseCase use,
    String level,
    List<Contest> contests,
    List<CrashResult> crashes,
    List<Choice> choices) {

  /** The order of levels; settings such as {@code at-least-every-1s} follow their weakest level. */
  public static final Comparator<String> STRONGEST_FIRST =
      Comparator.comparing(Need::weakest, Fsync.STRONGEST_FIRST)
          .thenComparing(Comparator.naturalOrder());

  /**
   * Returns the needs in the order of the uses, each with the strongest level first. A level at
   * which an engine is to be avoided for durable writes needs no contest.
   */
  public static List<Need> of(Collection<Contest> contests, Collection<CrashResult> crashes) {
    List<Need> needs = new ArrayList<>();
    for (UseCase use : UseCase.values()) {
      Map<String, List<Contest>> levels = new TreeMap<>(STRONGEST_FIRST);
      contests.stream()
          .filter(contest -> contest.use() == use)
          .forEach(
              each -> levels.computeIfAbsent(each.level(), any -> new ArrayList<>()).add(each));
      List<CrashResult> unsafe =
          crashes.stream().filter(each -> use == UseCase.DURABLE && each.unsafe()).toList();
      unsafe.forEach(each -> levels.computeIfAbsent(each.group().fsync(), any -> List.of()));
      levels.forEach(
          (level, own) -> {
            Set<Kind> kinds = EnumSet.noneOf(Kind.class);
            own.forEach(contest -> kinds.addAll(contest.kinds()));
            unsafe.stream()
                .filter(each -> each.group().fsync().equals(level))
                .forEach(each -> kinds.add(each.kind()));
            List<CrashResult> concerning =
                crashes.stream().filter(each -> concerns(each, level, own)).toList();
            List<CrashResult> stricter =
                crashes.stream()
                    .filter(each -> !concerns(each, level, own))
                    .filter(each -> stricter(each.losses().level(), level))
                    .toList();
            List<Choice> choices =
                kinds.stream()
                    .filter(kind -> kind != Kind.BASELINE)
                    .map(kind -> Choice.of(use, level, kind, own, concerning, stricter))
                    .toList();
            needs.add(
                new Need(use, level, ordered(Contest.voting(own), choices), concerning, choices));
          });
    }
    return needs;
  }

  private static Fsync weakest(String level) {
    return Fsync.atLeast(level).or(() -> Fsync.parse(level)).orElse(Fsync.AS_IS);
  }

  /** Returns whether a level promises more than another, of which the promise is known. */
  static boolean stricter(String level, String than) {
    Fsync weak = weakest(than);
    return !weak.equals(Fsync.AS_IS) && Fsync.STRONGEST_FIRST.compare(weakest(level), weak) < 0;
  }

  /** Returns those first by which engines of any kind are recommended. */
  private static List<Contest> ordered(List<Contest> contests, List<Choice> choices) {
    List<Contest> ordered = new ArrayList<>(contests);
    ordered.sort(Comparator.comparing(each -> parts(each, choices).noneMatch(Contest::compares)));
    return ordered;
  }

  /** Returns whether a result is at a level, or at the one that the engine has in contests. */
  private static boolean concerns(CrashResult result, String level, List<Contest> contests) {
    return result.group().fsync().equals(level)
        || contests.stream()
            .filter(contest -> contest.ranking().standing(result.engine()).isPresent())
            .map(contest -> contest.index().level(contest.group(), result.engine()))
            .anyMatch(result.losses().level()::equals);
  }

  /** Returns the comparisons of engines of all kinds. */
  public List<Contest> compared() {
    return contests.stream().filter(Contest::compares).toList();
  }

  /** Returns the parts of a contest by which engines of each kind are recommended. */
  public List<Contest> parts(Contest contest) {
    return parts(contest, choices).toList();
  }

  private static Stream<Contest> parts(Contest contest, List<Choice> choices) {
    return choices.stream()
        .flatMap(choice -> choice.contests().stream())
        .filter(each -> each.partOf(contest));
  }

  /** Returns the engines that are among the best of their kind in a contest. */
  public List<String> best(Contest contest) {
    return parts(contest).stream()
        .flatMap(part -> part.best().stream())
        .map(standing -> standing.engine())
        .toList();
  }
}
