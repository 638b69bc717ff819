package kvrank.provision;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvrank.scenario.Reason;

/** A server that runs as a process of this machine. */
record ServerProcess(Process process, String executable, ServerAddress place, Reaper reaper)
    implements StartedServer {

  private static final int GRACE_SECONDS = 5;
  private static final long POLL_MILLIS = 5;

  // Numbers that are the same on Linux and macOS.
  private static final Map<Integer, String> SIGNALS =
      Map.of(
          1, "SIGHUP",
          2, "SIGINT",
          3, "SIGQUIT",
          4, "SIGILL",
          6, "SIGABRT",
          8, "SIGFPE",
          9, "SIGKILL",
          11, "SIGSEGV",
          13, "SIGPIPE",
          15, "SIGTERM");

  /** Starts the process in {@code folder}, or throws if the executable cannot be run. */
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
      throw new ProvisionException(Reason.located(e), e);
    }
  }

  /** Returns a port of {@code host} that nobody listened on a moment ago. */
  static int freePort(String host) {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port", e);
    }
  }

  /** Returns whether somebody listens on {@code port} of {@code host}. */
  static boolean portTaken(String host, int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(host))) {
      return !socket.isBound();
    } catch (IOException e) {
      return true;
    }
  }

  /** For example "exited with status 1" or "was killed by SIGKILL (exit status 137)". */
  static String ending(int status) {
    String signal = SIGNALS.get(status - 128);
    return signal == null
        ? "exited with status " + status
        : "was killed by " + signal + " (exit status " + status + ")";
  }

  @Override
  public List<ServerAddress> endpoints() {
    return List.of(place);
  }

  @Override
  public boolean answersAt(ServerAddress place) {
    return listener().isPresent();
  }

  /** Returns the process that listens, should the executable be a script around it. */
  @Override
  public OptionalLong pid() {
    return OptionalLong.of(listener().orElse(process.pid()));
  }

  @Override
  public Optional<String> ending() {
    return process.isAlive() ? Optional.empty() : Optional.of(ending(process.exitValue()));
  }

  private OptionalLong listener() {
    return new PortOwner(Path.of("/proc")).among(process.toHandle(), place.port());
  }

  @Override
  public SortedMap<String, String> facts() {
    return new TreeMap<>(Map.of("executable", executable));
  }

  @Override
  public void kill() throws ProvisionException, InterruptedException {
    List<ProcessHandle> all =
        Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
    while (all.stream().anyMatch(ProcessHandle::isAlive)) {
      if (System.nanoTime() > deadline) {
        throw new ProvisionException(
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
    // A child that writes a snapshot outlives a parent that was killed.
    children.forEach(ProcessHandle::destroyForcibly);
    if (!process.isAlive()) {
      reaper.release(Reaper.Kind.PID, Long.toString(process.pid()));
    }
  }

  /** Waits, even if this thread is interrupted; it still is then. */
  private boolean ended() {
    return process.onExit().completeOnTimeout(null, GRACE_SECONDS, TimeUnit.SECONDS).join() != null;
  }
}
