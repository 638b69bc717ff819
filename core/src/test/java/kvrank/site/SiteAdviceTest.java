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
