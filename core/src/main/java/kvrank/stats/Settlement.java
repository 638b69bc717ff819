package kvrank.stats;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest.Adaptive;
import kvrank.results.PhaseRecord;
import kvrank.scenario.Repetitions;

/**
 * How far the comparisons of an adaptive scenario are settled, as text, and why no repetition
 * follows.
 *
 * @param open the comparisons of {@code results} that are open
 */
public record Settlement(ExecutionResults results, List<OpenComparison> open) {

  /** The most comparisons that are listed. */
  private static final int MOST = 4;

  /** What a scenario compares that names no engines. */
  private static final Set<List<String>> RANKS =
      Set.of(List.of(Repetitions.BEST), List.of(Repetitions.NEIGHBOURS));

  public static Settlement of(ExecutionResults results) {
    return new Settlement(results, OpenComparison.of(results));
  }

  /** Returns the open comparisons, that all are settled, or why there is none. */
  public String summary() {
    List<Ranking> deciding = OpenComparison.deciding(results);
    String absent = absent(deciding);
    if (!open.isEmpty()) {
      return open.stream()
          .limit(MOST)
          .map(OpenComparison::toString)
          .collect(joining("; ", "not settled: ", more() + absent));
    }
    Optional<Adaptive> until = results.manifest().adaptive();
    if (deciding.stream().allMatch(each -> OpenComparison.pairs(each, until.get()).isEmpty())) {
      return "there is nothing to compare" + (absent.isEmpty() ? ": " + nothing() : absent);
    }
    boolean intervals = until.flatMap(Adaptive::interval).isPresent();
    return "every " + (intervals ? "interval is narrow enough" : "comparison is settled") + absent;
  }

  /** Returns for example {@code ; and 3 more (1 failed twice in a row, 2 set aside)}. */
  private String more() {
    List<OpenComparison> more = open.subList(Math.min(MOST, open.size()), open.size());
    Map<String, Long> reasons =
        more.stream()
            .filter(each -> !each.aside().isEmpty())
            .collect(groupingBy(each -> each.aside().split(":", 2)[0], TreeMap::new, counting()));
    String why =
        reasons.entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(joining(", "));
    return (more.isEmpty() ? "" : "; and %d more".formatted(more.size()))
        + (why.isEmpty() ? "" : " (" + why + ")");
  }

  /** Lists the named comparisons for which no phase has values of both engines. */
  private String absent(List<Ranking> deciding) {
    List<String> absent =
        results.manifest().adaptive().map(Adaptive::compare).orElse(List.of()).stream()
            .filter(names -> !RANKS.contains(names))
            .filter(
                names ->
                    deciding.stream()
                        .allMatch(each -> OpenComparison.pairs(each, List.of(names)).isEmpty()))
            .map(
                names ->
                    names.size() == 1 ? names.get(0) + " and others" : String.join(" and ", names))
            .toList();
    return absent.isEmpty()
        ? ""
        : "; not compared for lack of values: " + String.join(", ", absent);
  }

  /** Returns the reason why no phase has two engines to compare. */
  private String nothing() {
    Set<String> loads =
        results.runs().stream()
            .flatMap(run -> run.phases().stream())
            .filter(PhaseRecord::load)
            .map(PhaseRecord::name)
            .collect(toSet());
    List<Ranking> phases =
        Rankings.decidingValues(results).stream()
            .filter(ranking -> !loads.contains(ranking.group().phase()))
            .toList();
    if (phases.isEmpty()) {
      return "the load, which does not count, is the only phase";
    }
    List<String> engines =
        phases.stream()
            .flatMap(ranking -> ranking.standings().stream())
            .map(Standing::engine)
            .distinct()
            .toList();
    String why =
        phases.stream()
            .flatMap(ranking -> ranking.excluded().stream())
            .filter(excluded -> excluded.absence().withoutValue())
            .map(excluded -> " (" + excluded.reason() + ")")
            .findFirst()
            .orElse("");
    return switch (engines.size()) {
          case 0 -> "no engine has a value";
          case 1 -> "only " + engines.get(0) + " has a value";
          default -> "no phase has values of two engines";
        }
        + why;
  }

  /**
   * Returns the reason that no repetition follows, for a place after the number of the last one;
   * empty if every comparison is settled or has a reason of its own.
   */
  public String end() {
    int last = results.repetitions();
    Optional<Integer> budget = results.manifest().adaptive().flatMap(Adaptive::ended);
    if (!open.isEmpty() && budget.equals(Optional.of(last))) {
      return ", and no more fit into the budget";
    }
    return open.stream().noneMatch(each -> each.aside().isEmpty())
        ? ""
        : last >= results.manifest().repetitions()
            ? ", and at-most allows no more"
            : ", but it was not over: --resume continues it";
  }
}
