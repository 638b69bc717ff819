package kvrank.site;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import kvrank.results.ExecutionResults;
import kvrank.results.RunRecord;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;

/** The site advises only what its data support, in examples whose advice is plain. */
class SiteAdviceTest {

  private static final Pattern CLAIM =
      Pattern.compile("<(li|p) class=\"claim\">(.*?)</\\1>", Pattern.DOTALL);

  private static String page(String file, List<ExecutionResults> executions) {
    return new String(Site.of(executions).get(file), UTF_8);
  }

  /** Returns the sentences of a page. */
  private static List<String> claims(String page) {
    return CLAIM.matcher(page).results().map(found -> text(found.group(2))).toList();
  }

  private static String text(String html) {
    return html.replaceAll("<[^>]*>", "").replace("&#39;", "'");
  }

  /** Returns the text of the cells of each row of a table, for example {@code 1|fast|2.00 k/s}. */
  private static List<String> rows(String page) {
    return Arrays.stream(page.split("<tr", -1))
        .filter(row -> row.contains("<td"))
        .map(row -> row.replaceAll("(?s)</table>.*", ""))
        .map(row -> text("<tr" + row.replaceAll("</t[dh]>", "|")).strip())
        .toList();
  }

  /**
   * Returns reads by engines that have these speeds in five repetitions, with some noise; {@code
   * wild} has 40 times as much.
   */
  private static List<ExecutionResults> reads(Map<String, Double> speeds, double... noise) {
    List<RunRecord> runs = new ArrayList<>();
    List<String> engines = speeds.keySet().stream().sorted().toList();
    for (int i = 0; i < 5; i++) {
      for (String engine : engines) {
        double each = noise[(i + engines.indexOf(engine)) % noise.length];
        double factor = Math.exp((engine.equals("wild") ? 40 : 1) * each);
        runs.add(
            Runs.run(engine)
                .at("fsync", "off")
                .repetition(i + 1)
                .phases(Runs.phase("get").operation("read", speeds.get(engine) * factor).build())
                .build());
      }
    }
    return List.of(Runs.results(Runs.manifest(engines).phases("get").repetitions(5).build(), runs));
  }

  /** Returns the engines that the first page names, for example {@code Reach for: fast}. */
  private static String card(List<ExecutionResults> executions) {
    return rows(page("index.html", executions).replace("<dd", "<tr><td").replace("</dd>", "</tr>"))
        .get(0);
  }

  @Test
  void anEngineThatNothingSetsApartIsNotNamed() {
    double[] much = {1.2, -1.1, 0.3, -0.4, 0.1};
    double[] little = {0.01, -0.01, 0.005, -0.004, 0};
    Map<String, Double> speeds = Map.of("a", 11e3, "b", 10e3, "c", 9e3, "d", 8e3);
    assertThat(card(reads(speeds, much))).startsWith("Reach for: not separated");
    assertThat(claims(page("use/reads.html", reads(speeds, much))))
        .containsExactly(
            "Not separated: no comparison shows an engine to be better than more than half of the"
                + " others.",
            "One best engine in 0 of 1 comparison, and 1 does not decide.");
    assertThat(claims(page("engine/a.html", reads(speeds, much))))
        .contains("The data do not recommend it for any use: see the comparisons below.")
        .contains("It is among the best in no comparison.");
    assertThat(card(reads(speeds, little))).startsWith("Reach for: a");
  }

  @Test
  void anEngineThatMayHaveAnyRankIsNotNamedBesideAClearLeader() {
    double[] little = {0.02, -0.02, 0.005, -0.01, 0};
    List<ExecutionResults> executions =
        reads(Map.of("a", 10e3, "b", 7e3, "c", 5e3, "d", 4e3, "wild", 10e3), little);
    assertThat(rows(page("use/reads.html", executions)))
        .anyMatch(row -> row.startsWith("1–5|wild"));
    assertThat(card(executions)).startsWith("Reach for: a").doesNotContain("wild");
    assertThat(claims(page("use/reads.html", executions)))
        .noneMatch(claim -> claim.contains("wild"))
        .anyMatch(
            claim -> claim.startsWith("Reach for a: among the best in 1 of 1 comparison that"))
        .contains("One best engine in 0 of 1 comparison.");
  }

  @Test
  void theBestMustBeAheadOfMoreThanHalfOfTheOthers() {
    double[] little = {0.02, -0.02, 0.005, -0.01, 0};
    assertThat(card(reads(Map.of("a", 10e3, "b", 10.01e3, "c", 5e3), little)))
        .as("two of three can be first")
        .startsWith("Reach for: not separated");
    assertThat(card(reads(Map.of("a", 10e3, "b", 10.01e3, "c", 5e3, "d", 4e3), little)))
        .as("two of four can be first")
        .startsWith("Reach for: b, a");
    assertThat(card(reads(Map.of("a", 10e3, "b", 5e3), little))).startsWith("Reach for: a");
  }

  @Test
  void memoryAfterUnequalWorkIsShownWithoutRanks() {
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      for (String engine : List.of("slow", "fast")) {
        boolean fast = engine.equals("fast");
        runs.add(
            Runs.run(engine)
                .at("fsync", "off")
                .repetition(i)
                .phases(
                    Runs.phase("set")
                        .at(Map.of("fsync", "off", "duration", "10s"))
                        .operation("update", fast ? 9_000 + i : 1_000 + i)
                        .memory((fast ? 90L << 20 : 10L << 20) + i)
                        .footprint((fast ? 9L << 30 : 3L << 30) + i)
                        .build())
                .build());
      }
    }
    List<ExecutionResults> executions =
        List.of(
            Runs.results(Runs.manifest("slow", "fast").phases("set").repetitions(3).build(), runs));
    for (String use : List.of("memory", "footprint")) {
      String page = page("use/" + use + ".html", executions);
      String why = "ot ranked, as a faster engine wrote more in phases of a fixed time.";
      assertThat(claims(page)).containsExactly("Nothing can be compared: n" + why);
      assertThat(page).contains("<p>N" + why).doesNotContain("<svg", "class=\"best\"");
      boolean memory = use.equals("memory");
      assertThat(rows(page))
          .allMatch(row -> row.matches("-\\|(fast|slow)\\|.*\\|"))
          .extracting(row -> row.substring(0, row.lastIndexOf("±")))
          .containsExactly(
              memory ? "-|fast|90.0 MiB|" : "-|fast|9.0 GiB|",
              memory ? "-|slow|10.0 MiB|" : "-|slow|3.0 GiB|");
    }
    assertThat(text(page("index.html", executions))).doesNotContain("Reach for: slow");
    assertThat(claims(page("engine/slow.html", executions)))
        .contains("Memory after set: 10.0 MiB in 1 measurement.");
  }
}
