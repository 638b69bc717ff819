package kvrank.provision.docker;

import static kvrank.provision.Eventually.eventually;
import static kvrank.provision.Eventually.runs;
import static kvrank.provision.server.TestRedis.ask;
import static kvrank.provision.server.TestRedis.askAsStranger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.github.dockerjava.api.DockerClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import kvrank.engine.Exchange;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.provision.LocalProvisioner;
import kvrank.provision.MethodStatus;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.ListenAddress;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import kvrank.provision.server.TestRedis;
import kvrank.scenario.EngineSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.dockerclient.DockerClientProviderStrategy;

/** Real containers of Redis. */
class ContainerServerIT {

  @TempDir Path folder;

  private Path data;
  private Path log;
  private TestRedis redis;
  private LocalProvisioner provisioning;
  private DockerClient client;

  @BeforeEach
  void setUp() {
    data = folder.resolve("run/data");
    log = folder.resolve("run/server.log");
    redis = new TestRedis(folder.resolve("redis")).image(DockerForTests.redisImage());
    provisioning = new LocalProvisioner(withoutOverride(), line -> {});
    client =
        DockerClientProviderStrategy.getClientForConfig(
            DockerClientFactory.instance().getTransportConfig());
  }

  private static Map<String, String> withoutOverride() {
    SortedMap<String, String> environment = new TreeMap<>(System.getenv());
    environment.remove("KVRANK_REDIS_IMAGE");
    return environment;
  }

  @AfterEach
  void nothingIsLeft() {
    if (provisioning != null) {
      provisioning.close();
      assertThat(ours()).isEmpty();
    }
  }

  /** The ids of this process's containers, running or not. */
  private List<String> ours() {
    String owner = ContainerLabels.OWNER + "=" + ProcessHandle.current().pid();
    return client
        .listContainersCmd()
        .withShowAll(true)
        .withLabelFilter(List.of(owner))
        .exec()
        .stream()
        .map(container -> container.getId())
        .toList();
  }

  private Server start(EngineSpec engine, Fsync fsync)
      throws ProvisionException, InterruptedException {
    return provisioning.start(provisioning.choose(engine, fsync, data, log).orElseThrow());
  }

  @Test
  void runsOnTheCpusThatItIsGivenAndLeavesItsDataWhenItStops() throws Exception {
    provisioning.close();
    provisioning =
        new LocalProvisioner(
            withoutOverride(), line -> {}, Optional.of("0"), ListenAddress.LOOPBACK);
    Server server = start(redis.spec(), Fsync.OFF);
    Path status = Path.of("/proc/" + server.pid().orElseThrow() + "/status");
    assertThat(Files.readString(status)).containsPattern("Cpus_allowed_list:\\s*0\n");
    assertThat(server.reports().asMap())
        .containsOnlyKeys("engine.connections", "engine.used_memory");
    assertThat(server.open()).isFalse();
    assertThat(askAsStranger(server, "PING\r\n", "(-NOAUTH)")).contains("-NOAUTH");
    assertThat(data.resolve("password.conf")).doesNotExist();
    server.stop();
    assertThat(status).doesNotExist();
    assertThat(data).isNotEmptyDirectory();
    server.close();
    assertThat(data).doesNotExist();
  }

  @Test
  void startsAContainerOnAFolderOfThisHostAndLeavesNothing() throws Exception {
    Server server = start(redis.spec(), Fsync.ON);
    Facts facts = server.facts();
    assertThat(facts.asMap())
        .containsEntry("way", "container")
        .containsEntry("engine.appendfsync", "always")
        .containsEntry("host", server.connection().get("host"))
        .containsKeys("image", "engine.version", "setting.appendfsync")
        .hasEntrySatisfying("imageId", id -> assertThat(id).startsWith("sha256:"))
        .hasEntrySatisfying("address", kind -> assertThat(kind).isIn("container", "mapped-port"));
    assertThat(ask(server, "SET a b\r\n", "\\+OK")).isPresent();
    assertThat(data.resolve("note.txt")).hasContent("data is in /data\n");
    try (Stream<Path> files = Files.list(data)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .anyMatch(name -> name.startsWith("appendonly"));
    }
    assertThat(ours()).hasSize(1);
    server.close();
    server.close();
    assertThat(ours()).isEmpty();
    assertThat(data).doesNotExist();
    assertThat(log).content().contains("Ready to accept connections");
  }

  @Test
  void reachesAContainerOfThisHostWithoutAProxyAndSeesItsProcess() throws Exception {
    try (Server server = start(redis.spec(), Fsync.OFF)) {
      Assumptions.assumeTrue(
          server.pid().isPresent(), "the daemon is in a virtual machine or on another host");
      assertThat(server.facts().asMap())
          .containsEntry("address", "container")
          .containsEntry("port", "6379");
      long pid = server.pid().orElseThrow();
      assertThat(Files.readString(Path.of("/proc/" + pid + "/comm"))).startsWith("redis-server");
      assertThat(Files.getAttribute(data.resolve("note.txt"), "unix:uid"))
          .isEqualTo(Files.getAttribute(Path.of("/proc/" + pid), "unix:uid"));
    }
  }

  @Test
  void reportsTheSignalOfAKill() throws Exception {
    try (Server server = start(redis.spec(), Fsync.OFF)) {
      assertThat(server.death()).isEmpty();
      client.killContainerCmd(ours().get(0)).exec();
      eventually("the death is noticed", () -> server.death().isPresent());
      Failure death = server.death().orElseThrow();
      assertThat(death.cause()).isEqualTo(Cause.OUTSIDER);
      assertThat(death.message())
          .startsWith("redis was killed by SIGKILL (exit status 137). The end of its log (" + log)
          .contains("Ready to accept connections");
    }
    assertThat(data).doesNotExist();
  }

  @Test
  void aKilledServerComesBackOnItsData() throws Exception {
    try (Server server = start(redis.spec(), Fsync.ON)) {
      assertThat(ask(server, "SET a b\r\n", "\\+OK")).isPresent();
      assertThat(server.kill()).isEqualTo("was killed by SIGKILL (exit status 137)");
      assertThat(server.death()).isPresent();
      server.restart();
      assertThat(server.death()).isEmpty();
      assertThat(ask(server, "GET a\r\n", "\\$1\r\n(.)")).contains("b");
      assertThat(ours()).hasSize(1);
    }
    assertThat(data).doesNotExist();
  }

  @Test
  void aBadSettingIsShownByTheEndOfTheLog() {
    assertThatThrownBy(() -> start(redis.setting("no-such-setting", "7").spec(), Fsync.OFF))
        .isInstanceOf(ProvisionException.class)
        .hasMessageStartingWith(
            "redis is not ready: it exited with status 1. The end of its log (" + log)
        .hasMessageContaining("Bad directive or wrong number of arguments");
    assertThat(ours()).isEmpty();
    assertThat(data).doesNotExist();
  }

  @Test
  void aServerThatReportsAnotherSettingThanAskedForIsRefused() {
    assertThatThrownBy(() -> start(redis.setting("appendfsync", "everysec").spec(), Fsync.ON))
        .hasMessageStartingWith(
            "redis is not ready: it was asked for appendfsync=always and reports 'everysec'");
    assertThat(ours()).isEmpty();
  }

  @Test
  void anImageWithoutTheExecutableIsReported() {
    assertThatThrownBy(
            () ->
                provisioning.start(
                    redis
                        .entrypoint("no-such-server")
                        .server(
                            ProvisionMethod.CONTAINER,
                            DockerForTests.redisImage(),
                            data.getParent())))
        .isInstanceOf(ProvisionException.class)
        .hasMessageContaining("no-such-server");
    assertThat(ours()).isEmpty();
    assertThat(data).doesNotExist();
  }

  @Test
  void aMissingImageIsPulledOnceBeforeTheNextMethodIsUsed() throws ProvisionException {
    String image = "localhost:1/no/such-image:1";
    List<String> progress = new ArrayList<>();
    try (LocalProvisioner fresh = new LocalProvisioner(withoutOverride(), progress::add)) {
      redis.unpack();
      EngineSpec engine = redis.image(image).spec();
      assertThat(fresh.survey(engine).get(0))
          .isEqualTo(
              new MethodStatus(
                  ProvisionMethod.CONTAINER,
                  MethodStatus.State.AVAILABLE,
                  "image '" + image + "', which would be pulled"));
      for (int i = 0; i < 2; i++) {
        assertThat(fresh.choose(engine, Fsync.OFF, data, log))
            .get()
            .extracting(ServerSpec::method)
            .isIn(ProvisionMethod.PROCESS, ProvisionMethod.BUNDLED);
      }
      // Another test may have left a container, which is removed.
      assertThat(progress)
          .filteredOn(line -> !line.endsWith("is removed"))
          .containsExactly("pulling " + image + " …");
      assertThat(fresh.survey(engine).get(0).available()).isFalse();
      assertThat(fresh.survey(engine).get(0).detail())
          .startsWith("image '" + image + "' is missing, and it could not be pulled: ");
    }
  }

  @Test
  void anImageWhoseTagMovesMeanwhileIsRefused() throws Exception {
    String name = "kvrank-test-moved";
    EngineSpec engine = new TestRedis(folder.resolve("moved")).image(name + ":1").spec();
    client.tagImageCmd(DockerForTests.redisImage(), name, "1").exec();
    String container = client.createContainerCmd(name + ":1").exec().getId();
    try {
      provisioning.prepare(engine);
      try (Server server = start(engine, Fsync.OFF)) {
        client.commitCmd(container).withRepository(name).withTag("1").exec();
        String now = client.inspectImageCmd(name + ":1").exec().getId();
        assertThat(server.facts().asMap().get("imageId")).startsWith("sha256:").isNotEqualTo(now);
      }
      assertThatThrownBy(() -> provisioning.choose(engine, Fsync.OFF, data, log))
          .isInstanceOf(ProvisionException.class)
          .hasMessageMatching(
              "redis was (image 'kvrank-test-moved:1') \\(SHA-256 [0-9a-f]{12}…\\) when this"
                  + " execution began, and is \\1 \\(SHA-256 [0-9a-f]{12}…\\) now; .*");
      client.removeImageCmd(name + ":1").withForce(true).exec();
      assertThatThrownBy(() -> provisioning.choose(engine, Fsync.OFF, data, log))
          .hasMessageContaining(" and is gone now; ");
    } finally {
      client.removeContainerCmd(container).exec();
    }
  }

  @Test
  void closingInTheMiddleOfAStartEndsIt() throws Exception {
    EngineSpec engine = redis.ping(new Exchange("PING\r\n", "never")).spec();
    CompletableFuture<Throwable> start =
        CompletableFuture.supplyAsync(() -> catchThrowable(() -> start(engine, Fsync.OFF)));
    // From here on the container is being created, started or waited for.
    eventually("the start has begun", () -> Files.exists(data));
    provisioning.close();
    assertThat(ours()).isEmpty();
    assertThat(data).doesNotExist();
    assertThat(start.get()).isInstanceOf(ProvisionException.class).hasMessageContaining("stopped");
  }

  @Test
  void removesTheContainersOfAKvrankThatWasKilled() throws IOException {
    SortedMap<String, String> labels = ContainerLabels.of("orphan");
    labels.put("kvrank.owner-start", "1");
    String orphan =
        client
            .createContainerCmd(DockerForTests.redisImage())
            .withEntrypoint("sleep", "1000")
            .withLabels(labels)
            .exec()
            .getId();
    client.startContainerCmd(orphan).exec();
    long pid = client.inspectContainerCmd(orphan).exec().getState().getPidLong();
    try (LocalProvisioner next = new LocalProvisioner(withoutOverride(), line -> {})) {
      assertThat(next.survey(redis.spec())).isNotEmpty();
      assertThat(ours()).doesNotContain(orphan);
      assertThat(runs(pid)).isFalse();
    }
  }
}
