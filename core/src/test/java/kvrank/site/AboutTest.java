package kvrank.site;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.engine.EngineDefinition;
import kvrank.input.Consent;
import kvrank.input.InvalidInputException;
import kvrank.results.ExecutionResults;
import kvrank.results.RunRecord;
import kvrank.scenario.NamedFiles;
import kvrank.scenario.read.ScenarioReader;
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

  private static EngineDefinition shipped(String name) throws InvalidInputException {
    Path home = Path.of(System.getProperty("kvrank.home"));
    return new ScenarioReader(new NamedFiles(home, List.of()), Consent.NONE)
        .engine(name)
        .orElseThrow();
  }

  /** An own binding of that name, or a server instead of an embedded engine, is another engine. */
  @Test
  void anEngineOfThisKvrankDescribesRunsThatDoNot() throws InvalidInputException {
    EngineDefinition map = shipped("map");
    String description = "<p class=\"verdict\">Go&#39;s hash map in memory,";
    for (String asked : List.of("map", "map log=none", "map of /own", "redis", "")) {
      for (String way : List.of("embedded", "process")) {
        Map<String, String> facts = new HashMap<>(Map.of("way", way));
        if (!asked.isEmpty()) {
          facts.put("asked", asked);
        }
        SortedMap<String, byte[]> site =
            Site.of(
                List.of(execution("a", 1, facts)),
                name -> Optional.of(map).filter(each -> each.name().equals(name)));
        boolean same = List.of("map", "map log=none").contains(asked) && way.equals("embedded");
        assertThat(page(site, "engine/one.html").contains(description))
            .as(asked + " " + way)
            .isEqualTo(same);
        assertThat(page(site, "engine/one.html").contains("<p class=\"kicker\">Go ·"))
            .isEqualTo(same);
      }
    }
    Map<String, String> recorded =
        Map.of("way", "embedded", "asked", "map", "description", "A map of 2025.");
    assertThat(
            page(
                Site.of(List.of(execution("a", 1, recorded)), any -> Optional.of(map)),
                "engine/one.html"))
        .contains(">A map of 2025.<")
        .doesNotContain(description);
  }

  @Test
  void aRowWithOptionsOfItsOwnIsExplained() {
    SortedMap<String, byte[]> site =
        Site.of(List.of(execution("a", 1, Map.of("asked", "redis appendonly=no"))));
    String variant = "one</a> is redis with appendonly=no.";
    assertThat(page(site, "engine/one.html")).contains(variant);
    assertThat(page(site, "runs/a--unknown-0cpu.html")).contains(variant);
    assertThat(page(site, "index.html")).contains("<span>redis with appendonly=no.</span>");
  }
}
