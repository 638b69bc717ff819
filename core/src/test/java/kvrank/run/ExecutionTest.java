package kvrank.run;

import static kvrank.run.ScriptedExecution.COMPLETED;
import static kvrank.run.ScriptedExecution.FAILED;
import static kvrank.run.ScriptedExecution.outcomes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import kvrank.engine.EngineDefinition;
import kvrank.engine.ProvisionMethod;
import kvrank.provision.host.DataFolder;
import kvrank.provision.server.ServerSpec;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.scenario.EngineSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The records of an execution, whatever happens to its runs. */
class ExecutionTest {

  @TempDir private Path folder;
  private ScriptedExecution scripted;

  @BeforeEach
  void script() throws Exception {
    scripted = new ScriptedExecution(folder);
  }

  @Test
  void everyRunHasARecordInTheEnd() throws Exception {
    ExecutionResults results = scripted.execute().read();

    assertThat(scripted.executed()).isEqualTo(scripted.ids()).hasSize(4);
    assertThat(results.unreadable()).isEmpty();
    assertThat(results.runs()).extracting(RunRecord::outcome).containsOnly(COMPLETED);
    assertThat(results.environment().asMap()).containsKeys("storage.fileSystem", "isolation");
    assertThat(scripted.results().resolve("latest")).isSymbolicLink();
  }

  @Test
  void aFailedRunDoesNotAffectTheNext() throws Exception {
    scripted.outcome(scripted.ids().get(1), FAILED);

    ExecutionResults results = scripted.execute().read();

    assertThat(results.runs())
        .extracting(RunRecord::outcome)
        .containsExactly(COMPLETED, FAILED, COMPLETED, COMPLETED);
    assertThat(scripted.events())
        .contains(scripted.ids().get(1) + " failed", scripted.ids().get(2) + " completed");
  }

  @Test
  void aMissingWorkerBuildFailsOnlyItsRuns() throws Exception {
    EngineDefinition rocksdb = scripted.plan().scenario().engines().get(1).definition();
    scripted.server(
        "rocksdb",
        data ->
            new ServerSpec(
                ProvisionMethod.EMBEDDED,
                rocksdb,
                "",
                new EngineSpec.Access(false),
                new TreeMap<>(),
                new TreeMap<>(),
                data,
                data,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));

    ExecutionResults results = scripted.execute().read();

    assertThat(outcomes(results, "redis")).hasSize(2).containsOnly(COMPLETED);
    assertThat(outcomes(results, "rocksdb"))
        .hasSize(2)
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Failed.class))
        .extracting(Outcome::reason)
        .allMatch(reason -> reason.contains("is not built; run 'mvn -DskipTests package'"));
  }

  @Test
  void machineFailuresAreReportedWithoutTypesAndRepeatedByResume() throws Exception {
    scripted.server(
        "redis",
        data -> {
          throw new UncheckedIOException(
              new FileSystemException(data.toString(), null, "No space left on device"));
        });
    ResultsDirectory results = scripted.execute();
    List<String> failed = scripted.ids().stream().filter(id -> id.startsWith("redis")).toList();

    assertThat(outcomes(results.read(), "redis"))
        .hasSize(2)
        .extracting(Outcome::reason)
        .allMatch(reason -> reason.endsWith("': No space left on device; free some space"));
    scripted.allAvailable();
    scripted.executed().clear();
    scripted.outcome(failed.get(0), FAILED);
    scripted.resume(results);
    assertThat(scripted.executed()).isEqualTo(failed);
    assertThat(outcomes(results.read(), "redis")).containsExactlyInAnyOrder(COMPLETED, FAILED);

    scripted.executed().clear();
    scripted.resume(results);
    assertThat(scripted.executed()).as("an engine's own failure stays").isEmpty();
  }

  @Test
  void aMissingClassFailsOnlyItsRun() throws Exception {
    scripted.server(
        "redis",
        data -> {
          throw new NoClassDefFoundError("kvrank/Some");
        });

    assertThat(outcomes(scripted.execute().read(), "redis"))
        .extracting(Outcome::reason)
        .containsOnly("a class cannot be loaded: kvrank.Some");
  }

  @Test
  void anUnexpectedExceptionFailsOnlyItsRun() throws Exception {
    scripted.server(
        "redis",
        data -> {
          throw new IllegalStateException("a defect");
        });

    ExecutionResults results = scripted.execute().read();

    assertThat(outcomes(results, "rocksdb")).hasSize(2).containsOnly(COMPLETED);
    assertThat(outcomes(results, "redis"))
        .hasSize(2)
        .extracting(Outcome::reason)
        .allMatch(reason -> reason.contains("IllegalStateException: a defect"));
  }

  @Test
  void anUnwritableRecordFailsOnlyItsRun() throws Exception {
    Path results = scripted.results();
    scripted.atStartOf(
        scripted.ids().get(1),
        () -> {
          Path record =
              results.resolve("latest/runs/%s/record.json".formatted(scripted.ids().get(1)));
          assertThat(record.resolve("in the way").toFile().mkdirs()).isTrue();
        });

    ExecutionResults read = scripted.execute().read();

    assertThat(scripted.executed()).hasSize(4);
    assertThat(scripted.events()).contains(scripted.ids().get(1) + " failed");
    assertThat(read.runs()).hasSize(3);
    assertThat(read.unreadable()).hasSize(1);
  }

  @Test
  void removedResultsEndTheExecution() {
    Path results = scripted.results();
    scripted.duringRuns(
        () -> {
          try (Stream<Path> files = Files.walk(results)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });

    assertThatIOException()
        .isThrownBy(scripted::execute)
        .withMessageContaining("was removed meanwhile");

    assertThat(scripted.executed()).hasSize(1);
    assertThat(results).as("nothing is made again").doesNotExist();
  }

  @Test
  void removedRecordsEndTheExecutionAndResumeRepeatsThem() throws Exception {
    List<String> ids = scripted.ids();
    Path results = scripted.results();
    scripted.atStartOf(
        ids.get(2),
        () -> {
          try {
            new DataFolder(results.resolve("latest/runs").toRealPath()).delete();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });

    assertThatIOException()
        .isThrownBy(scripted::execute)
        .withMessageContaining(ids.get(0))
        .withMessageContaining("was removed meanwhile; the remaining runs are not started");

    assertThat(scripted.events()).contains(ids.get(2) + " completed").doesNotContain(ids.get(3));
    scripted.executed().clear();
    ResultsDirectory kept = ResultsDirectory.at(results.resolve("latest"));
    scripted.resume(kept);
    assertThat(scripted.executed()).containsExactly(ids.get(0), ids.get(1), ids.get(3));
    assertThat(kept.read().unreadable()).isEmpty();
  }
}
