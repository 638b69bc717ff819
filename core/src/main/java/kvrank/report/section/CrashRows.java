package kvrank.report.section;

import java.util.List;
import java.util.stream.Stream;
import kvrank.results.RunRecord;
import kvrank.stats.CrashLosses;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/** The rows of one of the two crash tests: power cuts or kills. */
record CrashRows(boolean powerCut, List<CrashRow> rows) {

  /** Returns the tests that were made: power cuts, then kills. */
  static List<CrashRows> of(RankingIndex index) {
    return Stream.of(true, false)
        .filter(index::crashed)
        .map(powerCut -> new CrashRows(powerCut, rows(index, powerCut)))
        .filter(test -> !test.rows().isEmpty())
        .toList();
  }

  /** Returns a row for each engine at each factor point. */
  private static List<CrashRow> rows(RankingIndex index, boolean powerCut) {
    return index.phaseGroupsByPoint().stream()
        .map(phaseGroups -> phaseGroups.get(0))
        .flatMap(
            group -> index.engines().stream().map(engine -> row(index, group, engine, powerCut)))
        .filter(row -> !row.runs().isEmpty())
        .toList();
  }

  private static CrashRow row(RankingIndex index, Group group, String engine, boolean powerCut) {
    List<RunRecord> runs =
        index.runs(group, engine).stream()
            .filter(run -> run.crashTest().filter(test -> test.powerCut() != powerCut).isEmpty())
            .toList();
    return new CrashRow(engine, group, runs, CrashLosses.of(runs, group.fsync(), powerCut));
  }

  String title() {
    return powerCut ? "Lost in a power cut" : "Acknowledged writes lost";
  }
}
