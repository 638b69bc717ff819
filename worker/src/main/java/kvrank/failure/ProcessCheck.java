package kvrank.failure;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Tests whether this process can open a file, start a thread and have a port, which engines or
 * their clients need. The words of an engine's failure prove nothing.
 */
public final class ProcessCheck {

  private static final Path A_FILE = Path.of(System.getProperty("java.home"), "lib", "modules");

  private ProcessCheck() {}

  /**
   * Returns the system's refusal as a clause about {@code process}; empty if there is none. Call it
   * once early, as it loads classes from files.
   */
  public static Optional<String> refusal(String process) {
    try {
      Files.newInputStream(A_FILE).close();
    } catch (NoSuchFileException none) {
      // The lookup succeeded, so files can be opened.
    } catch (IOException e) {
      return Optional.of("%s can open no more files".formatted(process));
    }
    try {
      Thread thread = new Thread(() -> {}, "process-check");
      thread.setDaemon(true);
      thread.start();
    } catch (OutOfMemoryError e) {
      return Optional.of("%s can start no more threads".formatted(process));
    }
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(0));
    } catch (BindException e) {
      return Optional.of("%s can get no more ports".formatted(process));
    } catch (IOException e) {
      // There is no network here.
    }
    return Optional.empty();
  }
}
