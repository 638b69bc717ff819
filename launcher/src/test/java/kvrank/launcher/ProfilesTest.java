package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The root pom knows each scenario in scenarios/ and no other. */
class ProfilesTest {

  private static final Path PROJECT = Path.of(System.getProperty("kvrank.home"));

  @Test
  void everyScenarioHasItsProfileAndIsListedWhereOneIsMissing() throws Exception {
    String pom = Files.readString(PROJECT.resolve("pom.xml"), StandardCharsets.UTF_8);
    List<String> scenarios;
    try (Stream<Path> files = Files.list(PROJECT.resolve("scenarios"))) {
      scenarios =
          files.map(file -> file.getFileName().toString().replace(".yaml", "")).sorted().toList();
    }

    assertThat(all("<id>scenario=(.*)</id>", pom)).isEqualTo(scenarios);
    assertThat(all("<scenario>(.*)</scenario>", pom)).isEqualTo(scenarios);
    assertThat(pom).contains("The scenarios are: " + String.join(", ", scenarios) + ".");
  }

  private static List<String> all(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }
}
