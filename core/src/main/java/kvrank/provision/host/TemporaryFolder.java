package kvrank.provision.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import kvrank.input.TrustedPath;

/** The folder of temporary files, in which other users may have files, too. */
public final class TemporaryFolder {

  private TemporaryFolder() {}

  /** Returns the system's folder for temporary files. */
  public static Path path() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /**
   * Creates the folder if it is missing. Throws if another user can replace our files in it, with
   * which they could run code as this user.
   */
  public static void require() throws IOException {
    require(path());
  }

  static void require(Path folder) throws IOException {
    Optional<String> problem = TrustedPath.problem(folder);
    if (problem.isPresent()) {
      throw new IOException(
          problem.get() + "; another temporary folder: JDK_JAVA_OPTIONS=-Djava.io.tmpdir=DIR");
    }
    TrustedPath.createFolder(folder);
  }
}
