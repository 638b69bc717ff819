package kvrank.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import kvrank.workload.KeyShape;
import kvrank.workload.ValueShape;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Everything that ships reads without a problem. */
class ShippedFilesTest {

  @TestFactory
  Stream<DynamicTest> scenariosWorkloadsAndTablesAreValid() throws IOException {
    ScenarioReader reader = new ScenarioReader(TestHome.PROJECT);
    List<Path> files = new ArrayList<>();
    for (String kind : List.of("workloads", "scenarios", "tables")) {
      files.addAll(yaml(kind));
    }
    return files.stream().map(file -> valid(reader, file));
  }

  @TestFactory
  Stream<DynamicTest> enginesAreValid() throws IOException {
    ScenarioReader reader = new ScenarioReader(TestHome.PROJECT);
    try (Stream<Path> folders = Files.list(TestHome.PROJECT.resolve("bindings"))) {
      return folders
          .map(binding -> binding.resolve("engine.yaml"))
          .filter(Files::isRegularFile)
          .sorted()
          .toList()
          .stream()
          .map(file -> valid(reader, file));
    }
  }

  @Test
  void ssdScenariosHaveTheDataOfTheirReference() throws Exception {
    ScenarioReader reader = new ScenarioReader(TestHome.PROJECT);
    for (String name : List.of("ssd-fsync", "ssd-nofsync")) {
      Scenario scenario =
          reader.read(
              TestHome.PROJECT.resolve("scenarios/" + name + ".yaml"),
              List.of("records=4000000"),
              List.of());
      Map<Setting, String> point =
          Map.of(
              Setting.KEY_BYTES, scenario.factors().get(Setting.KEY_BYTES).get(0),
              Setting.VALUE_BYTES, scenario.factors().get(Setting.VALUE_BYTES).get(0));
      assertThat(Shapes.keys(scenario.phases(), point)).isEqualTo(new KeyShape(9, 100));
      assertThat(Shapes.values(scenario.phases(), point)).isEqualTo(ValueShape.fixed(256));
      assertThat(scenario.phases())
          .extracting(PhaseSpec::name)
          .containsExactly("load", "prefix-scan", "set", "get", "set-get", "delete");
    }
  }

  private static DynamicTest valid(ScenarioReader reader, Path file) {
    return DynamicTest.dynamicTest(
        TestHome.PROJECT.relativize(file).toString(),
        () -> assertThat(reader.validate(file)).extracting(Problem::oneLine).isEmpty());
  }

  static List<Path> yaml(String folder) throws IOException {
    try (Stream<Path> files = Files.list(TestHome.PROJECT.resolve(folder))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }
}
