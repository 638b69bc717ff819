package kvrank.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import kvrank.report.block.Blocks;
import kvrank.report.block.Columns;
import kvrank.report.block.Table;
import kvrank.report.write.Html;
import kvrank.report.write.Reports;
import kvrank.results.ExecutionResults;
import kvrank.results.RunRecord;
import kvrank.stats.Runs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a real Chromium, driven by its command line. Without one the tests are skipped, or
 * fail if the environment says {@code KVRANK_REQUIRE_CHROMIUM=true}.
 */
class ReportBrowserIT {

  private static final String LAPTOP = "1280,1600";
  private static final String PHONE = "390,844";

  /** How far the page is wider than its window. */
  private static final String OVERFLOW = "document.documentElement.getAttribute('data-overflow')";

  /** The top of the first chart. */
  private static final String CHART =
      "document.querySelector('svg.chart').getBoundingClientRect().top";

  /** How far the widest table of the first screen is wider than its box. */
  private static final String CUT =
      "Math.max(...Array.from(document.querySelectorAll('header .scroll'),"
          + "function(box){return box.scrollWidth-box.clientWidth}))";

  @TempDir private Path folder;
  private Path chromium = Path.of("");

  /** The messages of the last page. */
  private List<String> console = List.of();

  @BeforeEach
  void findBrowser() {
    Optional<Path> found =
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .flatMap(
                entry -> Stream.of("chromium", "chromium-browser").map(Path.of(entry)::resolve))
            .filter(Files::isExecutable)
            .findFirst();
    if (found.isEmpty()) {
      String reason = "no chromium on the PATH; install it, for example: apt-get install chromium";
      if ("true".equals(System.getenv("KVRANK_REQUIRE_CHROMIUM"))) {
        fail(reason);
      }
      abort("The report was not looked at in a browser: " + reason);
    }
    chromium = found.orElseThrow();
  }

  @Test
  void runsWithoutAnError() throws Exception {
    for (ExecutionResults results : List.of(Examples.quick(), Examples.ssdNofsync())) {
      String dom = dom(page(results), "", LAPTOP);
      assertThat(root(dom)).contains("data-ready=\"true\"").doesNotContain("data-error");
      assertThat(console).isEmpty();
      assertThat(dom).contains("<button type=\"button\">throughput</button>");
    }
  }

  @Test
  void refusesWhatThePolicyDoesNotName() throws Exception {
    Path page = page(Examples.quick());
    String changed = Files.readString(page, StandardCharsets.UTF_8).replace("<style>", "<style> ");
    dom(Files.writeString(page, changed, StandardCharsets.UTF_8), "", LAPTOP);
    assertThat(console).anyMatch(line -> line.contains("Content Security Policy"));
  }

  @Test
  void exploresByAnAddress() throws Exception {
    Path page = page(Examples.ssdNofsync());
    String plain = dom(page, "#explore=get&at=fsync%3Doff%2C+threads%3D1", LAPTOP);
    assertThat(engines(plain, "explored")).containsExactly("rocksdb", "ignix", "redis", "ssdb");
    assertThat(table(plain, "explored")).contains("95 % interval").doesNotContain("relative");

    String address = "#explore=get&at=fsync%3Doff%2C+threads%3D1&to=redis&hide=ssdb";
    String relative = dom(page, address, LAPTOP);
    assertThat(engines(relative, "explored")).containsExactly("rocksdb", "ignix", "redis");
    assertThat(table(relative, "explored")).contains("relative to redis", ">1.00x<");
    assertThat(console).isEmpty();
  }

  /** The latency of an operation was shown only after the other one's was gone. */
  @Test
  void showsEachOperationInAPanelOfItsOwn() throws Exception {
    Path page = page(Examples.quick());
    String dom = dom(page, "#explore=cache&at=fsync%3Doff&metric=update+p99", LAPTOP);
    assertThat(table(dom, "explored")).contains(">update p99<").doesNotContain("read p99");
    assertThat(table(dom, "explored-2")).contains(">read p99<").doesNotContain("update p99");
    String whole = dom(page, "#explore=cache&at=fsync%3Doff&metric=throughput", LAPTOP);
    assertThat(whole).contains("id=\"explored\"").doesNotContain("explored-2");
    assertThat(console).isEmpty();
  }

  @Test
  void showsValuesIfTheBaselineIsZero() throws Exception {
    Path page = page(Examples.quick());
    String zero =
        Files.readString(page, StandardCharsets.UTF_8)
            .replaceAll("\\[0,[0-9.]+,null,null,\"1", "[0,0,null,null,\"1");
    Files.writeString(page, zero, StandardCharsets.UTF_8);
    String dom = dom(page, "#explore=load&at=fsync%3Doff&to=redis", LAPTOP);
    assertThat(table(dom, "explored"))
        .contains("0 /s", "40.0 k/s")
        .doesNotContain("relative", "Infinity", "NaN");
  }

  @Test
  void unpacksWhatComesIntoView() throws Exception {
    Path page = page(Examples.manyEngines());
    String source = Files.readString(page, StandardCharsets.UTF_8);
    assertThat(source).contains("data-packed=");
    String dom = dom(page, "#explore=set", "1280,12000");
    assertThat(engines(dom, "explored")).hasSize(17);
    assertThat(charts(dom)).isGreaterThan(charts(source) + 2);
    assertThat(console).isEmpty();
  }

  private static long charts(String html) {
    return Pattern.compile("<svg class=\"chart\"").matcher(html).results().count();
  }

  @Test
  void isNoWiderThanAPhoneOrALaptop() throws Exception {
    for (ExecutionResults results : List.of(Examples.quick(), Examples.ssdNofsync())) {
      for (String size : List.of(PHONE, LAPTOP)) {
        assertThat(measured(page(results), size, OVERFLOW)).as(size).isZero();
      }
    }
  }

  /** The lists above it took up to 1,699 pixels. */
  @Test
  void theFirstScreenHasAChart() throws Exception {
    for (ExecutionResults results :
        List.of(Examples.quick(), Examples.manyEngines(), CrashExamples.killed())) {
      Path page = page(results);
      assertThat(measured(page, "1280,800", CHART)).isBetween(1, 800);
      assertThat(measured(page, PHONE, CHART)).isBetween(1, 844);
    }
  }

  /** An overview of 17 engines in 6 phases was 68 pixels too wide, and losses 134. */
  @Test
  void aPhoneShowsTheTablesOfTheFirstScreen() throws Exception {
    for (ExecutionResults results :
        List.of(Examples.quick(), Examples.ssdNofsync(), onePoint(), CrashExamples.killed())) {
      assertThat(measured(page(results), PHONE, CUT)).as(results.manifest().scenario()).isZero();
    }
  }

  /** Returns 17 engines in 6 phases at one factor point, with an overview of all. */
  private static ExecutionResults onePoint() {
    ExecutionResults many = Examples.manyEngines();
    List<RunRecord> runs =
        many.runs().stream().filter(run -> run.factors().get("threads").equals("1")).toList();
    return Runs.results(Runs.from(many.manifest()).factor("threads", "1").runs(runs).build(), runs);
  }

  @Test
  void sortsByAnAddress() throws Exception {
    Path page = page(Examples.ssdNofsync());
    String table = "ranking-for-get-at-fsync-off-threads-1";
    assertThat(engines(dom(page, "", LAPTOP), table))
        .containsExactly("rocksdb", "ignix [1]", "redis", "ssdb");

    String byThroughput = dom(page, "#sort=" + table + ",2", LAPTOP);
    assertThat(engines(byThroughput, table))
        .containsExactly("ssdb", "redis", "ignix [1]", "rocksdb");
    assertThat(table(byThroughput, table)).contains("aria-sort=\"ascending\"");

    String byName = dom(page, "#sort=" + table + ",1,descending", LAPTOP);
    assertThat(engines(byName, table)).containsExactly("ssdb", "rocksdb", "redis", "ignix [1]");
    assertThat(table(byName, table)).contains("aria-sort=\"descending\"");
  }

  @Test
  void sortsRowsWhoseCellsSpanColumns() throws Exception {
    String html = html(table("runs", "2", "", "1").and("note", List.of("b", "gone", "a")));
    Path page = folder.resolve("page.html");
    Files.writeString(page, html.replace("<td class=\"w\">gone</td>", ""), StandardCharsets.UTF_8);
    String dom = dom(page, "#sort=runs,2", LAPTOP);
    assertThat(root(dom)).doesNotContain("data-error");
    assertThat(engines(dom, "runs")).containsExactly("", "1", "2");
  }

  @Test
  void sortsChangesAndSpreadsBySize() throws Exception {
    Table changes = table("changes", "3.1x", "−5.0%", "+50%", "−12%");
    Table spreads = table("spreads", "×÷3.1", "n=2", "±12%", "±5.2%");
    Path page = folder.resolve("page.html");
    Files.writeString(page, html(changes, spreads), StandardCharsets.UTF_8);
    assertThat(engines(dom(page, "#sort=changes,1", LAPTOP), "changes"))
        .containsExactly("−12%", "−5.0%", "+50%", "3.1x");
    assertThat(engines(dom(page, "#sort=spreads,1", LAPTOP), "spreads"))
        .containsExactly("±5.2%", "±12%", "×÷3.1", "n=2");
  }

  /** A table whose rows are named after their values. */
  private static Table table(String caption, String... values) {
    return new Columns<>(List.of(values))
        .left("name", value -> value)
        .right("value", value -> value)
        .table()
        .titled(caption);
  }

  private static String html(Table... tables) {
    Blocks blocks = new Blocks().heading(1, "example").heading(2, "Tables");
    blocks.addAll(List.of(tables));
    return Html.of(blocks.list(), Optional.empty()).html();
  }

  @Test
  void showsSomethingInLightAndDark() throws Exception {
    Path page = page(Examples.quick());
    BufferedImage light = picture(page);
    BufferedImage dark = picture(page, "--force-dark-mode");
    assertThat(colors(light)).isGreaterThan(50);
    assertThat(colors(dark)).isGreaterThan(50);
    assertThat(light.getRGB(5, 5)).isEqualTo(0xFFFFFFFF);
    assertThat(dark.getRGB(5, 5)).isEqualTo(0xFF14171B);
  }

  private Path page(ExecutionResults results) throws IOException {
    Path page = folder.resolve(results.manifest().scenario() + ".html");
    return Files.writeString(
        page,
        new String(
            Reports.of(results)
                .files(new MadeUpEvidence("name: example\n"), false)
                .get("report.html"),
            StandardCharsets.UTF_8),
        StandardCharsets.UTF_8);
  }

  /**
   * Returns the value of a JavaScript {@code expression} in a page of that size. A window is at
   * least 500 pixels wide; a frame can be as narrow as a phone.
   */
  private int measured(Path page, String size, String expression) throws Exception {
    String[] pixels = size.split(",", -1);
    String source =
        Files.readString(page, StandardCharsets.UTF_8)
            .replaceFirst("<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "")
            .replace(
                "</body>",
                "<script>addEventListener('load',function(){parent.postMessage(Math.round("
                    + expression
                    + "),'*')})</script></body>");
    Path inner = Files.writeString(folder.resolve("inner.html"), source, StandardCharsets.UTF_8);
    Path outer =
        Files.writeString(
            folder.resolve("outer.html"),
            """
            <!DOCTYPE html><html><body><script>
            addEventListener('message', function (event) {
              document.documentElement.setAttribute('data-measured', event.data);
            });
            </script>
            <iframe style="border:0;width:%spx;height:%spx" src="%s"></iframe></body></html>
            """
                .formatted(pixels[0], pixels[1], inner.getFileName()),
            StandardCharsets.UTF_8);
    Matcher found = Pattern.compile("data-measured=\"(-?[0-9]+)\"").matcher(dom(outer, "", LAPTOP));
    assertThat(found.find()).isTrue();
    return Integer.parseInt(found.group(1));
  }

  private static String root(String dom) {
    Matcher root = Pattern.compile("<html[^>]*>").matcher(dom);
    assertThat(root.find()).isTrue();
    return root.group();
  }

  private static String table(String dom, String id) {
    Matcher table =
        Pattern.compile("(?s)<table id=\"" + Pattern.quote(id) + "\".*?</table>").matcher(dom);
    assertThat(table.find()).as(id).isTrue();
    return table.group();
  }

  private static List<String> engines(String dom, String id) {
    return Pattern.compile("<th scope=\"row\"[^>]*>([^<]*)</th>")
        .matcher(table(dom, id))
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  private static long colors(BufferedImage image) {
    Set<Integer> colors = new HashSet<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        colors.add(image.getRGB(x, y));
      }
    }
    return colors.size();
  }

  private String dom(Path page, String hash, String size) throws Exception {
    return run(page, hash, "--window-size=" + size, "--virtual-time-budget=5000", "--dump-dom");
  }

  private BufferedImage picture(Path page, String... more) throws Exception {
    Path picture = folder.resolve("picture" + more.length + ".png");
    List<String> options = new ArrayList<>(List.of(more));
    options.add("--window-size=" + LAPTOP);
    options.add("--hide-scrollbars");
    options.add("--screenshot=" + picture);
    run(page, "", options.toArray(String[]::new));
    return ImageIO.read(picture.toFile());
  }

  private String run(Path page, String hash, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(chromium.toString());
    command.addAll(
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--enable-logging=stderr",
            "--user-data-dir=" + Files.createTempDirectory(folder, "profile")));
    command.addAll(List.of(options));
    command.add(page.toUri() + hash);
    Path out = Files.createTempFile(folder, "chromium", ".out");
    Path log = Files.createTempFile(folder, "chromium", ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(log.toFile())
            .start();
    if (!process.waitFor(5, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      fail("chromium did not end in 5 minutes");
    }
    assertThat(process.exitValue()).isZero();
    console =
        new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.contains("CONSOLE"))
            .toList();
    return Files.readString(out, StandardCharsets.UTF_8);
  }
}
