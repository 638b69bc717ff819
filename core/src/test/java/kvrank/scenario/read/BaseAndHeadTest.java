package kvrank.scenario.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import kvrank.engine.ProvisionMethod;
import kvrank.input.InvalidInputException;
import kvrank.metric.Expectation;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.Repetitions;
import kvrank.scenario.Scenario;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaseAndHeadTest {

  private static final String SCENARIO =
      """
      question: Has it become slower?
      engines:
        - redis
        - {engine: rocksdb, options: {compression: [none, snappy]}}
      fsync: off
      phases: [get]
      repetitions: {at-least: 4, until: separated}
      expect: [rocksdb get throughput > 1k]
      """;

  @TempDir private Path folder;
  private ScenarioReader reader;

  @BeforeEach
  void home() throws IOException {
    reader = new ScenarioReader(TestHome.in(folder.resolve("home")));
  }

  private Scenario read(String text) throws IOException, InvalidInputException {
    Path file = Files.writeString(folder.resolve("one.yaml"), text);
    return reader.read(file, List.of(), List.of());
  }

  /** Returns a folder of engines with another RocksDB. */
  private Path others() throws IOException {
    Path from = folder.resolve("home/bindings/rocksdb/engine.yaml");
    Path to = Files.createDirectories(folder.resolve("checkout/bindings/rocksdb"));
    Files.writeString(
        to.resolve("engine.yaml"),
        Files.readString(from).replaceFirst("description: .*", "description: Another."));
    return to.getParent();
  }

  @Test
  void eachEngineHasTwoRowsOfTheirFolders() throws Exception {
    Path others = others();

    Scenario rows =
        reader.interleaved(
            read(SCENARIO), List.of(others.getParent().toString()), List.of("redis=redis:7.4"));

    assertThat(rows.name()).isEqualTo("one-base-head");
    assertThat(rows.engines())
        .extracting(EngineSpec::label)
        .containsExactly(
            "redis-base",
            "redis-head",
            "rocksdb-base compression=none",
            "rocksdb-head compression=none",
            "rocksdb-base compression=snappy",
            "rocksdb-head compression=snappy");
    assertThat(rows.engines())
        .extracting(EngineSpec::bindings)
        .startsWith(Optional.empty(), Optional.empty(), Optional.of(others), Optional.empty());
    assertThat(rows.engines().get(2).definition().description()).isEqualTo("Another.");
    assertThat(rows.engines().get(2).asked()).isNotEqualTo(rows.engines().get(3).asked());
    assertThat(rows.engines().get(0).server()).isEmpty();
    assertThat(rows.engines().get(1).server())
        .hasValue(new ServerChoice(ProvisionMethod.CONTAINER, "redis:7.4"));
    assertThat(rows.expectations())
        .extracting(Expectation::engine)
        .containsExactly("rocksdb-head compression=none", "rocksdb-head compression=snappy");
    assertThat(rows.repetitions()).isEqualTo(Repetitions.fixed(4));
  }

  @Test
  void theResolvedScenarioCanBeReadAgain() throws Exception {
    String all =
        SCENARIO.replace(
            "expect: [",
            "prefer: memory\nexpect: [get throughput > 2k, get throughput > 10% of best, rocksdb"
                + " throughput > 50% of redis, ");
    Scenario rows = reader.interleaved(read(all), List.of(), List.of(others().toString()));

    Scenario again = read(new ScenarioWriter().write(rows));

    assertThat(again.engines()).isEqualTo(rows.engines());
    assertThat(again.expectations()).isEqualTo(rows.expectations());
    assertThat(again.prefer()).isEqualTo(rows.prefer()).isPresent();
    assertThat(again.expectations())
        .extracting(Expectation::text)
        .contains("rocksdb-head throughput > 50% of redis-head");
  }

  @Test
  void anExecutableIsAProcess() throws Exception {
    Path executable = Files.writeString(folder.resolve("redis-server"), "");

    Scenario rows = reader.interleaved(read(SCENARIO), List.of("redis=" + executable), List.of());

    assertThat(rows.engines().get(0).server())
        .hasValue(new ServerChoice(ProvisionMethod.PROCESS, executable.toString()));
    assertThat(rows.engines().get(1).server()).isEmpty();
  }

  @Test
  void valuesThatFitNoEngineAreRefused() throws Exception {
    Files.createDirectories(folder.resolve("empty"));
    refused(folder + "/nowhere", "--base: there is no folder '" + folder + "/nowhere'");
    refused(folder + "/empty", "has none of the engines redis, rocksdb");
    refused("rediss=redis:7.4", "no engine 'rediss'; did you mean 'redis'?");
    refused("rocksdb=rocksdb:1", "rocksdb is embedded and has no executable or image");
  }

  private void refused(String value, String message) throws Exception {
    Scenario scenario = read(SCENARIO);
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> reader.interleaved(scenario, List.of(value), List.of()))
        .withMessageContaining(message);
  }
}
