package kvrank.report;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.results.Results;

/** The reports of one results directory. Nothing is written here: the texts are returned. */
public final class Reports {

  private Reports() {}

  /**
   * The files of the {@code report} folder: text by file name, to be written as UTF-8. {@code
   * docs/results.md} describes them.
   */
  public static SortedMap<String, String> of(Results results) {
    Board board = Board.of(results);
    SortedMap<String, String> files = new TreeMap<>();
    files.put("rankings.md", Markdown.of(new FullReport(board).blocks()));
    files.put("rankings.csv", Csv.of(RankingRows.of(board)));
    files.put("summary.json", SummaryJson.of(results));
    return Collections.unmodifiableSortedMap(files);
  }

  /**
   * The answers and compact tables for a terminal of 100 columns.
   *
   * @param ansi whether emphasis is by ANSI escape sequences; none otherwise
   */
  public static String console(Results results, boolean ansi) {
    return new Console(ansi).of(new BriefReport(Board.of(results)).blocks());
  }
}
