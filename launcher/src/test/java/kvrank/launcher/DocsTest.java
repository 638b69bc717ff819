package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.input.Problem;
import kvrank.launcher.DocsPage.Block;
import kvrank.scenario.read.ScenarioReader;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/** Links lead somewhere, and what pages show of YAML and Maven is right; {@link DocsIT} runs it. */
class DocsTest {

  private static final Path PROJECT = Path.of(System.getProperty("kvrank.home"));
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern GENERATED_TABLE =
      Pattern.compile("<!-- [\\w-]+: written by \\w+ -->\\n(\\|.*\\n)+");

  private static final Pattern MAVEN_OPTION =
      Pattern.compile("\\bmvn [^`\\n]*?(-P|-pl :)([A-Za-z0-9=-]+)");

  /** What only the reader of a page has: built jars, imported traces, files of YCSB. */
  private static final Pattern NOT_HERE =
      Pattern.compile(
          "the file '.*(\\.jar|\\.trace|/workloada)' does not exist|no class '.*there are none");

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> linksLeadSomewhere() throws IOException {
    return DocsPage.all().stream().map(page -> test(page.toString(), () -> checkLinks(page)));
  }

  private static void checkLinks(DocsPage page) throws IOException {
    List<String> broken = new ArrayList<>();
    for (String line : outsideOfBlocks(page)) {
      for (Matcher link = LINK.matcher(line); link.find(); ) {
        String[] parts = link.group(1).split("#", 2);
        if (parts[0].startsWith("http")) {
          continue;
        }
        Path target =
            parts[0].isEmpty() ? page.file() : page.file().resolveSibling(parts[0]).normalize();
        if (!Files.exists(target) || (parts.length == 2 && !anchors(target).contains(parts[1]))) {
          broken.add(link.group(1));
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void linksOfInstalledPagesLeadToInstalledFiles() throws IOException {
    String distribution = Files.readString(PROJECT.resolve("launcher/distribution.xml"));
    List<PathMatcher> installed =
        Pattern.compile("<include>([^<]*)</include>")
            .matcher(distribution)
            .results()
            .map(each -> FileSystems.getDefault().getPathMatcher("glob:" + each.group(1)))
            .toList();
    Set<String> missing = new TreeSet<>();
    for (DocsPage page : DocsPage.all()) {
      Path own = PROJECT.relativize(page.file());
      if (installed.stream().noneMatch(each -> each.matches(own))) {
        continue;
      }
      for (String line : outsideOfBlocks(page)) {
        for (Matcher link = LINK.matcher(line); link.find(); ) {
          String target = link.group(1).replaceFirst("#.*", "");
          Path file = own.resolveSibling(target).normalize();
          if (!target.isEmpty()
              && !target.startsWith("http")
              && Files.isRegularFile(PROJECT.resolve(file))
              && installed.stream().noneMatch(each -> each.matches(file))) {
            missing.add(own + ": " + file);
          }
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  private static List<String> outsideOfBlocks(DocsPage page) {
    List<String> outside = new ArrayList<>();
    boolean inside = false;
    for (String line : page.lines()) {
      boolean fence = line.strip().startsWith("```");
      inside ^= fence;
      if (!inside && !fence) {
        outside.add(line);
      }
    }
    return outside;
  }

  /** Returns the anchors of a page's headings, as GitHub makes them. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new TreeSet<>();
    Map<String, Integer> seen = new HashMap<>();
    for (DocsPage read : DocsPage.all()) {
      if (read.file().equals(page)) {
        for (String line : outsideOfBlocks(read)) {
          if (line.matches("#+ .*")) {
            String anchor =
                line.replaceFirst("#+ ", "")
                    .toLowerCase(java.util.Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                    .replace(' ', '-');
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
          }
        }
      }
    }
    return anchors;
  }

  @TestFactory
  Stream<DynamicTest> yamlIsValid() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (DocsPage page : DocsPage.guides()) {
      Path home = folder.resolve(page.toString());
      for (Block block : page.blocks()) {
        if (block.language().equals("yaml")) {
          tests.add(test(page + ", " + block, () -> checkYaml(page, block, home)));
        }
      }
    }
    return tests.stream();
  }

  private static void checkYaml(DocsPage page, Block block, Path home) throws IOException {
    page.writeFiles(home);
    Path file = home.resolve(block.marker("file").orElse("block.yaml"));
    String text = block.text();
    Optional<String> whole = block.marker("part of");
    if (whole.isPresent()) {
      Path other = home.resolve(whole.get());
      other = Files.exists(other) ? other : PROJECT.resolve(whole.get());
      text = merged(Files.readString(other, StandardCharsets.UTF_8), text);
    }
    Files.createDirectories(file.getParent());
    Files.writeString(file, text, StandardCharsets.UTF_8);
    assertThat(new ScenarioReader(PROJECT).validate(file))
        .extracting(Problem::oneLine)
        .filteredOn(problem -> !NOT_HERE.matcher(problem).find())
        .isEmpty();
  }

  /** Merges maps; everything else of {@code part} replaces the existing. */
  private static String merged(String whole, String part) {
    Yaml yaml = plain();
    Map<String, Object> merged = yaml.load(whole);
    merge(merged, yaml.load(part));
    return yaml.dump(merged);
  }

  @SuppressWarnings("unchecked") // keys of YAML maps here are text
  private static void merge(Map<String, Object> whole, Map<String, Object> part) {
    part.forEach(
        (key, value) -> {
          if (whole.get(key) instanceof Map<?, ?> below && value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>((Map<String, Object>) below);
            merge(copy, (Map<String, Object>) map);
            whole.put(key, copy);
          } else {
            whole.put(key, value);
          }
        });
  }

  /** YAML in which {@code off} and {@code 1} are text, as kvrank reads it. */
  private static Yaml plain() {
    DumperOptions options = new DumperOptions();
    options.setDefaultScalarStyle(DumperOptions.ScalarStyle.DOUBLE_QUOTED);
    LoaderOptions loader = new LoaderOptions();
    Resolver resolver =
        new Resolver() {
          @Override
          protected void addImplicitResolvers() {
            // None: every plain word is text.
          }
        };
    return new Yaml(
        new SafeConstructor(loader), new Representer(options), options, loader, resolver);
  }

  /** Profiles and modules that commands of Maven name exist. */
  @TestFactory
  Stream<DynamicTest> commandsOfMavenNameWhatIsThere() throws IOException {
    StringBuilder poms = new StringBuilder();
    try (Stream<Path> files = Files.walk(PROJECT, 3)) {
      for (Path pom : files.filter(path -> path.endsWith("pom.xml")).sorted().toList()) {
        poms.append(Files.readString(pom, StandardCharsets.UTF_8));
      }
    }
    return DocsPage.guides().stream()
        .map(page -> test(page.toString(), () -> checkMaven(page, poms.toString())));
  }

  private static void checkMaven(DocsPage page, String poms) {
    List<String> missing = new ArrayList<>();
    for (Matcher option = MAVEN_OPTION.matcher(String.join("\n", page.lines())); option.find(); ) {
      String element = option.group(1).equals("-P") ? "id" : "artifactId";
      if (!poms.contains("<%1$s>%2$s</%1$s>".formatted(element, option.group(2)))
          && !option.group(2).endsWith("=NAME")) {
        missing.add(option.group());
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void everyPageIsAtMostTwoLinksFromTheReadme() throws IOException {
    SortedSet<Path> near = new TreeSet<>(Set.of(PROJECT.resolve("README.md")));
    for (int step = 0; step < 2; step++) {
      Set<Path> from = Set.copyOf(near);
      for (DocsPage page : DocsPage.all()) {
        if (from.contains(page.file())) {
          for (Matcher link = LINK.matcher(String.join("\n", page.lines())); link.find(); ) {
            near.add(page.file().resolveSibling(link.group(1).replaceFirst("#.*", "")).normalize());
          }
        }
      }
    }
    assertThat(DocsPage.all()).extracting(DocsPage::file).isSubsetOf(near);
  }

  /** README and docs stay short enough to be read and kept true. */
  @Test
  void docsHaveAtMost40000WordsBesidesWhatIsGenerated() throws IOException {
    SortedMap<String, Long> words = new TreeMap<>();
    for (DocsPage page : DocsPage.all()) {
      if (page.toString().matches("README.md|docs/.*") && !generated(page)) {
        words.put(page.toString(), words(page));
      }
    }
    assertThat(words.values().stream().mapToLong(Long::longValue).sum())
        .as("words of README and docs: %s", words)
        .isLessThanOrEqualTo(40_000);
  }

  private static boolean generated(DocsPage page) {
    return page.lines().stream().anyMatch(line -> line.matches("<!-- \\w+ writes this page. -->"));
  }

  /** Returns the number of words outside of generated tables. */
  private static long words(DocsPage page) {
    return Stream.of(GENERATED_TABLE.split(String.join("\n", page.lines()), -1))
        .flatMap(text -> Stream.of(text.split("\\s+")))
        .filter(word -> word.matches(".*[A-Za-z0-9].*"))
        .count();
  }

  private static DynamicTest test(String name, Executable check) {
    return DynamicTest.dynamicTest(name, check);
  }
}
