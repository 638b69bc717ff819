package kvrank.trace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import kvrank.trace.TraceBuilder.Clock;
import kvrank.workload.request.Labelled;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Recorded;

/** The formats of recordings. */
public enum TraceFormat implements Labelled {
  /**
   * Lines of {@code second,key,key size,value size,client,operation,TTL}, as Twitter published its
   * caches' traces (Yang et al., OSDI 2020).
   */
  TWITTER {
    @Override
    void read(TraceInput in, TraceBuilder out) throws IOException {
      out.clock(Clock.SECONDS);
      while (in.line()) {
        int[] commas = commas(in, 6);
        // Only a key may contain commas.
        int last = commas.length;
        int keyEnd = commas[last - 5];
        long second = in.number(0, commas[0], "the time");
        Operation operation =
            operation(in, commas[last - 2] + 1, commas[last - 1], TWITTER_READS, TWITTER_WRITES);
        long bytes = in.number(commas[last - 4] + 1, commas[last - 3], "the length of the value");
        out.add(
            second * SECOND,
            operation,
            0,
            commas[0] + 1,
            keyEnd,
            in.number(keyEnd + 1, commas[last - 4], "the length of the key"),
            bytes,
            1_000 * in.number(commas[last - 1] + 1, in.length(), "the time to live"),
            bytes > 0 ? Recorded.HIT : Recorded.MISS);
      }
    }
  },
  /**
   * Comma-separated values with a header line, as Meta publishes its caches' traces for CacheLib.
   * The columns {@code key}, {@code op} and {@code size} are required, {@code op_time}, {@code
   * op_count}, {@code key_size}, {@code cache_hits} and {@code ttl} optional.
   */
  META {
    @Override
    void read(TraceInput in, TraceBuilder out) throws IOException {
      in.line();
      List<String> names = Arrays.asList(text(in, 0, in.length()).split(",", -1));
      if (!names.containsAll(REQUIRED_META_NAMES)) {
        throw in.problem(
            "has no header line with the columns " + String.join(", ", REQUIRED_META_NAMES));
      }
      out.clock(names.contains("op_time") ? Clock.SECONDS : Clock.NONE);
      while (in.line()) {
        int[] commas = commas(in, names.size() - 1);
        if (commas.length > names.size()) {
          throw in.problem("has more columns than the header line");
        }
        Columns columns = new Columns(in, commas, names);
        Operation operation =
            operation(in, columns.from("op"), columns.to("op"), META_READS, META_WRITES);
        long count = columns.number("op_count", 1);
        if (count > MOST_REPEATS) {
          throw in.problem("has an op_count over " + MOST_REPEATS);
        }
        int from = columns.from("key");
        int to = columns.to("key");
        long bytes = columns.number("size", 0);
        // Of several reads in one line, those that missed were the first.
        long misses = count - columns.number("cache_hits", bytes > 0 ? count : 0);
        for (long i = 0; i < count; i++) {
          out.add(
              columns.number("op_time", 0) * SECOND,
              operation,
              0,
              from,
              to,
              columns.number("key_size", to - from),
              bytes,
              1_000 * columns.number("ttl", 0),
              i < misses ? Recorded.MISS : Recorded.HIT);
        }
      }
    }
  },
  /**
   * The output of Redis's MONITOR, {@code 1.5 [0 10.0.0.1:99] "set" "key" "value"}, which memtier's
   * {@code --monitor-input} reads as well.
   */
  MONITOR {
    @Override
    void read(TraceInput in, TraceBuilder out) throws IOException {
      out.clock(Clock.MICROSECONDS);
      RedisCommands command = new RedisCommands(in, out, true);
      while (in.line()) {
        byte[] text = in.text();
        int at = in.length() > 0 && text[0] == '+' ? 1 : 0;
        if (in.length() == at + 2 && text[at] == 'O' && text[at + 1] == 'K') {
          continue;
        }
        int open = find(in, at, ' ');
        int point = find(in, at, '.');
        if (point > open || open - point != 7 || text[Math.min(open + 1, in.length())] != '[') {
          throw in.problem("is not a line of MONITOR, like 1.500000 [0 127.0.0.1:99] \"get\" …");
        }
        long micros =
            in.number(at, point, "the time") * SECOND + in.number(point + 1, open, "the time");
        long database = in.number(open + 2, find(in, open + 2, ' '), "the database");
        quoted(in, command, find(in, open, ']') + 1);
        command.add(micros, database);
      }
    }
  },
  /** Redis's append-only file: writes, and their times in seconds. */
  AOF {
    @Override
    void read(TraceInput in, TraceBuilder out) throws IOException {
      RedisCommands command = new RedisCommands(in, out, false);
      long micros = 0;
      long database = 0;
      for (boolean first = true; in.line(); first = false) {
        if (in.length() > 0 && in.text()[0] == '#') {
          if (text(in, 0, Math.min(4, in.length())).equals("#TS:")) {
            // Times that start later cover only a part of the file.
            if (first) {
              out.clock(Clock.SECONDS);
            }
            micros = in.number(4, in.length(), "the time") * SECOND;
          }
          continue;
        }
        long arguments = count(in, 0, '*');
        command.clear();
        in.forget();
        for (long i = 0; i < arguments; i++) {
          int line = in.length();
          in.more();
          long bytes = count(in, line, '$');
          int begin = in.length();
          in.piece(bytes);
          command.argument(begin, in.length());
        }
        if (command.word(0).equals("select")) {
          database = command.number(1);
        } else {
          command.add(micros, database);
        }
      }
    }

    private long count(TraceInput in, int from, char type) throws IOException {
      if (in.length() <= from || in.text()[from] != type) {
        throw in.problem("is not a command of an append-only file");
      }
      return in.number(from + 1, in.length(), "a length");
    }
  };

  private static final long SECOND = 1_000_000;

  private static final String ESCAPES = "nrtab";
  private static final String CONTROLS = "\n\r\t\007\b";

  /** A larger number is more likely a shifted column. */
  private static final long MOST_REPEATS = 1_000_000;

  private static final List<String> TWITTER_READS = List.of("get", "gets");
  private static final List<String> TWITTER_WRITES =
      List.of("set", "add", "replace", "cas", "append", "prepend", "incr", "decr");
  private static final List<String> META_READS = List.of("get", "get_lease");
  private static final List<String> META_WRITES = List.of("set", "set_lease");
  private static final String DELETE = "delete";
  private static final List<String> REQUIRED_META_NAMES = List.of("key", "op", "size");

  /** Reads all requests; throws with the position of a mistake. */
  abstract void read(TraceInput in, TraceBuilder out) throws IOException;

  /**
   * Returns the stated format, or the one detected from the start of the input; throws if it is
   * unknown.
   */
  static TraceFormat of(TraceInput in, Optional<TraceFormat> stated) throws IOException {
    String begin = in.beginning();
    String line = begin.lines().findFirst().orElse("");
    if (begin.startsWith("REDIS")) {
      throw in.problem(
          "starts with a snapshot (RDB); import the '.incr.aof' file next to it, or a file that was"
              + " written with 'aof-use-rdb-preamble no'");
    }
    Optional<TraceFormat> found = begun(begin, line);
    if (stated.isPresent() && found.isPresent() && !found.equals(stated)) {
      throw in.problem(
          "is in the format %s, not %s; give that format, or none"
              .formatted(found.get().label(), stated.get().label()));
    }
    String unknown = "has an unknown format; give one of " + String.join(", ", names());
    return stated.or(() -> found).orElseThrow(() -> in.problem(unknown));
  }

  private static Optional<TraceFormat> begun(String begin, String line) {
    if (begin.startsWith("*") || begin.startsWith("#TS:")) {
      return Optional.of(AOF);
    }
    if (line.matches("\\+?(OK|\\d+\\.\\d{6} \\[.*)")) {
      return Optional.of(MONITOR);
    }
    if (Arrays.asList(line.split(",", -1)).containsAll(REQUIRED_META_NAMES)) {
      return Optional.of(META);
    }
    return line.matches("\\d+,.*,\\d+,\\d+,[^,]*,[a-z]+,\\d+")
        ? Optional.of(TWITTER)
        : Optional.empty();
  }

  /** Returns the names of all formats. */
  public static List<String> names() {
    return Arrays.stream(values()).map(TraceFormat::label).toList();
  }

  private static String text(TraceInput in, int from, int to) {
    return new String(in.text(), from, to - from, StandardCharsets.ISO_8859_1);
  }

  private static int[] commas(TraceInput in, int least) throws IOException {
    int[] commas = new int[least];
    int count = 0;
    for (int i = 0; i < in.length(); i++) {
      if (in.text()[i] == ',') {
        if (count == commas.length) {
          commas = Arrays.copyOf(commas, 2 * count);
        }
        commas[count++] = i;
      }
    }
    if (count < least) {
      throw in.problem(
          "has %d of %d columns; all lines must have the same format"
              .formatted(count + 1, least + 1));
    }
    return Arrays.copyOf(commas, count);
  }

  /** Returns the operation that the word in a part of the line stands for. */
  private static Operation operation(
      TraceInput in, int from, int to, List<String> reads, List<String> writes) throws IOException {
    String word = text(in, from, to).toLowerCase(Locale.ROOT);
    if (reads.contains(word)) {
      return Operation.READ;
    } else if (writes.contains(word)) {
      return Operation.UPDATE;
    } else if (word.equals(DELETE)) {
      return Operation.DELETE;
    }
    throw in.problem(
        "its operation is not one of %s, %s, %s"
            .formatted(String.join(", ", reads), String.join(", ", writes), DELETE));
  }

  /**
   * Returns the index of the first {@code wanted} from {@code from} on; the length if there is
   * none.
   */
  private static int find(TraceInput in, int from, char wanted) {
    int at = from;
    while (at < in.length() && in.text()[at] != wanted) {
      at++;
    }
    return at;
  }

  /** Adds the quoted words after an index as arguments, with their escapes resolved. */
  private static void quoted(TraceInput in, RedisCommands command, int after) throws IOException {
    byte[] text = in.text();
    command.clear();
    int at = after;
    while (at < in.length()) {
      if (text[at] != ' ' || at + 1 >= in.length() || text[at + 1] != '"') {
        throw in.problem("has text between two quoted words");
      }
      int begin = at + 2;
      int end = begin;
      at = begin;
      while (at < in.length() && text[at] != '"') {
        byte next = text[at++];
        if (next == '\\' && at < in.length()) {
          next = text[at++];
          int control = ESCAPES.indexOf(next);
          if (control >= 0) {
            next = (byte) CONTROLS.charAt(control);
          } else if (next == 'x' && at + 2 <= in.length()) {
            next = (byte) (16 * Character.digit(text[at], 16) + Character.digit(text[at + 1], 16));
            at += 2;
          }
        }
        text[end++] = next;
      }
      if (at >= in.length()) {
        throw in.problem("ends within a quoted word; the line may be truncated");
      }
      at++;
      command.argument(begin, end);
    }
    if (command.word(0).isEmpty()) {
      throw in.problem("has no command");
    }
  }

  /** The columns of a line, by their names. */
  private static final class Columns {

    private final TraceInput in;
    private final int[] commas;
    private final List<String> names;

    Columns(TraceInput in, int[] commas, List<String> names) {
      this.in = in;
      this.commas = commas;
      this.names = names;
    }

    int from(String name) {
      int place = names.indexOf(name);
      return place == 0 ? 0 : commas[place - 1] + 1;
    }

    int to(String name) {
      int place = names.indexOf(name);
      return place == commas.length ? in.length() : commas[place];
    }

    long number(String name, long otherwise) throws IOException {
      return names.contains(name) ? in.number(from(name), to(name), "'" + name + "'") : otherwise;
    }
  }
}
