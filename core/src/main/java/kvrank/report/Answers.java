package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import kvrank.stats.Estimate;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Ratio;
import kvrank.stats.Standing;

/** The answer to the question in one sentence per comparison group. */
final class Answers {

  private Answers() {}

  /** What a kill test found, then one sentence for each phase and factor point, in order. */
  static List<String> of(RankingIndex board) {
    Stream<String> phases =
        board.wholes().stream()
            .map(
                group ->
                    board
                        .latencyAtRate(group)
                        .map(ranking -> latencySentence(ranking) + unproven(board, ranking))
                        .orElseGet(
                            () ->
                                sentence(board.throughput(group))
                                    + unproven(board, board.throughput(group))));
    return Stream.concat(CrashReport.answers(board).stream(), phases).toList();
  }

  /** Which of the best did not do what {@code fsync} asked for, as far as flushes tell. */
  private static String unproven(RankingIndex board, Ranking ranking) {
    List<String> engines =
        ranking.standings().stream()
            .filter(standing -> standing.rank() == 1)
            .map(Standing::engine)
            .filter(engine -> DurabilityNotes.doubted(board.durability(ranking.group(), engine)))
            .toList();
    return engines.isEmpty()
        ? ""
        : "; the durability of " + String.join(", ", engines) + " is not proven";
  }

  /**
   * Where the rate was given the throughput is no result, the latency is: for example {@code redis
   * has the lowest read p99 for get at rate=5000, that of rocksdb is 2.1x}.
   */
  static String latencySentence(Ranking ranking) {
    String what =
        "%s %s".formatted(ranking.group().operation().orElse("latency"), ranking.metric().title());
    String where = " for " + where(ranking.group());
    List<Standing> standings = ranking.standings();
    List<String> first =
        standings.stream().filter(standing -> standing.rank() == 1).map(Standing::engine).toList();
    if (first.size() > 1) {
      return joined(first) + " are tied for the lowest " + what + where;
    }
    if (standings.size() == 1) {
      return first.get(0) + " is the only engine with a " + what + where;
    }
    Standing next = standings.get(1);
    return "%s has the lowest %s%s, that of %s is %s%s"
        .formatted(
            first.get(0),
            what,
            where,
            next.engine(),
            Quantities.ratio(next.ratio().value()),
            doubt(standings.get(0), next));
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
    Standing next = standings.get(1);
    return first.get(0)
        + " is fastest"
        + where
        + (next.ratio().value() > 0 ? ", " + lead(next) : "")
        + doubt(standings.get(0), next);
  }

  /** For example {@code 2.1x rocksdb (1.9–2.3x)}. */
  private static String lead(Standing next) {
    Ratio ratio = next.ratio();
    return Quantities.ratio(1 / ratio.value())
        + " "
        + next.engine()
        + (ratio.hasInterval()
            ? " (" + Quantities.ratios(1 / ratio.high(), 1 / ratio.low()) + ")"
            : "");
  }

  private static String doubt(Standing best, Standing next) {
    if (next.ratio().hasInterval()) {
      return "";
    }
    long n = Math.min(best.estimate().samples(), next.estimate().samples());
    return n < Estimate.FEWEST
        ? " (n=%d: a tie cannot be told)".formatted(n)
        : " (a tie cannot be told)";
  }

  private static String where(Group group) {
    String point = group.point();
    return group.phase() + (point.isEmpty() ? "" : " at " + point);
  }

  /** For example {@code redis, rocksdb and ssdb}. */
  static String joined(List<String> names) {
    if (names.size() == 1) {
      return names.get(0);
    }
    List<String> head = new ArrayList<>(names.subList(0, names.size() - 1));
    return String.join(", ", head) + " and " + names.get(names.size() - 1);
  }
}
