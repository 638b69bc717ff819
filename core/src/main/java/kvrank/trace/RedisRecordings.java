package kvrank.trace;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;

/** The formats in which Redis records its commands. */
final class RedisRecordings {

  private static final long SECOND = 1_000_000;

  private static final String ESCAPES = "nrtab";
  private static final String CONTROLS = "\n\r\t\007\b";

  private RedisRecordings() {}

  /** Reads the output of MONITOR. */
  static void monitor(TraceInput in, TraceBuilder out) throws IOException {
    out.clock(1);
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
      // An IPv6 address and the path of a Unix socket may have brackets.
      quoted(in, command, find(in, open, '"') - 1);
      command.add(micros, database);
    }
  }

  /** Reads an append-only file. */
  static void appended(TraceInput in, TraceBuilder out) throws IOException {
    RedisCommands command = new RedisCommands(in, out, false);
    long micros = 0;
    long database = 0;
    for (boolean first = true; in.line(); first = false) {
      if (in.length() > 0 && in.text()[0] == '#') {
        if (new String(in.text(), 0, Math.min(4, in.length()), ISO_8859_1).equals("#TS:")) {
          // Times that start later cover only a part of the file.
          if (first) {
            out.clock(SECOND);
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

  private static long count(TraceInput in, int from, char type) throws IOException {
    if (in.length() <= from || in.text()[from] != type) {
      throw in.problem("is not a command of an append-only file");
    }
    return in.number(from + 1, in.length(), "a length");
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
}
