package kvrank.provision.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import kvrank.engine.Exchange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TcpProbeTest {

  private final TcpProbe conversation = new TcpProbe(Duration.ofSeconds(5), Duration.ofMillis(400));

  /** Answers one connection with {@code parts}, a pause after each. */
  private Optional<String> ask(Exchange question, String... parts) throws IOException {
    return ask(conversation, question, parts);
  }

  private static Optional<String> ask(TcpProbe probe, Exchange question, String... parts)
      throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> answered =
          CompletableFuture.runAsync(
              () -> {
                try (Socket client = server.accept()) {
                  client.setTcpNoDelay(true);
                  byte[] sent = client.getInputStream().readNBytes(question.send().length());
                  assertThat(new String(sent, ISO_8859_1)).isEqualTo(question.send());
                  for (String part : parts) {
                    client.getOutputStream().write(part.getBytes(ISO_8859_1));
                    client.getOutputStream().flush();
                    Thread.sleep(5);
                  }
                  // Until the other side has what it wants.
                  assertThat(client.getInputStream().read()).isEqualTo(-1);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      ServerAddress endpoint =
          new ServerAddress(
              server.getInetAddress().getHostAddress(),
              server.getLocalPort(),
              ServerAddress.Kind.LOOPBACK);
      Optional<String> answer = probe.ask(endpoint, question).value();
      answered.join();
      return answer;
    }
  }

  @Test
  void givesTheFirstGroupOrTheWholeMatch() throws IOException {
    assertThat(ask(new Exchange("INFO\r\n", "version:(\\S+)"), "# x\r\nversion:7.0\r\n"))
        .contains("7.0");
    assertThat(ask(new Exchange("PING\r\n", "\\+PONG"), "+PONG\r\n")).contains("+PONG");
    assertThat(ask(new Exchange("\u00ff\0", "\u00fe"), "a\u00fe")).contains("\u00fe");
  }

  @Test
  void doesNotTakeHalfOfAValueForTheValue() throws IOException {
    assertThat(ask(new Exchange("INFO\r\n", "version:(\\S+)"), "vers", "ion:7.", "0.15", "\r\n"))
        .contains("7.0.15");
  }

  @Test
  void anAnswerOfAnotherFormIsIgnored() throws IOException {
    assertThat(ask(new Exchange("PING\r\n", "\\+PONG"), "-LOADING\r\n")).isEmpty();
  }

  /** A kvrank that waited for more would wait for a day. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void anErrorIsAnAnswer() throws IOException {
    TcpProbe patient = new TcpProbe(Duration.ofSeconds(5), Duration.ofDays(1));
    Exchange question = new Exchange("CONFIG GET save\r\n", "save\r\n\\$\\d+\r\n(\\S*)");

    assertThat(ask(patient, question, "-NOPERM this user ", "has no permissions\r\n")).isEmpty();
  }

  /** Eight facts of Redis took 40 s of a server that says nothing else. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void anAnswerThatIsWholeIsNotWaitedFor() throws IOException {
    TcpProbe patient = new TcpProbe(Duration.ofSeconds(5), Duration.ofDays(1));
    Exchange question = new Exchange("CONFIG GET save\r\n", "save\r\n\\$\\d+\r\n(\\S*)");

    assertThat(ask(patient, question, "+PONG\r\n")).isEmpty();
    assertThat(ask(patient, question, "*0\r\n")).as("a setting that it lacks").isEmpty();
    assertThat(
            ask(
                patient,
                new Exchange("PING\r\nVERSION\r\n", "version:(\\S+)\r"),
                "+PONG\r\n",
                "version:7\r\n"))
        .as("of two questions, the second answer is to come")
        .contains("7");
  }

  /** memcached took a second to refuse two pings without a password. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void anotherStartThanTheFormHasIsNotWaitedFor() throws IOException {
    TcpProbe patient = new TcpProbe(Duration.ofSeconds(5), Duration.ofDays(1));
    Exchange question = new Exchange("mn\r\n", "^MN\r\n");

    assertThat(ask(patient, question, "CLIENT_ERROR unauthenticated\r\n")).isEmpty();
    assertThat(ask(patient, question, "M", "N\r\n")).as("in parts").contains("MN\r\n");
  }

  @Test
  void oneAnswerIsAskedForOnce() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> answered =
          CompletableFuture.runAsync(
              () -> {
                // The value of b is beyond the bytes that were read for a.
                for (String answer : List.of("a:1\r\n", "a:2\r\nb:2\r\nc:2\r\n")) {
                  try (Socket client = server.accept()) {
                    client.getInputStream().readNBytes("INFO\r\n".length());
                    client.getOutputStream().write(answer.getBytes(ISO_8859_1));
                    client.shutdownOutput();
                    client.getInputStream().read();
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }
              });
      ServerAddress place =
          new ServerAddress("127.0.0.1", server.getLocalPort(), ServerAddress.Kind.LOOPBACK);
      SortedMap<String, Exchange> questions = new TreeMap<>();
      for (String name : List.of("a", "b", "c")) {
        questions.put(name, new Exchange("INFO\r\n", name + ":(\\d+)\r"));
      }

      assertThat(TcpProbe.answers(place, questions))
          .containsExactlyEntriesOf(new TreeMap<>(Map.of("a", "1", "b", "2", "c", "2")));
      answered.get();
    }
  }

  @Test
  void aConnectThatTimesOutIsNotCounted() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ServerAddress full =
          new ServerAddress("127.0.0.1", server.getLocalPort(), ServerAddress.Kind.LOOPBACK);
      TcpProbe brief = new TcpProbe(Duration.ofSeconds(1), Duration.ofMillis(1));
      long connected = 0;
      // Nothing accepts, so a few connections fill the backlog.
      while (connected < 20) {
        try {
          brief.ask(full, TestRedis.PING);
          connected++;
        } catch (SocketTimeoutException e) {
          break;
        }
      }

      assertThat(connected).isBetween(1L, 19L);
      assertThat(TcpProbe.opened().get(full.toString())).isEqualTo(connected);
    }
  }

  @Test
  void aClosedPortIsAnError() throws IOException {
    try (Socket closed = new Socket()) {
      closed.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      ServerAddress place =
          new ServerAddress("127.0.0.1", closed.getLocalPort(), ServerAddress.Kind.LOOPBACK);
      assertThatThrownBy(() -> conversation.ask(place, TestRedis.PING))
          .isInstanceOf(IOException.class);
    }
  }
}
