package kvrank.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import kvrank.results.ExecutionResults;
import kvrank.results.RunRecord;
import kvrank.stats.Runs;

/** Pages of sites about small examples, as text. */
final class SitePages {

  private static final Pattern CLAIM =
      Pattern.compile("<(li|p) class=\"claim\">(.*?)</\\1>", Pattern.DOTALL);

  private SitePages() {}

  static String page(String file, List<ExecutionResults> executions) {
    return new String(Site.of(executions).get(file), UTF_8);
  }

  /** Returns the sentences of a page. */
  static List<String> claims(String page) {
    return CLAIM.matcher(page).results().map(found -> text(found.group(2))).toList();
  }

  /** Returns the claims on a page of a use at a level. */
  static List<String> claims(String page, String level) {
    return claims(page.split("\\(fsync=" + level + "\\)</h2>", 2)[1].split("</section>", 2)[0]);
  }

  static String text(String html) {
    return html.replaceAll("<[^>]*>", "").replace("&#39;", "'");
  }

  /** Returns the text of the cells of each row of a table, for example {@code 1|fast|2.00 k/s}. */
  static List<String> rows(String page) {
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
  static List<ExecutionResults> reads(Map<String, Double> speeds, double... noise) {
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
}
