package kvrank.scenario.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import kvrank.Wording;
import kvrank.input.Problem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stranger's scenario may name any file that its user can read. */
class QuotingTest {

  @RegisterExtension final Wording wording = new Wording();

  /** A file of another kind, and what is wrong in a file of each kind. */
  private static final String SECRET = "s3cret: [s3cret, s3cret\n";

  @TempDir private Path folder;

  private ScenarioReader reader;

  @BeforeEach
  void home() throws IOException {
    reader = new ScenarioReader(TestHome.in(folder.resolve("home")));
    Files.createDirectory(folder.resolve("downloads"));
  }

  private List<Problem> problems(String named) throws IOException {
    Path scenario = folder.resolve("downloads/stranger.yaml");
    String engines = named.contains("engines:") ? "" : "engines: [rocksdb]\n";
    Files.writeString(scenario, "question: q?\nfsync: off\n" + engines + named);
    return reader.validate(scenario);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "phases: [load, {workload: %s}]\n",
        "phases: [load, {workload: {ycsb: %s}}]\n",
        "phases: [load]\ntables: [%s]\n"
      })
  void quotesNoFileThatTheScenarioMayNotShow(String scenario) throws IOException {
    Path outside = Files.writeString(folder.resolve("outside.yaml"), SECRET);
    Path hidden = Files.createDirectory(folder.resolve("downloads/.config")).resolve("a.yaml");
    Path closed = folder.resolve("downloads/closed.yaml");
    Path link = folder.resolve("downloads/link.yaml");
    Files.writeString(hidden, SECRET);
    Files.writeString(closed, SECRET);
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rw-r-----"));
    Files.createSymbolicLink(link, outside);

    for (Path file : List.of(outside, hidden, closed, link)) {
      List<Problem> problems = problems(scenario.formatted(file));
      assertThat(problems).isNotEmpty();
      assertThat(problems.toString()).doesNotContain("s3cret").contains(file.toString());
      wording.check(
          problems.stream()
              .filter(problem -> problem.file().equals(file))
              .map(Problem::message)
              .distinct()
              .toList());
    }
  }

  /** A folder of bindings may have a link to a file of the user. */
  @Test
  void quotesNoEngineThatTheScenarioMayNotShow() throws IOException {
    Path secret = Files.writeString(folder.resolve("secret.yaml"), "s3cret: meet at dawn\n");
    Path engine = Files.createDirectories(folder.resolve("downloads/bindings/mine"));
    Files.createSymbolicLink(engine.resolve("engine.yaml"), secret);

    List<Problem> problems =
        problems("phases: [load]\nengines: [{engine: mine, bindings: ./bindings}]\n");
    assertThat(problems).hasSize(1);
    assertThat(problems.toString()).doesNotContain("s3cret", "dawn").contains("does not quote it");
  }

  /** A user who swaps links has the file that was checked replaced by one that is read. */
  @Test
  void quotesNoFileThatAnotherUserCanReplace() throws IOException {
    Path open = Files.createDirectory(folder.resolve("downloads/open"));
    Path file = Files.writeString(open.resolve("w.yaml"), SECRET);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

    List<Problem> problems = problems("phases: [load, {workload: open/w.yaml}]\n");
    assertThat(problems.toString()).doesNotContain("s3cret").contains(file.toString());
    wording.check(problems.get(0).message());
  }

  @Test
  void quotesAFileBelowTheScenario() throws IOException {
    Path below = Files.createDirectory(folder.resolve("downloads/mine")).resolve("w.yaml");
    Files.writeString(below, "operations: {raed: 1}\n");

    List<Problem> problems = problems("phases: [load, {workload: mine/w.yaml}]\n");
    assertThat(problems).extracting(Problem::excerpt).anyMatch(it -> it.contains("raed"));
  }
}
