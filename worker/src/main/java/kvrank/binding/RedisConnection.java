package kvrank.binding;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A connection that speaks Redis's protocol, in its second version. */
public class RedisConnection extends BufferedConnection {

  protected RedisConnection(WatchedSocket socket) {
    super(socket, "Redis's protocol");
  }

  /** Adds a command to the buffer. */
  public final void send(byte[] command, byte[]... arguments) {
    begin(command, arguments.length);
    for (byte[] argument : arguments) {
      block(argument);
    }
  }

  /** Begins a command of so many arguments, each of which is to be added. */
  protected final void begin(byte[] command, int arguments) {
    length('*', 1 + arguments);
    block(command);
  }

  /** Adds the bytes of an argument. */
  protected final void block(byte[] bytes) {
    length('$', bytes.length).add(bytes).add('\r').add('\n');
  }

  /** Adds the length of what follows. */
  protected final SendBuffer length(char type, int length) {
    return out.add(type).add(length).add('\r').add('\n');
  }

  /**
   * Sends what is buffered and waits for one answer.
   *
   * @return a {@code byte[]}, {@link Long}, {@link List} or null
   * @throws RefusedException if the answer is an error message
   */
  public final Object receive() throws IOException, RefusedException {
    return receive(this::answer);
  }

  /**
   * Sends what is buffered and waits for {@code count} answers.
   *
   * @throws RefusedException if one of them is an error message; all are read
   */
  public final List<Object> receive(int count) throws IOException, RefusedException {
    return receive(() -> answers(count));
  }

  /**
   * Returns whether there is nothing instead of a string or an array, which a length of -1 says.
   */
  protected final boolean isNil() throws IOException {
    if (in.peek() != '-') {
      return false;
    }
    long length = in.number();
    if (length != -1) {
      throw in.other("a length of " + length);
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
    List<Object> answers = new ArrayList<>();
    RefusedException refused = null;
    for (int i = 0; i < count; i++) {
      try {
        answers.add(answer());
      } catch (RefusedException e) {
        refused = refused == null ? e : refused;
      }
    }
    if (refused != null) {
      throw refused;
    }
    return answers;
  }

  /** An error message is an answer too; anything else is not the protocol. */
  protected final RefusedException unexpected(byte type) throws IOException {
    if (type != '-') {
      throw in.other("an answer that begins with the byte " + Byte.toUnsignedInt(type));
    }
    return new RefusedException(new String(in.line().getBytes(ISO_8859_1), UTF_8));
  }
}
