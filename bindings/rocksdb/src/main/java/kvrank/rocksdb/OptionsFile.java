package kvrank.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The file in which RocksDB writes down the options that are in force. */
final class OptionsFile {

  /** Those that decide a ranking; the rest of the several hundred stays in the file. */
  private static final Set<String> TOLD =
      Set.of(
          "block_size",
          "bottommost_compression",
          "compaction_style",
          "compression",
          "compression_per_level",
          "enable_blob_files",
          "enable_pipelined_write",
          "filter_policy",
          "format_version",
          "level0_file_num_compaction_trigger",
          "max_background_jobs",
          "max_bytes_for_level_base",
          "max_open_files",
          "max_write_buffer_number",
          "target_file_size_base",
          "use_direct_io_for_flush_and_compaction",
          "use_direct_reads",
          "use_fsync",
          "wal_compression",
          "write_buffer_size");

  private OptionsFile() {}

  /** Facts from the newest options file in {@code directory}, by their names in RocksDB. */
  static SortedMap<String, String> newest(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      Optional<Path> newest =
          files
              .filter(file -> file.getFileName().toString().matches("OPTIONS-\\d+"))
              .max(Comparator.comparing(file -> file.getFileName().toString()));
      return newest.isEmpty() ? new TreeMap<>() : facts(Files.readAllLines(newest.get()));
    }
  }

  /** Facts from the lines {@code name=value} of an options file. */
  static SortedMap<String, String> facts(List<String> lines) {
    SortedMap<String, String> facts = new TreeMap<>();
    for (String line : lines) {
      int equals = line.indexOf('=');
      String name = equals < 0 ? "" : line.substring(0, equals).strip();
      if (TOLD.contains(name)) {
        facts.put(name, line.substring(equals + 1).strip());
      }
    }
    return facts;
  }
}
