package kvrank.report;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvrank.report.ranking.Notes;
import kvrank.report.section.CrashReport;
import kvrank.report.section.ExpectationReport;
import kvrank.report.write.Console;
import kvrank.report.write.Markdown;
import kvrank.report.write.Reports;
import kvrank.results.Evidence;
import kvrank.results.ExecutionResults;
import kvrank.stats.ExpectationResult;
import kvrank.stats.Merge;
import kvrank.stats.RankingIndex;
import kvrank.stats.change.Comparison;
import kvrank.stats.change.Shift;
import org.junit.jupiter.api.Test;

/** Each format as it was last reviewed; {@code -Dkvrank.rewrite=true} writes them again. */
public class GoldenFilesTest {

  private static final Evidence EVIDENCE = new MadeUpEvidence("name: made-up\n");

  public static final Path HOME =
      Path.of(requireNonNull(System.getProperty("kvrank.home"), "kvrank.home is not set"));

  private static final Path FOLDER = HOME.resolve("core/src/test/resources/golden");

  @Test
  void consoleOfManyThings() throws IOException {
    compare("ssd-nofsync.console.txt", console(Examples.ssdNofsync(), false));
  }

  @Test
  void markdownOfManyThings() throws IOException {
    compare("ssd-nofsync.rankings.md", file(Reports.of(Examples.ssdNofsync()), "rankings.md"));
  }

  @Test
  void expectations() throws IOException {
    ExecutionResults results = ExpectationExamples.judged();
    List<ExpectationResult> judged = ExpectationResult.of(results);
    compare(
        "expectations.console.txt", new Console(100, false).of(ExpectationReport.blocks(judged)));
    compare("expectations.md", Markdown.of(ExpectationReport.blocks(judged)));
    compare("expectations.xml", file(Reports.of(results), "expectations.xml"));
    assertThat(file(Reports.of(results), "rankings.md")).contains("## Expectations");
    assertThat(Reports.of(Examples.ssdNofsync()).files(EVIDENCE, false))
        .doesNotContainKey("expectations.xml");
  }

  @Test
  void crashTests() throws IOException {
    RankingIndex board = RankingIndex.of(CrashExamples.killed());
    Notes notes = new Notes(board);
    compare("kill.console.txt", new Console(100, false).of(CrashReport.blocks(board, notes)));
    compare("kill.md", Markdown.of(CrashReport.blocks(board, notes)));
    String table = "## Acknowledged writes lost";
    assertThat(file(Reports.of(board.results()), "rankings.md")).contains(table);
    assertThat(file(Reports.of(Examples.ssdNofsync()), "rankings.md")).doesNotContain(table);
  }

  @Test
  void powerCuts() throws IOException {
    RankingIndex board = RankingIndex.of(CrashExamples.cut());
    Notes notes = new Notes(board);
    compare("power-cut.console.txt", new Console(100, false).of(CrashReport.blocks(board, notes)));
    compare("power-cut.rankings.md", file(Reports.of(board.results()), "rankings.md"));
  }

  @Test
  void consoleOfOneRepetition() throws IOException {
    compare("quick.console.txt", console(Examples.quick(), false));
  }

  @Test
  void consoleWithEmphasis() throws IOException {
    compare("quick.console.ansi.txt", console(Examples.quick(), true));
  }

  @Test
  void markdownOfOneRepetition() throws IOException {
    compare("quick.rankings.md", file(Reports.of(Examples.quick()), "rankings.md"));
  }

  @Test
  void csv() throws IOException {
    compare("quick.rankings.csv", file(Reports.of(Examples.quick()), "rankings.csv"));
  }

  @Test
  void json() throws IOException {
    compare("quick.summary.json", file(Reports.of(Examples.quick()), "summary.json"));
  }

  @Test
  void mergedExecutions() throws IOException {
    Merge merge = Merge.of(Examples.twoMachines());
    compare("merged.console.txt", Reports.of(merge).console(100, false));
    compare("merged.rankings.md", file(Reports.of(merge), "rankings.md"));
    compare("merged.rankings.json", file(Reports.of(merge), "rankings.json"));
  }

  @Test
  void comparison() throws IOException {
    List<ExecutionResults> executions = Examples.beforeAndAfter();
    Comparison comparison =
        Comparison.of(executions.get(0), executions.get(1), 0.05, Shift.stated(0));
    compare("comparison.console.txt", Reports.console(comparison, 100, false));
    Reports.files(comparison)
        .forEach(
            (name, text) -> {
              try {
                compare(name, text);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  private static String console(ExecutionResults results, boolean ansi) {
    return Reports.of(results).console(100, ansi);
  }

  public static String file(Reports reports, String name) {
    return new String(
        requireNonNull(reports.files(EVIDENCE, false).get(name), name), StandardCharsets.UTF_8);
  }

  public static void compare(String name, String text) throws IOException {
    Path file = FOLDER.resolve(name);
    if (Boolean.getBoolean("kvrank.rewrite")) {
      Files.writeString(file, text, StandardCharsets.UTF_8);
    }
    assertThat(text).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
  }
}
