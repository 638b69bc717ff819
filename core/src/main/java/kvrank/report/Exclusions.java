package kvrank.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import kvrank.stats.Excluded;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/** What is not ranked and why: said once if it holds for all tables, below its table otherwise. */
final class Exclusions {

  private final RankingIndex index;
  private final Set<Excluded> everywhere;

  Exclusions(RankingIndex index) {
    this.index = index;
    List<Group> wholes = index.wholes();
    this.everywhere =
        new LinkedHashSet<>(
            wholes.isEmpty() ? List.of() : index.throughput(wholes.get(0)).excluded());
    wholes.forEach(whole -> everywhere.retainAll(index.throughput(whole).excluded()));
  }

  /** What holds for all tables. */
  List<String> everywhere() {
    return everywhere.stream().map(Exclusions::text).toList();
  }

  /** What holds for the phase {@code whole} and not for all. */
  List<String> below(Group whole) {
    List<Excluded> excluded = new ArrayList<>(index.throughput(whole).excluded());
    excluded.removeAll(everywhere);
    return excluded.stream().map(Exclusions::text).toList();
  }

  /** For example {@code redis: unsupported: redis has no prefix-scan}. */
  static String text(Excluded excluded) {
    return excluded.engine() + ": " + cause(excluded);
  }

  /** For example {@code 1 of 3 runs failed in phase get: …}. */
  static String cause(Excluded excluded) {
    StringBuilder text = new StringBuilder();
    if (excluded.repetitions() < excluded.planned()) {
      text.append("%d of %d runs ".formatted(excluded.repetitions(), excluded.planned()));
    }
    text.append(excluded.absence().label());
    if (!excluded.reason().isEmpty()) {
      text.append(excluded.reason().startsWith("in phase ") ? " " : ": ").append(excluded.reason());
    }
    return text.toString();
  }
}
