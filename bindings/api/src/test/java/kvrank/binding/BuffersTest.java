package kvrank.binding;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import kvrank.binding.net.ReceiveBuffer;
import kvrank.binding.net.SendBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link SendBuffer} and {@link ReceiveBuffer}. */
final class BuffersTest {

  @Test
  void partsAreSentInOrder() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SendBuffer buffer = new SendBuffer();
    for (int length : new int[] {0, 9, 10, 99, 100, 12_345, Integer.MAX_VALUE}) {
      buffer.add(length).add(' ');
    }
    buffer.add(bytes("key")).add(ByteSource.of(bytes(""))).add(ByteSource.of(bytes(" value")));
    buffer.sendTo(out);
    buffer.add('!').sendTo(out);
    assertThat(out.toString(ISO_8859_1)).isEqualTo("0 9 10 99 100 12345 2147483647 key value!");
  }

  @Test
  void requestsAreSentInOneWrite() throws IOException {
    List<Integer> writes = new ArrayList<>();
    OutputStream out =
        new FilterOutputStream(OutputStream.nullOutputStream()) {
          @Override
          public void write(byte[] buffer, int offset, int length) {
            writes.add(length);
          }
        };
    SendBuffer buffer = new SendBuffer().add(bytes("get")).add(new byte[1 << 20]).add(77);
    buffer.sendTo(out);
    buffer.sendTo(out);
    assertThat(writes).containsExactly(3 + (1 << 20) + 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8192, 1 << 20})
  void answersAreReadInPiecesOfAnySize(int most) throws IOException {
    byte[] large = new byte[100_000];
    new Random(1).nextBytes(large);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    stream.writeBytes(bytes("-1\r\n0\n123456789012345678\r\n536870912\n+PONG\r\n\r\nOK\r\nOK!\n"));
    stream.writeBytes(large);
    stream.writeBytes(bytes("\r\n"));
    stream.writeBytes(large);
    stream.writeBytes(bytes("\nend"));
    ReceiveBuffer in = buffer(cut(stream.toByteArray(), most));
    assertThat(in.number()).isEqualTo(-1);
    assertThat(in.length()).isEqualTo(0);
    assertThat(in.number()).isEqualTo(123_456_789_012_345_678L);
    assertThat(in.length()).isEqualTo(512 << 20);
    assertThat(in.line()).isEqualTo("+PONG");
    assertThat(in.line()).isEmpty();
    assertThat(in.lineIs(bytes("OK"))).isTrue();
    assertThat(in.lineIs(bytes("OK"))).isFalse();
    assertThat(in.block(large.length)).isEqualTo(large);
    ValueBuffer value = new ValueBuffer(10);
    in.block(large.length, value);
    assertThat(value.toByteArray()).isEqualTo(large);
    assertThat((char) in.peek()).isEqualTo('e');
    assertThat((char) in.next()).isEqualTo('e');
    assertThat((char) in.next()).isEqualTo('n');
    assertThat((char) in.next()).isEqualTo('d');
    assertThatThrownBy(in::peek).isInstanceOf(EOFException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-", "x", "1x", "1-", "\r", "9999999999999999999", "12345678901234567890"})
  void aLineThatIsNotANumberViolatesTheProtocol(String line) {
    assertThatThrownBy(() -> buffer(bytes(line + "\n")).number())
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("not a protocol: ")
        .hasMessageContaining("number");
  }

  @Test
  void aWrongLengthViolatesTheProtocol() {
    assertThatThrownBy(() -> buffer(bytes("2147483648\n")).length())
        .hasMessageContainingAll("not a protocol", "length", "2147483648");
    assertThatThrownBy(() -> buffer(bytes("-5\n")).length())
        .hasMessageContainingAll("not a protocol", "length", "-5");
    assertThatThrownBy(() -> buffer(bytes("okay\n")).block(2))
        .hasMessageContainingAll("not a protocol", "block", "length");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "3", "3\r", "3\n", "3\nab", "3\nabc", "3\nabc\r"})
  void anAnswerThatEndsEarlyIsAClosedConnection(String answer) {
    ReceiveBuffer in = buffer(bytes(answer));
    assertThatThrownBy(() -> in.block(in.length()))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("closed");
  }

  private static ReceiveBuffer buffer(byte[] answer) {
    return buffer(new ByteArrayInputStream(answer));
  }

  private static ReceiveBuffer buffer(InputStream answer) {
    return new ReceiveBuffer(answer, "a protocol");
  }

  /** A stream that gives at most {@code most} bytes at a time. */
  private static InputStream cut(byte[] bytes, int most) {
    return new FilterInputStream(new ByteArrayInputStream(bytes)) {
      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        return super.read(buffer, offset, Math.min(length, most));
      }
    };
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
