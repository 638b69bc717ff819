package kvrank.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class ScenarioWriterTest {

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> writesWhatReadsBackEqual() throws IOException {
    Path home = TestHome.in(folder);
    List<Path> files = new ArrayList<>(ShippedFilesTest.yaml("scenarios"));
    files.add(TestHome.RESOURCES.resolve("valid/every-key.yaml"));
    files.add(TestHome.RESOURCES.resolve("valid/tables-of-its-own.yaml"));
    return files.stream()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString(), () -> readsBackEqual(home, file)));
  }

  private static void readsBackEqual(Path home, Path file) throws Exception {
    ScenarioReader reader = new ScenarioReader(home);
    List<String> overrides = List.of("seed=7", "fsync=off,on", "medium=any");
    Scenario scenario = reader.read(file, overrides, List.of());
    Path copy = home.resolve("scenario.yaml");
    String text = new ScenarioWriter().write(scenario);
    Files.writeString(copy, text, UTF_8);
    Scenario again = reader.read(copy, List.of(), List.of());
    assertThat(again).usingRecursiveComparison().ignoringFields("file").isEqualTo(scenario);
    assertThat(new ScenarioWriter().write(again)).isEqualTo(text);
  }
}
