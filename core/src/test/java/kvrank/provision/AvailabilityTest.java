package kvrank.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.Wording;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.provision.MethodStatus.State;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.ServerSpec;
import kvrank.provision.server.TestRedis;
import kvrank.scenario.EngineSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class AvailabilityTest {

  @RegisterExtension final Wording wording = new Wording();

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
    try (LocalProvisioner provisioner = new LocalProvisioner(environment, line -> {})) {
      return provisioner.survey(spec);
    }
  }

  private Optional<String> absence(EngineSpec spec) {
    try (LocalProvisioner provisioner = new LocalProvisioner(environment, line -> {})) {
      return provisioner.absence(spec);
    }
  }

  private Optional<ServerSpec> choose(EngineSpec spec) throws ProvisionException {
    try (LocalProvisioner provisioner = new LocalProvisioner(environment, line -> {})) {
      return provisioner.choose(spec, Fsync.ON, folder.resolve("data"), folder.resolve("log"));
    }
  }

  @Test
  void reportsMissingPartsOfEachMethodAndTheirInstallation() throws Exception {
    List<MethodStatus> methods = survey(redis.spec());
    assertThat(methods)
        .extracting(MethodStatus::method)
        .containsExactly(
            ProvisionMethod.CONTAINER, ProvisionMethod.PROCESS, ProvisionMethod.BUNDLED);
    assertThat(methods).noneMatch(MethodStatus::available);
    assertThat(methods.get(0).detail())
        .startsWith("image 'redis:7.2': no Docker daemon answers at 'unix://");
    wording.check(methods.get(1).detail());
    assertThat(methods.get(2).detail()).endsWith("redis-server' is missing; the build unpacks it");
    assertThat(choose(redis.spec())).isEmpty();
    assertThat(absence(redis.spec()))
        .get()
        .asString()
        .contains("container: image 'redis:7.2'", "; process: no executable 'redis-server'");
  }

  @Test
  void anInstalledEngineIsNotAbsent() throws IOException {
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
  void aReplacedOrRemovedExecutableIsAnotherEngine() throws Exception {
    environment.put("PATH", folder.resolve("bin") + ":" + folder.resolve("opt"));
    Path first = executable("bin/redis-server");
    try (LocalProvisioner provisioner = new LocalProvisioner(environment, line -> {})) {
      EngineSpec spec = redis.spec();
      provisioner.prepare(spec);
      assertThat(provisioner.choose(spec, Fsync.ON, folder, folder)).isPresent();

      Files.writeString(first, "#!/bin/sh\n# another\n");
      assertThatExceptionOfType(ProvisionException.class)
          .isThrownBy(() -> provisioner.choose(spec, Fsync.OFF, folder, folder))
          .withMessageMatching(
              "redis was '%1$s' \\(SHA-256 (\\w{12})…\\) when this execution began, and is '%1$s' \\(SHA-256 (?!\\1)\\w{12}…\\) now; .*"
                  .formatted(first));
      executable("opt/redis-server");
      Files.delete(first);
      assertThatExceptionOfType(ProvisionException.class)
          .isThrownBy(() -> provisioner.choose(spec, Fsync.ON, folder, folder))
          .withMessageContaining("redis was '%s'", first)
          .withMessageContaining("and is '%s' (", folder.resolve("opt/redis-server"));
      Files.delete(folder.resolve("opt/redis-server"));
      assertThatExceptionOfType(ProvisionException.class)
          .isThrownBy(() -> provisioner.choose(spec, Fsync.ON, folder, folder))
          .withMessageContaining("and is gone now");
      executable("bin/redis-server");
      assertThat(provisioner.choose(spec, Fsync.ON, folder, folder))
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
        .containsExactly(
            new MethodStatus(ProvisionMethod.PROCESS, State.AVAILABLE, other.toString()));
    environment.put("KVRANK_REDIS_EXECUTABLE", "/no/such/redis");
    assertThat(survey(redis.spec()))
        .singleElement()
        .satisfies(
            method -> {
              assertThat(method.available()).isFalse();
              assertThat(method.detail()).startsWith("no executable '/no/such/redis' exists");
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
        .containsExactly(
            new MethodStatus(ProvisionMethod.PROCESS, State.AVAILABLE, other.toString()));
    assertThat(survey(redis.by(ProvisionMethod.CONTAINER, "redis:6").spec()))
        .singleElement()
        .satisfies(method -> assertThat(method.detail()).startsWith("image 'redis:6': no Docker"));
    assertThat(survey(redis.by(ProvisionMethod.BUNDLED, "plan9-mips").spec()))
        .singleElement()
        .satisfies(
            method ->
                assertThat(method.detail()).startsWith("no server for plan9-mips, only for ["));
    assertThat(survey(redis.by(ProvisionMethod.EMBEDDED, "").spec()))
        .containsExactly(
            new MethodStatus(
                ProvisionMethod.EMBEDDED,
                State.MISSING,
                "redis needs a server; it cannot be embedded"));
  }

  @Test
  void anExternalServerMustAnswerThePing() throws IOException {
    try (ServerSocket silent = new ServerSocket(0)) {
      int port = silent.getLocalPort();
      assertThat(survey(redis.by(ProvisionMethod.EXTERNAL, "127.0.0.1:" + port).spec()))
          .containsExactly(
              new MethodStatus(
                  ProvisionMethod.EXTERNAL,
                  State.MISSING,
                  "'127.0.0.1:" + port + "' does not answer the engine's ping"));
    }
    try (Socket closed = new Socket()) {
      closed.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String place = "127.0.0.1:" + closed.getLocalPort();
      assertThat(survey(redis.by(ProvisionMethod.EXTERNAL, place).spec()))
          .singleElement()
          .satisfies(method -> assertThat(method.detail()).contains("cannot be reached"));
    }
  }

  @Test
  void anEmbeddedEngineNeedsNoServer() throws Exception {
    EngineSpec spec = redis.embedded();
    assertThat(choose(spec).orElseThrow().method()).isEqualTo(ProvisionMethod.EMBEDDED);
    EngineSpec asServer = redis.by(ProvisionMethod.CONTAINER, "lib:1").embedded();
    assertThat(survey(asServer))
        .containsExactly(
            new MethodStatus(
                ProvisionMethod.CONTAINER, State.MISSING, "lib is embedded; it has no server"));
  }

  @Test
  void doesNotReportAPullThatWasNotTried() {
    List<String> progress = new ArrayList<>();
    try (LocalProvisioner provisioner = new LocalProvisioner(environment, progress::add)) {
      assertThat(provisioner.survey(redis.spec())).isNotEmpty();
    }
    assertThat(progress).isEmpty();
  }
}
