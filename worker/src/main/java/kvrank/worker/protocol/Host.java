package kvrank.worker.protocol;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import kvrank.fact.Fact;
import kvrank.fact.Facts;

/** The facts of a generator's machine. */
public final class Host {

  private Host() {}

  public static Facts facts() {
    return new Facts()
        .put(Fact.GENERATOR_HOST, name())
        .put(Fact.GENERATOR_CORES, Runtime.getRuntime().availableProcessors())
        .put(Fact.GENERATOR_JAVA, Runtime.version().toString())
        .put(Fact.GENERATOR_BUILD, build(System.getProperty("java.class.path")));
  }

  private static String name() {
    return Optional.ofNullable(System.getenv("SLURMD_NODENAME"))
        .orElseGet(
            () -> {
              try {
                return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
              } catch (IOException e) {
                return "unknown";
              }
            });
  }

  /** Returns a checksum of the class path: contents of jars, names and lengths of other files. */
  public static String build(String classpath) {
    CRC32 digest = new CRC32();
    for (String entry : classpath.split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      try (Stream<Path> files = Files.walk(path)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          digest.update(file.getFileName().toString().getBytes(StandardCharsets.UTF_8));
          digest.update(
              file.equals(path)
                  ? Files.readAllBytes(file)
                  : Long.toString(Files.size(file)).getBytes(StandardCharsets.UTF_8));
        }
      } catch (IOException e) {
        // A missing entry changes the checksum.
        digest.update('?');
      }
    }
    return Long.toHexString(digest.getValue());
  }
}
