package kvrank.report;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.metric.Latency;
import kvrank.report.block.Blocks;
import kvrank.report.block.Columns;
import kvrank.report.block.Table;
import kvrank.report.chart.Markup;
import kvrank.report.write.Html;
import kvrank.report.write.Reports;
import kvrank.results.Evidence;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RatePoint;
import kvrank.results.ResourceSeries;
import kvrank.results.RunRecord;
import kvrank.results.Timeline;
import kvrank.results.UnreadableException;
import kvrank.stats.Merge;
import kvrank.stats.Runs;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class HtmlReportTest {

  private static final String HOSTILE = "</script><script>alert(1)</script> & \"'<img src=x>";

  private static final Evidence EVIDENCE = new MadeUpEvidence("name: quick # " + HOSTILE + "\n");

  private static final Evidence BROKEN =
      new Evidence() {
        @Override
        public String scenario() throws UnreadableException {
          throw new UnreadableException("scenario.yaml: cannot be read");
        }

        @Override
        public void addLatencies(RunRecord run, Map<String, Histogram> sums)
            throws UnreadableException {
          throw new UnreadableException(run.id() + "/latency.hlog: broken");
        }

        @Override
        public Timeline timeline(RunRecord run) {
          return new Timeline(List.of());
        }

        @Override
        public ResourceSeries resources(RunRecord run) {
          return new ResourceSeries(List.of());
        }
      };

  private static final Path GOLDEN =
      Path.of(requireNonNull(System.getProperty("kvrank.home"), "kvrank.home is not set"))
          .resolve("core/src/test/resources/golden");

  /** Style sheet and script are files of their own, and left out here. */
  @Test
  void page() throws IOException {
    compare("quick.report.html", bare(html(Examples.quick())));
  }

  @Test
  void charts() throws IOException {
    SortedMap<String, byte[]> files = Reports.of(Examples.quick()).files(EVIDENCE, true);
    for (String chart : List.of("ranking", "latency", "percentiles", "timeline")) {
      String name =
          chart
              + (chart.equals("latency") || chart.equals("percentiles")
                  ? "-cache-read-fsync-off.svg"
                  : "-cache-fsync-off.svg");
      compare("quick." + name, text(files, "charts/" + name));
    }
    compare("quick.ratio.svg", text(files, "charts/ratio-fsync-off.svg"));
  }

  @Test
  void isWellFormed() throws Exception {
    ExecutionResults merged = Merge.of(Examples.twoMachines()).results();
    for (ExecutionResults results : List.of(Examples.quick(), Examples.ssdNofsync(), merged)) {
      Document page = parse(bare(html(results)));
      Set<String> ids = new HashSet<>();
      List<String> repeated = new ArrayList<>();
      for (String id : attributes(html(results), "id")) {
        if (!ids.add(id)) {
          repeated.add(id);
        }
      }
      assertThat(repeated).isEmpty();
      assertThat(page.getElementsByTagName("h1").getLength()).isEqualTo(1);
      assertThat(attributes(html(results), "href"))
          .filteredOn(href -> href.startsWith("#"))
          .allSatisfy(href -> assertThat(ids).contains(href.substring(1)));
    }
  }

  @Test
  void titlesWithoutLatinLettersHaveAddresses() {
    Blocks blocks = new Blocks().heading(1, "example").heading(2, "吞吐量").heading(2, "延迟");
    assertThat(Html.of(blocks.list(), Optional.empty()).html())
        .contains("href=\"#section\"", "id=\"section\"", "id=\"section-2\"");
  }

  @Test
  void asksForNothingElse() {
    for (ExecutionResults results : List.of(Examples.quick(), Examples.ssdNofsync())) {
      String html = html(results);
      assertThat(html).doesNotContain("http:", "https:", "@import", "url(", "//cdn", "srcset=");
      assertThat(attributes(html, "href"))
          .allSatisfy(href -> assertThat(href).matches("#.+|data:,"));
      assertThat(attributes(html, "src")).isEmpty();
    }
  }

  /** A browser refuses a style sheet or script that the policy does not name, and any address. */
  @Test
  void thePolicyAllowsWhatIsInThePageAndNothingElse() throws Exception {
    String html = html(Examples.quick());
    assertThat(html)
        .contains(
            "default-src &#39;none&#39;; style-src &#39;%s&#39;; script-src &#39;%s&#39;; img-src data:; base-uri &#39;none&#39;; form-action &#39;none&#39;"
                .formatted(hash(html, "style"), hash(html, "script")));
    assertThat(attributes(html, "style")).isEmpty();
    assertThat(html).contains("id=\"explorer\" aria-labelledby=\"explore\" hidden=");
    assertThat(html).doesNotContainPattern("<[^>]* on[a-z]+=");
  }

  private static String hash(String html, String tag) throws Exception {
    Matcher element = Pattern.compile("(?s)<%1$s>(.*?)</%1$s>".formatted(tag)).matcher(html);
    assertThat(element.find()).isTrue();
    byte[] text = element.group(1).getBytes(StandardCharsets.UTF_8);
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(text);
    return "sha256-" + Base64.getEncoder().encodeToString(hash);
  }

  @Test
  void hasEveryEngineAndEveryReason() {
    ExecutionResults results = Examples.ssdNofsync();
    String html = html(results);
    for (String engine : results.manifest().engines()) {
      assertThat(html).contains(">" + engine);
    }
    for (RunRecord run : results.runs()) {
      if (!(run.outcome() instanceof Outcome.Completed)) {
        assertThat(html).contains(Markup.escape(run.outcome().reason()));
      }
    }
    assertThat(html)
        .contains("redis: unsupported: redis has no prefix-scan")
        .contains(">not separated</span>")
        .contains(">n=2 of 3</span>")
        .contains("1 of 3 runs");
  }

  @Test
  void whatFilesSayIsTextAndNeverMarkup() throws Exception {
    Outcome outcome = new Outcome.Failed("load", Cause.ENGINE, HOSTILE + "\u001b[31m\u0000");
    RunRecord run =
        Runs.run(HOSTILE)
            .at("fsync", HOSTILE)
            .outcome(outcome)
            .facts(Map.of(Fact.ENGINE.named(HOSTILE), HOSTILE))
            .note(HOSTILE)
            .build();
    ExecutionResults results =
        Runs.results(
            Runs.manifest(HOSTILE).phases(HOSTILE).factor("fsync", HOSTILE).build(), List.of(run));
    String html = html(results);
    assertThat(html).doesNotContain("<script>alert", "<img", "\u001b", "\u0000");
    assertThat(Pattern.compile("</script>").matcher(html).results().count()).isEqualTo(1);
    parse(bare(html));
  }

  @Test
  void doesNotDependOnTheOrderOfTheRecords() {
    ExecutionResults results = Examples.ssdNofsync();
    List<RunRecord> shuffled = new ArrayList<>(results.runs());
    Collections.shuffle(shuffled, new Random(1));
    ExecutionResults other = Runs.with(results, shuffled);
    assertThat(html(other)).isEqualTo(html(results));
  }

  @Test
  void brokenSeriesAreNamedAndHideNothingElse() {
    String html = html(Merge.of(List.of(Examples.quick())), BROKEN);
    assertThat(html)
        .contains("scenario.yaml: cannot be read")
        .contains("/latency.hlog: broken")
        .contains("Ranking for cache at fsync=off");
  }

  @Test
  void aLongWarningIsFoldedAndComplete() {
    String html = html(Merge.of(List.of(Examples.ssdNofsync())), BROKEN);
    assertThat(html).containsPattern("<details><summary>[0-9]+ more</summary><ul>");
    Examples.ssdNofsync()
        .runs()
        .forEach(run -> assertThat(html).contains(run.id() + "/latency.hlog: broken"));
  }

  @Test
  void nothingRecordedIsSaid() throws Exception {
    ExecutionResults none = Runs.results(Runs.manifest("a").phases("load").build(), List.of());
    String html = html(none);
    assertThat(html).contains("No run was recorded.");
    parse(bare(html));
  }

  @Test
  void eachChartIsAFileTwiceIfThatIsAskedFor() throws Exception {
    SortedMap<String, byte[]> files = Reports.of(Examples.ssdNofsync()).files(EVIDENCE, true);
    List<String> svg = files.keySet().stream().filter(name -> name.endsWith(".svg")).toList();
    assertThat(svg).hasSizeGreaterThan(50).contains("charts/ranking-get-threads-8.svg");
    for (String name : svg) {
      parse(text(files, name));
      assertThat(text(files, name)).contains("<text").doesNotContain("var(");
    }
    assertThat(files.keySet().stream().filter(name -> name.endsWith(".png")))
        .containsExactlyElementsOf(svg.stream().map(name -> name.replace(".svg", ".png")).toList());
    assertThat(
            ImageIO.read(new ByteArrayInputStream(files.get("charts/ranking-get-threads-8.png"))))
        .satisfies(image -> assertThat(image.getWidth()).isGreaterThan(800));
    assertThat(files.get("report.html")).hasSizeLessThan(2_000_000);
    assertThat(Reports.of(Examples.ssdNofsync()).files(EVIDENCE, false).keySet())
        .noneMatch(name -> name.startsWith("charts/"));
  }

  /** Its charts below the first screen and the data of its script are compressed. */
  @Test
  void aPageOfManyEnginesIsSmall() {
    String html = html(Examples.manyEngines());
    assertThat(html.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(600_000);
  }

  /** Tables of other sections scroll. */
  @Test
  void aPhoneDoesNotShowSpareColumnsOfTheFirstScreen() {
    String html = html(Examples.quick());
    int end = html.indexOf("</header>");
    assertThat(html.substring(0, end))
        .contains("<th class=\"spare\">±</th>", "<td class=\"spare\">n=1</td>")
        .contains(".spare { display: none; }");
    assertThat(html.substring(end)).contains(">±</th>").doesNotContain("class=\"spare\"");
  }

  /** A value was apart from its unit. */
  @Test
  void aPhonePutsRanksBelowTheirValues() {
    Table table =
        new Columns<>(List.of("redis (version 7)"))
            .left("engine", each -> each)
            .right("get", each -> "818 k/s (2–3)")
            .table();
    Blocks blocks = new Blocks().heading(1, "example").add(table).heading(2, "Below").add(table);
    String html = Html.of(blocks.list(), Optional.empty()).html();
    assertThat(html)
        .containsOnlyOnce("<td>818 k/s <span class=\"after\">(2–3)</span></td>")
        .containsOnlyOnce("<td>818 k/s (2–3)</td>")
        .contains("<th scope=\"row\">redis (version 7)</th>");
  }

  @Test
  void cellsAreSortedByTheValueThatTheyShow() {
    Matcher cell =
        Pattern.compile("data-value=\"([^\"]+)\">([0-9.]+) k/s").matcher(html(Examples.quick()));
    int cells = 0;
    while (cell.find()) {
      assertThat(Double.parseDouble(cell.group(1)) / 1000)
          .isCloseTo(Double.parseDouble(cell.group(2)), withinPercentage(1));
      cells++;
    }
    assertThat(cells).isPositive();
  }

  @Test
  void aSweepOfRatesHasACurve() {
    ExecutionResults results = swept(1_000.0, 5_000.0, 10_000.0, 20_000.0, 0.0);
    assertThat(html(results))
        .contains("Read p99 by rate")
        .contains("a, 10.0 k/s: p99 ", "a, as fast as possible: p99 ")
        .contains(">not steady</span>");
  }

  @Test
  void closeRatesOfACurveAreStepsOfTheirOwn() {
    assertThat(html(swept(105_000.0, 100_000.0)))
        .containsSubsequence(">100 k/s<", ">1 of 1<", ">105 k/s<", ">1 of 1<");
  }

  private static ExecutionResults swept(double... rates) {
    List<RatePoint> points = new ArrayList<>();
    for (double rate : rates) {
      Latency latency =
          Runs.operation(10_000, rate == 0 ? 1e7 : 1e5 + rate * 10, Map.of())
              .latencyNanos()
              .orElseThrow();
      double achieved = rate == 0 ? 31_000 : rate;
      points.add(new RatePoint(rate, achieved, new TreeMap<>(Map.of("read", latency)), true, ""));
    }
    PhaseRecord plain = Runs.phase("get").operation("read", 31_000.0).build();
    PhaseRecord swept = plain.with(points, new Facts().put(Fact.STEADY, "no"));
    return Runs.results(
        Runs.manifest("a").phases("get").build(), List.of(Runs.run("a").phases(swept).build()));
  }

  @Test
  void saysWhatMergingKeepsApart() {
    Merge merge = Merge.of(Examples.twoMachines());
    String html = html(merge, EVIDENCE);
    assertThat(merge.differences()).isNotEmpty();
    assertThat(merge.differences())
        .allSatisfy(difference -> assertThat(html).contains(Markup.escape(difference)));
  }

  private static String html(ExecutionResults results) {
    return html(Merge.of(List.of(results)), EVIDENCE);
  }

  private static String html(Merge merge, Evidence evidence) {
    return text(Reports.of(merge).files(evidence, false), "report.html");
  }

  private static String text(SortedMap<String, byte[]> files, String name) {
    return new String(requireNonNull(files.get(name), name), StandardCharsets.UTF_8);
  }

  /** The policy has the hashes of style sheet and script. */
  private static String bare(String html) {
    return html.replaceAll("sha256-[^&]*", "sha256-")
        .replaceAll("(?s)<style>.*?</style>", "<style></style>")
        .replaceAll("(?s)<script>.*?</script>", "<script></script>");
  }

  private static List<String> attributes(String html, String name) {
    return Pattern.compile("\\s" + name + "=\"([^\"]*)\"")
        .matcher(bare(html))
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  private static Document parse(String markup) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(markup.replace("<!DOCTYPE html>", ""))));
  }

  private static void compare(String name, String text) throws IOException {
    Path file = GOLDEN.resolve(name);
    if (Boolean.getBoolean("kvrank.rewrite")) {
      Files.writeString(file, text, StandardCharsets.UTF_8);
    }
    assertThat(text).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
  }
}
