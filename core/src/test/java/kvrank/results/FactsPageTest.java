package kvrank.results;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Level;
import kvrank.fact.Merging;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/facts.md} has every fact, whose name no other code spells. */
class FactsPageTest {

  private static final Path HOME =
      Path.of(requireNonNull(System.getProperty("kvrank.home"), "kvrank.home is not set"));

  private static final Pattern LITERAL = Pattern.compile("\"([^\"\\\\]+)\"");

  @Test
  void thePageIsThatOfTheFacts() throws IOException {
    Path page = HOME.resolve("docs/reference/facts.md");
    if (Boolean.getBoolean("kvrank.rewrite")) {
      Files.writeString(page, page());
    }
    assertThat(page())
        .as("rewrite it with -Dkvrank.rewrite=true")
        .isEqualTo(Files.readString(page));
  }

  private static String page() {
    return """
    # Facts

    <!-- FactsPageTest writes this page. -->
    A fact is a named finding in addition to the measured figures. Files hold its value as text. A fact that does not apply, or that the system does not report, is missing.

    With several machines that apply the load, each of these generators reports facts of its own. The column *generators* says how they become one value; a dash marks a fact that does not come from generators.

    Names that begin with `engine.` belong to the engine: `facts` and `reports` of its `engine.yaml`, or what its binding reports. For a cluster, `engine.NAME` has each distinct answer of the members, and `engine.member.N.NAME` the answer of the Nth member. Counters count from the start of the server, or from when the engine was opened.

    ## The machine

    `facts` in `environment.json`.

    %s
    ## A run

    `facts` in `record.json`. Older records have the facts of the engine without `engine.`; kvrank reads them as if they had it.

    %s
    ## A phase

    `facts` of a phase in `record.json`.

    %s
    ## A generator

    What one generator tells the controller about itself. These facts are in no file; `generators.csv` has what follows from them.

    %s"""
        .formatted(
            table(Level.MACHINE), table(Level.RUN), table(Level.PHASE), table(Level.GENERATOR));
  }

  private static String table(Level level) {
    List<Fact> facts = Stream.of(Fact.values()).filter(fact -> fact.at(level)).toList();
    boolean merged = facts.stream().anyMatch(fact -> fact.merging() != Merging.NONE);
    String head =
        merged
            ? "| fact | unit | generators | meaning |\n|---|---|---|---|\n"
            : "| fact | unit | meaning |\n|---|---|---|\n";
    return facts.stream()
        .map(
            fact ->
                "| `%s` | %s |%s %s |\n"
                    .formatted(
                        fact.label(),
                        fact.unit().label(),
                        merged ? " " + fact.merging().label() + " |" : "",
                        fact.meaning()))
        .collect(joining("", head, ""));
  }

  /**
   * A fact is set by its constant. Those of an engine come from {@code engine.yaml} or a binding,
   * and {@link Fact#FAILED_BY_MACHINE} from records of earlier versions.
   */
  @Test
  void everyFactIsSet() throws IOException {
    StringBuilder sources = new StringBuilder();
    for (Path file : sources()) {
      sources.append(Files.readString(file));
    }
    Set<String> set =
        Pattern.compile("\\b(?:put|line)\\((?:facts, |\\s)*(?:Fact\\.)?([A-Z]\\w+)")
            .matcher(sources)
            .results()
            .map(found -> found.group(1))
            .collect(toSet());
    assertThat(Fact.values())
        .filteredOn(fact -> !fact.label().startsWith("engine."))
        .filteredOn(fact -> fact != Fact.FAILED_BY_MACHINE)
        .extracting(Fact::name)
        .isSubsetOf(set);
  }

  /** A name that is written again can differ from the declared one. */
  @Test
  void onlyTheRegistrySpellsNames() throws IOException {
    Set<String> names = new TreeSet<>(Set.of("engine.", "setting.", "machine.warning."));
    for (Fact fact : Fact.values()) {
      // A word may be the name of something else as well.
      if (fact.label().matches(".*[.-].*")) {
        names.add(fact.label());
      }
    }
    List<String> found = new ArrayList<>();
    for (Path file : sources()) {
      Matcher literal = LITERAL.matcher(Files.readString(file));
      while (literal.find()) {
        if (names.contains(literal.group(1))) {
          found.add(file.getFileName() + ": " + literal.group());
        }
      }
    }
    assertThat(found).isEmpty();
  }

  /** All that could set a fact: everything but its declaration. */
  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : List.of("worker", "core")) {
      try (Stream<Path> files = Files.walk(HOME.resolve(module).resolve("src/main/java"))) {
        files
            .filter(file -> file.toString().endsWith(".java") && !file.endsWith("Fact.java"))
            .forEach(sources::add);
      }
    }
    return sources;
  }
}
