package kvrank.provision;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.scenario.EngineDefinition.Exchange;

/** Asks a server one question on a connection of its own. */
final class TcpProbe {

  private static final int ANSWER_LIMIT = 1 << 20;
  // If more bytes could change the match, they are on their way: the rest of a split segment.
  private static final int SETTLE_MILLIS = 30;

  /**
   * What came back.
   *
   * @param value the part that the question wants; empty if no answer of that form came in time
   * @param received all that came
   */
  record Answer(Optional<String> value, String received) {}

  private final Duration connectLimit;
  private final Duration answerLimit;

  /**
   * @param connectLimit how long to wait for the connection
   * @param answerLimit how long to wait for bytes of the answer
   */
  TcpProbe(Duration connectLimit, Duration answerLimit) {
    this.connectLimit = connectLimit;
    this.answerLimit = answerLimit;
  }

  /**
   * Returns the server's answer, or what it sent instead.
   *
   * @throws IOException if there is no connection
   */
  Answer ask(ServerAddress endpoint, Exchange question) throws IOException {
    Pattern form = Pattern.compile(question.match());
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.connect(endpoint.address(), (int) connectLimit.toMillis());
      socket.getOutputStream().write(question.send().getBytes(ISO_8859_1));
      socket.getOutputStream().flush();
      StringBuilder received = new StringBuilder();
      Optional<String> value = answer(socket, form, received);
      return new Answer(value, received.toString());
    }
  }

  private Optional<String> answer(Socket socket, Pattern form, StringBuilder answer)
      throws IOException {
    InputStream in = socket.getInputStream();
    byte[] chunk = new byte[8192];
    Optional<String> value = Optional.empty();
    long deadline = System.nanoTime() + answerLimit.toNanos();
    while (answer.length() < ANSWER_LIMIT) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return value;
      }
      socket.setSoTimeout((int) (value.isPresent() ? Math.min(left, SETTLE_MILLIS) : left));
      int length;
      try {
        length = in.read(chunk);
      } catch (SocketTimeoutException e) {
        return value;
      }
      if (length < 0) {
        return value;
      }
      answer.append(new String(chunk, 0, length, ISO_8859_1));
      Matcher matcher = form.matcher(answer);
      if (matcher.find()) {
        value = Optional.of(matcher.groupCount() > 0 ? orEmpty(matcher.group(1)) : matcher.group());
        if (!matcher.hitEnd()) {
          return value;
        }
      }
    }
    return value;
  }

  private static String orEmpty(String group) {
    return group == null ? "" : group;
  }
}
