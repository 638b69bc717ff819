package kvrank.trace;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import kvrank.capture.CommandMix;
import kvrank.capture.CommandMix.Command;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Recorded;

/**
 * A Redis command as its arguments, which are parts of the input's text. Reused for the next one.
 */
final class RedisCommands {

  /** The most characters of a word with a meaning. */
  private static final int LONGEST_WORD = 20;

  /** In milliseconds or seconds: beyond the range of a clock in microseconds. */
  private static final long FOREVER = 1_000_000_000_000_000L;

  private static final Set<String> TIMES = Set.of("ex", "px", "exat", "pxat");
  private static final int MOST_DIGITS = 15;
  private static final int MOST_ARGUMENTS = 1 << 20;

  private final TraceInput input;
  private final TraceBuilder out;
  private final boolean asked;
  private int[] from = new int[8];
  private int[] to = new int[8];
  private int count;

  /** Creates the reader of commands; {@code asked} if a server may have refused some of them. */
  RedisCommands(TraceInput input, TraceBuilder out, boolean asked) {
    this.input = input;
    this.out = out;
    this.asked = asked;
  }

  void clear() {
    count = 0;
  }

  void argument(int begin, int end) throws IOException {
    if (count == from.length) {
      if (count >= MOST_ARGUMENTS) {
        throw input.problem("has more arguments than a command can have");
      }
      from = Arrays.copyOf(from, 2 * count);
      to = Arrays.copyOf(to, 2 * count);
    }
    from[count] = begin;
    to[count++] = end;
  }

  /** Returns an argument in lower case; empty if it is too long to have a meaning. */
  String word(int argument) {
    return argument < count && length(argument) <= LONGEST_WORD
        ? text(argument).toLowerCase(Locale.ROOT)
        : "";
  }

  private String text(int argument) {
    return new String(input.text(), from[argument], length(argument), ISO_8859_1);
  }

  private int length(int argument) {
    return to[argument] - from[argument];
  }

  /** Returns an argument as a whole number, {@value #FOREVER} for larger ones. */
  long number(int argument) throws IOException {
    if (argument >= count) {
      throw input.problem("has too few arguments");
    }
    return length(argument) > MOST_DIGITS && isNumber(argument)
        ? FOREVER
        : input.number(from[argument], to[argument], "an argument");
  }

  private boolean isNumber(int argument) {
    return argument < count
        && length(argument) > 0
        && text(argument).chars().allMatch(Character::isDigit);
  }

  /** Adds the requests of the command; {@code micros} since 1970 are 0 if unknown. */
  void add(long micros, long database) throws IOException {
    String name = word(0);
    Optional<Command> known = CommandMix.command(name);
    if (known.isEmpty()) {
      out.other();
      return;
    }
    Command command = known.get();
    int time = command.operation() == Operation.UPDATE ? time(name) : 0;
    if (asked && time > 0 && !isNumber(time)) {
      out.other();
      return;
    }
    if (count < 2) {
      throw input.problem("has a command without a key");
    }
    for (int key = 1; key < count; key++) {
      if (command.keys().include(key)) {
        out.add(
            micros,
            command.operation(),
            database,
            from[key],
            to[key],
            length(key),
            command.operation() == Operation.UPDATE ? valueBytes(name, key) : TraceBuilder.UNKNOWN,
            time > 0 ? ttlMillis(time, micros) : 0,
            Recorded.UNKNOWN);
      }
    }
  }

  /** Returns the length of the written value, or of the written part of a hash, list or set. */
  private long valueBytes(String name, int key) {
    return switch (name) {
      case "set", "setnx", "getset", "append", "mset", "msetnx" -> bytes(key + 1, key + 2);
      case "setex", "psetex", "setrange" -> bytes(3, 4);
      case "incr", "decr", "incrby", "decrby", "incrbyfloat", "setbit" -> TraceBuilder.UNKNOWN;
      default -> bytes(2, count);
    };
  }

  private long bytes(int begin, int end) {
    long bytes = 0;
    for (int i = begin; i < Math.min(end, count); i++) {
      bytes += length(i);
    }
    return begin < count ? bytes : TraceBuilder.UNKNOWN;
  }

  /** Returns the index of the argument of a write that is a time to live, 0 for none. */
  private int time(String name) {
    if (name.equals("setex") || name.equals("psetex")) {
      return 2;
    }
    int time = name.equals("set") ? 4 : count;
    while (time < count && !TIMES.contains(word(time - 1))) {
      time++;
    }
    return time < count ? time : 0;
  }

  private long ttlMillis(int time, long micros) throws IOException {
    long number = number(time);
    return switch (time == 2 ? word(0) : word(time - 1)) {
      case "ex", "setex" -> 1_000 * number;
      case "exat" -> until(1_000 * number, micros);
      case "pxat" -> until(number, micros);
      default -> number;
    };
  }

  /** Returns the time until a point in time; 0, no time to live, if the start is unknown. */
  private static long until(long millis, long micros) {
    return micros == 0 ? 0 : Math.max(1, millis - micros / 1_000);
  }
}
