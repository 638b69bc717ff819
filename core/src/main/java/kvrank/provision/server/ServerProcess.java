package kvrank.provision.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.failure.Failure;
import kvrank.input.Reason;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.host.Reaper;

/** A server that runs as a process of this machine. */
record ServerProcess(Process process, String executable, ServerAddress place, Reaper reaper)
    implements StartedServer {

  private static final int GRACE_SECONDS = 5;
  private static final long POLL_MILLIS = 5;

  /** Starts the process in {@code folder}; throws if the executable cannot be run. */
  static ServerProcess launch(
      ServerSpec spec, List<String> command, Path folder, ServerAddress place, Reaper reaper)
      throws ProvisionException {
    try {
      Files.createDirectories(spec.log().toAbsolutePath().getParent());
      Process process =
          new ProcessBuilder(command)
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
      return new ServerProcess(process, spec.subject(), place, reaper);
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
  public boolean answersAt(ServerAddress place) {
    return listener().isPresent();
  }

  /** Returns the listening process, as the executable may be a wrapper script. */
  @Override
  public OptionalLong pid() {
    return OptionalLong.of(listener().orElse(process.pid()));
  }

  @Override
  public Optional<Ending> ending() {
    return process.isAlive()
        ? Optional.empty()
        : Optional.of(StartedServer.ending(process.exitValue()));
  }

  private OptionalLong listener() {
    return new PortOwner(Path.of("/proc")).among(process.toHandle(), place.port());
  }

  @Override
  public Facts facts() {
    return new Facts().put(Fact.EXECUTABLE, executable);
  }

  @Override
  public void kill() throws ProvisionException, InterruptedException {
    List<ProcessHandle> processes =
        Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
    processes.forEach(ProcessHandle::destroyForcibly);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
    while (processes.stream().anyMatch(ProcessHandle::isAlive)) {
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

  @Override
  public void stop() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    if (!ended()) {
      process.destroyForcibly();
      ended();
    }
    // A child that writes a snapshot outlives a killed parent.
    children.forEach(ProcessHandle::destroyForcibly);
    if (!process.isAlive()) {
      reaper.release(Reaper.Kind.PID, Long.toString(process.pid()));
    }
  }

  /** Waits even if this thread is interrupted, and keeps the interrupt. */
  private boolean ended() {
    return process.onExit().completeOnTimeout(null, GRACE_SECONDS, TimeUnit.SECONDS).join() != null;
  }
}
