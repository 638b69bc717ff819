package kvrank.stats.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import kvrank.metric.Metrics;
import kvrank.stats.Excluded;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.Standing;

/** The engines that have no value of the metric that decides a phase, and the reasons. */
final class Gaps {

  /** One engine in one phase at one factor point. */
  record Place(String engine, String phase, SortedMap<String, String> factors) {}

  private record Gap(Ranking ranking, String reason) {

    Group group() {
      return ranking.group();
    }
  }

  private final Map<Place, Gap> gaps = new LinkedHashMap<>();

  /** Adds the gaps of an execution; those of later ones count. */
  void add(Ranking deciding) {
    for (Excluded excluded : deciding.excluded()) {
      if (!excluded.absence().unmeasured()) {
        add(deciding, excluded.engine(), reason(excluded));
      }
    }
    for (Standing standing : deciding.standings()) {
      if (!(standing.estimate().value() > 0)) {
        add(deciding, standing.engine(), "it is 0");
      }
    }
  }

  private void add(Ranking deciding, String engine, String reason) {
    Group group = deciding.group();
    gaps.put(new Place(engine, group.phase(), group.factors()), new Gap(deciding, reason));
  }

  private static String reason(Excluded excluded) {
    List<String> parts = new ArrayList<>();
    if (!excluded.absence().withoutValue()) {
      parts.add(excluded.absence().label());
    }
    if (!excluded.reason().isEmpty()) {
      parts.add(excluded.reason());
    }
    return String.join(": ", parts);
  }

  /**
   * Returns a note for each phase and factor point at which some engines are not among those with a
   * line.
   *
   * @param varying the factors that a label shows
   */
  List<String> notes(Set<Place> lines, SortedSet<String> varying) {
    Map<List<Object>, SortedMap<String, Gap>> without = new LinkedHashMap<>();
    gaps.forEach(
        (place, gap) -> {
          if (!lines.contains(place)) {
            without
                .computeIfAbsent(List.of(place.phase(), place.factors()), any -> new TreeMap<>())
                .put(place.engine(), gap);
          }
        });
    return without.values().stream().map(engines -> note(engines, varying)).toList();
  }

  /**
   * Returns for example {@code get, read at fsync=off: no line of a, b, as p99 decides at a given
   * rate and has no value (too few requests: 200; p99 needs 1,000)}.
   */
  private static String note(SortedMap<String, Gap> engines, SortedSet<String> varying) {
    Gap first = engines.get(engines.firstKey());
    boolean same = engines.values().stream().map(Gap::reason).distinct().count() == 1;
    return "%s: no line of %s, as %s decides%s and has no value (%s)"
        .formatted(
            first.group().showing(varying).label(),
            String.join(", ", engines.keySet()),
            first.ranking().metric().title(),
            first.ranking().metric().equals(Metrics.LATENCY_P99) ? " at a given rate" : "",
            (same ? "" : "of " + engines.firstKey() + ": ") + first.reason());
  }
}
