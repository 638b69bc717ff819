package kvrank.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.provision.MethodStatus.State;
import kvrank.provision.host.Executables;
import kvrank.provision.server.ServerSpec;
import kvrank.provision.server.TestRedis;
import kvrank.scenario.EngineSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeLibraryTest {

  @TempDir Path folder;

  private final Map<String, String> environment = new TreeMap<>();
  private TestRedis redis;

  @BeforeEach
  void noDocker() {
    environment.put("DOCKER_HOST", "unix://" + folder.resolve("no-docker.sock"));
    redis = new TestRedis(folder.resolve("redis"));
  }

  private List<MethodStatus> survey(EngineSpec spec) {
    try (LocalProvisioner provisioner = new LocalProvisioner(environment, line -> {})) {
      return provisioner.survey(spec);
    }
  }

  @Test
  void aNativeLibraryIsWhereTheBuildPutsIt() throws Exception {
    EngineSpec spec = redis.library();
    assertThat(reason(spec))
        .isEqualTo(
            "its library 'lib' is not built; run 'mvn -DskipTests package' in kvrank's folder first"
                + " (KVRANK_LIB_LIBRARY can name a library)");

    Path other = folder.resolve("redis/target/native/plan9-mips");
    Files.createFile(Files.createDirectories(other).resolve("lib.so"));
    assertThat(reason(spec))
        .startsWith(
            "its library is built for plan9-mips, and this is %s; run 'mvn"
                .formatted(Executables.platform()));

    Path built = Path.of("redis/target/native", Executables.platform());
    Files.createDirectories(folder.resolve(built));
    Files.writeString(folder.resolve(built).resolve("lib.missing"), "no compiler: install one\n");
    assertThat(reason(spec)).startsWith("no compiler: install one (KVRANK_LIB_LIBRARY");
    assertThat(MethodStatus.missing(survey(spec), redis.spec())).contains(". To get it: apt-get");
    String why = "its build failed, as lib.log says: oh\n";
    Files.writeString(folder.resolve(built).resolve("lib.missing"), why);
    assertThat(MethodStatus.missing(survey(spec), redis.spec()))
        .as("the words do not matter")
        .contains(". To get it: apt-get");
    Files.writeString(folder.resolve(built).resolve("lib.broken"), why);
    assertThat(survey(spec)).extracting(MethodStatus::state).containsExactly(State.BROKEN);
    assertThat(MethodStatus.missing(survey(spec), redis.spec())).doesNotContain("To get it");

    Path file = nativeLibrary(built.resolve("lib.so"));
    assertThat(survey(spec))
        .containsExactly(
            new MethodStatus(ProvisionMethod.EMBEDDED, State.AVAILABLE, "in the worker's own JVM"));
    try (LocalProvisioner provisioner = new LocalProvisioner(environment, line -> {})) {
      assertThat(provisioner.choose(spec, Fsync.ON, folder, folder))
          .get()
          .extracting(ServerSpec::subject)
          .isEqualTo(file.toString());
    }
  }

  @Test
  void aNamedLibraryIsTheOnlyOneEvenIfItIsWrong() throws IOException {
    nativeLibrary(Path.of("redis/target/native", Executables.platform(), "lib.so"));
    environment.put("KVRANK_LIB_LIBRARY", "/no/such/lib.so");
    assertThat(MethodStatus.missing(survey(redis.library()), redis.spec()))
        .endsWith("library '/no/such/lib.so' does not exist (KVRANK_LIB_LIBRARY names it)");
    Path other = nativeLibrary(Path.of("opt/lib.so"));
    environment.put("KVRANK_LIB_LIBRARY", other.toString());
    assertThat(survey(redis.library())).singleElement().matches(MethodStatus::available);
  }

  /** It would be measured under that name. */
  @ParameterizedTest
  @ValueSource(strings = {"path\tkvrank/%s\nmod\tkvrank", "%s_engine.7b1db68f1af3893a-cgu.00"})
  void aLibraryOfAnotherEngineIsNotAvailable(String made) throws IOException {
    Path file = nativeLibrary(Path.of("opt/lib.so"));
    byte[] whole = Files.readAllBytes(file);
    environment.put("KVRANK_LIB_LIBRARY", file.toString());
    Files.writeString(file, "\0" + made.formatted("other"), StandardOpenOption.APPEND);
    assertThat(reason(redis.library())).startsWith("library '%s' belongs to other".formatted(file));
    Files.write(file, whole);
    Files.writeString(file, "\0" + made.formatted("lib"), StandardOpenOption.APPEND);
    assertThat(survey(redis.library())).singleElement().matches(MethodStatus::available);
  }

  @Test
  void aLibraryThatCannotBeLoadedIsNotAvailable() throws IOException {
    Path file = nativeLibrary(Path.of("opt/lib.so"));
    environment.put("KVRANK_LIB_LIBRARY", file.toString());
    byte[] whole = Files.readAllBytes(file);

    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    assertThat(reason(redis.library()))
        .startsWith("library '%s' is cut off: it has %d of ".formatted(file, whole.length / 2));

    whole[18] ^= 1;
    Files.write(file, whole);
    assertThat(reason(redis.library()))
        .startsWith("library '%s' is for another processor".formatted(file));

    Files.writeString(file, "hello");
    assertThat(reason(redis.library())).startsWith("'%s' is not a Linux library".formatted(file));
  }

  /** Makes a file in the format of a library: a copy of the program that runs this test. */
  private Path nativeLibrary(Path name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.copy(Path.of("/proc/self/exe").toRealPath(), file);
  }

  private String reason(EngineSpec spec) {
    MethodStatus method = survey(spec).get(0);
    assertThat(method.available()).isFalse();
    return method.detail();
  }
}
