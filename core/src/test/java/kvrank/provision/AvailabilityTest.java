package kvrank.provision;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import kvrank.binding.Tls;
import kvrank.provision.host.Executables;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.ServerSpec;
import kvrank.provision.server.TestRedis;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.Access;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.Fsync;
import kvrank.scenario.ProvisionMethod;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AvailabilityTest {

  @TempDir Path folder;

  private final Map<String, String> environment = new TreeMap<>();
  private TestRedis redis;

  @BeforeEach
  void noDockerAndAnEmptyPath() {
    environment.put("DOCKER_HOST", "unix://" + folder.resolve("no-docker.sock"));
    environment.put("PATH", folder.resolve("bin").toString());
    redis = new TestRedis(folder.resolve("redis"));
  }

  private Path executable(String path) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  private List<MethodStatus> survey(EngineSpec spec) {
    try (LocalProvisioner provisioning = new LocalProvisioner(environment, line -> {})) {
      return provisioning.survey(spec);
    }
  }

  private Optional<String> absence(EngineSpec spec) {
    try (LocalProvisioner provisioning = new LocalProvisioner(environment, line -> {})) {
      return provisioning.absence(spec);
    }
  }

  private Optional<ServerSpec> choose(EngineSpec spec) throws ProvisionException {
    try (LocalProvisioner provisioning = new LocalProvisioner(environment, line -> {})) {
      return provisioning.choose(spec, Fsync.ON, folder.resolve("data"), folder.resolve("log"));
    }
  }

  @Test
  void saysWhatIsMissingForEachMethodAndHowToGetIt() throws Exception {
    List<MethodStatus> methods = survey(redis.spec());
    assertThat(methods)
        .extracting(MethodStatus::method)
        .containsExactly(
            ProvisionMethod.CONTAINER, ProvisionMethod.PROCESS, ProvisionMethod.BUNDLED);
    assertThat(methods).noneMatch(MethodStatus::available);
    assertThat(methods.get(0).detail())
        .startsWith("image 'redis:7.2': no Docker daemon answers at 'unix://");
    assertThat(methods.get(1).detail())
        .isEqualTo(
            "no executable 'redis-server' is on the PATH (KVRANK_REDIS_EXECUTABLE can name one)");
    assertThat(methods.get(2).detail()).endsWith("redis-server' is missing; the build unpacks it");
    assertThat(choose(redis.spec())).isEmpty();
    assertThat(absence(redis.spec()))
        .get()
        .asString()
        .contains("container: image 'redis:7.2'", "; process: no executable 'redis-server'");
  }

  @Test
  void whatIsInstalledIsNotAbsent() throws IOException {
    executable("redis/redis-server");

    assertThat(absence(redis.spec())).isEmpty();
  }

  @Test
  void prefersAnInstalledExecutableToABundledOne() throws Exception {
    executable("redis/redis-server");
    assertThat(choose(redis.spec()))
        .get()
        .satisfies(
            process -> {
              assertThat(process.method()).isEqualTo(ProvisionMethod.BUNDLED);
              assertThat(Path.of(process.subject()))
                  .isEqualTo(folder.resolve("redis/redis-server"));
            });
    Path installed = executable("bin/redis-server");
    assertThat(choose(redis.spec()))
        .get()
        .satisfies(
            process -> {
              assertThat(process.method()).isEqualTo(ProvisionMethod.PROCESS);
              assertThat(Path.of(process.subject())).isEqualTo(installed);
              assertThat(process.settings())
                  .containsEntry("appendfsync", "always")
                  .containsEntry("save", "");
              assertThat(process.expected()).containsEntry("appendfsync", "always");
            });
  }

  @Test
  void anExecutableThatIsReplacedOrRemovedMeanwhileIsAnotherEngine() throws Exception {
    environment.put("PATH", folder.resolve("bin") + ":" + folder.resolve("opt"));
    Path first = executable("bin/redis-server");
    try (LocalProvisioner provisioning = new LocalProvisioner(environment, line -> {})) {
      EngineSpec spec = redis.spec();
      provisioning.prepare(spec);
      assertThat(provisioning.choose(spec, Fsync.ON, folder, folder)).isPresent();

      Files.writeString(first, "#!/bin/sh\n# another\n");
      assertThatExceptionOfType(ProvisionException.class)
          .isThrownBy(() -> provisioning.choose(spec, Fsync.OFF, folder, folder))
          .withMessageMatching(
              "redis was '%1$s' \\(SHA-256 (\\w{12})…\\) when this execution began, and is '%1$s' \\(SHA-256 (?!\\1)\\w{12}…\\) now; .*"
                  .formatted(first));
      executable("opt/redis-server");
      Files.delete(first);
      assertThatExceptionOfType(ProvisionException.class)
          .isThrownBy(() -> provisioning.choose(spec, Fsync.ON, folder, folder))
          .withMessageContaining("redis was '%s'", first)
          .withMessageContaining("and is '%s' (", folder.resolve("opt/redis-server"));
      Files.delete(folder.resolve("opt/redis-server"));
      assertThatExceptionOfType(ProvisionException.class)
          .isThrownBy(() -> provisioning.choose(spec, Fsync.ON, folder, folder))
          .withMessageContaining("and is gone now");
      executable("bin/redis-server");
      assertThat(provisioning.choose(spec, Fsync.ON, folder, folder))
          .as("it was put back")
          .isPresent();
    }
  }

  @Test
  void expectsWhatAnOptionAsksForInsteadOfTheLevel() throws Exception {
    executable("bin/redis-server");
    assertThat(choose(redis.option("appendfsync", "everysec").spec()))
        .get()
        .satisfies(
            process -> {
              assertThat(process.settings()).containsEntry("appendfsync", "everysec");
              assertThat(process.expected()).containsEntry("appendfsync", "everysec");
            });
  }

  @Test
  void anOverrideIsTheOnlyMethodEvenIfItIsWrong() throws IOException {
    executable("bin/redis-server");
    Path other = executable("opt/redis");
    environment.put("KVRANK_REDIS_EXECUTABLE", other.toString());
    assertThat(survey(redis.spec()))
        .containsExactly(new MethodStatus(ProvisionMethod.PROCESS, true, other.toString()));
    environment.put("KVRANK_REDIS_EXECUTABLE", "/no/such/redis");
    assertThat(survey(redis.spec()))
        .singleElement()
        .satisfies(
            method -> {
              assertThat(method.available()).isFalse();
              assertThat(method.detail()).startsWith("no executable '/no/such/redis' is there");
            });
    environment.put("KVRANK_REDIS_IMAGE", "mine/redis:1");
    assertThat(survey(redis.spec()))
        .extracting(MethodStatus::method)
        .containsExactly(ProvisionMethod.CONTAINER, ProvisionMethod.PROCESS);
  }

  @Test
  void aScenariosChoiceIsTheOnlyMethod() throws IOException {
    executable("bin/redis-server");
    Path other = executable("opt/redis");
    assertThat(survey(redis.by(ProvisionMethod.PROCESS, other.toString()).spec()))
        .containsExactly(new MethodStatus(ProvisionMethod.PROCESS, true, other.toString()));
    assertThat(survey(redis.by(ProvisionMethod.CONTAINER, "redis:6").spec()))
        .singleElement()
        .satisfies(method -> assertThat(method.detail()).startsWith("image 'redis:6': no Docker"));
    assertThat(survey(redis.by(ProvisionMethod.BUNDLED, "plan9-mips").spec()))
        .singleElement()
        .satisfies(
            method -> assertThat(method.detail()).startsWith("none for plan9-mips, only for ["));
    assertThat(survey(redis.by(ProvisionMethod.EMBEDDED, "").spec()))
        .containsExactly(
            new MethodStatus(
                ProvisionMethod.EMBEDDED, false, "redis needs a server; it cannot be embedded"));
  }

  @Test
  void anExternalServerMustAnswerThePing() throws IOException {
    int port;
    try (ServerSocket silent = new ServerSocket(0)) {
      port = silent.getLocalPort();
      assertThat(survey(redis.by(ProvisionMethod.EXTERNAL, "127.0.0.1:" + port).spec()))
          .containsExactly(
              new MethodStatus(
                  ProvisionMethod.EXTERNAL,
                  false,
                  "'127.0.0.1:" + port + "' does not answer the engine's ping"));
    }
    assertThat(survey(redis.by(ProvisionMethod.EXTERNAL, "127.0.0.1:" + port).spec()))
        .singleElement()
        .satisfies(method -> assertThat(method.detail()).contains("cannot be reached"));
  }

  @Test
  void whatAnExternalServerAnswersInsteadIsSaid() throws Exception {
    try (ServerSocket locked = new ServerSocket(0)) {
      String place = "127.0.0.1:" + locked.getLocalPort();
      CompletableFuture<List<MethodStatus>> survey =
          CompletableFuture.supplyAsync(
              () -> survey(redis.by(ProvisionMethod.EXTERNAL, place).spec()));
      try (Socket client = locked.accept()) {
        client.getOutputStream().write("-NOAUTH Authentication required.\r\n".getBytes(US_ASCII));
        assertThat(survey.get(60, TimeUnit.SECONDS))
            .singleElement()
            .satisfies(
                method ->
                    assertThat(method.detail())
                        .contains("'-NOAUTH Authentication required.'")
                        .endsWith("{address: \"" + place + "\", password: {env: NAME}}'"));
      }
    }
  }

  @Test
  void whatKeepsTlsFromAServerIsSaidInItsOwnWords() throws Exception {
    char[] password = "kvrank".toCharArray();
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(
        KeyStore.getInstance(
            Path.of("src", "test", "resources", "tls", "localhost.p12").toFile(), password),
        password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    Path authority = Path.of("src", "test", "resources", "tls", "localhost.pem");

    try (ServerSocket secure = context.getServerSocketFactory().createServerSocket(0)) {
      String port = ":" + answering(secure);
      assertThat(detail("127.0.0.1" + port, Optional.empty()))
          .isEqualTo(
              "'127.0.0.1%s' speaks TLS; say so: 'external: {address: \"127.0.0.1%s\", tls: true}'",
              port, port);
      assertThat(detail("localhost" + port, Optional.of(new Tls(Optional.empty()))))
          .endsWith(
              "cannot be reached: TLS: no authority that this JVM trusts vouches for its certificate; 'ca: FILE' names one");
      assertThat(detail("127.0.0.1" + port, Optional.of(new Tls(Optional.of(authority)))))
          .contains("TLS: its certificate is not that of '127.0.0.1': ");
      assertThat(detail("localhost" + port, Optional.of(new Tls(Optional.of(authority)))))
          .as("it is understood, though it is no Redis")
          .isEqualTo(
              "'localhost%s' cannot be used: it answers 'INFO server' with '+PONG', as no server of this engine does",
              port);
    }
    try (ServerSocket open = new ServerSocket(0)) {
      assertThat(detail("localhost:" + answering(open), Optional.of(new Tls(Optional.empty()))))
          .endsWith("cannot be reached: TLS: it does not speak TLS at this port");
    }
    assertThat(detail("nowhere.invalid:6379", Optional.empty()))
        .isEqualTo("'nowhere.invalid:6379' cannot be reached: no host of that name is known");
  }

  private String detail(String place, Optional<Tls> tls) {
    Access access = new Access(false, Optional.empty(), Optional.empty(), tls);
    EngineSpec spec =
        new EngineSpec(
            "redis",
            redis.definition(),
            new TreeMap<>(),
            Optional.of(new ServerChoice(ProvisionMethod.EXTERNAL, place, access)));
    return survey(spec).get(0).detail();
  }

  /** Has {@code server} answer each client's first bytes with a pong; returns its port. */
  private static int answering(ServerSocket server) {
    Thread thread =
        new Thread(
            () -> {
              while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                  if (client.getInputStream().read() >= 0) {
                    client.getOutputStream().write("+PONG\r\n".getBytes(US_ASCII));
                  }
                } catch (IOException e) {
                  // The next, or the end.
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
    return server.getLocalPort();
  }

  @Test
  void anEmbeddedEngineNeedsNoServer() throws Exception {
    EngineSpec spec = new EngineSpec("lib", redis.embedded(), new TreeMap<>(), Optional.empty());
    assertThat(choose(spec).orElseThrow().method()).isEqualTo(ProvisionMethod.EMBEDDED);
    EngineSpec asServer =
        new EngineSpec(
            "lib",
            redis.embedded(),
            new TreeMap<>(),
            Optional.of(new ServerChoice(ProvisionMethod.CONTAINER, "lib:1")));
    assertThat(survey(asServer))
        .containsExactly(
            new MethodStatus(
                ProvisionMethod.CONTAINER, false, "lib is embedded; it has no server"));
  }

  @Test
  void aNativeLibraryIsWhereTheBuildPutsIt() throws Exception {
    EngineSpec spec = library();
    assertThat(reason(spec))
        .isEqualTo(
            "its library 'lib' is not built; run 'mvn -DskipTests package' in kvrank's folder first"
                + " (KVRANK_LIB_LIBRARY can name a library)");

    executable("redis/target/native/plan9-mips/lib.so");
    assertThat(reason(spec))
        .startsWith(
            "its library is built for plan9-mips, and this is %s; run 'mvn"
                .formatted(Executables.platform()));

    Path built = Path.of("redis/target/native", Executables.platform());
    Files.createDirectories(folder.resolve(built));
    Files.writeString(folder.resolve(built).resolve("lib.missing"), "no compiler: install one\n");
    assertThat(reason(spec)).startsWith("no compiler: install one (KVRANK_LIB_LIBRARY");
    assertThat(MethodStatus.missing(survey(spec), redis.spec())).contains(". To get it: apt-get");
    Files.writeString(
        folder.resolve(built).resolve("lib.missing"), "its build failed, as lib.log says: oh\n");
    assertThat(MethodStatus.missing(survey(spec), redis.spec())).doesNotContain("To get it");

    Path file = nativeLibrary(built.resolve("lib.so"));
    assertThat(survey(spec))
        .containsExactly(
            new MethodStatus(ProvisionMethod.EMBEDDED, true, "in the worker's own JVM, " + file));
    assertThat(choose(spec))
        .get()
        .satisfies(embedded -> assertThat(Path.of(embedded.subject())).isEqualTo(file));
  }

  @Test
  void aLibraryThatIsNamedIsTheOnlyOneEvenIfItIsWrong() throws IOException {
    nativeLibrary(Path.of("redis/target/native", Executables.platform(), "lib.so"));
    environment.put("KVRANK_LIB_LIBRARY", "/no/such/lib.so");
    assertThat(MethodStatus.missing(survey(library()), redis.spec()))
        .endsWith("no library '/no/such/lib.so' is there (KVRANK_LIB_LIBRARY names it)");
    Path other = nativeLibrary(Path.of("opt/lib.so"));
    environment.put("KVRANK_LIB_LIBRARY", other.toString());
    assertThat(survey(library())).singleElement().matches(MethodStatus::available);
  }

  /** It would be measured under that name. */
  @Test
  void aLibraryOfAnotherEngineIsNotAvailable() throws IOException {
    Path file = nativeLibrary(Path.of("opt/lib.so"));
    byte[] whole = Files.readAllBytes(file);
    environment.put("KVRANK_LIB_LIBRARY", file.toString());
    for (String made :
        List.of("path\tkvrank/%s\nmod\tkvrank", "%s_engine.7b1db68f1af3893a-cgu.00")) {
      Files.write(file, whole);
      Files.writeString(file, "\0" + made.formatted("other"), StandardOpenOption.APPEND);
      assertThat(reason(library())).startsWith("library '%s' is that of other".formatted(file));
      Files.write(file, whole);
      Files.writeString(file, "\0" + made.formatted("lib"), StandardOpenOption.APPEND);
      assertThat(survey(library())).singleElement().matches(MethodStatus::available);
    }
  }

  @Test
  void aLibraryThatCannotBeLoadedIsNotAvailable() throws IOException {
    Path file = nativeLibrary(Path.of("opt/lib.so"));
    environment.put("KVRANK_LIB_LIBRARY", file.toString());
    byte[] whole = Files.readAllBytes(file);

    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    assertThat(reason(library()))
        .startsWith("library '%s' is cut off: it has %d of ".formatted(file, whole.length / 2));

    whole[18] ^= 1;
    Files.write(file, whole);
    assertThat(reason(library()))
        .startsWith("library '%s' is for another processor".formatted(file));

    Files.writeString(file, "hello");
    assertThat(reason(library())).startsWith("'%s' is no library of Linux".formatted(file));
  }

  /** Makes a file in the format of a library: a copy of the program that runs this test. */
  private Path nativeLibrary(Path name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.copy(Path.of("/proc/self/exe").toRealPath(), file);
  }

  private EngineSpec library() {
    return new EngineSpec("lib", redis.library(), new TreeMap<>(), Optional.empty());
  }

  private String reason(EngineSpec spec) {
    MethodStatus method = survey(spec).get(0);
    assertThat(method.available()).isFalse();
    return method.detail();
  }

  @Test
  void tellsNothingOfAPullThatIsNotTried() {
    List<String> progress = new ArrayList<>();
    try (LocalProvisioner provisioning = new LocalProvisioner(environment, progress::add)) {
      assertThat(provisioning.survey(redis.spec())).isNotEmpty();
    }
    assertThat(progress).isEmpty();
  }
}
