package kvrank.rust;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script that builds the engines says of one that cannot be built. */
class BuildTest {

  @Test
  void whatTheCompilerMissesIsSaid(@TempDir Path folder) throws Exception {
    assertThat(
            missing(
                folder,
                "a.c:16:10: fatal error: lz4.h: No such file or directory",
                "error: failed to run custom build command for `some v1.0.0`"))
        .containsExactly("its build failed: fatal error: lz4.h: No such file or directory");
  }

  @Test
  void whatCargoMissesIsSaid(@TempDir Path folder) throws Exception {
    assertThat(missing(folder, "error: failed to download `some v1.0.0`"))
        .containsExactly("a crate of it cannot be had: error: failed to download `some v1.0.0`");
  }

  /** Builds an engine with a Cargo that says {@code lines} and fails; the lines about it. */
  private static Stream<String> missing(Path folder, String... lines) throws Exception {
    Path script = Files.createDirectories(folder.resolve("rust")).resolve("build");
    Files.copy(Path.of("build"), script);
    for (String crate : new String[] {"some", "rust/noop"}) {
      Files.createDirectories(folder.resolve(crate));
      Files.writeString(folder.resolve(crate).resolve("Cargo.toml"), "");
    }
    Files.writeString(folder.resolve("log"), String.join("\n", lines) + "\n");
    Path tools = Files.createDirectories(folder.resolve("tools"));
    executable(tools.resolve("cargo"), "cat " + folder.resolve("log") + " >&2; exit 101");
    executable(tools.resolve("cc"), "exit 0");
    ProcessBuilder build = new ProcessBuilder("sh", script.toString());
    build.environment().merge("PATH", tools.toString(), (path, first) -> first + ":" + path);
    assertThat(build.inheritIO().start().waitFor()).isZero();
    try (Stream<Path> files = Files.walk(folder.resolve("rust/target/native"))) {
      Path file = files.filter(each -> each.endsWith("some.missing")).findFirst().orElseThrow();
      return Files.readAllLines(file).stream();
    }
  }

  private static void executable(Path file, String command) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + command + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
