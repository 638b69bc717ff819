package kvrank.rust;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.stream.Stream;
import kvrank.testkit.BuildScript;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script that builds engines writes about one that cannot be built. */
class BuildTest {

  /** A Cargo that builds. */
  private static final String CARGO =
      "while [ $1 != --target-dir ]; do shift; done; mkdir -p $2/release;"
          + " for engine in some noop; do"
          + " for suffix in so dylib; do echo > $2/release/lib${engine}_engine.$suffix; done;"
          + " done";

  @TempDir private Path folder;

  private BuildScript script;

  @BeforeEach
  void copy() throws Exception {
    script = BuildScript.copy(folder, "rust", "Cargo.toml");
    Files.writeString(folder.resolve("rust/embedded.rs"), "");
  }

  @Test
  void whatTheCompilerMissesIsSaid() throws Exception {
    script.tool(
        "cargo",
        "echo 'a.c:16:10: fatal error: lz4.h: No such file or directory' >&2;"
            + " echo 'error: failed to run custom build command for `some v1.0.0`' >&2; exit 101");

    assertThat(script.broken().get(0))
        .matches(
            "its build failed, as /.*/some.log says: fatal error: lz4.h: No such file or"
                + " directory");
  }

  @Test
  void whereRustIsWrongIsSaid() throws Exception {
    script.tool(
        "cargo", "printf 'error[E0308]: mismatched types\\n  --> src/lib.rs:9:5\\n' >&2; exit 101");

    assertThat(script.broken().get(0))
        .endsWith("/some.log says: src/lib.rs:9:5: error[E0308]: mismatched types");
  }

  @Test
  void whatCargoMissesIsSaid() throws Exception {
    script.tool("cargo", "echo 'error: failed to download `some v1.0.0`' >&2; exit 101");

    assertThat(script.missing())
        .containsExactly(
            "one of its crates is not available: error: failed to download `some v1.0.0`");
  }

  @Test
  void whatTheEngineAsksForIsReadInItsSources() throws Exception {
    Files.createDirectories(folder.resolve("some/src"));
    Files.writeString(
        folder.resolve("some/src/lib.rs"),
        """
        let words = [("none", Word::None), ("all", Word::All)];
        let commit = properties.choice("commit", &words)?;
        let log = properties.choice("log", &[("true", Log::On), ("false", Log::Off)])?;
        properties.facts("1.0", ["sync"])
            .files(properties.number("files")? as usize, properties.flag("sync")?);
        """);
    assertThat(script.properties())
        .containsExactly(
            "commit choice none all", "files number", "log choice true false", "sync flag");
  }

  /** It would be measured as what the sources say. */
  @Test
  void aLibraryOfOtherSourcesIsNoneWhereNothingBuildsIt() throws Exception {
    script.tool("cargo", "exit 101");
    script.broken();
    Path library = library();
    Files.writeString(library, "of the sources before");
    Files.setLastModifiedTime(library, FileTime.fromMillis(0));
    switchOff();

    assertThat(script.missing().get(0)).startsWith("its build was switched off");
    assertThat(library).doesNotExist();
  }

  private void switchOff() throws Exception {
    Path build = folder.resolve("rust/build");
    Files.writeString(build, Files.readString(build).replace("native=${1:-true}", "native=false"));
  }

  /** As after a copy, or where a cache brought it. */
  @Test
  void aLibraryOfTheseSourcesStaysWhateverItsDate() throws Exception {
    script.tool("cargo", "exit 101");
    script.broken();
    Path library = library();
    script.tool("cargo", CARGO);
    script.run();
    assertThat(library).exists();
    Files.setLastModifiedTime(library, FileTime.fromMillis(0));
    switchOff();

    script.run();
    assertThat(library).exists();
    Files.writeString(folder.resolve("some/lib.rs"), "other");
    assertThat(script.missing().get(0)).startsWith("its build was switched off");
    assertThat(library).doesNotExist();
  }

  @Test
  void aFirstRankingDoesNotWaitForTheFirstBuild() throws Exception {
    script.tool("cargo", CARGO);
    assertThat(script.missing("after")).containsExactly("it is built after the first ranking");
    script.run("true");
    Path reason = folder.resolve("rust/target/native");
    try (Stream<Path> files = Files.walk(reason)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains("some.so")
          .doesNotContain("some.missing");
    }

    script.tool("cargo", "echo 'error: it was asked' >&2; exit 101");
    script.run("after");
    try (Stream<Path> files = Files.walk(reason)) {
      assertThat(files.map(file -> file.getFileName().toString())).contains("some.broken");
    }
  }

  @Test
  void aMissingCompilerIsTheReasonAlsoThen() throws Exception {
    Files.writeString(
        folder.resolve("rust/build"),
        Files.readString(folder.resolve("rust/build")).replace("cargo cc;", "no-cargo cc;"));

    assertThat(script.missing("after").get(0)).startsWith("no 'no-cargo' on the PATH");
  }

  private Path library() throws Exception {
    try (Stream<Path> files = Files.walk(folder.resolve("rust/target/native"))) {
      Path broken = files.filter(each -> each.endsWith("some.broken")).findFirst().orElseThrow();
      return broken.resolveSibling("some.so");
    }
  }
}
