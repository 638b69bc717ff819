package kvrank.provision.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import com.github.dockerjava.api.model.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import kvrank.engine.Exchange;
import kvrank.engine.ServerDefinition;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.host.Reaper;
import kvrank.provision.server.Placeholders.Configuration;
import kvrank.provision.server.Placeholders.Guarded;
import kvrank.provision.server.ReadyServer;
import kvrank.provision.server.ServerAddress;
import kvrank.provision.server.ServerResources;
import kvrank.provision.server.ServerSpec;
import kvrank.provision.server.ServerStarter;
import kvrank.provision.server.StartedServer;
import kvrank.scenario.MemoryLimit;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/** Starts servers in containers that run as the data folder's owner; empty CPUs are all. */
public record ContainerStarter(
    Docker docker, Reaper reaper, Optional<String> cpus, Duration startLimit)
    implements ServerStarter {

  @Override
  public ReadyServer start(ServerSpec spec, ServerResources resources)
      throws ProvisionException, InterruptedException {
    ServerDefinition definition = spec.definition();
    SortedMap<String, String> places = new TreeMap<>();
    places.put("port", Integer.toString(definition.port()));
    places.put("bind", "0.0.0.0");
    places.put("data", definition.dataMount());
    definition.entrypoint().stream().findFirst().ifPresent(it -> places.put("executable", it));
    Configuration configuration = Configuration.of(spec.engine(), spec.settings(), places);
    Path folder = resources.folder(configuration.files());
    SortedMap<String, String> credentials = spec.login();
    Guarded guarded = configuration.guarded(spec.engine(), credentials, places);
    resources.hide(guarded.files());
    Optional<Exchange> login = ServerAddress.login(credentials, spec.engine());
    StartedServer container =
        resources.launch(() -> launch(spec, guarded.arguments(), login, folder));
    ReadyServer ready =
        ReadyServer.await(spec, resources, List.of(container), configuration.facts(), startLimit);
    resources.forget(guarded.files().keySet());
    return ready.with(credentials);
  }

  /** Starts a container with arguments after its entry point; on failure nothing remains. */
  private ServerContainer launch(
      ServerSpec spec, List<String> command, Optional<Exchange> login, Path folder)
      throws ProvisionException {
    String run = UUID.randomUUID().toString();
    String user = docker.rootless() ? "0:0" : owner(folder);
    ContainerLog log = ContainerLog.to(spec.log());
    Runnable release = () -> reaper.release(Reaper.Kind.CONTAINER, run);
    GenericContainer<?> container =
        new GenericContainer<>(Docker.name(spec.subject()))
            .withCommand(command.toArray(String[]::new))
            .withLabels(ContainerLabels.of(run))
            .withReuse(true)
            .withLogConsumer(log)
            .withStartupCheckStrategy(new Unchecked())
            .waitingFor(
                new AbstractWaitStrategy() {
                  @Override
                  protected void waitUntilReady() {}
                })
            .withCreateContainerCmdModifier(
                create -> configure(create, spec, folder).withUser(user));
    reaper.register(Reaper.Kind.CONTAINER, run);
    try {
      container.start();
      return new ServerContainer(
          container,
          spec.definition().port(),
          login,
          docker.facts(spec.subject(), container.getContainerInfo().getImageId()),
          spec.memory().isPresent(),
          log,
          release);
    } catch (RuntimeException e) {
      try {
        container.stop();
        release.run();
      } catch (RuntimeException left) {
        e.addSuppressed(left);
      }
      log.out().close();
      boolean unanswered = Docker.unanswered(e);
      throw new ProvisionException(
          new Failure(
              unanswered ? Cause.MACHINE : Cause.ENGINE,
              "the container of image '%s' did not start: %s%s"
                  .formatted(
                      spec.subject(),
                      unanswered ? "the Docker daemon does not answer: " : "",
                      Docker.rootMessage(e))),
          e);
    }
  }

  private CreateContainerCmd configure(CreateContainerCmd create, ServerSpec spec, Path folder) {
    ServerDefinition definition = spec.definition();
    String mount = definition.dataMount();
    ExposedPort port = ExposedPort.tcp(definition.port());
    HostConfig host =
        create
            .getHostConfig()
            .withBinds(new Bind(folder.toString(), new Volume(mount), AccessMode.rw))
            .withPortBindings(new PortBinding(Ports.Binding.bindIp(docker.publishAddress()), port));
    cpus.ifPresent(host::withCpusetCpus);
    // The second limit is memory and swap together.
    spec.memory()
        .map(MemoryLimit::bytes)
        .ifPresent(bytes -> host.withMemory(bytes).withMemorySwap(bytes));
    if (!definition.entrypoint().isEmpty()) {
      create.withEntrypoint(definition.entrypoint());
    }
    return create.withExposedPorts(port).withWorkingDir(mount);
  }

  private static String owner(Path folder) throws ProvisionException {
    try {
      return Files.getAttribute(folder, "unix:uid") + ":" + Files.getAttribute(folder, "unix:gid");
    } catch (IOException | UnsupportedOperationException e) {
      String message = "the owner of '%s' is unknown: %s".formatted(folder, e.getMessage());
      throw new ProvisionException(new Failure(Cause.of(e), message), e);
    }
  }

  // Testcontainers removes a container that fails its checks, with the evidence. Readiness checks
  // it instead, as for a local process.

  private static final class Unchecked extends StartupCheckStrategy {

    @Override
    public boolean waitUntilStartupSuccessful(DockerClient client, String id) {
      return true;
    }

    @Override
    public StartupStatus checkStartupState(DockerClient client, String id) {
      return StartupStatus.SUCCESSFUL;
    }
  }
}
