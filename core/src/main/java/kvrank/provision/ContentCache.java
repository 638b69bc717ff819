package kvrank.provision;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Findings in the content of files, until they change: libraries of tens of megabytes would be read
 * before each run. Linux sets the time of the last change ({@code ctime}) itself.
 */
final class ContentCache<T> {

  private static final String ATTRIBUTES = "unix:dev,ino,size,lastModifiedTime,ctime";

  /** Reads a file. */
  interface Reading<T> {
    T of(Path file) throws IOException;
  }

  private record Found<T>(Map<String, Object> attributes, T value) {}

  private final Map<Path, Found<T>> files = new ConcurrentHashMap<>();
  private final Reading<T> reading;

  ContentCache(Reading<T> reading) {
    this.reading = reading;
  }

  /** Returns the finding in {@code file}; throws if it cannot be read. */
  T of(Path file) throws IOException {
    Map<String, Object> attributes = Files.readAttributes(file, ATTRIBUTES);
    Found<T> found = files.get(file);
    if (found == null || !found.attributes.equals(attributes)) {
      found = new Found<>(attributes, reading.of(file));
      files.put(file, found);
    }
    return found.value;
  }
}
