package kvrank.provision;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import com.github.dockerjava.api.model.Volume;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import kvrank.scenario.EngineDefinition.ServerDefinition;
import kvrank.scenario.MemoryLimit;
import kvrank.scenario.Reason;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.output.OutputFrame;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/** A server in a container. */
final class ServerContainer implements StartedServer {

  private static final int GRACE_SECONDS = 2;
  private static final String CAUGHT = "SigCgt:";
  private static final long SIGTERM_BIT = 1L << (15 - 1);
  private static final long INSPECT_NANOS = 1_000_000_000L;
  private static final int KILL_SECONDS = 10;
  private static final String GONE = "is gone: somebody removed its container";

  private final GenericContainer<?> container;
  private final DockerClient client;
  private final String id;
  private final List<ServerAddress> endpoints;
  private final OptionalLong pid;
  private final SortedMap<String, String> facts;
  private final Log log;
  private final Runnable release;
  private Optional<String> ending = Optional.empty();
  private long inspectedAt = System.nanoTime() - INSPECT_NANOS;
  private boolean stopped;

  /**
   * Starts a container; it runs as the owner of {@code folder}, so that its files are ours.
   *
   * @param command the arguments after the entry point
   * @param folder the folder on this host that becomes the engine's data folder
   * @param cpus the CPUs that it runs on; empty for all
   * @throws ProvisionException if it cannot be started; nothing of it is left then
   */
  ServerContainer(
      ServerSpec spec,
      List<String> command,
      Path folder,
      Docker docker,
      Reaper reaper,
      Optional<String> cpus)
      throws ProvisionException {
    String run = UUID.randomUUID().toString();
    String user = docker.rootless() ? "0:0" : owner(folder);
    ServerDefinition definition = spec.engine().server().orElseThrow();
    log = Log.to(spec.log());
    release = () -> reaper.release(Reaper.Kind.CONTAINER, run);
    container =
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
                create -> {
                  configure(create, definition, folder, docker.publishAddress()).withUser(user);
                  cpus.ifPresent(create.getHostConfig()::withCpusetCpus);
                  // The second is that of memory and swap together.
                  spec.memory()
                      .map(MemoryLimit::bytes)
                      .ifPresent(
                          bytes -> create.getHostConfig().withMemory(bytes).withMemorySwap(bytes));
                });
    reaper.register(Reaper.Kind.CONTAINER, run);
    try {
      container.start();
      client = container.getDockerClient();
      id = container.getContainerId();
      endpoints = endpoints(container.getContainerInfo(), definition.port());
      pid = visiblePid(container.getContainerInfo());
      facts = docker.facts(spec.subject());
    } catch (RuntimeException e) {
      container.stop();
      log.out().close();
      release.run();
      throw new ProvisionException(
          "the container of image '%s' did not start: %s%s"
              .formatted(
                  spec.subject(),
                  Docker.unanswered(e) ? "the Docker daemon does not answer: " : "",
                  Docker.rootMessage(e)),
          e);
    }
  }

  private static CreateContainerCmd configure(
      CreateContainerCmd create, ServerDefinition definition, Path folder, String address) {
    String mount = definition.dataMount();
    ExposedPort port = ExposedPort.tcp(definition.port());
    create
        .getHostConfig()
        .withBinds(new Bind(folder.toString(), new Volume(mount), AccessMode.rw))
        .withPortBindings(new PortBinding(Ports.Binding.bindIp(address), port));
    if (!definition.entrypoint().isEmpty()) {
      create.withEntrypoint(definition.entrypoint());
    }
    return create.withExposedPorts(port).withWorkingDir(mount);
  }

  private static String owner(Path folder) throws ProvisionException {
    try {
      return Files.getAttribute(folder, "unix:uid") + ":" + Files.getAttribute(folder, "unix:gid");
    } catch (IOException | UnsupportedOperationException e) {
      throw new ProvisionException(
          "the owner of '%s' is unknown: %s".formatted(folder, e.getMessage()), e);
    }
  }

  // Docker's proxy takes more than half of the requests per second, so the container's own address
  // comes first; a daemon in a virtual machine or on another host can be reached by the other.
  private static List<ServerAddress> endpoints(InspectContainerResponse info, int port) {
    List<ServerAddress> endpoints = new ArrayList<>();
    info.getNetworkSettings().getNetworks().values().stream()
        .map(ContainerNetwork::getIpAddress)
        .filter(address -> address != null && !address.isEmpty())
        .forEach(
            address ->
                endpoints.add(new ServerAddress(address, port, ServerAddress.Kind.CONTAINER)));
    Ports.Binding[] bindings =
        info.getNetworkSettings().getPorts().getBindings().get(ExposedPort.tcp(port));
    if (bindings != null && bindings.length > 0) {
      int mapped = Integer.parseInt(bindings[0].getHostPortSpec());
      String host = DockerClientFactory.instance().dockerHostIpAddress();
      endpoints.add(new ServerAddress(host, mapped, ServerAddress.Kind.MAPPED_PORT));
    }
    return List.copyOf(endpoints);
  }

  // A daemon in a virtual machine or on another host numbers its processes for itself.
  private static OptionalLong visiblePid(InspectContainerResponse info) {
    Long pid = info.getState().getPidLong();
    if (pid == null || pid <= 0) {
      return OptionalLong.empty();
    }
    try {
      String groups = Files.readString(Path.of("/proc/" + pid + "/cgroup"));
      return groups.contains(info.getId()) ? OptionalLong.of(pid) : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  @Override
  public List<ServerAddress> endpoints() {
    return endpoints;
  }

  @Override
  public OptionalLong pid() {
    return pid;
  }

  @Override
  public synchronized Optional<String> ending() {
    if (ending.isPresent() || stopped) {
      return ending;
    }
    boolean alive = pid.isPresent() && ProcessHandle.of(pid.getAsLong()).isPresent();
    if (!alive && System.nanoTime() - inspectedAt >= INSPECT_NANOS) {
      inspectedAt = System.nanoTime();
      ending = inspect();
    }
    return ending;
  }

  private Optional<String> inspect() {
    try {
      ContainerState state = client.inspectContainerCmd(id).exec().getState();
      if (Boolean.TRUE.equals(state.getRunning())) {
        return Optional.empty();
      }
      if (Boolean.TRUE.equals(state.getOOMKilled())) {
        return Optional.of("was killed by the memory limit of its container (OOMKilled)");
      }
      long status = Objects.requireNonNullElse(state.getExitCodeLong(), -1L);
      return Optional.of(ServerProcess.ending((int) status));
    } catch (NotFoundException e) {
      return Optional.of(GONE);
    } catch (RuntimeException e) {
      return Optional.of("is out of sight: " + Docker.rootMessage(e));
    }
  }

  @Override
  public SortedMap<String, String> facts() {
    return facts;
  }

  @Override
  public void settleLog() {
    log.settle();
  }

  @Override
  public synchronized void kill() throws ProvisionException, InterruptedException {
    try {
      client.killContainerCmd(id).withSignal("KILL").exec();
      if (!client.waitContainerCmd(id).start().awaitCompletion(KILL_SECONDS, TimeUnit.SECONDS)) {
        throw new ProvisionException(
            "its container still runs %d s after SIGKILL".formatted(KILL_SECONDS));
      }
    } catch (DockerException e) {
      throw new ProvisionException("its container was not killed: " + Docker.rootMessage(e), e);
    }
    ending = inspect();
  }

  @Override
  public synchronized void stop() {
    if (stopped) {
      return;
    }
    stopped = true;
    try {
      client.stopContainerCmd(id).withTimeout(deaf() ? 0 : GRACE_SECONDS).exec();
      log.settle();
    } catch (DockerException e) {
      // It has ended already, or is gone; what is left of it is removed next.
    }
    container.stop();
    log.out().close();
    if (inspect().equals(Optional.of(GONE))) {
      release.run();
    }
  }

  // The first process of a container gets no signal that it does not catch: waiting is in vain.
  private boolean deaf() {
    if (pid.isEmpty()) {
      return false;
    }
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid.getAsLong() + "/status"))) {
      return lines
          .filter(line -> line.startsWith(CAUGHT))
          .map(line -> Long.parseUnsignedLong(line.substring(CAUGHT.length()).strip(), 16))
          .anyMatch(caught -> (caught & SIGTERM_BIT) == 0);
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  /**
   * A container's output on its way to a file.
   *
   * @param out swallows what goes wrong: of a full disk the run itself will tell, with more effect
   * @param ends counts the ends of standard output and standard error
   */
  private record Log(PrintStream out, CountDownLatch ends) implements Consumer<OutputFrame> {

    private static final long SETTLE_MILLIS = 2000;

    static Log to(Path file) throws ProvisionException {
      try {
        Files.createDirectories(file.toAbsolutePath().getParent());
        OutputStream out = new FileOutputStream(file.toFile(), true);
        return new Log(new PrintStream(out, false, UTF_8), new CountDownLatch(2));
      } catch (IOException e) {
        throw new ProvisionException(
            "the log '%s' cannot be written: %s".formatted(file, Reason.of(e)), e);
      }
    }

    @Override
    public void accept(OutputFrame frame) {
      if (frame.getType() == OutputFrame.OutputType.END) {
        ends.countDown();
      } else if (frame.getBytes() != null) {
        out.write(frame.getBytes(), 0, frame.getBytes().length);
      }
    }

    /** Waits a moment for the rest of an ended container's output. */
    void settle() {
      try {
        ends.await(SETTLE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  // Testcontainers removes a container that fails its checks, and with it the reason; whether the
  // server lives and answers is looked at afterwards, by the same rules as for a local process.

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
