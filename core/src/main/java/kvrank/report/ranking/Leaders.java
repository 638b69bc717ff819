package kvrank.report.ranking;

import java.util.List;
import kvrank.stats.Ranking;
import kvrank.stats.Standing;
import kvrank.stats.infer.Separation;

/** The engines of a ranking that may be the best: several if the data cannot separate them. */
public record Leaders(Kind kind, List<String> engines) {

  public enum Kind {
    /** One engine is separated from all others. */
    BEST,
    /** One engine is first, but there are too few repetitions for a test. */
    BY_VALUE,
    NOT_SEPARATED,
    EQUAL
  }

  /** Returns the leaders of a ranking of at least two engines. */
  public static Leaders of(Ranking ranking) {
    List<Standing> standings = ranking.standings();
    String first = standings.get(0).engine();
    List<String> leaders =
        standings.stream().filter(each -> each.rank() == 1).map(Standing::engine).toList();
    if (standings.get(0).untested()) {
      return new Leaders(Kind.BY_VALUE, List.of(first));
    }
    boolean equal =
        leaders.stream()
            .skip(1)
            .allMatch(e -> ranking.verdict(e, first).kind() == Separation.EQUAL);
    return new Leaders(
        leaders.size() == 1 ? Kind.BEST : equal ? Kind.EQUAL : Kind.NOT_SEPARATED, leaders);
  }
}
