package kvrank;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Holds docs, YAML files, and the comments and texts of sources to the table of habits in
 * CONTRIBUTING.md.
 */
class LanguageTest {

  private static final Path HOME = Path.of(System.getProperty("kvrank.home"));
  private static final Path CONTRIBUTING = HOME.resolve("CONTRIBUTING.md");

  private static final Path RESULTS = HOME.resolve("results");
  private static final Set<String> NOT_OURS = Set.of("target", ".git", ".running");

  private record Habit(String instead, String write, Pattern pattern) {}

  @Test
  void nothingIsWrittenInTheseHabits() throws IOException {
    List<Habit> habits = habits();
    List<String> hits = new ArrayList<>();
    for (Path file : files()) {
      hits.addAll(hits(file, habits));
    }

    assertThat(hits).as("habits of CONTRIBUTING.md").isEmpty();
  }

  @Test
  void everyPatternFindsItsExample() throws IOException {
    assertThat(habits())
        .hasSizeGreaterThan(40)
        .allMatch(habit -> habit.pattern.matcher(". " + habit.instead + ".").find());
  }

  private static List<String> hits(Path file, List<Habit> habits) throws IOException {
    Prose prose = Prose.of(file);
    List<String> lines = Files.readAllLines(file);
    List<String> hits = new ArrayList<>();
    for (Habit habit : habits) {
      for (MatchResult hit : habit.pattern.matcher(prose.text()).results().toList()) {
        int line = prose.line(hit.start());
        boolean example = file.equals(CONTRIBUTING) && lines.get(line - 1).startsWith("| ");
        if (!example) {
          hits.add(
              "%s:%d: '%s': write %s, not %s"
                  .formatted(HOME.relativize(file), line, hit.group(), habit.write, habit.instead));
        }
      }
    }
    return hits;
  }

  /** Those of the table that can be found by a pattern. */
  private static List<Habit> habits() throws IOException {
    List<Habit> habits = new ArrayList<>();
    for (String line : Files.readAllLines(CONTRIBUTING)) {
      String[] cells = line.split("(?<!\\\\)\\|", -1);
      if (cells.length == 5 && cells[3].strip().matches("`.+`")) {
        String pattern = cells[3].strip().replace("\\|", "|");
        habits.add(
            new Habit(
                cells[1].strip(),
                cells[2].strip(),
                Pattern.compile(
                    pattern.substring(1, pattern.length() - 1), Pattern.CASE_INSENSITIVE)));
      }
    }
    return habits;
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        HOME,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return folder.equals(RESULTS) || NOT_OURS.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().matches(".*\\.(md|yaml|yml|java)")) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    return files;
  }
}
