package kvrank.provision.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.YesNo;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.failure.Failure;
import kvrank.input.Reason;
import kvrank.provision.host.Children;
import kvrank.provision.host.PidNamespace;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.host.Reaper;

/**
 * A server that runs as a process of this machine.
 *
 * @param process its own, or the one that holds its {@link PidNamespace} if it is {@code enclosed}
 */
record ServerProcess(
    Process process,
    boolean enclosed,
    String mark,
    String executable,
    Path folder,
    ServerAddress place,
    Reaper reaper)
    implements StartedServer {

  private static final int GRACE_SECONDS = 5;
  private static final long POLL_MILLIS = 5;
  private static final long DAEMON_MILLIS = 2_000;
  private static final long EVENT_MILLIS = 20;
  private static final Duration CONNECT_LIMIT = Duration.ofMillis(300);

  /** Starts the process in {@code folder}; throws if the executable cannot be run. */
  static ServerProcess launch(
      ServerSpec spec,
      boolean enclosed,
      List<String> command,
      Path folder,
      ServerAddress place,
      Reaper reaper)
      throws ProvisionException {
    try {
      Files.createDirectories(spec.log().toAbsolutePath().getParent());
      String mark = Children.mark();
      Process process =
          Children.builder(command, mark)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectInput(new File("/dev/null"))
              .redirectOutput(ProcessBuilder.Redirect.appendTo(spec.log().toFile()))
              .start();
      try {
        reaper.register(Reaper.Kind.PID, Long.toString(process.pid()));
      } catch (ProvisionException e) {
        process.destroyForcibly().onExit().join();
        reaper.release(Reaper.Kind.PID, Long.toString(process.pid()));
        throw e;
      }
      return new ServerProcess(process, enclosed, mark, spec.subject(), folder, place, reaper);
    } catch (IOException e) {
      throw new ProvisionException(
          new Failure(Cause.ofStart(spec.subject()), Reason.located(e)), e);
    }
  }

  @Override
  public List<ServerAddress> endpoints() {
    return List.of(place);
  }

  @Override
  public boolean answersAt(ServerAddress place) throws ProvisionException {
    return new PortOwner(Path.of("/proc")).answers(place, process.toHandle(), this::daemons);
  }

  /** Returns the listening process, as the executable may be a wrapper script. */
  @Override
  public OptionalLong pid() {
    return OptionalLong.of(listener().orElseGet(() -> server().pid()));
  }

  @Override
  public Optional<Ending> ending() {
    if (process.isAlive()) {
      return Optional.empty();
    }
    int status = process.exitValue();
    return Optional.of(StartedServer.ending(enclosed ? PidNamespace.status(status) : status));
  }

  private OptionalLong listener() {
    return new PortOwner(Path.of("/proc")).among(process.toHandle(), place);
  }

  /** Returns the executable's process, which may be a wrapper script. */
  private ProcessHandle server() {
    return enclosed
        ? PidNamespace.command(process).orElseGet(process::toHandle)
        : process.toHandle();
  }

  @Override
  public Facts facts() {
    return new Facts()
        .put(Fact.EXECUTABLE, executable)
        .put(
            Fact.PID_NAMESPACE,
            enclosed ? YesNo.YES.label() : PidNamespace.problem().orElse(YesNo.NO.label()));
  }

  @Override
  public void kill(Runnable sent) throws ProvisionException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
    List<ProcessHandle> children = process.descendants().toList();
    kill();
    sent.run();
    while (process.isAlive()
        || children.stream().anyMatch(ProcessHandle::isAlive)
        || daemonsRemain()) {
      if (System.nanoTime() > deadline) {
        throw new ProvisionException(
            Cause.MACHINE,
            "it (pid %d) still runs %d s after SIGKILL".formatted(process.pid(), GRACE_SECONDS));
      }
      Thread.sleep(POLL_MILLIS);
    }
    process.waitFor();
    reaper.release(Reaper.Kind.PID, Long.toString(process.pid()));
  }

  private void kill() {
    if (enclosed) {
      PidNamespace.kill(process);
    } else {
      List<ProcessHandle> children = process.descendants().toList();
      process.destroyForcibly();
      children.forEach(ProcessHandle::destroyForcibly);
    }
  }

  @Override
  public void stop() {
    ProcessHandle server = server();
    List<ProcessHandle> children = server.descendants().toList();
    server.destroy();
    await(() -> !server.isAlive(), EVENT_MILLIS);
    if (server.isAlive()) {
      wake();
    }
    await(() -> !server.isAlive(), TimeUnit.SECONDS.toMillis(GRACE_SECONDS));
    if (server.isAlive()) {
      server.destroyForcibly();
      await(() -> !server.isAlive(), TimeUnit.SECONDS.toMillis(GRACE_SECONDS));
    }
    // A child that writes a snapshot outlives a killed parent.
    children.forEach(ProcessHandle::destroyForcibly);
    // A tracer ends by itself after the traced.
    await(() -> !process.isAlive() && daemons().isEmpty(), DAEMON_MILLIS);
    await(() -> !daemonsRemain(), TimeUnit.SECONDS.toMillis(GRACE_SECONDS));
    if (!process.isAlive()) {
      reaper.release(Reaper.Kind.PID, Long.toString(process.pid()));
    }
  }

  /** Connects once: memcached sees a signal only at its next event, up to 1 s later. */
  private void wake() {
    try {
      place.connect(CONNECT_LIMIT).close();
    } catch (IOException e) {
      // It does not listen any more, so it is about to end.
    }
  }

  /** Waits even if this thread is interrupted, and keeps the interrupt. */
  private static void await(BooleanSupplier done, long millis) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!done.getAsBoolean() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
    }
  }

  /**
   * Returns processes that left their parent and session; one that overwrote its environment is
   * found if it works in the data folder and listens at the address.
   */
  private List<ProcessHandle> daemons() {
    return Stream.concat(
            Children.marked(mark).stream(),
            new PortOwner(Path.of("/proc"))
                .in(folder, place).stream().flatMap(pid -> ProcessHandle.of(pid).stream()))
        .toList();
  }

  /** Kills the {@link #daemons} and returns whether there were any. */
  private boolean daemonsRemain() {
    List<ProcessHandle> daemons = daemons();
    daemons.forEach(ProcessHandle::destroyForcibly);
    return !daemons.isEmpty();
  }
}
