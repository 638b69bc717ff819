package kvrank.input;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Whether messages may quote a file that another file names. A stranger's scenario may name any
 * file that its user can read, and strangers may read the log.
 */
public final class Quoting {

  private static final int READABLE_BY_ALL = 0004;

  private Quoting() {}

  /**
   * Returns the reason to hide the text of {@code file}, with the next step; empty without one: all
   * users can read the file, and it is really below one of {@code folders} and not hidden there.
   */
  public static Optional<String> problem(Path file, List<Path> folders) {
    try {
      if (TrustedPath.problem(file).isPresent()) {
        return Optional.of("in a place that another user can change; copy it to one of your own");
      }
      Path real = file.toRealPath();
      Optional<Path> below = Optional.empty();
      for (Path folder : folders) {
        Path root = folder.toAbsolutePath().toRealPath();
        if (below.isEmpty() && real.startsWith(root)) {
          below = Optional.of(root.relativize(real));
        }
      }
      if (below.isEmpty()) {
        return Optional.of("outside of the scenario's folder; copy it there");
      }
      for (Path name : below.get()) {
        if (name.toString().startsWith(".")) {
          return Optional.of("hidden; rename '%s'".formatted(name));
        }
      }
      return readableByAll(real)
          ? Optional.empty()
          : Optional.of("closed to other users; run chmod o+r on it if it has no secrets");
    } catch (IOException e) {
      return Optional.of("not accessible: " + Reason.of(e));
    }
  }

  private static boolean readableByAll(Path file) throws IOException {
    try {
      return ((int) Files.getAttribute(file, "unix:mode") & READABLE_BY_ALL) != 0;
    } catch (UnsupportedOperationException e) {
      return true; // the system has no such modes
    }
  }
}
