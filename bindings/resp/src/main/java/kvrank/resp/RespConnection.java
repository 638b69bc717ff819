package kvrank.resp;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import kvrank.binding.Endpoint;
import kvrank.binding.RefusedException;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One connection of Jedis, without a pool: each client thread has its own. Commands are buffered
 * until an answer is asked for.
 */
public final class RespConnection implements Closeable {

  private final Connection connection;

  private RespConnection(Connection connection) {
    this.connection = connection;
  }

  /** Connects. Without HELLO and CLIENT SETINFO, which not every engine knows. */
  static RespConnection open(Endpoint endpoint) throws IOException {
    DefaultJedisClientConfig config =
        DefaultJedisClientConfig.builder()
            .autoNegotiateProtocol(false)
            .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
            .connectionTimeoutMillis(Math.toIntExact(Endpoint.CONNECT_TIMEOUT.toMillis()))
            .socketTimeoutMillis(Math.toIntExact(endpoint.timeout().toMillis()))
            .build();
    try {
      return new RespConnection(
          new Connection(new HostAndPort(endpoint.host(), endpoint.port()), config));
    } catch (JedisConnectionException e) {
      throw new IOException(reason(e), e);
    }
  }

  /** Adds a command to the buffer. */
  public void send(ProtocolCommand command, byte[]... arguments) throws IOException {
    try {
      connection.sendCommand(command, arguments);
    } catch (JedisConnectionException e) {
      throw new IOException(reason(e), e);
    }
  }

  /**
   * Sends what is buffered and waits for one answer.
   *
   * @return a {@code byte[]}, {@link Long}, {@link List} or null
   * @throws RefusedException if the answer is an error message
   */
  public Object receive() throws IOException, RefusedException {
    try {
      return connection.getOne();
    } catch (JedisConnectionException e) {
      throw new IOException(reason(e), e);
    } catch (JedisDataException e) {
      throw refused(e);
    }
  }

  /**
   * Sends what is buffered and waits for {@code count} answers.
   *
   * @throws RefusedException if one of them is an error message; all are read
   */
  public List<Object> receive(int count) throws IOException, RefusedException {
    List<Object> answers;
    try {
      answers = connection.getMany(count);
    } catch (JedisConnectionException e) {
      throw new IOException(reason(e), e);
    }
    for (Object answer : answers) {
      if (answer instanceof JedisDataException e) {
        throw refused(e);
      }
    }
    return answers;
  }

  @Override
  public void close() {
    connection.close();
  }

  private static RefusedException refused(JedisDataException e) {
    RefusedException refused = new RefusedException(e.getMessage());
    refused.initCause(e);
    return refused;
  }

  /** Jedis's own message and that of the socket, which Jedis keeps as a cause or as suppressed. */
  private static String reason(JedisConnectionException e) {
    Throwable deepest = e;
    while (deepest.getCause() != null || deepest.getSuppressed().length > 0) {
      deepest = deepest.getCause() != null ? deepest.getCause() : deepest.getSuppressed()[0];
    }
    return deepest == e ? e.getMessage() : e.getMessage() + ": " + deepest.getMessage();
  }
}
