package kvrank.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the build packed for people to install runs wherever it is unpacked. */
class DistributionIT {

  private static final String VERSION = System.getProperty("kvrank.version");

  private static final Pattern PURL =
      Pattern.compile("\"pkg:maven/([^/]+)/([^@]+)@([^?]+)\\?(?:classifier=([^&]+)&)?type=jar\"");
  private static final Pattern PART = Pattern.compile("(?m)^  (\\S+)  +\\S");

  @TempDir private static Path folder;

  private static Path home;

  private static Path archive;

  @BeforeAll
  static void unpack() throws Exception {
    String name = "kvrank-" + VERSION;
    archive = InstalledKvrank.PROJECT.resolve("launcher/target/" + name + ".tar.gz");
    String[] tar = {"tar", "-xzf", archive.toString(), "-C", folder.toString()};
    assertThat(new ProcessBuilder(tar).inheritIO().start().waitFor()).isZero();
    home = folder.resolve(name);
  }

  @Test
  void theArchiveBelongsToRoot() throws Exception {
    Process tar = new ProcessBuilder("tar", "--numeric-owner", "-tvzf", archive.toString()).start();
    assertThat(new String(tar.getInputStream().readAllBytes(), UTF_8).lines())
        .isNotEmpty()
        .allMatch(line -> line.contains(" 0/0 "));
    assertThat(tar.waitFor()).isZero();
  }

  @Test
  void theArchiveRunsFromAnyFolder() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("a folder"));
    Files.writeString(
        elsewhere.resolve("installed.yaml"),
        """
        question: Does what was unpacked run?
        engines: [{engine: redis, server: {bundled: true}}, h2-mvstore, noop]
        fsync: off
        records: 1000
        phases: [load, get]
        measure: {warmup: 0s, duration: 200ms}
        repetitions: 1
        """);

    Execution asked = Execution.start(home, elsewhere, "--version");
    Execution execution = Execution.start(home, elsewhere, "run", "installed.yaml");

    assertThat(asked.status()).as(asked.text()).isZero();
    assertThat(asked.out()).content().isEqualTo("kvrank " + VERSION + "\n");
    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(elsewhere.resolve("results/installed/latest/report/report.html")).exists();
    assertThat(home.resolve("bom.json")).content().contains("CycloneDX", "pkg:maven/org.rocksdb/");
    assertThat(home.resolve("README.md")).exists();
  }

  @Test
  void theNoticeNamesEveryPartThatIsNotOurs() throws IOException {
    Map<String, String> coordinates = new TreeMap<>();
    for (MatchResult found :
        PURL.matcher(Files.readString(home.resolve("bom.json"))).results().toList()) {
      String classifier = found.group(4) == null ? "" : "-" + found.group(4);
      coordinates.put(
          "%s-%s%s.jar".formatted(found.group(2), found.group(3), classifier),
          found.group(1) + ":" + found.group(2));
    }
    SortedSet<String> parts = new TreeSet<>();
    for (Path file : files()) {
      String name = file.getFileName().toString();
      if (name.endsWith(".jar") && !name.startsWith("kvrank-")) {
        assertThat(coordinates).as("bom.json").containsKey(name);
        parts.add(coordinates.get(name));
      } else if (name.endsWith(".so") || name.endsWith(".missing")) {
        parts.add(name.replace(".missing", ".so"));
      } else if (file.toString().contains("/bundled/")) {
        parts.add(name);
      }
    }

    assertThat(
            PART.matcher(Files.readString(home.resolve("NOTICE")))
                .results()
                .map(part -> part.group(1))
                .collect(Collectors.toSet()))
        .isEqualTo(parts);
  }

  @Test
  void theTextsOfAllLicencesAreThere() throws IOException {
    assertThat(home.resolve("LICENSE")).content().contains("Apache License");
    assertThat(home.resolve("licences/OLDAP-2.8.txt")).exists();
    for (Path library : files().stream().filter(file -> file.toString().endsWith(".so")).toList()) {
      String texts = Files.readString(Path.of(library.toString().replace(".so", ".licences.txt")));
      for (String section : texts.split("(?m)^(?=== )", -1)) {
        String[] parts = section.split("\n", 2);
        // A crate names its licence, and a few have no text of it.
        assertThat(
                parts[0].split(" ", 4).length > 3
                    || !parts[parts.length - 1].isBlank()
                    || texts.isEmpty())
            .as("the licence of '%s' in %s", parts[0], library)
            .isTrue();
      }
    }
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      return files.filter(Files::isRegularFile).sorted(Comparator.naturalOrder()).toList();
    }
  }
}
