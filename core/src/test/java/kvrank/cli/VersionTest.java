package kvrank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The root pom is the only source of the version; whatever repeats it is the same. */
class VersionTest {

  private static final Path HOME = Path.of(System.getProperty("kvrank.home"));
  private static final String VERSION = System.getProperty("kvrank.version");

  private static final Pattern RELEASE =
      Pattern.compile("(?m)^## \\[(\\d\\S*)] - \\d{4}-\\d\\d-\\d\\d$");
  private static final Pattern ARCHIVE = Pattern.compile("\\bkvrank-(\\d\\S*?)(?:\\.tar|/|`|\\s)");

  @Test
  void theProgramHasTheVersionOfThePom() {
    assertThat(Kvrank.VERSION).isEqualTo(VERSION);
  }

  @Test
  void theChangelogDescribesThisRelease() throws IOException {
    String changelog = Files.readString(HOME.resolve("CHANGELOG.md"));
    List<String> releases =
        RELEASE.matcher(changelog).results().map(found -> found.group(1)).toList();

    assertThat(changelog).contains("\n## [Unreleased]\n");
    if (VERSION.endsWith("-SNAPSHOT")) {
      assertThat(releases).doesNotContain(VERSION.replace("-SNAPSHOT", ""));
    } else {
      assertThat(releases).first().isEqualTo(VERSION);
    }
  }

  @Test
  void pagesNameNoOtherArchive() throws IOException {
    for (Path page : pages()) {
      assertThat(ARCHIVE.matcher(Files.readString(page)).results().map(found -> found.group(1)))
          .as("versions in %s; write kvrank-VERSION where any version will do", page)
          .allMatch(VERSION::equals);
    }
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> root = Files.list(HOME);
        Stream<Path> docs = Files.walk(HOME.resolve("docs"))) {
      return Stream.concat(root, docs).filter(file -> file.toString().endsWith(".md")).toList();
    }
  }
}
