package kvrank.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import kvrank.stats.Excluded;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;

/** What is not ranked and why: said once if it holds for all tables, below its table otherwise. */
final class Exclusions {

  private final RankingIndex index;
  private final Set<Excluded> everywhere;

  Exclusions(RankingIndex index) {
    this.index = index;
    this.everywhere = everywhere(index.wholes().stream().map(index::throughput).toList());
  }

  private static Set<Excluded> everywhere(List<Ranking> rankings) {
    Set<Excluded> common = new LinkedHashSet<>();
    for (int i = 0; i < rankings.size(); i++) {
      if (i == 0) {
        common.addAll(rankings.get(i).excluded());
      } else {
        common.retainAll(rankings.get(i).excluded());
      }
    }
    return common;
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
