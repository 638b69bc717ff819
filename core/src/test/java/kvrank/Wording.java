package kvrank;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The wording of messages as it was last reviewed: {@code golden/wording/CLASS.txt} has the texts
 * that each method of a test passed to {@link #check}, in order. {@code -Dkvrank.rewrite=true}
 * writes them again.
 */
public final class Wording implements AfterEachCallback {

  private static final Path FOLDER =
      Path.of(requireNonNull(System.getProperty("kvrank.home"), "kvrank.home is not set"))
          .resolve("core/src/test/resources/golden/wording");

  private static final String HEADING = "## ";

  private final List<String> texts = new ArrayList<>();

  /** Compares {@code text} with the reviewed one when the test method has ended. */
  public void check(String text) {
    texts.add(requireNonNull(text, "text is null"));
  }

  public void check(Iterable<String> all) {
    List<String> checked = new ArrayList<>();
    all.forEach(checked::add);
    assertThat(checked).isNotEmpty();
    checked.forEach(this::check);
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    if (context.getExecutionException().isPresent()) {
      return;
    }
    Class<?> test = context.getRequiredTestClass();
    Set<String> methods =
        Stream.of(test.getDeclaredMethods())
            .map(method -> method.getName())
            .collect(Collectors.toSet());
    Path file = FOLDER.resolve(test.getName().replaceFirst("^kvrank\\.", "") + ".txt");
    String method = context.getRequiredTestMethod().getName();
    SortedMap<String, String> reviewed = read(file);
    if (Boolean.getBoolean("kvrank.rewrite")) {
      reviewed.put(method, String.join("\n", texts));
      reviewed.keySet().retainAll(methods);
      reviewed.values().removeIf(String::isEmpty);
      write(file, reviewed);
    }
    assertThat(methods).as("methods with a section in %s", file).containsAll(reviewed.keySet());
    assertThat(String.join("\n", texts))
        .as("section %s of %s", method, file)
        .isEqualTo(reviewed.getOrDefault(method, ""));
  }

  /** Returns the sections by method. */
  private static SortedMap<String, String> read(Path file) throws IOException {
    SortedMap<String, String> sections = new TreeMap<>();
    if (Files.exists(file)) {
      for (String section : Files.readString(file, UTF_8).split("(^|\n\n)" + HEADING, -1)) {
        if (!section.isEmpty()) {
          String[] parts = section.split("\n", 2);
          sections.put(parts[0], parts[1].stripTrailing());
        }
      }
    }
    return sections;
  }

  private static void write(Path file, SortedMap<String, String> sections) throws IOException {
    String text =
        sections.entrySet().stream()
            .map(each -> HEADING + each.getKey() + "\n" + each.getValue() + "\n")
            .collect(Collectors.joining("\n"));
    Files.createDirectories(FOLDER);
    Files.writeString(file, text, UTF_8);
  }
}
