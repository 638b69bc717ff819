package kvrank;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests that the docs name exist. */
class ReliabilityPageTest {

  private static final Path HOME = Path.of(System.getProperty("kvrank.home"));
  private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|IT))\\.(\\w+)`");

  @Test
  void everyTestThatThePageNamesExists() throws IOException {
    String page = Files.readString(HOME.resolve("docs/maintainers/reliability.md"));
    List<MatchResult> named = NAMED.matcher(page).results().toList();
    List<Path> sources = sources();

    assertThat(named).hasSizeGreaterThan(50);
    for (MatchResult test : named) {
      assertThat(sources.stream().filter(file -> file.endsWith(test.group(1) + ".java")))
          .as(test.group())
          .anySatisfy(file -> assertThat(file).content().contains(" " + test.group(2) + "("));
    }
  }

  @Test
  void everyTestThatADocumentNamesExists() throws IOException {
    List<Path> sources = sources();
    List<Path> pages = new ArrayList<>(List.of(HOME.resolve("README.md")));
    try (Stream<Path> docs = Files.walk(HOME.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
    }
    for (Path page : pages) {
      assertThat(
              Pattern.compile("`(?:\\w+\\.)*([A-Z][a-z]\\w+(?:Test|IT))\\b")
                  .matcher(Files.readString(page))
                  .results()
                  .map(test -> test.group(1) + ".java"))
          .as(page.toString())
          .allMatch(test -> sources.stream().anyMatch(file -> file.endsWith(test)));
    }
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path parent : List.of(HOME, HOME.resolve("bindings"))) {
      try (Stream<Path> modules = Files.list(parent)) {
        for (Path tests : modules.map(module -> module.resolve("src/test/java")).toList()) {
          if (Files.isDirectory(tests)) {
            try (Stream<Path> files = Files.walk(tests)) {
              files.forEach(sources::add);
            }
          }
        }
      }
    }
    return sources;
  }
}
