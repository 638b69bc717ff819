package kvrank.provision.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutablesTest {

  @TempDir Path folder;

  private Executables executables;

  @BeforeEach
  void makeFolders() throws IOException {
    Files.createDirectories(folder.resolve("a"));
    Files.createDirectories(folder.resolve("b/kv-server"));
    Files.createDirectories(folder.resolve("c"));
    Files.writeString(folder.resolve("a/kv-server"), "not executable");
    Files.writeString(folder.resolve("c/kv-server"), "");
    assertThat(folder.resolve("c/kv-server").toFile().setExecutable(true)).isTrue();
    executables =
        new Executables(
            Map.of("PATH", String.join(":", folder + "/a", folder + "/b", folder + "/c")));
  }

  @Test
  void findsTheFirstExecutableFileOnThePath() {
    assertThat(executables.find("kv-server")).contains(folder.resolve("c/kv-server"));
    assertThat(executables.find("kv-client")).isEmpty();
    assertThat(new Executables(Map.of()).find("kv-server")).isEmpty();
  }

  @Test
  void takesAPathAsItIs() {
    Path file = folder.resolve("c/kv-server");
    assertThat(executables.find(file.toString())).contains(file);
    assertThat(executables.find(folder.resolve("a/kv-server").toString())).isEmpty();
  }

  @Test
  void namesPlatformsAsEngineFilesDo() {
    assertThat(Executables.platform("Linux", "amd64")).isEqualTo("linux-amd64");
    assertThat(Executables.platform("Linux", "i386")).isEqualTo("linux-386");
    assertThat(Executables.platform("Mac OS X", "aarch64")).isEqualTo("darwin-arm64");
    assertThat(Executables.platform("Windows 11", "x86_64")).isEqualTo("windows-amd64");
  }
}
