package kvrank.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import kvrank.binding.BufferedConnection;
import kvrank.binding.ByteSource;
import kvrank.binding.Endpoint;
import kvrank.binding.RefusedException;
import kvrank.binding.SendBuffer;
import kvrank.binding.ValueBuffer;
import kvrank.binding.WatchedSocket;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import site.ycsb.Status;

/**
 * One connection, without a pool: each client thread has its own. Jedis logs in; then keys and
 * values are written once, to the buffer that is sent when an answer is asked for.
 */
public final class RespConnection extends BufferedConnection {

  private static final byte[] ACKNOWLEDGED = {'O', 'K'};

  private RespConnection(WatchedSocket socket) {
    super(socket, "Redis's protocol");
  }

  /** Connects and logs in. Without HELLO and CLIENT SETINFO, which not every engine knows. */
  static RespConnection open(Endpoint endpoint) throws IOException {
    JedisClientConfig config =
        DefaultJedisClientConfig.builder()
            .autoNegotiateProtocol(false)
            .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
            .user(endpoint.user().orElse(null))
            .password(endpoint.password().orElse(null))
            .build();
    WatchedSocket socket = WatchedSocket.connect(endpoint);
    try {
      new Connection(socket::view, config);
      return new RespConnection(socket);
    } catch (JedisConnectionException e) {
      socket.close();
      throw reason(e);
    } catch (JedisDataException e) {
      socket.close();
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Adds a command to the buffer. */
  public void send(ProtocolCommand command, byte[]... arguments) {
    begin(command, arguments.length);
    for (byte[] argument : arguments) {
      length('$', argument.length).add(argument).add('\r').add('\n');
    }
  }

  /** Adds a command of a key and a value to the buffer. */
  void send(ProtocolCommand command, byte[] key, ByteSource value) {
    begin(command, 2);
    length('$', key.length).add(key).add('\r').add('\n');
    length('$', value.size()).add(value).add('\r').add('\n');
  }

  private void begin(ProtocolCommand command, int arguments) {
    byte[] name = command.getRaw();
    length('*', 1 + arguments);
    length('$', name.length).add(name).add('\r').add('\n');
  }

  private SendBuffer length(char type, int length) {
    return out.add(type).add(length).add('\r').add('\n');
  }

  /**
   * Sends what is buffered and waits for one answer.
   *
   * @return a {@code byte[]}, {@link Long}, {@link List} or null
   * @throws RefusedException if the answer is an error message
   */
  public Object receive() throws IOException, RefusedException {
    return receive(this::answer);
  }

  /**
   * Sends what is buffered and waits for {@code count} answers.
   *
   * @throws RefusedException if one of them is an error message; all are read
   */
  public List<Object> receive(int count) throws IOException, RefusedException {
    return receive(() -> answers(count));
  }

  /**
   * Sends what is buffered and waits for one answer, a string or none.
   *
   * @return OK, with the string in {@code value}, or NOT_FOUND
   * @throws RefusedException if the answer is an error message
   */
  Status receive(ValueBuffer value) throws IOException, RefusedException {
    return receive(() -> value(value));
  }

  private Status value(ValueBuffer value) throws IOException, RefusedException {
    byte type = in.next();
    if (type != '$') {
      throw unexpected(type);
    }
    if (isNil()) {
      return Status.NOT_FOUND;
    }
    in.block(in.length(), value);
    return Status.OK;
  }

  /**
   * Sends what is buffered and waits for one answer.
   *
   * @return whether it is {@code +OK}, or ERROR
   * @throws RefusedException if the answer is an error message
   */
  Status acknowledged() throws IOException, RefusedException {
    return receive(this::acknowledgement);
  }

  private Status acknowledgement() throws IOException, RefusedException {
    byte type = in.next();
    if (type != '+') {
      throw unexpected(type);
    }
    return in.lineIs(ACKNOWLEDGED) ? Status.OK : Status.ERROR;
  }

  /**
   * Returns whether there is nothing instead of a string or an array, which a length of -1 says.
   */
  private boolean isNil() throws IOException {
    if (in.peek() != '-') {
      return false;
    }
    long length = in.number();
    if (length != -1) {
      throw in.other("a length of " + length);
    }
    return true;
  }

  private Object answer() throws IOException, RefusedException {
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
  private RefusedException unexpected(byte type) throws IOException {
    if (type != '-') {
      throw in.other("an answer that begins with the byte " + Byte.toUnsignedInt(type));
    }
    return new RefusedException(new String(in.line().getBytes(ISO_8859_1), UTF_8));
  }

  /** Jedis's own message and that of the socket, which Jedis keeps as a cause or as suppressed. */
  private static IOException reason(JedisConnectionException e) {
    Throwable deepest = e;
    while (deepest.getCause() != null || deepest.getSuppressed().length > 0) {
      deepest = deepest.getCause() != null ? deepest.getCause() : deepest.getSuppressed()[0];
    }
    String message = deepest == e ? e.getMessage() : e.getMessage() + ": " + deepest.getMessage();
    return new IOException(message, e);
  }
}
