package kvrank.go;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import kvrank.testkit.BuildScript;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script that builds engines writes about one that cannot be built. */
class BuildTest {

  @TempDir private Path folder;

  @Test
  void aReasonThatGoesOnInTheNextLineIsSaidWhole() throws Exception {
    assertThat(reason("go: errors parsing go.mod:\\ngo.mod:1: unknown directive: mo\\n"))
        .matches(
            "its build failed, as /.*/some.log says: go: errors parsing go.mod: go.mod:1: unknown"
                + " directive: mo");
  }

  @Test
  void whatToTypeIsNotPartOfTheReason() throws Exception {
    assertThat(reason("# some\\nmain.go:3:8: no required module; to add:\\n\\tgo get x\\n"))
        .endsWith("/some.log says: main.go:3:8: no required module");
  }

  @Test
  void whatTheEngineAsksForIsReadInItsSources() throws Exception {
    BuildScript script = BuildScript.copy(folder, "go", "go.mod");
    Files.createDirectories(folder.resolve("go/embedded/memory"));
    Files.writeString(folder.resolve("go/embedded/memory/memory.go"), "properties.Text(\"log\")");
    Files.writeString(folder.resolve("some/main_test.go"), "properties.Text(\"tried\")");
    Files.writeString(
        folder.resolve("some/main.go"),
        """
        import "kvrank/embedded/memory"
        var words = map[string]some.Word{"none": some.None, "all": some.All}
        // properties.Text("old")
        a, b := properties.Flag("sync"), properties.Number(
            "files")
        c := embedded.Choose(properties, "commit", words)
        d := properties.Choice("list", "one", "two")
        """);
    assertThat(script.properties())
        .containsExactly(
            "commit choice none all",
            "files number",
            "list choice one two",
            "log text",
            "sync flag");
  }

  @Test
  void aFirstRankingDoesNotWaitForTheFirstBuild() throws Exception {
    BuildScript script = BuildScript.copy(folder, "go", "go.mod");
    Files.createDirectories(folder.resolve("go/embedded"));
    script.tool("go", "case $1 in env) echo cc ;; *) echo 'main.go:1: asked' >&2; exit 1 ;; esac");

    assertThat(script.missing("after")).containsExactly("it is built after the first ranking");
    assertThat(script.broken().get(0)).endsWith("main.go:1: asked");
  }

  private String reason(String said) throws Exception {
    BuildScript script = BuildScript.copy(folder, "go", "go.mod");
    Files.createDirectories(folder.resolve("go/embedded"));
    script.tool(
        "go", "case $1 in env) echo cc ;; *) printf '%s' >&2; exit 1 ;; esac".formatted(said));
    return String.join("\n", script.broken());
  }
}
