package kvrank.provision;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server that runs as a process of this machine, on the loopback interface. */
final class ServerProcess implements StartedServer {

  static final String HOST = "127.0.0.1";

  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final long POLL_MILLIS = 5;

  private final Process process;
  private final Path executable;
  private final ServerAddress endpoint;
  private final PortOwner ports;
  private final Reaper reaper;

  private ServerProcess(
      Process process, Path executable, ServerAddress endpoint, PortOwner ports, Reaper reaper) {
    this.process = process;
    this.executable = executable;
    this.endpoint = endpoint;
    this.ports = ports;
    this.reaper = reaper;
  }

  /**
   * Starts the process.
   *
   * @param folder its working folder
   * @param log where its output is appended
   * @throws ProvisionException if the executable cannot be run
   */
  static ServerProcess launch(
      Path executable,
      List<String> command,
      Path folder,
      Path log,
      int port,
      PortOwner ports,
      Reaper reaper)
      throws ProvisionException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    try {
      Files.createDirectories(log.toAbsolutePath().getParent());
      Process process = builder.start();
      reaper.register(Reaper.Kind.PID, Long.toString(process.pid()));
      ServerAddress endpoint = new ServerAddress(HOST, port, ServerAddress.Kind.LOOPBACK);
      return new ServerProcess(process, executable, endpoint, ports, reaper);
    } catch (IOException e) {
      throw new ProvisionException(
          "'%s' cannot be run: %s".formatted(executable, e.getMessage()), e);
    }
  }

  @Override
  public List<ServerAddress> endpoints() {
    return List.of(endpoint);
  }

  @Override
  public boolean answersAt(ServerAddress place) {
    return ports.among(process.toHandle(), place.port()).isPresent();
  }

  /** Returns the process that listens, should the executable be a script around it. */
  @Override
  public OptionalLong pid() {
    OptionalLong listener = ports.among(process.toHandle(), endpoint.port());
    return listener.isPresent() ? listener : OptionalLong.of(process.pid());
  }

  @Override
  public Optional<String> ending() {
    return process.isAlive()
        ? Optional.empty()
        : Optional.of(ProcessExit.describe(process.exitValue()));
  }

  @Override
  public SortedMap<String, String> facts() {
    return new TreeMap<>(Map.of("executable", executable.toString()));
  }

  @Override
  public void settleLog() {
    // The process writes its log itself: nothing is under way once it has ended.
  }

  @Override
  public void kill() throws ProvisionException, InterruptedException {
    List<ProcessHandle> all =
        Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    long deadline = System.nanoTime() + GRACE.toNanos();
    while (all.stream().anyMatch(ProcessHandle::isAlive)) {
      if (System.nanoTime() > deadline) {
        throw new ProvisionException(
            "it (pid %d) still runs %d s after SIGKILL"
                .formatted(process.pid(), GRACE.toSeconds()));
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
    if (!ended(GRACE)) {
      process.destroyForcibly();
      ended(GRACE);
    }
    // A child that writes a snapshot outlives a parent that was killed.
    children.forEach(ProcessHandle::destroyForcibly);
    if (!process.isAlive()) {
      reaper.release(Reaper.Kind.PID, Long.toString(process.pid()));
    }
  }

  private boolean ended(Duration limit) {
    boolean interrupted = false;
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      while (true) {
        try {
          return process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
