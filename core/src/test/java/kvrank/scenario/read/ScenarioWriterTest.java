package kvrank.scenario.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import kvrank.input.Consent;
import kvrank.scenario.NamedFiles;
import kvrank.scenario.Scenario;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class ScenarioWriterTest {

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> writesWhatReadsBackEqual() throws IOException {
    // Git keeps no such mode.
    Path password =
        Files.setPosixFilePermissions(
            TestHome.RESOURCES.resolve("valid/password"),
            PosixFilePermissions.fromString("rw-------"));
    Path key = TestHome.RESOURCES.resolve("valid/every-key.yaml");
    Consent consent =
        new Consent(Set.of("PATH", password.toString(), key.toString()), programs -> true);
    ScenarioReader tests =
        new ScenarioReader(new NamedFiles(TestHome.in(folder), List.of()), consent);
    ScenarioReader shipped = new ScenarioReader(TestHome.PROJECT);
    return Stream.concat(
        Stream.of("every-key", "options", "tables-of-its-own")
            .map(name -> TestHome.RESOURCES.resolve("valid/" + name + ".yaml"))
            .map(file -> test(tests, file)),
        ShippedFilesTest.yaml("scenarios").stream().map(file -> test(shipped, file)));
  }

  private DynamicTest test(ScenarioReader reader, Path file) {
    return DynamicTest.dynamicTest(
        file.getFileName().toString(), () -> readsBackEqual(reader, file));
  }

  private void readsBackEqual(ScenarioReader reader, Path file) throws Exception {
    List<String> overrides =
        List.of("seed=7", "fsync=off,every-100ms,on,at-least-everysec", "medium=any");
    Scenario scenario = reader.read(file, overrides, List.of());
    Path copy = folder.resolve("scenario.yaml");
    String text = new ScenarioWriter().write(scenario);
    Files.writeString(copy, text, UTF_8);
    Scenario again = reader.read(copy, List.of(), List.of());
    assertThat(again).usingRecursiveComparison().ignoringFields("file").isEqualTo(scenario);
    assertThat(new ScenarioWriter().write(again)).isEqualTo(text);
  }
}
