package kvrank.trace;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import kvrank.workload.request.Labelled;

/** The formats of recordings. */
public enum TraceFormat implements Labelled {
  /**
   * Lines of {@code second,key,key size,value size,client,operation,TTL}, as Twitter published its
   * caches' traces (Yang et al., OSDI 2020).
   */
  TWITTER,
  /**
   * Comma-separated values with a header line, as Meta publishes its caches' traces for CacheLib.
   * The columns {@code key}, {@code op} and {@code size} are required, {@code op_time}, {@code
   * op_count}, {@code key_size}, {@code cache_hits} and {@code ttl} optional.
   */
  META {
    @Override
    Optional<String> misfit(String beginning, String line) {
      List<String> names =
          Table.headed(line).stream()
              .flatMap(table -> table.columns().stream())
              .map(Column::name)
              .toList();
      if (!names.containsAll(REQUIRED_META_NAMES)) {
        return Optional.of(
            "has no header line with the columns " + String.join(", ", REQUIRED_META_NAMES));
      }
      return names.stream()
          .filter(name -> !META_NAMES.contains(name))
          .findFirst()
          .map(name -> "column %d is not one of Meta's".formatted(names.indexOf(name) + 1));
    }

    @Override
    void read(TraceInput in, TraceBuilder out, List<String> columns) throws IOException {
      String line = in.firstLine();
      Optional<String> misfit = misfit(line, line);
      if (misfit.isPresent()) {
        throw in.problem(misfit.get());
      }
      Table.headed(line).orElseThrow().read(in, out, true);
    }
  },
  /** libCacheSim's binary {@code oracleGeneral}. */
  ORACLE_GENERAL {
    @Override
    Optional<String> misfit(String beginning, String line) {
      return OracleGeneral.misfit(beginning);
    }

    @Override
    void read(TraceInput in, TraceBuilder out, List<String> columns) throws IOException {
      OracleGeneral.read(in, out);
    }
  },
  /** The text that RocksDB's {@code trace_analyzer --convert_to_human_readable_trace} writes. */
  ROCKSDB,
  /** Lines of {@code millisecond operation object size}, of IBM Cloud Object Storage. */
  IBM,
  /** Block requests of Microsoft Research in Cambridge; the key is the offset on its disk. */
  MSR,
  /**
   * The output of Redis's MONITOR, {@code 1.5 [0 10.0.0.1:99] "set" "key" "value"}, which memtier's
   * {@code --monitor-input} reads as well.
   */
  MONITOR {
    @Override
    Optional<String> misfit(String beginning, String line) {
      return line.matches("\\+?(OK|\\d+\\.\\d{6} \\[.*)")
          ? Optional.empty()
          : Optional.of("does not start like 1.500000 [0 127.0.0.1:99]");
    }

    @Override
    void read(TraceInput in, TraceBuilder out, List<String> columns) throws IOException {
      RedisRecordings.monitor(in, out);
    }
  },
  /** Redis's append-only file: writes, and their times in seconds. */
  AOF {
    @Override
    Optional<String> misfit(String beginning, String line) {
      return beginning.startsWith("*") || beginning.startsWith("#TS:")
          ? Optional.empty()
          : Optional.of("does not start with * or #TS:");
    }

    @Override
    void read(TraceInput in, TraceBuilder out, List<String> columns) throws IOException {
      RedisRecordings.appended(in, out);
    }
  },
  /** Columns that a header line or {@code --columns} names. */
  CSV {
    @Override
    Optional<String> misfit(String beginning, String line) {
      return Table.headed(line).isPresent()
          ? Optional.empty()
          : Optional.of("has no header line with a column 'key'");
    }

    @Override
    void read(TraceInput in, TraceBuilder out, List<String> columns) throws IOException {
      String line = in.firstLine();
      if (columns.isEmpty()) {
        Optional<Table> headed = Table.headed(line);
        String missing = "has no header line with a column 'key'; name its columns with --columns";
        headed.orElseThrow(() -> in.problem(missing)).read(in, out, true);
      } else {
        Table table = Table.named(columns, line);
        table.read(in, out, table.mayBeHeader(line));
      }
    }
  },
  /** One key per line, each of them read. */
  KEYS {
    @Override
    Optional<String> misfit(String beginning, String line) {
      return beginning.lines().allMatch(TraceFormat::isWord)
          ? Optional.empty()
          : Optional.of("has an empty line, or one of more than one column");
    }
  };

  private static final List<String> REQUIRED_META_NAMES = List.of("key", "op", "size");

  private static final Set<String> META_NAMES =
      Set.of(
          "key",
          "op",
          "size",
          "op_time",
          "key_size",
          "op_count",
          "cache_hits",
          "ttl",
          "usecase",
          "sub_usecase");

  private Table table() {
    return switch (this) {
      case TWITTER -> Table.TWITTER;
      case ROCKSDB -> Table.ROCKSDB;
      case IBM -> Table.IBM;
      case MSR -> Table.MSR;
      default -> Table.KEYS;
    };
  }

  /**
   * Returns the first mismatch between the start of a recording, or its first line, and this
   * format; empty if they fit.
   */
  Optional<String> misfit(String beginning, String line) {
    return table().misfit(line);
  }

  /** Reads all requests; throws with the position of a mistake. */
  void read(TraceInput in, TraceBuilder out, List<String> columns) throws IOException {
    table().read(in, out, table().isHeader(in.firstLine()));
  }

  /**
   * Returns the stated format, or the one detected from the start of the input; throws if it is
   * unknown.
   */
  static TraceFormat of(TraceInput in, Optional<TraceFormat> stated) throws IOException {
    String begin = in.beginning();
    String line = in.firstLine();
    if (begin.startsWith("REDIS")) {
      throw in.problem(
          "starts with a snapshot (RDB); import the '.incr.aof' file next to it, or a file that was"
              + " written with 'aof-use-rdb-preamble no'");
    }
    if (stated.isPresent() && (stated.get() == CSV || stated.get().fits(begin, line))) {
      return stated.get();
    }
    Optional<TraceFormat> found =
        Arrays.stream(values()).filter(format -> format.fits(begin, line)).findFirst();
    if (stated.isPresent() && found.isPresent() && found.get() != KEYS) {
      throw in.problem(
          "is in the format %s, not %s; give that format, or none"
              .formatted(found.get().label(), stated.get().label()));
    }
    String misfits =
        Arrays.stream(values())
            .map(each -> "\n  %s: %s".formatted(each.label(), each.misfit(begin, line).orElse("")))
            .collect(Collectors.joining());
    String unknown =
        "has an unknown format; if each line is a request, name the columns: 'csv FILE --columns"
            + " time,key,size,op'. These formats do not fit:";
    return stated.or(() -> found).orElseThrow(() -> in.problem(unknown + misfits));
  }

  private static boolean isWord(String line) {
    return !line.isEmpty() && line.chars().allMatch(c -> c > ' ' && ",;\u007f".indexOf(c) < 0);
  }

  private boolean fits(String beginning, String line) {
    return misfit(beginning, line).isEmpty();
  }

  /** Returns the names of all formats. */
  public static List<String> names() {
    return Arrays.stream(values()).map(TraceFormat::label).toList();
  }

  /** Returns the names of columns of {@link #CSV}. */
  public static List<String> columns() {
    return Column.names();
  }
}
