package kvrank.report;

import java.awt.AWTError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Png;
import kvrank.report.chart.Svg;
import kvrank.report.html.Findings;
import kvrank.report.html.HtmlReport;
import kvrank.results.Evidence;
import kvrank.results.Results;
import kvrank.stats.ExpectationResult;
import kvrank.stats.Merge;
import kvrank.stats.RankingIndex;

/** The reports of some results. Nothing is written here: contents are returned. */
public final class Reports {

  private Reports() {}

  /**
   * The files of the {@code report} folder: text by file name, to be written as UTF-8. {@code
   * docs/results.md} describes them.
   */
  public static SortedMap<String, String> of(Merge merge) {
    RankingIndex board = RankingIndex.of(merge);
    SortedMap<String, String> files = new TreeMap<>();
    files.put("rankings.md", Markdown.of(new FullReport(board).blocks()));
    files.put("rankings.csv", Csv.of(RankingRows.of(board)));
    files.put("rankings.json", RankingsJson.of(board));
    files.put("summary.json", SummaryJson.of(merge.results()));
    List<ExpectationResult> judgements = ExpectationResult.of(board);
    if (!judgements.isEmpty()) {
      files.put(
          "expectations.xml",
          ExpectationReport.junit(merge.results().manifest().scenario(), judgements));
    }
    return Collections.unmodifiableSortedMap(files);
  }

  /** The files for one results directory. */
  public static SortedMap<String, String> of(Results results) {
    return of(Merge.of(List.of(results)));
  }

  /**
   * All files of the {@code report} folder by their paths in it: those of {@link #of}, the page and
   * its charts.
   */
  public static SortedMap<String, byte[]> files(Merge merge, Evidence evidence) {
    SortedMap<String, byte[]> files = new TreeMap<>();
    of(merge).forEach((name, text) -> files.put(name, bytes(text)));
    HtmlReport.Content page = page(merge, evidence);
    files.put("report.html", bytes(page.html()));
    SortedMap<String, Chart> charts = new TreeMap<>(page.charts());
    TableReport.charts(RankingIndex.of(merge))
        .forEach(chart -> charts.put(chart.caption().file(), chart));
    charts.forEach((name, chart) -> files.put("charts/" + name + ".svg", bytes(Svg.file(chart))));
    files.putAll(pictures(charts));
    return Collections.unmodifiableSortedMap(files);
  }

  /** The page and its charts, for one results directory. */
  static HtmlReport.Content page(Results results, Evidence evidence) {
    return page(Merge.of(List.of(results)), evidence);
  }

  /** The page and its charts. */
  static HtmlReport.Content page(Merge merge, Evidence evidence) {
    RankingIndex board = RankingIndex.of(merge);
    Exclusions exclusions = new Exclusions(board);
    Notes notes = new Notes(board);
    RankingTables tables = new RankingTables(board, notes);
    Findings findings =
        new Findings(
            board.results(),
            board.differences(),
            board.rankings(),
            board.engines(),
            DurabilityNotes.unproven(board),
            Answers.of(board),
            exclusions.everywhere(),
            exclusions::below,
            notes.list(),
            notes::marked,
            (group, standing) -> words(tables.labels(group, standing)),
            CrashReport.full(board, notes),
            further(board, exclusions));
    return HtmlReport.of(findings, evidence);
  }

  private static List<Block> further(RankingIndex board, Exclusions exclusions) {
    List<Block> blocks = new ArrayList<>(AcrossReport.full(board));
    blocks.addAll(TableReport.blocks(board, exclusions, TableFrame.Ties.TOGETHER));
    return blocks;
  }

  private static List<String> words(String labels) {
    return labels.isEmpty() ? List.of() : List.of(labels.split(", "));
  }

  /** Pictures need fonts and, with a DISPLAY set, an X server; the rest does not. */
  private static SortedMap<String, byte[]> pictures(SortedMap<String, Chart> charts) {
    SortedMap<String, byte[]> pictures = new TreeMap<>();
    for (Map.Entry<String, Chart> chart : charts.entrySet()) {
      try {
        pictures.put("charts/" + chart.getKey() + ".png", Png.of(chart.getValue()));
      } catch (LinkageError | InternalError | AWTError e) {
        String why =
            "There are no PNG files, because Java cannot draw here: %s\n".formatted(e)
                + "Install fontconfig and a font, for example fonts-dejavu-core.\n";
        return new TreeMap<>(Map.of("charts/no-png.txt", bytes(why)));
      }
    }
    return pictures;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The answers and compact tables for a terminal of 100 columns.
   *
   * @param ansi whether emphasis is by ANSI escape sequences; none otherwise
   */
  public static String console(Merge merge, boolean ansi) {
    return new Console(ansi).of(new BriefReport(RankingIndex.of(merge)).blocks());
  }

  /** The console text for one results directory. */
  public static String console(Results results, boolean ansi) {
    return console(Merge.of(List.of(results)), ansi);
  }
}
