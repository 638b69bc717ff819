package kvrank.site;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import kvrank.results.ExecutionResults;
import kvrank.results.RunRecord;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;

/** Records of an older kvrank do not have what an engine is. */
class AboutTest {

  private static ExecutionResults execution(String scenario, int day, Map<String, String> facts) {
    List<RunRecord> runs = new ArrayList<>();
    for (String engine : List.of("one", "other")) {
      runs.add(
          Runs.run(engine)
              .at("fsync", "off")
              .time(Runs.THEN.plus(Duration.ofDays(day)), Duration.ofMinutes(1))
              .facts(engine.equals("one") ? facts : Map.of())
              .throughput(1000)
              .build());
    }
    return Runs.results(Runs.manifest("one", "other").scenario(scenario).build(), runs);
  }

  private static String page(SortedMap<String, byte[]> site, String file) {
    return new String(site.get(file), UTF_8);
  }

  @Test
  void pagesSayWhatAnEngineIsByItsNewestRun() {
    SortedMap<String, byte[]> site =
        Site.of(
            List.of(
                execution("b", 2, Map.of("description", "One, a tree & a log.", "language", "Go")),
                execution("a", 3, Map.of()),
                execution("c", 1, Map.of("description", "One, a tree.", "language", "C"))));
    assertThat(page(site, "engine/one.html"))
        .contains("<p class=\"kicker\">Go</p>", "<p class=\"verdict\">One, a tree &amp; a log.</p>")
        .doesNotContain("One, a tree.<");
    assertThat(page(site, "index.html"))
        .contains(
            "one</a> <small class=\"kind\">Go</small> <span>One, a tree &amp; a log.</span></li>",
            "other</a></li>");
    assertThat(page(site, "engine/other.html"))
        .contains("<p class=\"kicker\"></p>")
        .doesNotContain("class=\"verdict\"");
  }
}
