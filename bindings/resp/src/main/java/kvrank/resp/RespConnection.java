package kvrank.resp;

import java.io.IOException;
import java.net.Socket;
import java.nio.channels.SelectableChannel;
import java.util.List;
import kvrank.binding.Endpoint;
import kvrank.binding.RefusedException;
import kvrank.binding.ServerConnection;
import kvrank.binding.WatchedSocket;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One connection of Jedis, without a pool: each client thread has its own. Commands are buffered
 * until an answer is asked for.
 */
public final class RespConnection implements ServerConnection {

  private final WatchedSocket socket;
  private final Line connection;

  private RespConnection(WatchedSocket socket, Line connection) {
    this.socket = socket;
    this.connection = connection;
  }

  /** Connects and logs in. Without HELLO and CLIENT SETINFO, which not every engine knows. */
  static RespConnection open(Endpoint endpoint) throws IOException {
    DefaultJedisClientConfig config =
        DefaultJedisClientConfig.builder()
            .autoNegotiateProtocol(false)
            .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
            .user(endpoint.user().orElse(null))
            .password(endpoint.password().orElse(null))
            .build();
    WatchedSocket socket = WatchedSocket.connect(endpoint);
    try {
      return new RespConnection(socket, new Line(socket.view(), config));
    } catch (JedisConnectionException e) {
      socket.close();
      throw reason(e);
    } catch (JedisDataException e) {
      socket.close();
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Adds a command to the buffer. */
  public void send(ProtocolCommand command, byte[]... arguments) throws IOException {
    socket.begin();
    try {
      connection.sendCommand(command, arguments);
    } catch (JedisConnectionException e) {
      throw socket.reason(reason(e));
    } finally {
      socket.end();
    }
  }

  @Override
  public void flush() throws IOException {
    socket.begin();
    try {
      connection.flush();
    } catch (JedisConnectionException e) {
      throw socket.reason(reason(e));
    }
  }

  @Override
  public SelectableChannel channel() {
    return socket.channel();
  }

  /**
   * Sends what is buffered and waits for one answer.
   *
   * @return a {@code byte[]}, {@link Long}, {@link List} or null
   * @throws RefusedException if the answer is an error message
   */
  public Object receive() throws IOException, RefusedException {
    socket.begin();
    try {
      return connection.getOne();
    } catch (JedisConnectionException e) {
      throw socket.reason(reason(e));
    } catch (JedisDataException e) {
      throw refused(e);
    } finally {
      socket.end();
    }
  }

  /**
   * Sends what is buffered and waits for {@code count} answers.
   *
   * @throws RefusedException if one of them is an error message; all are read
   */
  public List<Object> receive(int count) throws IOException, RefusedException {
    List<Object> answers;
    socket.begin();
    try {
      answers = connection.getMany(count);
    } catch (JedisConnectionException e) {
      throw socket.reason(reason(e));
    } finally {
      socket.end();
    }
    for (Object answer : answers) {
      if (answer instanceof JedisDataException e) {
        throw refused(e);
      }
    }
    return answers;
  }

  @Override
  public void close() throws IOException {
    try (socket) {
      connection.close();
    }
  }

  /** Jedis's connection, with its buffer to be flushed before an answer is asked for. */
  private static final class Line extends Connection {

    private Line(Socket socket, JedisClientConfig config) {
      super(() -> socket, config);
    }

    @Override
    protected void flush() {
      super.flush();
    }
  }

  private static RefusedException refused(JedisDataException e) {
    RefusedException refused = new RefusedException(e.getMessage());
    refused.initCause(e);
    return refused;
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
