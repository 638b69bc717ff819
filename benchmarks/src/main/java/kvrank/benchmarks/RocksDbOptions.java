package kvrank.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The options in force, from the file in which RocksDB writes them down. */
final class RocksDbOptions {

  /** How RocksDB leads into values that are several fields, whose order means nothing. */
  private static final String FIELDS = "{";

  private RocksDbOptions() {}

  /** The names of the options that differ, each with the first database's value and the other's. */
  static SortedMap<String, String> differences(Path first, Path second) throws IOException {
    SortedMap<String, String> ours = newest(first);
    SortedMap<String, String> theirs = newest(second);
    SortedMap<String, String> different = new TreeMap<>();
    ours.forEach(
        (name, value) -> {
          String other = theirs.getOrDefault(name, "–");
          if (!sorted(value).equals(sorted(other))) {
            different.put(name, value + " / " + other);
          }
        });
    theirs.keySet().stream()
        .filter(name -> !ours.containsKey(name))
        .forEach(name -> different.put(name, "– / " + theirs.get(name)));
    return different;
  }

  private static List<String> sorted(String value) {
    return value.startsWith(FIELDS)
        ? Stream.of(value.split("[{};]", -1)).sorted().toList()
        : List.of(value);
  }

  private static SortedMap<String, String> newest(Path database) throws IOException {
    Path newest;
    try (Stream<Path> files = Files.list(database)) {
      newest =
          files
              .filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
              .max(Comparator.naturalOrder())
              .orElseThrow(() -> new IOException("no OPTIONS file in " + database));
    }
    SortedMap<String, String> options = new TreeMap<>();
    for (String line : Files.readAllLines(newest)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        options.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
      }
    }
    return options;
  }
}
