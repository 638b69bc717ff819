package kvrank.provision.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.engine.Exchange;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.input.Reason;
import kvrank.provision.host.ProvisionException;

/** Asks a server one question on its own connection. */
record TcpProbe(Duration connectLimit, Duration answerLimit) {

  /** The number of connections to each address. */
  private static final Map<String, AtomicLong> OPENED = new ConcurrentHashMap<>();

  private static final Duration READY_LIMIT = Duration.ofSeconds(5);
  private static final int ANSWER_LIMIT = 1 << 20;
  // A refusal in Redis's protocol; nothing follows it.
  private static final Pattern ERROR = Pattern.compile("-[A-Z]+ [^\\r\\n]*\\r\\n");
  // A whole answer to a question of one line.
  private static final Pattern WHOLE = Pattern.compile("(?:[+:][^\\r\\n]*|\\*0|\\$-1)\\r\\n");
  // If more bytes could change the match, the rest of a split segment is on its way.
  private static final int SETTLE_MILLIS = 30;

  /** An answer; {@code value} is the wanted part, empty if no answer of that form came in time. */
  record Answer(Optional<String> value, String received) {}

  /**
   * What the bytes of an answer show so far.
   *
   * @param over whether more bytes cannot change the value. A form that starts with {@code ^} never
   *     matches after another start
   */
  private record Reading(Optional<String> value, boolean over) {

    static Reading of(Exchange question, CharSequence received) {
      Matcher matcher = Pattern.compile(question.match()).matcher(received);
      if (matcher.find()) {
        String wanted = matcher.groupCount() > 0 ? matcher.group(1) : matcher.group();
        return new Reading(Optional.of(wanted == null ? "" : wanted), !matcher.hitEnd());
      }
      boolean anchored = question.match().startsWith("^") && !question.match().contains("|");
      return new Reading(Optional.empty(), anchored && !matcher.lookingAt() && !matcher.hitEnd());
    }
  }

  /** The server refuses the password. */
  static final class RefusedLoginException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String answer;

    private RefusedLoginException(String answer) {
      super("it refuses the login: " + answer);
      this.answer = answer;
    }

    String answer() {
      return answer;
    }
  }

  /** Returns the number of connections that this class has opened, by address. */
  static Map<String, Long> opened() {
    Map<String, Long> opened = new TreeMap<>();
    OPENED.forEach((address, count) -> opened.put(address, count.get()));
    return opened;
  }

  /** Returns the server's answer; throws if there is no connection. */
  Answer ask(ServerAddress endpoint, Exchange question) throws IOException {
    try (Socket plain = connect(endpoint)) {
      plain.setSoTimeout((int) answerLimit.toMillis());
      Socket socket =
          endpoint.tls().isPresent()
              ? endpoint.tls().get().over(plain, endpoint.host(), endpoint.port())
              : plain;
      if (endpoint.login().isPresent()) {
        Answer login = ask(socket, endpoint.login().get(), ERROR);
        if (login.value().isEmpty()) {
          // The answer to a wrong password does not repeat it.
          throw new RefusedLoginException(login.received().strip().replaceAll("\\R", " "));
        }
      }
      return ask(socket, question, question.single() ? WHOLE : ERROR);
    }
  }

  private Socket connect(ServerAddress endpoint) throws IOException {
    Socket socket = endpoint.connect(connectLimit);
    // A connect that timed out never becomes a connection: its handshake is never completed.
    OPENED.computeIfAbsent(endpoint.toString(), any -> new AtomicLong()).incrementAndGet();
    return socket;
  }

  /** Returns the answers by fact; throws without a connection, or if all are another program's. */
  static SortedMap<String, String> answers(
      ServerAddress endpoint, SortedMap<String, Exchange> questions) throws ProvisionException {
    TcpProbe probe = new TcpProbe(READY_LIMIT, READY_LIMIT);
    SortedMap<String, String> answers = new TreeMap<>();
    Map<String, String> known = new HashMap<>();
    Optional<String> strange = Optional.empty();
    for (Map.Entry<String, Exchange> question : questions.entrySet()) {
      Exchange exchange = question.getValue();
      Reading again = Reading.of(exchange, known.getOrDefault(exchange.send(), ""));
      if (again.over()) {
        again.value().ifPresent(value -> answers.put(question.getKey(), value));
        continue;
      }
      try {
        Answer answer = probe.ask(endpoint, exchange);
        known.put(exchange.send(), answer.received());
        if (answer.received().isEmpty()) {
          // The rest would have no answer either.
          break;
        }
        answer.value().ifPresent(value -> answers.put(question.getKey(), value));
        if (answer.value().isEmpty() && answer.received().startsWith("+")) {
          strange =
              Optional.of(
                  "it answers '%s' with '%s', as no server of this engine does"
                      .formatted(exchange.words(), answer.received().strip()));
        }
      } catch (IOException e) {
        String message =
            "it could not be asked for '%s': %s".formatted(question.getKey(), Reason.of(e));
        throw new ProvisionException(new Failure(Cause.ENGINE, message), e);
      }
    }
    if (answers.isEmpty() && strange.isPresent()) {
      throw new ProvisionException(Cause.ENGINE, strange.get());
    }
    return answers;
  }

  /** Asks on an open connection; nothing follows an error or an answer that is {@code whole}. */
  private Answer ask(Socket socket, Exchange question, Pattern whole) throws IOException {
    socket.getOutputStream().write(question.send().getBytes(ISO_8859_1));
    socket.getOutputStream().flush();
    InputStream in = socket.getInputStream();
    byte[] chunk = new byte[8192];
    StringBuilder received = new StringBuilder();
    Optional<String> value = Optional.empty();
    long deadline = System.nanoTime() + answerLimit.toNanos();
    long left = answerLimit.toMillis();
    while (received.length() < ANSWER_LIMIT && left > 0) {
      socket.setSoTimeout((int) (value.isPresent() ? Math.min(left, SETTLE_MILLIS) : left));
      int length;
      try {
        length = in.read(chunk);
      } catch (SocketTimeoutException e) {
        break;
      }
      if (length < 0) {
        break;
      }
      received.append(new String(chunk, 0, length, ISO_8859_1));
      Reading reading = Reading.of(question, received);
      value = reading.value();
      if (reading.over()
          || (value.isEmpty()
              && (ERROR.matcher(received).matches() || whole.matcher(received).matches()))) {
        break;
      }
      left = (deadline - System.nanoTime()) / 1_000_000;
    }
    return new Answer(value, received.toString());
  }
}
