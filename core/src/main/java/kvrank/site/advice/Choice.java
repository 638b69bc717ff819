package kvrank.site.advice;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import kvrank.report.block.Quantities;
import kvrank.site.advice.Contest.Role;
import kvrank.stats.Group;
import kvrank.stats.ResourceRanking;

/**
 * The engines of one kind to reach for and to avoid, for one use at one level of durability, on all
 * machines.
 *
 * @param contests all of them among engines of that kind, also those without a comparison
 * @param tallies of the engines that were compared, in the order of their names
 * @param crashes of engines at this level
 */
public record Choice(
    UseCase use,
    String level,
    Kind kind,
    List<Contest> contests,
    List<Tally> tallies,
    List<CrashResult> crashes) {

  static final String TOO_FEW =
      "Nothing can be compared: ranks need two engines with at least 3 repetitions each.";

  private static final String UNEQUAL_WORK =
      "Nothing can be compared: " + ResourceRanking.UNEQUAL_WORK + ".";

  private static final String NO_PHASE =
      "Nothing can be compared: no phase only writes at this level.";

  private static final String NOT_SEPARATED =
      "Not separated: no comparison shows an engine to be better than more than half of the others.";

  private static final String NONE_BEST =
      "No engine that may be recommended, and was compared with half of the others, is among the best"
          + " in more than half of its comparisons that decide.";

  public static Choice of(
      UseCase use,
      String level,
      Kind kind,
      Collection<Contest> contests,
      Collection<CrashResult> crashes) {
    List<Contest> own =
        Contest.voting(
            contests.stream()
                .filter(contest -> contest.kinds().contains(kind))
                .map(contest -> contest.among(kind))
                .toList());
    return new Choice(
        use,
        level,
        kind,
        own,
        tallies(own),
        crashes.stream().filter(each -> each.kind() == kind).toList());
  }

  private static List<Tally> tallies(List<Contest> contests) {
    return contests.stream()
        .filter(Contest::compares)
        .flatMap(contest -> contest.engines().stream())
        .distinct()
        .sorted()
        .map(engine -> Tally.of(engine, contests))
        .toList();
  }

  /** Returns the comparisons: contests with two tested engines or more. */
  public List<Contest> compared() {
    return contests.stream().filter(Contest::compares).toList();
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

  /** Returns the engines that broke the promise of their level in crashes, with these. */
  public Map<String, List<CrashResult>> unsafe() {
    return crashes.stream()
        .filter(CrashResult::unsafe)
        .collect(groupingBy(CrashResult::engine, TreeMap::new, toList()));
  }

  /** Returns the other engines that may lose writes, with the crashes that do not show it. */
  private Map<String, List<CrashResult>> doubted() {
    Map<String, List<CrashResult>> doubted =
        crashes.stream()
            .filter(CrashResult::unproven)
            .filter(each -> crashes.stream().noneMatch(other -> settles(other, each)))
            .collect(groupingBy(CrashResult::engine, TreeMap::new, toList()));
    doubted.keySet().removeAll(unsafe().keySet());
    return doubted;
  }

  private static boolean settles(CrashResult result, CrashResult doubt) {
    return result.proves()
        && result.engine().equals(doubt.engine())
        && result.losses().powerCut() == doubt.losses().powerCut();
  }

  /**
   * Returns the engines to reach for: those that are among the best in all of their comparisons
   * that decide; else those that are in more than half. They were compared there with half of the
   * other engines or more: a comparison of a few engines says nothing about the rest. An engine
   * whose durability is not proven is not among them.
   */
  public List<Tally> reach() {
    Set<String> unsafe = unsafe().keySet();
    Set<String> doubted = doubted().keySet();
    List<Tally> proven =
        tallies.stream()
            .filter(each -> each.best() > 0 && each.unproven() == 0)
            .filter(each -> !unsafe.contains(each.engine()) && !doubted.contains(each.engine()))
            .filter(each -> 2 * rivals(each.engine()) >= rivals())
            .toList();
    List<Tally> always = proven.stream().filter(each -> each.best() == each.deciding()).toList();
    return (always.isEmpty()
            ? proven.stream().filter(each -> 2 * each.best() > each.deciding()).toList()
            : always)
        .stream()
            .sorted(
                Comparator.comparing((Tally each) -> -each.alone())
                    .thenComparing(each -> -each.best())
                    .thenComparing(Tally::distance))
            .toList();
  }

  /** Returns the number of other engines in the comparisons that decide. */
  private long rivals() {
    return tallies.stream().filter(each -> each.deciding() > 0).count() - 1;
  }

  /** Returns the number of those that took part in the same ones as an engine. */
  private long rivals(String engine) {
    return contests.stream()
            .filter(each -> each.decides() && each.engines().contains(engine))
            .flatMap(each -> each.engines().stream())
            .distinct()
            .count()
        - 1;
  }

  /** Returns the engines to avoid, those first that broke the promise of durable writes. */
  public List<String> avoid() {
    Stream<String> unsafe = use == UseCase.DURABLE ? unsafe().keySet().stream() : Stream.empty();
    return Stream.concat(unsafe, slow().stream().map(Tally::engine)).distinct().toList();
  }

  /**
   * Returns the engines that can be last, and are certainly far behind the best, in more than half
   * of their comparisons.
   */
  private List<Tally> slow() {
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
  public String noReach() {
    return deciding() == 0 ? "not separated" : "none";
  }

  /** Returns the numbers of comparisons with one best engine, with several and with none. */
  public Claim sure() {
    List<String> engines =
        contests.stream().flatMap(contest -> contest.all().stream()).distinct().toList();
    if (kind != Kind.UNKNOWN && engines.size() == 1) {
      return new Claim()
          .engine(engines.get(0))
          .text(" is the only %s here, so none is recommended.".formatted(kind.noun()));
    }
    if (compared().isEmpty()) {
      return Claim.of(
          contests.isEmpty()
              ? NO_PHASE
              : contests.stream().allMatch(each -> each.role() == Role.SHOWS)
                  ? UNEQUAL_WORK
                  : TOO_FEW);
    }
    long single = compared().stream().filter(contest -> contest.winner().isPresent()).count();
    Map<String, Long> outcomes = new LinkedHashMap<>();
    outcomes.put("a single best engine", single);
    outcomes.put("several share the lead", deciding() - single);
    outcomes.put("no clear lead", compared().size() - deciding());
    outcomes.values().removeIf(number -> number == 0);
    return Claim.of(
        "%s of %ss: %s."
            .formatted(
                Quantities.counted(compared().size(), "comparison"),
                kind.noun(),
                outcomes.entrySet().stream()
                    .map(each -> each.getKey() + " in " + each.getValue())
                    .collect(joining(", "))));
  }

  /** Returns the sentences about what to reach for and to avoid, with the reasons. */
  public List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    List<Tally> reach = reach();
    for (Tally each : reach) {
      Claim claim = Claim.of("Reach for ").engine(each.engine()).text(": " + each.leading(kind));
      claims.add(addLowerHits(claim, each.engine()).text("."));
    }
    if (reach.isEmpty() && !compared().isEmpty()) {
      claims.add(Claim.of(deciding() == 0 ? NOT_SEPARATED : NONE_BEST));
    }
    unsafe()
        .forEach(
            (engine, results) -> {
              if (use == UseCase.DURABLE) {
                claims.add(
                    CrashResult.addAll(Claim.of("Avoid ").engine(engine).text(": "), results));
              } else if (tally(engine).isPresent()) {
                claims.add(notRecommended(engine, results));
              }
            });
    for (Tally each : slow()) {
      claims.add(
          Claim.of("Avoid ")
              .engine(each.engine())
              .text(
                  ": %scan be last, and is at least %dx behind the best %s, in %d of %s."
                      .formatted(
                          each.failed() > 0 ? "failed, or " : "",
                          Tally.FAR,
                          kind.noun(),
                          each.last(),
                          Quantities.counted(each.of(), "comparison"))));
    }
    tallies.stream().filter(each -> each.failed() > 0).forEach(each -> claims.add(failed(each)));
    doubted()
        .forEach(
            (engine, results) -> {
              if (tally(engine).isPresent()) {
                claims.add(notRecommended(engine, results));
              }
            });
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

  private Claim failed(Tally tally) {
    Claim claim = new Claim().engine(tally.engine());
    claim.text(
        " failed in %d of %s, and counts as last there: "
            .formatted(tally.failed(), Quantities.counted(tally.of(), "comparison")));
    String separator = "";
    for (Contest contest : compared()) {
      Optional<Failure> failure = contest.failure(tally.engine());
      if (failure.isPresent()) {
        claim
            .text(separator)
            .link(contest.place(), contest.runs(tally.engine()))
            .text(" (" + failure.get().text() + ")");
        separator = "; ";
      }
    }
    return claim.text(".");
  }

  /** Returns for example {@code (failed in 1 of 3)}; empty without a failure. */
  public String failures(String engine) {
    return tally(engine)
        .filter(each -> each.failed() > 0)
        .map(each -> " (failed in %d of %d)".formatted(each.failed(), each.of()))
        .orElse("");
  }

  /** Returns the hit ratio that an engine has in caches, if it is certainly a lower one. */
  public Optional<LowerHits> lowerHits(String engine) {
    return LowerHits.of(contests, engine);
  }

  /** Adds it to a claim that recommends the engine. */
  Claim addLowerHits(Claim claim, String engine) {
    lowerHits(engine).ifPresent(lower -> lower.addTo(claim.text(", but ")));
    return claim;
  }

  private static Claim notRecommended(String engine, List<CrashResult> results) {
    return CrashResult.addAll(new Claim().engine(engine).text(" is not recommended: "), results);
  }
}
