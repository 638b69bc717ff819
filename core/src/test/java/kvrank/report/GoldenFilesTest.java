package kvrank.report;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvrank.results.Results;
import kvrank.stats.Comparison;
import kvrank.stats.Merge;
import kvrank.stats.RankingIndex;
import org.junit.jupiter.api.Test;

/** Each format as it was last looked at; {@code -Dkvrank.rewrite=true} writes them anew. */
class GoldenFilesTest {

  static final Path HOME =
      Path.of(requireNonNull(System.getProperty("kvrank.home"), "kvrank.home is not set"));

  private static final Path FOLDER = HOME.resolve("core/src/test/resources/golden");

  @Test
  void consoleOfManyThings() throws IOException {
    compare("ssd-nofsync.console.txt", Reports.console(Examples.ssdNofsync(), false));
  }

  @Test
  void markdownOfManyThings() throws IOException {
    compare("ssd-nofsync.rankings.md", Reports.of(Examples.ssdNofsync()).get("rankings.md"));
  }

  @Test
  void expectations() throws IOException {
    Results results = ExpectationExamples.judged();
    compare("expectations.console.txt", new Console(false).of(ExpectationReport.blocks(results)));
    compare("expectations.md", Markdown.of(ExpectationReport.blocks(results)));
    compare("expectations.xml", requireNonNull(Reports.of(results).get("expectations.xml")));
    assertThat(Reports.of(results).get("rankings.md")).contains("## Expectations");
    assertThat(Reports.of(Examples.ssdNofsync())).doesNotContainKey("expectations.xml");
  }

  @Test
  void killTests() throws IOException {
    RankingIndex board = RankingIndex.of(CrashExamples.killed());
    Notes notes = new Notes(board);
    compare("kill.console.txt", new Console(false).of(CrashReport.brief(board, notes)));
    compare("kill.md", Markdown.of(CrashReport.full(board, notes)));
    String table = "## Acknowledged writes lost";
    assertThat(Reports.of(board.results()).get("rankings.md")).contains(table);
    assertThat(Reports.of(Examples.ssdNofsync()).get("rankings.md")).doesNotContain(table);
  }

  @Test
  void consoleOfOneRepetition() throws IOException {
    compare("quick.console.txt", Reports.console(Examples.quick(), false));
  }

  @Test
  void consoleWithEmphasis() throws IOException {
    compare("quick.console.ansi.txt", Reports.console(Examples.quick(), true));
  }

  @Test
  void markdownOfOneRepetition() throws IOException {
    compare("quick.rankings.md", Reports.of(Examples.quick()).get("rankings.md"));
  }

  @Test
  void csv() throws IOException {
    compare("quick.rankings.csv", Reports.of(Examples.quick()).get("rankings.csv"));
  }

  @Test
  void json() throws IOException {
    compare("quick.summary.json", Reports.of(Examples.quick()).get("summary.json"));
  }

  @Test
  void mergedExecutions() throws IOException {
    Merge merge = Merge.of(Examples.twoMachines());
    compare("merged.console.txt", Reports.console(merge, false));
    compare("merged.rankings.md", Reports.of(merge).get("rankings.md"));
    compare("merged.rankings.json", Reports.of(merge).get("rankings.json"));
  }

  @Test
  void comparison() throws IOException {
    List<Results> executions = Examples.beforeAndAfter();
    Comparison comparison = Comparison.of(executions.get(0), executions.get(1), 0.05);
    compare("comparison.console.txt", ComparisonReport.console(comparison, false));
    ComparisonReport.of(comparison)
        .forEach(
            (name, text) -> {
              try {
                compare(name, text);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  static void compare(String name, String text) throws IOException {
    Path file = FOLDER.resolve(name);
    if (Boolean.getBoolean("kvrank.rewrite")) {
      Files.writeString(file, text, StandardCharsets.UTF_8);
    }
    assertThat(text).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
  }
}
