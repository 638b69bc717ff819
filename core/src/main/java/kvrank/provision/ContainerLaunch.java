package kvrank.provision;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import com.github.dockerjava.api.model.Volume;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import kvrank.scenario.EngineDefinition.ServerDefinition;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.output.OutputFrame;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/** Starts containers for servers. */
record ContainerLaunch(Docker docker, Images images, Reaper reaper, Optional<String> cpus) {

  /**
   * Starts a container; it runs as the owner of {@code folder}, so that its files are ours.
   *
   * @param command the arguments after the entry point
   * @param folder the folder on this host that becomes the engine's data folder
   * @throws ProvisionException if it cannot be started; nothing of it is left then
   */
  ServerContainer launch(ServerSpec spec, List<String> command, Path folder)
      throws ProvisionException {
    String run = UUID.randomUUID().toString();
    String user = docker.rootless() ? "0:0" : owner(folder);
    Log log = log(spec.log());
    GenericContainer<?> container =
        new GenericContainer<>(Images.name(spec.subject()))
            .withCommand(command.toArray(String[]::new))
            .withLabels(ContainerLabels.of(run))
            .withReuse(true)
            .withLogConsumer(log)
            .withStartupCheckStrategy(new Unchecked())
            .waitingFor(new NoWait())
            .withCreateContainerCmdModifier(
                create -> configure(create, spec, folder).withUser(user));
    reaper.register(Reaper.Kind.CONTAINER, run);
    try {
      container.start();
      return new ServerContainer(
          container,
          definition(spec).port(),
          images.facts(spec.subject()),
          log,
          () -> reaper.release(Reaper.Kind.CONTAINER, run));
    } catch (RuntimeException e) {
      container.stop();
      log.out().close();
      reaper.release(Reaper.Kind.CONTAINER, run);
      throw new ProvisionException(
          "the container of image '%s' did not start: %s"
              .formatted(spec.subject(), Docker.rootMessage(e)),
          e);
    }
  }

  private CreateContainerCmd configure(CreateContainerCmd create, ServerSpec spec, Path folder) {
    String mount = definition(spec).dataMount();
    ExposedPort port = ExposedPort.tcp(definition(spec).port());
    HostConfig host = create.getHostConfig();
    host.withBinds(new Bind(folder.toString(), new Volume(mount), AccessMode.rw))
        .withPortBindings(new PortBinding(Ports.Binding.bindIp(docker.publishAddress()), port));
    cpus.ifPresent(host::withCpusetCpus);
    List<String> entrypoint = definition(spec).entrypoint();
    if (!entrypoint.isEmpty()) {
      create.withEntrypoint(entrypoint);
    }
    return create.withExposedPorts(port).withHostConfig(host).withWorkingDir(mount);
  }

  private static Log log(Path file) throws ProvisionException {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      return new Log(new PrintStream(new FileOutputStream(file.toFile(), true), false, UTF_8));
    } catch (IOException e) {
      throw new ProvisionException("the log '%s' cannot be written: %s".formatted(file, e), e);
    }
  }

  private static ServerDefinition definition(ServerSpec spec) {
    return spec.engine().server().orElseThrow();
  }

  private static String owner(Path folder) throws ProvisionException {
    try {
      return Files.getAttribute(folder, "unix:uid") + ":" + Files.getAttribute(folder, "unix:gid");
    } catch (IOException | UnsupportedOperationException e) {
      throw new ProvisionException("the owner of '%s' is unknown: %s".formatted(folder, e), e);
    }
  }

  /**
   * A container's output on its way to a file.
   *
   * @param out swallows what goes wrong: of a full disk the run itself will tell, with more effect
   * @param ends counts the ends of standard output and standard error
   */
  record Log(PrintStream out, CountDownLatch ends) implements Consumer<OutputFrame> {

    private static final long SETTLE_MILLIS = 2000;

    Log(PrintStream out) {
      this(out, new CountDownLatch(2));
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

  private static final class NoWait extends AbstractWaitStrategy {

    @Override
    protected void waitUntilReady() {}
  }
}
