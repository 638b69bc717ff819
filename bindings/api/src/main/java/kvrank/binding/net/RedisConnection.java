package kvrank.binding.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import kvrank.binding.ByteSource;
import kvrank.binding.RefusedException;

/** A connection that speaks Redis's protocol, version 2 (RESP2). */
public class RedisConnection extends BufferedConnection {

  /** The length lines of arguments of less than 1 KiB. */
  private static final byte[][] LENGTHS =
      IntStream.range(0, 1 << 10)
          .mapToObj(length -> ("$" + length + "\r\n").getBytes(ISO_8859_1))
          .toArray(byte[][]::new);

  /** Maximum nesting of arrays; Redis's own answers nest two or three. */
  private static final int MOST_DEPTH = 16;

  private int depth;

  protected RedisConnection(WatchedSocket socket) {
    super(socket, "Redis's protocol");
  }

  /** Adds a command to the buffer. */
  public final void send(byte[] command, byte[]... arguments) {
    out.add('*').add(1 + arguments.length).line();
    block(command);
    for (byte[] argument : arguments) {
      block(argument);
    }
  }

  /** Returns the first bytes of a command with this number of arguments. */
  protected static byte[] head(byte[] command, int arguments) {
    String name = new String(command, ISO_8859_1);
    String lines = "*" + (1 + arguments) + "\r\n$" + command.length + "\r\n" + name + "\r\n";
    return lines.getBytes(ISO_8859_1);
  }

  /** Adds a {@linkplain #head head} to the buffer; its arguments must follow. */
  protected final void begin(byte[] head) {
    out.add(head);
  }

  /** Adds an argument to the buffer. */
  protected final void block(byte[] bytes) {
    length(bytes.length).add(bytes).line();
  }

  /** Adds an argument to the buffer. */
  protected final void block(ByteSource bytes) {
    length(bytes.size()).add(bytes).line();
  }

  private SendBuffer length(int length) {
    return length < LENGTHS.length ? out.add(LENGTHS[length]) : out.add('$').add(length).line();
  }

  /**
   * Sends the buffered commands and waits for one answer.
   *
   * @return a {@code byte[]}, {@link Long}, {@link List} or null
   * @throws RefusedException if the answer is an error message
   */
  public final Object receive() throws IOException, RefusedException {
    return receive(this::answer);
  }

  /**
   * Sends the buffered commands and waits for {@code count} answers.
   *
   * @throws RefusedException if one of them is an error message; all answers are read
   */
  public final List<Object> receive(int count) throws IOException, RefusedException {
    return receive(() -> answers(count));
  }

  /** Returns whether the string or array is null, which is encoded as a length of -1. */
  protected final boolean isNil() throws IOException {
    if (in.peek() != '-') {
      return false;
    }
    long length = in.number();
    if (length != -1) {
      throw in.protocolError("a length of " + length);
    }
    return true;
  }

  /** Reads one answer. */
  protected final Object answer() throws IOException, RefusedException {
    byte type = in.next();
    if (type == '$' || type == '*') {
      return isNil() ? null : type == '$' ? in.block(in.length()) : answers(in.length());
    }
    return switch (type) {
      case ':' -> in.number();
      case '+' -> in.line().getBytes(ISO_8859_1);
      default -> throw unexpected(type);
    };
  }

  private List<Object> answers(int count) throws IOException, RefusedException {
    if (depth == MOST_DEPTH) {
      throw in.protocolError("arrays nested more than " + MOST_DEPTH + " deep");
    }
    depth++;
    List<Object> answers = new ArrayList<>();
    RefusedException refused = null;
    for (int i = 0; i < count; i++) {
      try {
        answers.add(answer());
      } catch (RefusedException e) {
        refused = refused == null ? e : refused;
      }
    }
    depth--;
    if (refused != null) {
      throw refused;
    }
    return answers;
  }

  /**
   * Reads an error message instead of the expected type.
   *
   * @throws IOException if the answer is not an error message
   */
  protected final RefusedException unexpected(byte type) throws IOException {
    if (type != '-') {
      String first = RefusedException.printable(Character.toString(Byte.toUnsignedInt(type)));
      throw in.protocolError("an unexpected answer of type '" + first + "'");
    }
    return new RefusedException(new String(in.line().getBytes(ISO_8859_1), UTF_8));
  }
}
