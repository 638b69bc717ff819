package kvrank.ssdb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvrank.binding.ByteSource;
import kvrank.binding.RefusedException;
import kvrank.binding.ValueBuffer;
import kvrank.testkit.ScriptedServer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import site.ycsb.Status;

/** SSDB's packets; those written out here are from its documentation and from a real server. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class SsdbConnectionTest {

  private static void with(String answers, ScriptedServer.Dialogue<SsdbConnection> dialogue)
      throws Exception {
    ScriptedServer.answer(answers, SsdbConnection::open, dialogue);
  }

  @Test
  void aRequestIsWrittenAsTheProtocolSays() throws Exception {
    String expected =
        """
        3
        set
        3
        key
        0


        3
        set
        3
        key
        10
        ten  bytes

        3
        del
        1
        a
        1
        b

        """;
    with(
        "",
        (connection, sent) -> {
          connection.word(bytes("set")).word(bytes("key")).word(ByteSource.of(bytes(""))).end();
          connection.word(bytes("set")).word(bytes("key"));
          connection.word(ByteSource.of(bytes("ten  bytes"))).end();
          connection.send(bytes("del"), List.of(bytes("a"), bytes("b")));
          connection.flush();
          byte[] bytes = sent.readNBytes(expected.length());
          assertThat(new String(bytes, ISO_8859_1)).isEqualTo(expected);
        });
  }

  @Test
  void answersAreReadByTheirStatus() throws Exception {
    with(
        """
        2
        ok
        5


        3


        1
        z

        9
        not_found

        2
        ok

        2
        ok
        2
        hi

        9
        not_found

        2
        ok
        2
        17

        9
        not_found

        2
        ok
        1
        0

        2
        ok
        1
        1

        """,
        (connection, sent) -> {
          assertThat(connection.receive().orElseThrow())
              .containsExactly(bytes(lines("", "", "3", "")), bytes("z"));
          assertThat(connection.receive()).isEmpty();
          assertThat(connection.receive().orElseThrow()).isEmpty();
          ValueBuffer value = new ValueBuffer();
          assertThat(connection.receive(value)).isEqualTo(Status.OK);
          assertThat(value.toByteArray()).isEqualTo(bytes("hi"));
          assertThat(connection.receive(value)).isEqualTo(Status.NOT_FOUND);
          assertThat(connection.receive(17)).isEqualTo(Status.OK);
          assertThat(connection.receive(1)).isEqualTo(Status.NOT_FOUND);
          refused(() -> connection.receive(1), "did 0 of 1");
          assertThat(connection.receive(1)).isEqualTo(Status.OK);
        });
  }

  @Test
  void anErrorIsTheAnswerToItsRequestAlone() throws Exception {
    with(
        """
        5
        error
        4
        full

        12
        client_error

        4
        fail
        1
        a
        1
        b

        2
        ok
        1
        1

        """,
        (connection, sent) -> {
          refused(() -> connection.receive(1), "error: full");
          refused(() -> connection.receive(new ValueBuffer()), "client_error");
          refused(connection::receive, "fail: a");
          assertThat(connection.receive(1)).isEqualTo(Status.OK);
        });
  }

  @Test
  void anotherProtocolIsSaidSo() throws Exception {
    for (String other :
        List.of(
            "+PONG\r\n",
            "HTTP/1.1 400",
            lines("2", "okay", ""),
            "9999999999\n",
            "-5\n",
            lines("2", "ok", "-1", ""))) {
      with(
          other,
          (connection, sent) ->
              assertThatThrownBy(connection::receive)
                  .as(other)
                  .isInstanceOf(IOException.class)
                  .hasMessageStartingWith("not SSDB's protocol"));
    }
    with(
        lines("2", "ok", "1", "1", "1", "2", ""),
        (connection, sent) ->
            assertThatThrownBy(() -> connection.receive(1))
                .hasMessage("not SSDB's protocol: an answer with more words than there should be"));
  }

  private static void refused(ThrowingCallable asked, String message) {
    assertThatThrownBy(asked).isInstanceOf(RefusedException.class).hasMessage(message);
  }

  private static String lines(String... lines) {
    return String.join("\n", lines) + "\n";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
