package kvrank.scenario.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each {@code invalid/*.yaml} has exactly the problems of the {@code .expected.txt} beside it;
 * {@code -Dkvrank.rewrite=true} writes what was found there instead.
 */
class InvalidInputTest {

  private static final Path FOLDER = TestHome.RESOURCES.resolve("invalid");

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> reportsEveryProblemAtItsPlace() throws IOException {
    ScenarioReader reader = new ScenarioReader(TestHome.in(folder));
    return files().stream()
        .map(
            file ->
                DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(reader, file)));
  }

  private static void check(ScenarioReader reader, Path file) throws IOException {
    String found =
        reader.validate(file).stream()
            .map(problem -> problem.oneLine() + "\n" + problem.excerpt().indent(4))
            .collect(Collectors.joining())
            .replace(FOLDER + "/", "");
    Path expected = FOLDER.resolve(DefinitionLoader.baseName(file) + ".expected.txt");
    if (Boolean.getBoolean("kvrank.rewrite")) {
      Files.writeString(expected, found, UTF_8);
    }
    assertThat(found).isNotEmpty().isEqualTo(Files.readString(expected, UTF_8));
  }

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }
}
