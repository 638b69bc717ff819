package kvrank.provision.host;

import static kvrank.provision.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import kvrank.OneAtATime;
import kvrank.Skip;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kvrank in a container and one outside share a temporary folder, and see each other's pids. */
@OneAtATime(OneAtATime.LEFTOVERS)
class OtherNamespaceIT {

  @TempDir private Path folder;

  private Process namespace;

  @BeforeEach
  void requireRoot() {
    PidNamespace.problem().ifPresent(why -> Skip.test("pid namespaces", why));
  }

  @AfterEach
  void endNamespace() {
    if (namespace != null) {
      namespace.descendants().forEach(ProcessHandle::destroyForcibly);
      namespace.destroyForcibly();
    }
  }

  private BufferedReader start(String... command) throws IOException {
    List<String> entered =
        Stream.concat(PidNamespace.entry(true).stream(), Stream.of(command)).toList();
    namespace = new ProcessBuilder(entered).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return namespace.inputReader();
  }

  @Test
  void itsProcessesAndFilesAreSparedWhileItHasAProcess() throws Exception {
    String script =
        """
        number=$(readlink /proc/self/ns/pid | tr -dc 0-9)
        mark=999999-1.$(head -c 8 /proc/sys/kernel/random/boot_id).$number
        mkdir -m 700 "$0/kvrank-worker-$mark-1"
        export KVRANK_OWNER=$mark:1
        exec sh -c 'echo "$KVRANK_OWNER"; read -r never'
        """;
    String mark = start("sh", "-c", script, folder.toString()).readLine();
    assertThat(Children.marked(mark)).hasSize(1);

    assertThat(Leftovers.remove(folder)).isEqualTo(new Leftovers(List.of(), List.of()));

    assertThat(Children.marked(mark)).hasSize(1);
    assertThat(folder).isNotEmptyDirectory();
    endNamespace();
    if (!Owner.self().mark().endsWith(".4026531836")) {
      Skip.test("the end of a pid namespace", "only the machine's first one sees it");
    }
    eventually("it ends", () -> Leftovers.remove(folder).removed().size() == 1);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void itSparesWhatBelongsToUs() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    new Leftovers.Journal(folder).add(Reaper.Kind.FOLDER, data.toString());
    BufferedReader out =
        start(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=" + folder,
            "-cp",
            System.getProperty("java.class.path"),
            "kvrank.cli.Main",
            "clean");

    assertThat(out.lines()).containsExactly("nothing to remove");

    assertThat(data).exists();
  }

  @Test
  void aServerThereEndsIfOurKvrankHasEnded() throws Exception {
    String dead = Owner.self().mark().replaceFirst("\\d+-\\d+", "999999-1") + ":1";
    String script = "export KVRANK_OWNER=%s; exec sh -c 'echo; read -r never'".formatted(dead);
    start("sh", "-c", script).readLine();

    assertThat(Leftovers.remove(folder).removed()).hasSize(1);

    eventually("it ends", () -> Children.marked(dead).isEmpty());
  }
}
