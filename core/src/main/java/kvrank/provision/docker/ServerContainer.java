package kvrank.provision.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvrank.engine.Exchange;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.failure.Failure;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.ServerAddress;
import kvrank.provision.server.StartedServer;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;

/** A server in a container. */
final class ServerContainer implements StartedServer {

  private static final int GRACE_SECONDS = 2;
  private static final String CAUGHT = "SigCgt:";
  private static final long SIGTERM_BIT = 1L << (15 - 1);
  private static final long INSPECT_NANOS = 1_000_000_000L;
  private static final int KILL_SECONDS = 10;
  private static final int UNKNOWN = -1;
  private static final Ending GONE =
      new Ending(UNKNOWN, Cause.OUTSIDER, "is gone: someone removed its container");

  private final GenericContainer<?> container;
  private final DockerClient client;
  private final String id;
  private final List<ServerAddress> endpoints;
  private final OptionalLong pid;
  private final Facts facts;
  private final boolean limited;
  private final ContainerLog log;
  private final Runnable release;
  private Optional<Ending> ending = Optional.empty();
  private long inspectedAt = System.nanoTime() - INSPECT_NANOS;
  private boolean stopped;

  /** Wraps a started container; {@code limited} if the scenario limits its memory. */
  ServerContainer(
      GenericContainer<?> container,
      int port,
      Optional<Exchange> login,
      Facts facts,
      boolean limited,
      ContainerLog log,
      Runnable release) {
    this.container = container;
    this.facts = facts;
    this.limited = limited;
    this.log = log;
    this.release = release;
    client = container.getDockerClient();
    id = container.getContainerId();
    endpoints = endpoints(container.getContainerInfo(), port, login);
    pid = visiblePid(container.getContainerInfo());
  }

  // Docker's proxy costs more than half of the throughput, so the container's own address comes
  // first. Daemons in virtual machines or on other hosts need the second.
  private static List<ServerAddress> endpoints(
      InspectContainerResponse info, int port, Optional<Exchange> login) {
    List<ServerAddress> endpoints = new ArrayList<>();
    info.getNetworkSettings().getNetworks().values().stream()
        .map(ContainerNetwork::getIpAddress)
        .filter(address -> address != null && !address.isEmpty())
        .forEach(
            address ->
                endpoints.add(
                    new ServerAddress(
                        address, port, ServerAddress.Kind.CONTAINER, login, Optional.empty())));
    Ports.Binding[] bindings =
        info.getNetworkSettings().getPorts().getBindings().get(ExposedPort.tcp(port));
    if (bindings != null && bindings.length > 0) {
      int mapped = Integer.parseInt(bindings[0].getHostPortSpec());
      String host = DockerClientFactory.instance().dockerHostIpAddress();
      endpoints.add(
          new ServerAddress(host, mapped, ServerAddress.Kind.MAPPED_PORT, login, Optional.empty()));
    }
    return List.copyOf(endpoints);
  }

  // A daemon in a virtual machine or on another host has its own pids.
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
  public synchronized Optional<Ending> ending() {
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

  private Optional<Ending> inspect() {
    try {
      ContainerState state = client.inspectContainerCmd(id).exec().getState();
      if (Boolean.TRUE.equals(state.getRunning())) {
        return Optional.empty();
      }
      if (Boolean.TRUE.equals(state.getOOMKilled())) {
        // Without a limit in the scenario, the limit is the machine's.
        return ended(
            limited ? Cause.ENGINE : Cause.MACHINE,
            "was killed by the memory limit of its container (OOMKilled)");
      }
      long status = Objects.requireNonNullElse(state.getExitCodeLong(), -1L);
      return Optional.of(StartedServer.ending((int) status));
    } catch (NotFoundException e) {
      return Optional.of(GONE);
    } catch (RuntimeException e) {
      return ended(Cause.MACHINE, "cannot be observed: " + Docker.rootMessage(e));
    }
  }

  private static Optional<Ending> ended(Cause cause, String text) {
    return Optional.of(new Ending(UNKNOWN, cause, text));
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public void settleLog() {
    log.settle();
  }

  @Override
  public synchronized void kill(Runnable sent) throws ProvisionException, InterruptedException {
    try {
      client.killContainerCmd(id).withSignal("KILL").exec();
      sent.run();
      if (!client.waitContainerCmd(id).start().awaitCompletion(KILL_SECONDS, TimeUnit.SECONDS)) {
        throw new ProvisionException(
            Cause.MACHINE, "its container still runs %d s after SIGKILL".formatted(KILL_SECONDS));
      }
    } catch (DockerException e) {
      String message = "its container was not killed: " + Docker.rootMessage(e);
      throw new ProvisionException(new Failure(Cause.MACHINE, message), e);
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
      client.stopContainerCmd(id).withTimeout(ignoresSigterm() ? 0 : GRACE_SECONDS).exec();
      log.settle();
    } catch (RuntimeException e) {
      // It has ended or is gone, or the daemon is; the rest is removed next.
    }
    try {
      container.stop();
    } catch (RuntimeException e) {
      String reason = "its container was not removed: " + Docker.rootMessage(e);
      throw new UncheckedIOException(new IOException(reason, e));
    } finally {
      log.out().close();
    }
    if (inspect().equals(Optional.of(GONE))) {
      release.run();
    }
  }

  // Returns whether SIGTERM is useless: a container's first process only gets signals that it
  // catches.
  private boolean ignoresSigterm() {
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
}
