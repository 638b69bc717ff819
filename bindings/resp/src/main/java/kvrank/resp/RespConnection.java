package kvrank.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import kvrank.binding.ByteSource;
import kvrank.binding.RefusedException;
import kvrank.binding.ValueBuffer;
import kvrank.binding.net.Endpoint;
import kvrank.binding.net.RedisConnection;
import kvrank.binding.net.WatchedSocket;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import site.ycsb.Status;

/**
 * One connection, without a pool: each client thread has its own. Jedis logs in; then keys and
 * values are written once, to the buffer that is sent when an answer is asked for.
 */
public final class RespConnection extends RedisConnection {

  private static final byte[] ACKNOWLEDGED = {'O', 'K'};
  private static final byte[] EXPIRES = {'E', 'X'};
  private static final byte[] SET = head(Command.SET, 2);
  private static final byte[] SET_EXPIRING = head(Command.SET, 4);

  private RespConnection(WatchedSocket socket) {
    super(socket);
  }

  /** Connects and logs in. Sends no HELLO and CLIENT SETINFO, which some engines lack. */
  static RespConnection open(Endpoint endpoint) throws IOException {
    JedisClientConfig config = config(endpoint).build();
    WatchedSocket socket = WatchedSocket.connect(endpoint);
    socket.beginWait();
    try {
      new Connection(socket::asSocket, config);
      return new RespConnection(socket);
    } catch (JedisConnectionException e) {
      socket.close();
      throw socket.explain(reason(e));
    } catch (JedisDataException e) {
      socket.close();
      throw new IOException(RefusedException.printable(e.getMessage()), e);
    } finally {
      socket.endWait();
    }
  }

  /** Returns the settings of Jedis's login. */
  static DefaultJedisClientConfig.Builder config(Endpoint endpoint) {
    return DefaultJedisClientConfig.builder()
        .autoNegotiateProtocol(false)
        .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
        .user(endpoint.user().orElse(null))
        .password(endpoint.password().orElse(null));
  }

  /** Adds a command to the buffer. */
  public void send(ProtocolCommand command, byte[]... arguments) {
    send(command.getRaw(), arguments);
  }

  /** Returns the first bytes of {@code command} with this number of arguments. */
  static byte[] head(ProtocolCommand command, int arguments) {
    return head(command.getRaw(), arguments);
  }

  /** Adds a command that has a key to the buffer. */
  void sendKey(byte[] head, byte[] key) {
    begin(head);
    block(key);
  }

  /** Adds a SET of a key and a value, with its time to live, to the buffer. */
  void set(byte[] key, ByteSource value) {
    int seconds = value.ttlSeconds();
    sendKey(seconds > 0 ? SET_EXPIRING : SET, key);
    block(value);
    if (seconds > 0) {
      block(EXPIRES);
      block(Integer.toString(seconds).getBytes(US_ASCII));
    }
  }

  /**
   * Adds an MSET of keys and values to the buffer, or a SET for each if one of them has a time to
   * live, which MSET does not know.
   */
  public void set(List<byte[]> keys, List<? extends ByteSource> values) {
    if (!expiring(values)) {
      byte[][] pairs = new byte[2 * keys.size()][];
      for (int i = 0; i < keys.size(); i++) {
        pairs[2 * i] = keys.get(i);
        pairs[2 * i + 1] = values.get(i).toByteArray();
      }
      send(Command.MSET, pairs);
      return;
    }
    for (int i = 0; i < keys.size(); i++) {
      set(keys.get(i), values.get(i));
    }
  }

  /** Returns the number of answers to that. */
  public static int answers(List<? extends ByteSource> values) {
    return expiring(values) ? values.size() : 1;
  }

  private static boolean expiring(List<? extends ByteSource> values) {
    return values.stream().anyMatch(value -> value.ttlSeconds() > 0);
  }

  /**
   * Sends what is buffered and waits for one answer, a string or none.
   *
   * @return OK, with the string in {@code value}, or NOT_FOUND
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
   */
  Status acknowledged() throws IOException, RefusedException {
    return receive(this::acknowledgement);
  }

  /** Sends what is buffered and waits for how many of one key were deleted. */
  Status deleted() throws IOException, RefusedException {
    Object count = receive();
    if (count instanceof Long one && (one == 0 || one == 1)) {
      return one == 0 ? Status.NOT_FOUND : Status.OK;
    }
    throw in.protocolError("a deletion of one key that is answered by " + count);
  }

  /**
   * Sends the buffer and reads this many answers.
   *
   * @return whether each is {@code +OK}, or ERROR
   */
  Status acknowledged(int answers) throws IOException, RefusedException {
    return answers == 1
        ? acknowledged()
        : receive(answers).stream().allMatch(each -> Arrays.equals(ACKNOWLEDGED, (byte[]) each))
            ? Status.OK
            : Status.ERROR;
  }

  private Status acknowledgement() throws IOException, RefusedException {
    byte type = in.next();
    if (type != '+') {
      throw unexpected(type);
    }
    if (in.peek() != ACKNOWLEDGED[0]) {
      throw new RefusedException("answered '" + in.line() + "' and not OK");
    }
    return in.lineIs(ACKNOWLEDGED) ? Status.OK : Status.ERROR;
  }

  /** Jedis's own message and that of the socket, which Jedis keeps as a cause or as suppressed. */
  static IOException reason(JedisException e) {
    Throwable deepest = e;
    while (deepest.getCause() != null || deepest.getSuppressed().length > 0) {
      deepest = deepest.getCause() != null ? deepest.getCause() : deepest.getSuppressed()[0];
    }
    String message = deepest == e ? e.getMessage() : e.getMessage() + ": " + deepest.getMessage();
    return new IOException(RefusedException.printable(message), e);
  }
}
