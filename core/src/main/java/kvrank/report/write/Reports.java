package kvrank.report.write;

import java.awt.AWTError;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import kvrank.metric.Direction;
import kvrank.report.ComparisonReport;
import kvrank.report.Report;
import kvrank.report.block.Block;
import kvrank.report.block.Table;
import kvrank.report.block.Width;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Png;
import kvrank.report.chart.Svg;
import kvrank.report.file.MeasurementFiles;
import kvrank.report.file.PageData;
import kvrank.report.file.RankingFiles;
import kvrank.report.history.HistoryFiles;
import kvrank.report.history.HistoryReport;
import kvrank.report.section.Answers;
import kvrank.report.section.ExpectationReport;
import kvrank.report.section.NextStep;
import kvrank.report.section.RequirementsReport;
import kvrank.report.table.TableReport;
import kvrank.results.Evidence;
import kvrank.results.ExecutionResults;
import kvrank.stats.ExpectationResult;
import kvrank.stats.Merge;
import kvrank.stats.RankingIndex;
import kvrank.stats.change.Comparison;

/**
 * The contents of all report files, which {@code docs/reference/results.md} describes. Nothing is
 * written here.
 */
public final class Reports {

  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:[0-9]++(?:\\.[0-9]++)?|\\.[0-9]++)(?:[eE][+-]?[0-9]++)?");

  private final RankingIndex index;

  private Reports(RankingIndex index) {
    this.index = index;
  }

  public static Reports of(Merge merge) {
    return new Reports(RankingIndex.of(merge));
  }

  public static Reports of(ExecutionResults results) {
    return new Reports(RankingIndex.of(results));
  }

  public RankingIndex index() {
    return index;
  }

  public String console(int width, boolean ansi) {
    return new Console(width, ansi).of(new Report(index).brief());
  }

  /** Returns the next step to settle open comparisons; empty if none is open. */
  public String next(String folder) {
    return NextStep.of(index, folder);
  }

  /** Returns the files of the {@code report} folder by path, with all or only requested charts. */
  public SortedMap<String, byte[]> files(Evidence evidence, boolean charts) {
    CompletableFuture<SortedMap<String, byte[]>> dataFiles =
        CompletableFuture.supplyAsync(this::dataFiles);
    SortedMap<String, byte[]> files = new TreeMap<>();
    Report report = new Report(index);
    TableReport requested = report.requestedTables();
    List<Block> blocks = report.full(evidence, requested);
    CompletableFuture<String> markdown = CompletableFuture.supplyAsync(() -> Markdown.of(blocks));
    Html.Page page = Html.of(blocks, PageData.of(index, evidence));
    files.put("report.html", bytes(page.html()));
    files.put("rankings.md", bytes(markdown.join()));
    files.putAll(dataFiles.join());
    Map<String, Chart> drawn = new LinkedHashMap<>(charts ? page.charts() : Map.of());
    requested.files().forEach(chart -> drawn.put(chart.caption().file(), chart));
    drawn.forEach((name, chart) -> files.put("charts/" + name + ".svg", bytes(Svg.file(chart))));
    files.putAll(pictures(drawn));
    return files;
  }

  SortedMap<String, byte[]> dataFiles() {
    // Not in parallel: a thread outside the common pool that waits for it is busy until it ends.
    RankingFiles rankings = new RankingFiles(index);
    MeasurementFiles measurements = new MeasurementFiles(index.results());
    SortedMap<String, byte[]> files = new TreeMap<>();
    files.put(
        "rankings.json",
        rankings.json(new Answers(index).all(), new RequirementsReport(index).headline()));
    files.put("summary.json", measurements.json());
    files.put("rankings.csv", bytes(csv(rankings.rows())));
    files.put("measurements.csv", bytes(csv(measurements.rows())));
    List<ExpectationResult> judged = ExpectationResult.of(index);
    if (!judged.isEmpty()) {
      String scenario = index.results().manifest().scenario();
      files.put("expectations.xml", bytes(ExpectationReport.junit(scenario, judged)));
    }
    return files;
  }

  /** Draws charts as PNG files, which needs fonts and, if DISPLAY is set, an X server. */
  private static SortedMap<String, byte[]> pictures(Map<String, Chart> charts) {
    SortedMap<String, byte[]> pictures = new TreeMap<>();
    for (Map.Entry<String, Chart> chart : charts.entrySet()) {
      try {
        pictures.put("charts/" + chart.getKey() + ".png", Png.of(chart.getValue()));
      } catch (LinkageError | InternalError | AWTError e) {
        String why =
            "PNG files are missing because Java cannot draw here: %s\n".formatted(e)
                + "Install fontconfig and a font, for example fonts-dejavu-core.\n";
        return new TreeMap<>(Map.of("charts/no-png.txt", bytes(why)));
      }
    }
    return pictures;
  }

  public static SortedMap<String, String> files(Comparison comparison) {
    SortedMap<String, String> files = new TreeMap<>();
    files.put("comparison.md", ComparisonReport.fitting(comparison, Markdown::of));
    files.put("comparison.csv", csv(ComparisonReport.rows(comparison)));
    files.put("comparison.xml", ComparisonReport.junit(comparison));
    return files;
  }

  /** Returns the page of a history and its Markdown. */
  public static SortedMap<String, byte[]> files(HistoryReport report) {
    SortedMap<String, byte[]> files = new TreeMap<>();
    files.put("history.html", bytes(Html.of(report.page(), Optional.empty()).html()));
    files.put("history.md", bytes(Markdown.of(report.brief())));
    return files;
  }

  /** Returns a history as Apache Otava reads it: tables, and their configuration. */
  public static SortedMap<String, byte[]> csv(HistoryFiles history) {
    SortedMap<String, byte[]> files = new TreeMap<>();
    history.tables().forEach((test, table) -> files.put(test + ".csv", bytes(csv(table))));
    files.put("otava.yaml", bytes(history.otava()));
    return files;
  }

  /** Returns the newest values as github-action-benchmark and Bencher read them. */
  public static SortedMap<String, byte[]> json(HistoryFiles history) {
    SortedMap<String, byte[]> files = new TreeMap<>();
    files.put("bigger-is-better.json", history.benchmarks(Direction.HIGHER));
    files.put("smaller-is-better.json", history.benchmarks(Direction.LOWER));
    files.put("bencher.json", history.bencher());
    return files;
  }

  public static String console(HistoryReport report, int width, boolean ansi) {
    return new Console(width, ansi).of(report.brief());
  }

  public static String console(Comparison comparison, int width, boolean ansi) {
    return new Console(width, ansi).of(ComparisonReport.brief(comparison));
  }

  /**
   * Returns a table as RFC 4180 defines it: with CRLF, and quotes if needed. An apostrophe is
   * before a text that a spreadsheet would take as a formula.
   */
  private static String csv(Table table) {
    StringBuilder text = new StringBuilder();
    append(text, table.columns().stream().map(Table.Heading::name).toList());
    table.rows().forEach(row -> append(text, row.texts()));
    return text.toString();
  }

  /** Returns whether a spreadsheet would take {@code text} as a formula. */
  private static boolean formula(String text) {
    return !text.isEmpty()
        && "=+@-".indexOf(text.charAt(0)) >= 0
        && !NUMBER.matcher(text).matches();
  }

  private static void append(StringBuilder text, List<String> cells) {
    for (int i = 0; i < cells.size(); i++) {
      String line = Width.oneLine(cells.get(i));
      String cell = formula(line) ? "'" + line : line;
      text.append(i == 0 ? "" : ",")
          .append(plain(cell) ? cell : '"' + cell.replace("\"", "\"\"") + '"');
    }
    text.append("\r\n");
  }

  private static boolean plain(String cell) {
    return cell.indexOf(',') < 0
        && cell.indexOf('"') < 0
        && cell.indexOf('\n') < 0
        && cell.indexOf('\r') < 0;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
