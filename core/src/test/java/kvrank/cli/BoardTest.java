package kvrank.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.scenario.NamedFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packs in {@code board/} are checked as CI checks them, and their site agrees with itself. */
class BoardTest {

  private static final Path HOME =
      Path.of(requireNonNull(System.getProperty("kvrank.home"), "kvrank.home is not set"));

  private static final Pattern TITLE = Pattern.compile("<h1>(.+): (.+)</h1>");
  private static final Pattern LEVEL = Pattern.compile("fsync=([^ )]+)");
  private static final Pattern CLAIM =
      Pattern.compile("<(h2|li class=\"claim\")[^>]*>(.*?)</(?:h2|li)>", Pattern.DOTALL);

  private static List<String> packs(String command) throws IOException {
    List<String> words = new ArrayList<>(List.of(command));
    try (Stream<Path> files = Files.list(HOME.resolve("board"))) {
      files
          .map(Path::toString)
          .filter(name -> name.endsWith(".tar.gz"))
          .sorted()
          .forEach(words::add);
    }
    assertThat(words).hasSizeGreaterThan(5);
    return words;
  }

  private static String run(List<String> words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    int status =
        Kvrank.run(
            new Installation(new NamedFiles(HOME, List.of()), Map.of()),
            new Terminal(stream, stream, false, false, 0),
            words.toArray(String[]::new));
    assertThat(status).as(out.toString(StandardCharsets.UTF_8)).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void allPacksAreValidTogether() throws IOException {
    List<String> words = packs("validate");

    assertThat(run(words).lines().filter(line -> line.endsWith(": valid")))
        .hasSize(words.size() - 1);
  }

  private static String text(String html) {
    return html.replaceAll("<[^>]*>", "");
  }

  /** Adds the advice on a page as its reasons, by engine, verb, use and level. */
  private static void addAdvice(Map<List<String>, String> advice, String file, String html) {
    boolean ofEngine = file.startsWith("engine/");
    String level = "";
    for (MatchResult each : CLAIM.matcher(html).results().toList()) {
      String sentence = text(each.group(2));
      Matcher found =
          Pattern.compile(
                  ofEngine
                      ? "(Reach for|Avoid) it when (.+?)(?: at fsync=(\\S+) \\(.+?\\))?"
                          + "((?:, provisionally)?: .+)"
                      : "(Reach for|Avoid) (\\S+?)()((?:, provisionally)?: .+)")
              .matcher(sentence);
      if (each.group(1).equals("h2")) {
        Matcher at = LEVEL.matcher(sentence);
        level = at.find() ? at.group(1) : "";
      } else if (found.matches()) {
        String engine = ofEngine ? file.replaceAll(".*/|\\.html$", "") : found.group(2);
        String use = ofEngine ? found.group(2) : title(html);
        String at = ofEngine ? found.group(3) : level;
        // The page of an engine also counts others, that of a use has opposite advice.
        String reason =
            found
                .group(4)
                .replaceFirst("; (?:avoid it|reach for it) for [^;]+ at this level\\.$", "")
                .replaceFirst("; (?:no|\\d+) other [^;]+ recommended there(?:, too)?\\.$", "")
                .replaceFirst("\\.$", "");
        advice.put(List.of(engine, found.group(1), use, requireNonNull(at)), reason);
      }
    }
  }

  /** Returns the end of the title of a page of a use, for example {@code you mostly read}. */
  private static String title(String html) {
    Matcher title = TITLE.matcher(html);
    assertThat(title.find()).isTrue();
    return title.group(2);
  }

  @Test
  void pagesOfUsesAndOfEnginesGiveTheSameAdvice(@TempDir Path folder) throws IOException {
    List<String> words = packs("site");
    words.addAll(List.of("--out", folder.toString()));
    run(words);
    Map<List<String>, String> ofUses = new TreeMap<>(BoardTest::compare);
    Map<List<String>, String> ofEngines = new TreeMap<>(BoardTest::compare);
    Set<String> verbs = new TreeSet<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path path : files.filter(each -> each.toString().endsWith(".html")).toList()) {
        String file = folder.relativize(path).toString();
        String html = Files.readString(path);
        if (file.startsWith("use/")) {
          addAdvice(ofUses, file, html);
        } else if (file.startsWith("engine/")) {
          addAdvice(ofEngines, file, html);
        }
      }
    }
    ofUses.keySet().forEach(each -> verbs.add(each.get(1)));
    assertThat(verbs).containsExactly("Avoid", "Reach for");
    assertThat(ofUses).hasSizeGreaterThan(30).isEqualTo(ofEngines);
  }

  private static int compare(List<String> one, List<String> other) {
    return String.join("\n", one).compareTo(String.join("\n", other));
  }
}
