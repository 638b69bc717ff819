package kvrank.resp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import kvrank.binding.ByteSource;
import kvrank.binding.RefusedException;
import kvrank.binding.ValueBuffer;
import kvrank.binding.net.Endpoint;
import kvrank.testkit.ScriptedServer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Protocol.Command;
import site.ycsb.Status;

/** Redis's protocol as its specification writes it, the answers that real engines rarely give. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class RespConnectionTest {

  private static void with(String answers, ScriptedServer.Dialogue<RespConnection> dialogue)
      throws Exception {
    ScriptedServer.answer(answers, RespConnection::open, dialogue);
  }

  @Test
  void commandsAreWrittenAsTheProtocolSays() throws Exception {
    with(
        "",
        (connection, sent) -> {
          connection.set(bytes("key"), ByteSource.of(bytes("a\r\nvalue")));
          connection.send(Command.DBSIZE);
          connection.send(Command.DEL, bytes(""), bytes("kéy"));
          connection.flush();
          String expected =
              lines(
                  "*3", "$3", "SET", "$3", "key", "$8", "a", "value", "*1", "$6", "DBSIZE", "*3",
                  "$3", "DEL", "$0", "", "$4", "kéy");
          byte[] bytes = sent.readNBytes(bytes(expected).length);
          assertThat(new String(bytes, UTF_8)).isEqualTo(expected);
        });
  }

  /** In whatever digits the machine's language writes numbers. */
  @Test
  void commandsDoNotGoByTheLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("fa-IR"));
    try {
      assertThat(RespConnection.head(Command.SET, 2)).isEqualTo(bytes("*3\r\n$3\r\nSET\r\n"));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void everyKindOfAnswerIsRead() throws Exception {
    with(
        lines(
            "+OK", "+QUEUED", ":-2", "$6", "a", "", "b", "$0", "", "$-1", "*-1", "*3", ":1", "*1",
            "$1", "x", "$-1", "+OK", "+NO", "$-1", "$2", "hi"),
        (connection, sent) -> {
          assertThat(connection.receive()).isEqualTo(bytes("OK"));
          assertThat(connection.receive()).isEqualTo(bytes("QUEUED"));
          assertThat(connection.receive()).isEqualTo(-2L);
          assertThat(connection.receive()).isEqualTo(bytes("a\r\n\r\nb"));
          assertThat(connection.receive()).isEqualTo(bytes(""));
          assertThat(connection.receive()).isNull();
          assertThat(connection.receive()).isNull();
          List<?> array = (List<?>) connection.receive();
          assertThat(array).hasSize(3);
          assertThat(array.get(0)).isEqualTo(1L);
          assertThat((byte[]) ((List<?>) array.get(1)).get(0)).isEqualTo(bytes("x"));
          assertThat(array.get(2)).isNull();
          assertThat(connection.acknowledged()).isEqualTo(Status.OK);
          refused(connection::acknowledged, "answered 'NO' and not OK");
          ValueBuffer value = new ValueBuffer();
          assertThat(connection.receive(value)).isEqualTo(Status.NOT_FOUND);
          assertThat(value.isPresent()).isFalse();
          assertThat(connection.receive(value)).isEqualTo(Status.OK);
          assertThat(value.toByteArray()).isEqualTo(bytes("hi"));
        });
  }

  @Test
  void anErrorMessageIsTheAnswerToItsRequestAlone() throws Exception {
    with(
        lines(
            "-OOM command not allowed",
            "-ERR naïve",
            "-WRONGTYPE",
            ":1",
            "-ERR first",
            "-ERR second",
            "*2",
            "-ERR inside",
            ":7",
            "+OK"),
        (connection, sent) -> {
          refused(connection::acknowledged, "OOM command not allowed");
          refused(connection::receive, "ERR naïve");
          refused(() -> connection.receive(new ValueBuffer()), "WRONGTYPE");
          refused(() -> connection.receive(3), "ERR first");
          refused(connection::receive, "ERR inside");
          assertThat(connection.acknowledged()).isEqualTo(Status.OK);
        });
  }

  @Test
  void anotherProtocolIsSaidSo() throws Exception {
    for (String other :
        List.of("HTTP/1.1 400\r\n", "$x\r\n", "$-5\r\n", "*-2\r\n", "$2\r\nlong\r\n", ":\r\n")) {
      with(
          other,
          (connection, sent) ->
              assertThatThrownBy(connection::receive)
                  .as(other)
                  .isInstanceOf(IOException.class)
                  .hasMessageStartingWith("not Redis's protocol: "));
    }
    with(
        "$2\r\nh",
        (connection, sent) ->
            assertThatThrownBy(connection::receive).hasMessage("the server closed the connection"));
  }

  @Test
  void loginHasATimeout() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Endpoint endpoint =
          new Endpoint(
              silent.getInetAddress().getHostAddress(),
              silent.getLocalPort(),
              Duration.ofMillis(50),
              Optional.empty(),
              Optional.of("secret"),
              Optional.empty());
      assertThatThrownBy(() -> RespConnection.open(endpoint))
          .isInstanceOf(IOException.class)
          .hasMessage("no answer within 50 ms");
    }
  }

  @Test
  void anAnswerThatNobodyAskedForIsFound() throws Exception {
    with(
        lines("$1", "a", "$1", "a"),
        (connection, sent) -> {
          assertThat(connection.receive()).isEqualTo(bytes("a"));
          assertThatThrownBy(connection::requireIdle)
              .isInstanceOf(IOException.class)
              .hasMessage("not Redis's protocol: more answers than requests");
          assertThat(connection.receive()).isEqualTo(bytes("a"));
          connection.requireIdle();
        });
  }

  @Test
  void theDeletionOfOneKeyDeletesOneAtMost() throws Exception {
    with(
        lines(":1", ":0", ":5"),
        (connection, sent) -> {
          assertThat(connection.deleted()).isEqualTo(Status.OK);
          assertThat(connection.deleted()).isEqualTo(Status.NOT_FOUND);
          assertThatThrownBy(connection::deleted).isInstanceOf(IOException.class);
        });
  }

  @Test
  void whatAServerSaysIsShownWithoutControlCharactersAndCut() throws Exception {
    with(
        lines("-ERR \u001b[31mred", "-" + "x".repeat(200_000)),
        (connection, sent) -> {
          refused(connection::receive, "ERR  [31mred");
          refused(connection::receive, "x".repeat(300) + "…");
        });
  }

  private static void refused(ThrowingCallable asked, String message) {
    assertThatThrownBy(asked).isInstanceOf(RefusedException.class).hasMessage(message);
  }

  private static String lines(String... lines) {
    return String.join("\r\n", lines) + "\r\n";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
