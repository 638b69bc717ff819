package kvrank.capture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.binding.RefusedException;
import kvrank.binding.net.Endpoint;
import kvrank.binding.net.RedisConnection;
import kvrank.binding.net.WatchedSocket;
import kvrank.capture.CommandMix.Command;
import kvrank.input.Reason;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.request.Operation;

/**
 * A connection to the server that is looked at. What it says of keys and values stays in here: of
 * an error message the first word alone is repeated, since servers repeat what they were asked.
 */
final class CapturedServer extends RedisConnection {

  private static final Pattern CODE = Pattern.compile("[A-Z]{2,16}(?= |$)");
  private static final Pattern STATISTIC =
      Pattern.compile("(?m)^cmdstat_([^:\\s]+):(?:.*,)?calls=(\\d{1,15})\\b");

  /** Before a window ends; a server has to write as much. */
  private static final long MOST_WINDOW = 2 << 20;

  /** No command of Redis' has a longer name. */
  private static final int MOST_NAME = 40;

  private static final Pattern LINE = Pattern.compile("(?m)^(\\w+):(.*?)\\r?$");

  /** What may be asked of a server that is looked at, for the list of a user's permissions. */
  private static final String ASKED =
      "+info +ping +select +randomkey +pttl +strlen +memory|usage, from Redis 7.2 on"
          + " +client|no-touch, with --values +getrange, with --accesses +monitor; and ~*";

  private final Endpoint endpoint;
  private final ConcurrentMap<String, Long> sent;
  private final List<String> pending = new ArrayList<>();

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
      String plain = endpoint.tls().isPresent() ? "; without TLS its address is redis://" : "";
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
        throw new IOException(endpoint + ": not Redis's protocol: another answer to PING");
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

  /** Sends what was asked, and returns the answers; a {@link RefusedException} is one, too. */
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
          }
          return answers;
        });
  }

  /** Receives what {@code reading} reads, of which a line of MONITOR alone can be refused. */
  private <T> T answered(Reading<T> reading) throws IOException {
    try {
      return receive(reading);
    } catch (IOException e) {
      throw new IOException(
          "%s: %s; is it a server of Redis's protocol, and well?".formatted(endpoint, Reason.of(e)),
          e);
    } catch (RefusedException e) {
      throw refused("MONITOR", e);
    }
  }

  /** Asks for something without which nothing can go on: throws if it is refused, too. */
  Object required(String command, byte[]... arguments) throws IOException {
    ask(command, arguments);
    Object answer = answers().get(0);
    if (answer instanceof RefusedException refused) {
      throw refused(command, refused);
    }
    return answer;
  }

  /** Returns what a refused command is to a user. */
  IOException refused(String command, RefusedException refused) {
    String text = String.valueOf(refused.getMessage());
    Matcher found = CODE.matcher(text);
    String code = found.lookingAt() ? found.group() : "an error";
    String reason =
        switch (code) {
          case "NOAUTH" ->
              "it asks for a password; '--password-env NAME' or '--password-file FILE' names one";
          case "WRONGPASS" -> "it refuses this password, or the user of '--user'";
          case "NOPERM" ->
              "its access list refuses %s to this user; its owner may allow it: %s"
                  .formatted(command, ASKED);
          case "LOADING" -> "it is loading its data; try again when it has";
          case "DENIED" -> "it is in protected mode and takes clients of its own machine alone";
          default ->
              text.startsWith("ERR max number of clients")
                  ? "it has as many clients as it may have (maxclients); try again when it has fewer"
                  : "it answers %s with %s; 'kvrank capture' needs a server that knows it"
                      .formatted(command, code);
        };
    return new IOException(endpoint + ": " + reason);
  }

  /** Returns what a section of INFO has by name; nothing that it says of keys or clients. */
  Map<String, String> info(String section) throws IOException {
    return fields(required("INFO", section.getBytes(UTF_8)));
  }

  /** Returns what an answer to INFO has by name. */
  static Map<String, String> fields(Object answer) {
    Map<String, String> fields = new TreeMap<>();
    Matcher line = LINE.matcher(text(answer));
    while (line.find()) {
      fields.put(line.group(1), line.group(2));
    }
    return fields;
  }

  /** Returns how often each command was called since the server's start. */
  Map<String, Long> calls() throws IOException {
    Map<String, Long> calls = new TreeMap<>();
    Matcher statistic = STATISTIC.matcher(text("commandstats"));
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
   * Adds one window of accesses, of so many commands, {@value #MOST_WINDOW} bytes or so much time
   * at most, and closes the connection: a MONITOR that nobody reads grows in the server's memory.
   */
  void monitor(Accesses accesses, long salt, int most, long nanos) throws IOException {
    try (this) {
      required("MONITOR");
      long end = System.nanoTime() + nanos;
      answered(
          () -> {
            long left = MOST_WINDOW;
            for (int i = 0; i < most && left > 0 && System.nanoTime() < end; i++) {
              left -= command(accesses, salt);
            }
            return null;
          });
      accesses.endWindow();
    }
  }

  /** Reads {@code +1.5 [0 1.2.3.4:99] "set" "key" "value"}; returns about how many bytes it has. */
  private long command(Accesses accesses, long salt) throws IOException, RefusedException {
    long bytes = 0;
    byte type = in.next();
    if (type != '+') {
      throw unexpected(type);
    }
    byte next = in.next();
    while (next != '[' && next != '\n') {
      next = in.next();
    }
    // The number of the database tells keys of one name apart.
    long database = salt;
    while (next != ' ' && next != '\n') {
      database = CounterRandom.mix(database + next);
      next = in.next();
    }
    StringBuilder name = new StringBuilder();
    Command command = null;
    for (int argument = 0; next != '\n'; next = in.next()) {
      if (next != '"') {
        continue;
      }
      long hash = database;
      for (next = in.next(); next != '"'; next = in.next()) {
        if (argument == 0 && name.length() < MOST_NAME) {
          name.append((char) next);
        }
        hash = (hash ^ next) * 0x100000001B3L;
        bytes++;
        if (next == '\\') {
          hash = (hash ^ in.next()) * 0x100000001B3L;
        }
      }
      if (argument == 0) {
        command = CommandMix.command(name.toString()).orElse(null);
      } else if (command != null && command.keys().include(argument)) {
        accesses.add(CounterRandom.mix(hash), command.operation() != Operation.READ);
      }
      argument++;
    }
    return bytes;
  }
}
