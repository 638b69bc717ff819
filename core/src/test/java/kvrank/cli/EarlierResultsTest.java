package kvrank.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.ResultsDirectory;
import kvrank.scenario.NamedFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Results that kvrank wrote before 0.2.0, without some series, are still reported, merged and
 * compared.
 */
class EarlierResultsTest {

  private static final Path HOME =
      Path.of(requireNonNull(System.getProperty("kvrank.home"), "kvrank.home is not set"));

  @TempDir private Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private Path old;
  private Path second;

  @BeforeEach
  void copyTwice() throws IOException {
    old = copy("2026-11-25T020117Z");
    second = copy("2026-11-26T020117Z");
    Path plan = second.resolve("plan.json");
    Files.writeString(plan, Files.readString(plan).replace("2026-11-25T", "2026-11-26T"));
  }

  private Path copy(String name) throws IOException {
    Path source = HOME.resolve("core/src/test/resources/results-before-0.2.0");
    Path target = folder.resolve("state").resolve(name);
    try (var files = Files.walk(source)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = target.resolve(source.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
    return target;
  }

  private int kvrank(Object... arguments) {
    out.reset();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    return Kvrank.run(
        new Installation(new NamedFiles(HOME, List.of()), Map.of()),
        new Terminal(stream, stream, false, false, 0),
        List.of(arguments).stream().map(Object::toString).toArray(String[]::new));
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void everyNumberIsRead() throws Exception {
    ExecutionResults results = ResultsDirectory.at(old).read();

    assertThat(results.unreadable()).isEmpty();
    assertThat(results.manifest().kvrank()).isEqualTo("0.1.0");
    assertThat(results.manifest().engines()).containsExactly("redis", "rocksdb-small");
    assertThat(results.manifest().expectations()).hasSize(1);
    assertThat(results.runs()).hasSize(6);
    PhaseRecord load = results.runs().get(0).phases().get(0);
    assertThat(load.elapsedNanos()).isEqualTo(52_277_928);
    assertThat(load.operations().get("insert").ok()).isEqualTo(2_000);
    assertThat(load.resources().orElseThrow().footprintBytes()).hasValue(233_472);
    assertThat(load.durability().orElseThrow().writes()).isEqualTo(2_000);
    assertThat(results.runs().get(0).phases().get(2).points()).isNotEmpty();
    Crash crash = results.runs().get(0).crashTest().orElseThrow().crashes().get(0);
    assertThat(crash.acknowledged()).isEqualTo(52_318);
    assertThat(crash.lostWrites().map(LostWrites::checked)).contains(39_236L);
  }

  @Test
  void itIsReportedMergedAndCompared() throws Exception {
    assertThat(kvrank("report", old)).as(text()).isZero();
    assertThat(old.resolve("report/rankings.md"))
        .content()
        .contains("Acknowledged writes lost", "161,327", "rocksdb-small", "Expectations");
    assertThat(kvrank("report", old, second, "--out", folder.resolve("merged"))).isZero();
    assertThat(text()).contains("Merged from 2 executions");
    assertThat(folder.resolve("merged/rankings.csv")).content().contains(",6,");
    assertThat(kvrank("compare", old, second)).as(text()).isZero();
    assertThat(ResultsDirectory.at(old).read().runs())
        .allSatisfy(run -> assertThat(run.outcome()).isInstanceOf(Outcome.Completed.class));
  }

  @Test
  void itsScenarioCanBeReadAgain() {
    assertThat(kvrank("plan", old.resolve("scenario.yaml"))).as(text()).isZero();
    // Redis is planned, or left out if its executable is missing.
    assertThat(text()).contains("redis", "rocksdb-small.r3");
  }
}
