package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Maven builds after a scenario that did not wait for it. */
class BuildLaterTest {

  private static final String SCRIPT = "launcher/build-later";

  @TempDir private Path home;

  private List<String> run() throws Exception {
    Path calls = Files.writeString(home.resolve("calls"), "");
    for (String name :
        List.of("bindings/go/build", "bindings/rust/build", "launcher/archive-classes")) {
      Path script = home.resolve(name);
      Files.createDirectories(script.getParent());
      Files.writeString(script, "#!/bin/sh\necho \"%s $*\" >>'%s'\n".formatted(name, calls));
      assertThat(script.toFile().setExecutable(true)).isTrue();
    }
    Path project = Path.of(System.getProperty("kvrank.home"));
    Files.copy(project.resolve(SCRIPT), home.resolve(SCRIPT));
    Process process =
        new ProcessBuilder("sh", home.resolve(SCRIPT).toString(), "false").inheritIO().start();
    assertThat(process.waitFor()).isZero();
    return Files.readAllLines(calls);
  }

  private void missing(String reason) throws Exception {
    Path folder = Files.createDirectories(home.resolve("bindings/go/target/native/linux-amd64"));
    Files.writeString(folder.resolve("pebble.missing"), reason + "\n");
  }

  @Test
  void buildsWhatWasLeftForLater() throws Exception {
    missing("it is built after the first ranking");

    assertThat(run())
        .containsExactly(
            "bindings/go/build true false",
            "bindings/rust/build true false",
            "launcher/archive-classes ");
  }

  @Test
  void buildsNothingElse() throws Exception {
    missing("no Go compiler: 'go' is not on the PATH");

    assertThat(run()).isEmpty();
  }
}
