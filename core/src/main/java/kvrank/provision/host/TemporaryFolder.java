package kvrank.provision.host;

import static java.nio.file.attribute.PosixFilePermission.GROUP_WRITE;
import static java.nio.file.attribute.PosixFilePermission.OTHERS_WRITE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** The folder of temporary files, in which other users may have files, too. */
public final class TemporaryFolder {

  private static final int STICKY = 01000;

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
    Files.createDirectories(folder);
    try {
      Object owner = Files.getAttribute(folder, "unix:uid");
      boolean trusted =
          owner.equals(0) || owner.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
      boolean shared = permissions.contains(GROUP_WRITE) || permissions.contains(OTHERS_WRITE);
      boolean sticky = ((int) Files.getAttribute(folder, "unix:mode") & STICKY) != 0;
      if (!trusted || (shared && !sticky)) {
        throw new IOException(
            "other users can replace files in the temporary folder '%s'; run chmod +t '%s', or use another: JDK_JAVA_OPTIONS=-Djava.io.tmpdir=DIR"
                .formatted(folder, folder));
      }
    } catch (UnsupportedOperationException e) {
      // The file system has no owners.
    }
  }
}
