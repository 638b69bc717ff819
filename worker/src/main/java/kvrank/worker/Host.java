package kvrank.worker;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** What a worker that is one of several says of itself. */
public final class Host {

  /** The name of its machine. */
  public static final String NAME = "generator.host";

  /** How many CPUs it may use. */
  public static final String CORES = "generator.cores";

  /** The version of its JVM. */
  public static final String JAVA = "generator.java";

  /** A digest of what is on its class path. */
  public static final String BUILD = "generator.build";

  private Host() {}

  static SortedMap<String, String> facts() {
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put(NAME, name());
    facts.put(CORES, Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put(JAVA, Runtime.version().toString());
    facts.put(BUILD, build(System.getProperty("java.class.path")));
    return facts;
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

  /**
   * Returns a digest of the names and lengths of the files of a class path; of jars, of their
   * contents.
   */
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
        // What is not there makes another digest.
        digest.update('?');
      }
    }
    return Long.toHexString(digest.getValue());
  }
}
