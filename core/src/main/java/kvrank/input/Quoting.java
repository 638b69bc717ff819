package kvrank.input;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Whether messages may quote a file that another file names. A stranger's scenario may name any
 * file that its user can read, and strangers may read the log.
 */
public final class Quoting {

  private Quoting() {}

  /**
   * Returns the reason not to quote {@code file}, with the next step. It may be if all users can
   * read it, no other user can replace it, and it is really below one of {@code folders} and not
   * hidden there.
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
        below =
            below.or(
                () -> Optional.of(real).filter(it -> it.startsWith(root)).map(root::relativize));
      }
      if (below.isEmpty()) {
        return Optional.of("outside of the scenario's folder; copy it there");
      }
      for (Path name : below.get()) {
        if (name.toString().startsWith(".")) {
          return Optional.of("hidden; rename '%s'".formatted(name));
        }
      }
      return TrustedPath.readableByAll(real)
          ? Optional.empty()
          : Optional.of("closed to other users; run chmod o+r on it if it has no secrets");
    } catch (IOException e) {
      return Optional.of("not accessible: " + Reason.of(e));
    }
  }
}
