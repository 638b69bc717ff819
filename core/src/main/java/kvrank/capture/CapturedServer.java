package kvrank.capture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.binding.RefusedException;
import kvrank.binding.net.Endpoint;
import kvrank.binding.net.RedisConnection;
import kvrank.binding.net.WatchedSocket;
import kvrank.input.Reason;

/**
 * A connection to the server that is captured. Keys and values do not leave this class: only the
 * first word of an error message is shown, because servers quote the command in it.
 */
final class CapturedServer extends RedisConnection {

  private static final Pattern CODE = Pattern.compile("[A-Z]{2,16}(?= |$)");
  private static final Pattern STATISTIC =
      Pattern.compile("(?m)^cmdstat_([\\w.|-]{1,40}):(?:.*,)?calls=(\\d{1,15})\\b");

  /** The most bytes of a window, which bounds what the server has to write. */
  private static final long MOST_WINDOW = 2 << 20;

  /** The longest time or number of a database in a line of MONITOR. */
  private static final int MOST_NAME = 40;

  private static final Pattern LINE = Pattern.compile("(?m)^(\\w+):(.*?)\\r?$");

  /** The commands that a capture sends, in the form of an access list. */
  private static final String ASKED =
      "+info +ping +select +randomkey +pttl +strlen +memory|usage, from Redis 7.2 on"
          + " +client|no-touch, with --values +getrange, with --accesses +monitor; and ~*";

  private final Endpoint endpoint;
  private final ConcurrentMap<String, Long> sent;
  private final List<String> pending = new ArrayList<>();
  private long received;

  private CapturedServer(
      WatchedSocket socket, Endpoint endpoint, ConcurrentMap<String, Long> sent) {
    super(socket);
    this.endpoint = endpoint;
    this.sent = sent;
  }

  /** Connects and logs in; {@code sent} counts the commands of all connections, by their names. */
  static CapturedServer open(Endpoint endpoint, ConcurrentMap<String, Long> sent)
      throws IOException {
    CapturedServer server;
    try {
      server = new CapturedServer(WatchedSocket.connect(endpoint), endpoint, sent);
    } catch (IOException e) {
      String plain =
          endpoint.tls().isPresent()
              ? "; if the server does not use TLS, give redis:// as its address"
              : "";
      throw new IOException(endpoint + ": no connection: " + Reason.of(e) + plain, e);
    }
    try {
      if (endpoint.password().isPresent()) {
        Stream<String> login =
            Stream.concat(endpoint.user().stream(), endpoint.password().stream());
        server.required("AUTH", login.map(each -> each.getBytes(UTF_8)).toArray(byte[][]::new));
      }
      byte[] pong = server.required("PING") instanceof byte[] answer ? answer : new byte[0];
      if (!new String(pong, UTF_8).equals("PONG")) {
        throw new IOException(endpoint + ": not Redis's protocol: the answer to PING is not PONG");
      }
      return server;
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  /** Adds a command to those that {@link #answers} waits for. */
  void ask(String command, byte[]... arguments) {
    send(command.getBytes(UTF_8), arguments);
    pending.add(command);
    sent.merge(command.toLowerCase(Locale.ROOT), 1L, Long::sum);
  }

  /**
   * Sends the pending commands and returns their answers; a refusal is a {@link RefusedException}.
   */
  List<Object> answers() throws IOException {
    int count = pending.size();
    pending.clear();
    return answered(
        () -> {
          List<Object> answers = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            try {
              answers.add(answer());
            } catch (RefusedException e) {
              answers.add(e);
            }
            received += bytes(answers.get(i));
          }
          return answers;
        });
  }

  /** Returns the number of bytes of all answers to {@link #ask}. */
  long received() {
    return received;
  }

  /** Returns the number of bytes of an answer: a string with its length, a number, or an error. */
  private static long bytes(Object answer) {
    if (answer instanceof byte[] text) {
      return 5L + Integer.toString(text.length).length() + text.length;
    }
    return answer == null ? 5 : 3 + String.valueOf(answer).length();
  }

  /** Returns the result of {@code reading}, in which the server can refuse only MONITOR. */
  private <T> T answered(Reading<T> reading) throws IOException {
    try {
      return receive(reading);
    } catch (IOException e) {
      throw new IOException(
          "%s: %s; check that the server speaks Redis's protocol and is healthy"
              .formatted(endpoint, Reason.of(e)),
          e);
    } catch (RefusedException e) {
      throw refused("MONITOR", e);
    }
  }

  /**
   * Returns the answer to a command that the capture cannot do without; throws if it is refused.
   */
  Object required(String command, byte[]... arguments) throws IOException {
    ask(command, arguments);
    Object answer = answers().get(0);
    if (answer instanceof RefusedException refused) {
      throw refused(command, refused);
    }
    return answer;
  }

  /** Returns the exception for a refused command, with a message for the user. */
  IOException refused(String command, RefusedException refused) {
    String text = String.valueOf(refused.getMessage());
    Matcher found = CODE.matcher(text);
    String code = found.lookingAt() ? found.group() : "an error";
    String reason =
        switch (code) {
          case "NOAUTH" ->
              "it requires a password; give it with '--password-env NAME' or '--password-file"
                  + " FILE'";
          case "WRONGPASS" -> "it rejects this password, or the user given with '--user'";
          case "NOPERM" ->
              "its access list denies %s to this user; a capture needs %s"
                  .formatted(command, ASKED);
          case "LOADING" -> "it is still loading its data; try again later";
          case "DENIED" -> "it is in protected mode and accepts only clients on its own machine";
          default ->
              text.startsWith("ERR max number of clients")
                  ? "it has reached its limit of clients (maxclients); try again when it has fewer"
                  : ("it answers %s with %s; 'kvrank capture' needs a server that supports this"
                          + " command")
                      .formatted(command, code);
        };
    return new IOException(endpoint + ": " + reason);
  }

  /** Returns the fields of a section of INFO, by name. */
  Map<String, String> info(String section) throws IOException {
    return fields(required("INFO", section.getBytes(UTF_8)));
  }

  /** Returns the fields of an answer to INFO, by name. */
  static Map<String, String> fields(Object answer) {
    Map<String, String> fields = new TreeMap<>();
    Matcher line = LINE.matcher(text(answer));
    while (line.find()) {
      fields.put(line.group(1), line.group(2));
    }
    return fields;
  }

  /** Returns the number of calls of each command since the server's start. */
  Map<String, Long> calls() throws IOException {
    return calls(text("commandstats"));
  }

  static Map<String, Long> calls(String statistics) {
    Map<String, Long> calls = new TreeMap<>();
    Matcher statistic = STATISTIC.matcher(statistics);
    while (statistic.find()) {
      calls.put(statistic.group(1).toLowerCase(Locale.ROOT), Long.valueOf(statistic.group(2)));
    }
    return calls;
  }

  /** Returns a section of INFO. */
  String text(String section) throws IOException {
    return text(required("INFO", section.getBytes(UTF_8)));
  }

  private static String text(Object answer) {
    return answer instanceof byte[] text ? new String(text, UTF_8) : "";
  }

  /**
   * Passes one window of commands on and closes the connection, because the output of a MONITOR
   * that is not read grows in the server's memory. The window ends after {@code most} commands,
   * {@code nanos} or {@value #MOST_WINDOW} bytes.
   */
  void monitor(Consumer<Monitored> commands, int most, long nanos) throws IOException {
    try (this) {
      required("MONITOR");
      long end = System.nanoTime() + nanos;
      answered(
          () -> {
            long left = MOST_WINDOW;
            for (int i = 0; i < most && left > 0 && System.nanoTime() < end; i++) {
              left -= command(commands);
            }
            return null;
          });
    }
  }

  /**
   * Reads {@code +1.5 [0 1.2.3.4:99] "set" "key" "value"}; returns its approximate number of bytes.
   */
  private long command(Consumer<Monitored> commands) throws IOException, RefusedException {
    byte type = in.next();
    if (type != '+') {
      throw unexpected(type);
    }
    String time = text('[');
    String database = text(' ');
    List<byte[]> arguments = new ArrayList<>();
    long bytes = 0;
    for (byte next = in.next(); next != '\n'; next = in.next()) {
      if (next == '"') {
        ByteArrayOutputStream argument = new ByteArrayOutputStream();
        for (next = in.next(); next != '"'; next = in.next()) {
          byte plain = next == '\\' ? escaped() : next;
          bytes++;
          if (argument.size() < Monitored.MOST_BYTES) {
            argument.write(plain);
          }
        }
        arguments.add(argument.toByteArray());
      }
    }
    if (!arguments.isEmpty() && time.strip().matches("\\d{1,12}(\\.\\d{1,9})?")) {
      commands.accept(new Monitored(Double.parseDouble(time.strip()), database, arguments));
    }
    return bytes;
  }

  /** Reads up to a character, or to the end of the line. */
  private String text(char end) throws IOException {
    StringBuilder text = new StringBuilder();
    for (byte next = in.peek(); next != '\n' && next != end; next = in.peek()) {
      if (text.length() < MOST_NAME) {
        text.append((char) next);
      }
      in.next();
    }
    if (in.peek() == end) {
      in.next();
    }
    return text.toString();
  }

  /** Reads an escaped character after its backslash: {@code xHH}, a letter, or itself. */
  private byte escaped() throws IOException {
    byte next = in.next();
    return switch (next) {
      case 'x' -> (byte) (Character.digit(in.next(), 16) << 4 | Character.digit(in.next(), 16));
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'a' -> 7;
      case 'b' -> '\b';
      default -> next;
    };
  }
}
