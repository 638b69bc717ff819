package kvrank.provision.host;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The programs on the {@code PATH} of an environment. */
public record Executables(Map<String, String> environment) {

  /** Returns the executable of a path or, on the {@code PATH}, of a name. */
  public Optional<Path> find(String nameOrPath) {
    Path path = Path.of(nameOrPath);
    if (path.getNameCount() != 1 || path.isAbsolute()) {
      return Optional.of(path.toAbsolutePath().normalize()).filter(Executables::runs);
    }
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      Path candidate = Path.of(folder).resolve(path).toAbsolutePath();
      if (runs(candidate)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  private static boolean runs(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  /** Returns this machine as a key of {@code bundled}, for example {@code linux-amd64}. */
  public static String platform() {
    return platform(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  static String platform(String system, String architecture) {
    String os = system.toLowerCase(Locale.ROOT);
    String arch = architecture.toLowerCase(Locale.ROOT);
    return (os.startsWith("mac") ? "darwin" : os.startsWith("windows") ? "windows" : os)
        + "-"
        + switch (arch) {
          case "x86_64", "x64" -> "amd64";
          case "aarch64" -> "arm64";
          case "i386", "i486", "i586", "i686", "x86" -> "386";
          default -> arch;
        };
  }
}
