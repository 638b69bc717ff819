package kvrank.trace;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import kvrank.trace.Column.Meaning;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Recorded;

/** The columns of one line of a {@link Table}. Reused for the next one. */
final class TableRow {

  /** A larger number is more likely a shifted column. */
  private static final long MOST_REPEATS = 1_000_000;

  private static final char QUOTE = '"';

  /** A line that is not a row of the table; the message names the column. */
  static final class Misfit extends Exception {

    private static final long serialVersionUID = 1L;

    Misfit(String reason) {
      super(reason);
    }
  }

  private final Table table;
  private final boolean sized;
  private final boolean counted;
  private final int keyPlace;
  private byte[] text = {};
  private int[] from = new int[8];
  private int[] to = new int[8];
  private int count;
  private int most;
  private long time;
  private long resolution;
  private Optional<Operation> operation = Optional.of(Operation.READ);
  private long space;
  private int key;
  private int keyEnd;
  private long keyBytes;
  private long valueBytes;
  private long repeats;
  private long hits;
  private long ttlMillis;

  TableRow(Table table) {
    this.table = table;
    sized = table.has(Meaning.SIZE);
    counted = table.has(Meaning.HITS);
    keyPlace =
        IntStream.range(0, table.columns().size())
            .filter(i -> table.columns().get(i).meaning() == Meaning.KEY)
            .findFirst()
            .orElse(-1);
  }

  /** Finds the columns of a line. */
  void split(byte[] line, int length) {
    text = line;
    count = 0;
    for (int at = 0; at <= length; at++) {
      boolean spaces = table.separator() == ' ';
      while (spaces && at < length && text[at] == ' ') {
        at++;
      }
      if (spaces && at == length && count > 0) {
        return;
      }
      int begin = at;
      boolean quotes = table.quotes() && at < length && text[at] == QUOTE;
      if (quotes) {
        at = quoted(length, at);
      }
      while (at < length && text[at] != table.separator()) {
        at++;
      }
      quotes = quotes && at - begin > 1 && text[at - 1] == QUOTE;
      add(quotes ? begin + 1 : begin, quotes ? at - 1 : at);
    }
  }

  /** Returns the index after the quoted text at an index. */
  private int quoted(int length, int begin) {
    for (int at = begin + 1; at < length; at++) {
      if (text[at] == QUOTE && (at + 1 == length || text[at + 1] == table.separator())) {
        return at + 1;
      }
    }
    return begin;
  }

  private void add(int begin, int end) {
    if (count == from.length) {
      from = Arrays.copyOf(from, 2 * count);
      to = Arrays.copyOf(to, 2 * count);
    }
    from[count] = begin;
    to[count++] = end;
  }

  /** Returns the texts of all columns. */
  List<String> cells() {
    return IntStream.range(0, count).mapToObj(this::cell).toList();
  }

  private String cell(int i) {
    return new String(text, from[i], to[i] - from[i], ISO_8859_1);
  }

  /** Reads the columns. */
  void parse() throws Misfit {
    int columns = table.columns().size();
    if (count < table.required()) {
      throw new Misfit(
          "has %d of %d columns; all lines must have the same format"
              .formatted(count, table.required()));
    }
    int more = count - columns;
    if (more > 0 && table.commas()) {
      to[keyPlace] = to[keyPlace + more];
      for (int i = keyPlace + 1; i < columns; i++) {
        from[i] = from[i + more];
        to[i] = to[i + more];
      }
    } else if (more > 0) {
      throw new Misfit("has %d columns, more than %d".formatted(count, columns));
    }
    most = Math.max(most, Math.min(count, columns));
    parseFirst();
  }

  /** Reads the first columns, as many as there are. */
  void parseFirst() throws Misfit {
    int columns = table.columns().size();
    time = 0;
    resolution = 0;
    operation = Optional.of(Operation.READ);
    space = 0;
    keyBytes = -1;
    valueBytes = TraceBuilder.UNKNOWN;
    repeats = 1;
    hits = 0;
    ttlMillis = 0;
    for (int i = 0; i < Math.min(count, columns); i++) {
      parse(i);
    }
    keyBytes = keyBytes < 0 ? keyEnd - key : keyBytes;
    if (hits > repeats && operation.equals(Optional.of(Operation.READ))) {
      throw new Misfit("has more hits than requests");
    }
  }

  private void parse(int i) throws Misfit {
    Meaning meaning = table.columns().get(i).meaning();
    long number = meaning.number() ? number(i, meaning) : 0;
    switch (meaning) {
      case TIME, TIME_MS, TIME_US, TIME_NS, TIME_FILE -> time = number;
      case KEY -> {
        key = from[i];
        keyEnd = to[i];
        if (key == keyEnd) {
          throw misfit(i, "is empty");
        }
      }
      case KEY_HEX -> hexadecimal(i);
      case KEY_SIZE -> keyBytes = number;
      case SIZE -> valueBytes = number;
      case OP -> operation = operation(i);
      case COUNT -> {
        repeats = number;
        if (number > MOST_REPEATS) {
          throw misfit(i, "is over " + MOST_REPEATS);
        }
      }
      case HITS -> hits = number;
      case TTL -> ttlMillis = number;
      case SPACE -> {
        for (int at = from[i]; at < to[i]; at++) {
          space = 31 * space + text[at];
        }
      }
      case UNREAD -> {}
    }
  }

  private Misfit misfit(int i, String problem) {
    return new Misfit("column %d (%s) %s".formatted(i + 1, table.columns().get(i).name(), problem));
  }

  private void hexadecimal(int i) throws Misfit {
    key = from[i];
    keyEnd = to[i];
    boolean hexadecimal = keyEnd - key >= 2 && text[key] == '0' && text[key + 1] == 'x';
    for (int at = key + 2; at < keyEnd && hexadecimal; at++) {
      hexadecimal = Character.digit(text[at], 16) >= 0;
    }
    if (!hexadecimal) {
      throw misfit(i, "is not 0x and hexadecimal digits");
    }
    keyBytes = (keyEnd - key - 2L) / 2;
  }

  private Optional<Operation> operation(int i) throws Misfit {
    String word = cell(i).toLowerCase(Locale.ROOT);
    Operation found = table.operations().get(word);
    if (found == null && !table.others().contains(word)) {
      throw misfit(i, "is not one of " + String.join(", ", table.operations().keySet()));
    }
    return Optional.ofNullable(found);
  }

  /** Returns a number in the unit of its meaning; times may have decimals. */
  private long number(int i, Meaning meaning) throws Misfit {
    long unit = meaning.factor();
    long whole = 0;
    int at = from[i];
    try {
      for (; at < to[i] && text[at] != '.'; at++) {
        whole = Math.addExact(Math.multiplyExact(whole, 10L), digit(i, at));
      }
      whole = Math.multiplyExact(whole, unit);
    } catch (ArithmeticException e) {
      throw misfit(i, "is out of range");
    }
    if (at == from[i]) {
      throw misfit(i, at == to[i] ? "is missing" : "is not a number");
    }
    if (at < to[i] && unit == 1 && !meaning.time()) {
      throw misfit(i, "is not a whole number");
    }
    for (at++; at < to[i]; at++) {
      int digit = digit(i, at);
      unit /= 10;
      whole += digit * unit;
    }
    if (meaning.time()) {
      resolution = Math.max(1, unit / meaning.divisor());
    }
    return whole / meaning.divisor();
  }

  private int digit(int i, int at) throws Misfit {
    int digit = text[at] - '0';
    if (digit < 0 || digit > 9) {
      throw misfit(i, "is not a number");
    }
    return digit;
  }

  /** Returns the resolution of times in microseconds; 0 without times. */
  long resolution() {
    return resolution;
  }

  /** Returns the number of columns of the longest line. */
  int most() {
    return most;
  }

  /** Adds the requests of the line. */
  void add(TraceBuilder out) throws IOException {
    if (operation.isEmpty()) {
      out.other();
      return;
    }
    Operation kind = operation.get();
    // Of several reads in one line, those that missed are taken as the first.
    long misses = counted ? repeats - hits : table.results() && valueBytes == 0 ? repeats : 0;
    Recorded other = counted || (table.results() && sized) ? Recorded.HIT : Recorded.UNKNOWN;
    for (long i = 0; i < repeats; i++) {
      out.add(
          time,
          kind,
          space,
          key,
          keyEnd,
          keyBytes,
          valueBytes,
          ttlMillis,
          i < misses ? Recorded.MISS : other);
    }
  }
}
