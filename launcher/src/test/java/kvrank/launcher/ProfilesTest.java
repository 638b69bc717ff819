package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The root pom knows each scenario in scenarios/ and no other, by a profile of three lines; Maven
 * runs one after all modules, also if it builds several at once.
 */
class ProfilesTest {

  private static final Path PROJECT = Path.of(System.getProperty("kvrank.home"));

  @Test
  void everyScenarioHasItsProfile() throws Exception {
    String pom = Files.readString(PROJECT.resolve("pom.xml"), StandardCharsets.UTF_8);
    List<String> profiles;
    try (Stream<Path> files = Files.list(PROJECT.resolve("scenarios"))) {
      profiles =
          files
              .map(file -> file.getFileName().toString().replace(".yaml", ""))
              .sorted()
              .map("<id>scenario=%1$s</id><properties><scenario>%1$s</scenario>"::formatted)
              .toList();
    }

    assertThat(
            Pattern.compile("<id>scenario=.*</scenario>")
                .matcher(pom)
                .results()
                .map(match -> match.group()))
        .isEqualTo(profiles);
  }

  @Test
  void noProfileOfAScenarioHasMoreThanThreeLines() throws Exception {
    String pom = Files.readString(PROJECT.resolve("pom.xml"), StandardCharsets.UTF_8);

    assertThat(Pattern.compile("(?s)<profile>.*?</profile>").matcher(pom).results())
        .extracting(match -> match.group())
        .filteredOn(profile -> profile.contains("<id>scenario="))
        .isNotEmpty()
        .allSatisfy(profile -> assertThat(profile.lines()).hasSizeLessThanOrEqualTo(3));
  }

  @Test
  void theLauncherWaitsForEveryModuleThatItUses() throws Exception {
    String launcher = Files.readString(PROJECT.resolve("launcher/pom.xml"), StandardCharsets.UTF_8);
    String bindings = Files.readString(PROJECT.resolve("bindings/pom.xml"), StandardCharsets.UTF_8);

    assertThat(Pattern.compile("<module>(.*)</module>").matcher(bindings).results())
        .isNotEmpty()
        .allSatisfy(
            module ->
                assertThat(launcher)
                    .contains("<artifactId>kvrank-binding-%s<".formatted(module.group(1))));
  }
}
