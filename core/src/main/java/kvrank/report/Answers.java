package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.Standing;

/** The answer to the question in one sentence per comparison group. */
final class Answers {

  private Answers() {}

  /** One sentence for each phase and factor point, in order. */
  static List<String> of(Board board) {
    return board.wholes().stream().map(group -> sentence(board.throughput(group))).toList();
  }

  /** For example {@code redis is fastest for get at fsync=off, 2.1x rocksdb}. */
  static String sentence(Ranking ranking) {
    String where = " for " + where(ranking.group());
    List<Standing> standings = ranking.standings();
    if (standings.isEmpty()) {
      return "no engine can be ranked" + where;
    }
    List<String> first =
        standings.stream().filter(standing -> standing.rank() == 1).map(Standing::engine).toList();
    if (first.size() > 1) {
      return joined(first)
          + " are tied"
          + (first.size() < standings.size() ? " as fastest" : "")
          + where;
    }
    if (standings.size() == 1) {
      return first.get(0) + " is the only engine ranked" + where;
    }
    Standing best = standings.get(0);
    Standing next = standings.get(1);
    String ratio = Quantities.ratio(best.estimate().value() / next.estimate().value());
    boolean single = !best.estimate().hasInterval() || !next.estimate().hasInterval();
    return best.engine()
        + " is fastest"
        + where
        + (ratio.equals(Quantities.NONE) ? "" : ", " + ratio + " " + next.engine())
        + (single ? " (n=1: a tie cannot be told)" : "");
  }

  private static String where(Group group) {
    String point = group.point();
    return group.phase() + (point.isEmpty() ? "" : " at " + point);
  }

  private static String joined(List<String> names) {
    List<String> head = new ArrayList<>(names.subList(0, names.size() - 1));
    return String.join(", ", head) + " and " + names.get(names.size() - 1);
  }
}
