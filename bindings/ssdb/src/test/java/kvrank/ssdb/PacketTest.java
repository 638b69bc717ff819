package kvrank.ssdb;

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
import kvrank.binding.ByteSource;
import org.junit.jupiter.api.Test;

/** SSDB's packets; those written out here are from its documentation and from a real server. */
final class PacketTest {

  @Test
  void aRequestIsWrittenAsTheProtocolSays() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PacketWriter writer = new PacketWriter(out);
    writer.word(bytes("set")).word(bytes("key")).word(ByteSource.of(bytes(""))).end();
    writer.word(bytes("set")).word(bytes("key")).word(ByteSource.of(bytes("ten  bytes"))).end();
    writer.flush();
    assertThat(out.toString(ISO_8859_1))
        .isEqualTo("3\nset\n3\nkey\n0\n\n\n3\nset\n3\nkey\n10\nten  bytes\n\n");
  }

  @Test
  void whatIsBufferedLeavesInOneWrite() throws IOException {
    List<Integer> writes = new ArrayList<>();
    OutputStream out =
        new FilterOutputStream(OutputStream.nullOutputStream()) {
          @Override
          public void write(byte[] buffer, int offset, int length) {
            writes.add(length);
          }
        };
    PacketWriter writer = new PacketWriter(out);
    add(writer, bytes("set"), bytes("a"), new byte[1 << 20]);
    add(writer, bytes("get"), bytes("a"));
    writer.flush();
    writer.flush();
    assertThat(writes)
        .containsExactly("3\nset\n1\na\n1048576\n\n\n3\nget\n1\na\n\n".length() + (1 << 20));
  }

  @Test
  void answersAreReadHoweverTheyAreCut() throws IOException {
    byte[] large = new byte[100_000];
    new Random(1).nextBytes(large);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    PacketWriter writer = new PacketWriter(stream);
    add(writer, bytes("ok"), bytes("1"));
    add(writer, bytes("not_found"));
    add(writer, bytes("ok"), bytes(""));
    add(writer, bytes("ok"), bytes("\n\n3\n"), large, bytes("z"));
    writer.flush();
    for (int most : new int[] {1, 2, 3, 7, 8192, 1 << 20}) {
      PacketReader reader = new PacketReader(cut(stream.toByteArray(), most));
      assertThat(reader.next()).containsExactly(bytes("ok"), bytes("1"));
      assertThat(reader.next()).containsExactly(bytes("not_found"));
      assertThat(reader.next()).containsExactly(bytes("ok"), bytes(""));
      assertThat(reader.next()).containsExactly(bytes("ok"), bytes("\n\n3\n"), large, bytes("z"));
      assertThatThrownBy(reader::next).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void anAnswerThatEndsEarlyIsSaidSo() {
    for (String start : List.of("", "2", "2\n", "2\no", "2\nok", "2\nok\n", "2\nok\n1\n")) {
      assertThatThrownBy(() -> reader(start).next()).as(start).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void anotherProtocolIsSaidSo() {
    for (String other : List.of("+PONG\r\n", "HTTP/1.1 400", "2\nokay\n\n", "9999999999\n")) {
      assertThatThrownBy(() -> reader(other).next())
          .as(other)
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("not SSDB's protocol");
    }
  }

  private static void add(PacketWriter writer, byte[]... words) {
    for (byte[] word : words) {
      writer.word(word);
    }
    writer.end();
  }

  private static PacketReader reader(String answer) {
    return new PacketReader(new ByteArrayInputStream(bytes(answer)));
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
