package kvrank.report;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.results.Results;
import kvrank.stats.Merge;

/** The reports of some results. Nothing is written here: the texts are returned. */
public final class Reports {

  private Reports() {}

  /**
   * The files of the {@code report} folder: text by file name, to be written as UTF-8. {@code
   * docs/results.md} describes them.
   */
  public static SortedMap<String, String> of(Merge merge) {
    Board board = Board.of(merge);
    SortedMap<String, String> files = new TreeMap<>();
    files.put("rankings.md", Markdown.of(new FullReport(board).blocks()));
    files.put("rankings.csv", Csv.of(RankingRows.of(board)));
    files.put("rankings.json", RankingsJson.of(board));
    files.put("summary.json", SummaryJson.of(merge.results()));
    return Collections.unmodifiableSortedMap(files);
  }

  /** The files for one results directory. */
  public static SortedMap<String, String> of(Results results) {
    return of(Merge.of(List.of(results)));
  }

  /**
   * The answers and compact tables for a terminal of 100 columns.
   *
   * @param ansi whether emphasis is by ANSI escape sequences; none otherwise
   */
  public static String console(Merge merge, boolean ansi) {
    return new Console(ansi).of(new BriefReport(Board.of(merge)).blocks());
  }

  /** The console text for one results directory. */
  public static String console(Results results, boolean ansi) {
    return console(Merge.of(List.of(results)), ansi);
  }
}
