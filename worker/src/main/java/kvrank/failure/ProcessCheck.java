package kvrank.failure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Checks whether the system lets this process open a file and start a thread, which every engine
 * needs. It tries both, because the words of an engine's failure prove nothing.
 */
public final class ProcessCheck {

  private static final Path A_FILE = Path.of(System.getProperty("java.home"), "lib", "modules");

  private ProcessCheck() {}

  /**
   * Returns what the system refuses now, as a clause about {@code process}; empty if nothing. Call
   * it once while files can still be opened, because the classes that it needs are loaded from
   * files.
   */
  public static Optional<String> refusal(String process) {
    try {
      Files.newInputStream(A_FILE).close();
    } catch (NoSuchFileException none) {
      // Opening it got as far as the lookup.
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
    return Optional.empty();
  }
}
