package kvrank.trace;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kvrank.trace.Column.Meaning;
import kvrank.workload.request.Operation;

/**
 * A recording of one request per line, in columns.
 *
 * @param separator between columns; several spaces are one
 * @param columns all columns in their order
 * @param required the number of columns that each line has
 * @param operations the words of operations, in lower case
 * @param others words of operations that do not read or write the value of one key
 * @param commas whether a key may contain separators
 * @param results whether a read of 0 bytes is a miss, and another one a hit
 */
record Table(
    char separator,
    List<Column> columns,
    int required,
    Map<String, Operation> operations,
    Set<String> others,
    boolean commas,
    boolean results) {

  private static final Map<String, Operation> WORDS =
      words(
          "get gets get_lease read",
          "set add replace cas append prepend incr decr set_lease put write insert update",
          "delete del remove");

  /** Twitter's caches (Yang et al., OSDI 2020); a key may contain commas. */
  static final Table TWITTER =
      new Table(
          ',',
          List.of(
              new Column(Meaning.TIME, "timestamp"),
              new Column(Meaning.KEY, "anonymized key"),
              new Column(Meaning.KEY_SIZE, "key size"),
              new Column(Meaning.SIZE, "value size"),
              Column.unread("client id"),
              new Column(Meaning.OP, "operation"),
              new Column(Meaning.TTL, "TTL")),
          7,
          WORDS,
          Set.of(),
          true,
          true);

  /** The text of RocksDB's {@code trace_analyzer}; it has no lengths of values that are read. */
  static final Table ROCKSDB =
      new Table(
          ' ',
          List.of(
              new Column(Meaning.KEY_HEX, "key"),
              new Column(Meaning.OP, "type of operation"),
              new Column(Meaning.SPACE, "column family"),
              new Column(Meaning.SIZE, "value size"),
              new Column(Meaning.TIME_US, "timestamp")),
          5,
          words("0 8", "1 5", "2 3"),
          Set.of("4", "6", "7"),
          false,
          false);

  /** IBM Cloud Object Storage (Eytan et al., HotStorage 2020). */
  static final Table IBM =
      new Table(
          ' ',
          List.of(
              new Column(Meaning.TIME_MS, "timestamp"),
              new Column(Meaning.OP, "request type"),
              new Column(Meaning.KEY, "object ID"),
              new Column(Meaning.SIZE, "object size"),
              Column.unread("start of the range"),
              Column.unread("end of the range")),
          3,
          words("rest.get.object", "rest.put.object rest.copy.object", "rest.delete.object"),
          Set.of("rest.head.object"),
          false,
          false);

  /** Block requests of Microsoft Research in Cambridge (Narayanan et al., FAST 2008). */
  static final Table MSR =
      new Table(
          ',',
          List.of(
              new Column(Meaning.TIME_FILE, "Timestamp"),
              new Column(Meaning.SPACE, "Hostname"),
              new Column(Meaning.SPACE, "DiskNumber"),
              new Column(Meaning.OP, "Type"),
              new Column(Meaning.KEY, "Offset"),
              new Column(Meaning.SIZE, "Size"),
              Column.unread("ResponseTime")),
          7,
          words("read", "write", ""),
          Set.of(),
          false,
          false);

  /** Reads of one key per line. */
  static final Table KEYS = of('\n', List.of(new Column(Meaning.KEY, "key")));

  private static Map<String, Operation> words(String reads, String writes, String deletes) {
    Map<String, Operation> words = new LinkedHashMap<>();
    List.of(reads.split(" ", -1)).forEach(word -> words.put(word, Operation.READ));
    List.of(writes.split(" ", -1)).forEach(word -> words.put(word, Operation.UPDATE));
    List.of(deletes.split(" ", -1)).forEach(word -> words.put(word, Operation.DELETE));
    words.remove("");
    return words;
  }

  private static Table of(char separator, List<Column> columns) {
    return new Table(separator, columns, columns.size(), WORDS, Set.of(), false, true);
  }

  /** Returns the table of a header line that names a key; empty if the line does not. */
  static Optional<Table> headed(String line) {
    return separators()
        .map(each -> of(each, cells(line, each).stream().map(Column::named).toList()))
        .filter(table -> table.has(Meaning.KEY))
        .filter(table -> table.columns.stream().noneMatch(column -> isNumber(column.name())))
        .findFirst();
  }

  private static boolean isNumber(String cell) {
    return cell.matches("[-+\\d.]+");
  }

  /**
   * Returns a table of the columns of these names, {@code -} for one that is not read; more columns
   * follow if the line has more.
   */
  static Table named(List<String> names, String line) {
    List<Column> columns = new ArrayList<>();
    char separator =
        names.size() == 1
            ? '\n'
            : separators()
                .filter(each -> cells(line, each).size() >= names.size())
                .findFirst()
                .orElse(',');
    int count = Math.max(names.size(), cells(line, separator).size());
    for (int i = 0; i < count; i++) {
      String name = i < names.size() ? names.get(i) : "-";
      columns.add(name.equals("-") ? Column.unread("column " + (i + 1)) : Column.named(name));
    }
    return of(separator, columns);
  }

  private static Stream<Character> separators() {
    return Stream.of(',', '\t', ';', ' ');
  }

  /** Returns whether a column may be in quotes, with separators in it. */
  boolean quotes() {
    return !commas && separator != ' ' && separator != '\n';
  }

  boolean has(Meaning meaning) {
    return columns.stream().anyMatch(column -> column.meaning() == meaning);
  }

  /** Returns whether a line is the header line of this table. */
  boolean isHeader(String line) {
    List<String> cells = cells(line, separator);
    return cells.size() == columns.size()
        && IntStream.range(0, cells.size())
            .allMatch(
                i ->
                    columns.get(i).isNamed(cells.get(i))
                        || (columns.get(i).meaning() == Meaning.UNREAD && !isNumber(cells.get(i))));
  }

  /** Returns whether a line has text in each column that needs a number, or names the key. */
  boolean mayBeHeader(String line) {
    List<String> cells = cells(line, separator);
    if (cells.size() != columns.size()) {
      return false;
    }
    int[] numbers =
        IntStream.range(0, cells.size()).filter(i -> columns.get(i).meaning().number()).toArray();
    return numbers.length == 0
        ? isHeader(line)
        : Arrays.stream(numbers).allMatch(i -> cells.get(i).matches("\\W*[A-Za-z].*"));
  }

  /** Returns the first mismatch of a line to this table, without its content; empty if it fits. */
  Optional<String> misfit(String line) {
    if (isHeader(line)) {
      return Optional.empty();
    }
    try {
      byte[] text = line.getBytes(ISO_8859_1);
      TableRow row = new TableRow(this);
      row.split(text, text.length);
      row.parseFirst();
      row.parse();
      return Optional.empty();
    } catch (TableRow.Misfit e) {
      return Optional.of(e.getMessage());
    }
  }

  /** Returns the problem if two columns have the same meaning; only a space may have several. */
  private Optional<String> repeated() {
    Map<Meaning, Integer> seen = new EnumMap<>(Meaning.class);
    for (int i = 0; i < columns.size(); i++) {
      Meaning meaning = columns.get(i).meaning();
      Integer first =
          meaning == Meaning.UNREAD || meaning == Meaning.SPACE ? null : seen.put(meaning, i);
      if (first != null) {
        return Optional.of(
            ("columns %d and %d are both '%s'; name the columns with --columns, and - for one that"
                    + " is not read")
                .formatted(first + 1, i + 1, meaning.label()));
      }
    }
    return Optional.empty();
  }

  /** Reads all lines; {@code headed} if the first names the columns. */
  void read(TraceInput in, TraceBuilder out, boolean headed) throws IOException {
    Optional<String> repeated = repeated();
    if (repeated.isPresent()) {
      throw in.problem(repeated.get());
    }
    TableRow row = new TableRow(this);
    try {
      if (headed) {
        in.line();
      }
      for (boolean begun = false; in.line(); begun = true) {
        row.split(in.text(), in.length());
        row.parse();
        if (!begun) {
          out.clock(row.resolution());
        }
        row.add(out);
      }
    } catch (TableRow.Misfit e) {
      throw in.problem(e.getMessage());
    }
    columns.stream()
        .limit(row.most())
        .filter(column -> column.meaning() == Meaning.UNREAD)
        .forEach(column -> out.unread(column.name()));
  }

  private static List<String> cells(String line, char separator) {
    byte[] text = line.getBytes(ISO_8859_1);
    TableRow row = new TableRow(of(separator, List.of()));
    row.split(text, text.length);
    return row.cells();
  }
}
