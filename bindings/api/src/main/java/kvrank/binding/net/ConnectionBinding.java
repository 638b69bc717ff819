package kvrank.binding.net;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.util.Optional;
import kvrank.binding.BatchOperations;
import kvrank.binding.BindingProperties;
import kvrank.binding.ByteSource;
import kvrank.binding.ErrorLog;
import kvrank.binding.KeyCount;
import kvrank.binding.KeyValueBinding;
import kvrank.binding.Multiplexed;
import kvrank.binding.RecordBuffer;
import kvrank.binding.RefusedException;
import kvrank.binding.ValueBuffer;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * A binding to a server with its own protocol. Each client thread has its own instance and
 * connection. A subclass writes requests and reads responses; this class does pipelines, timeouts,
 * reconnecting and errors of the connection.
 *
 * <p>{@link Endpoint} has its properties.
 *
 * @param <C> a connection to the server
 */
public abstract class ConnectionBinding<C extends BufferedConnection> extends KeyValueBinding
    implements BatchOperations, Multiplexed, KeyCount {

  private Endpoint endpoint;
  private RequestChannel<C> channel;

  /** The connection of {@link #watch}, once it is open. */
  private volatile Optional<C> watching = Optional.empty();

  /** Connects to the server. */
  protected abstract C connect(Endpoint endpoint) throws IOException;

  /**
   * Returns the number of keys of the server, as in {@link KeyCount#keyCount()}.
   *
   * @throws RefusedException if the server refuses the request
   */
  protected abstract long keyCount(C connection) throws IOException, RefusedException;

  /**
   * Returns the server's eviction policy, as in {@link KeyCount#eviction()}.
   *
   * @throws RefusedException if the server refuses the request
   */
  protected String eviction(C connection) throws IOException, RefusedException {
    return "";
  }

  /** Returns the channel to send requests with. */
  protected final RequestChannel<C> requests() {
    return channel;
  }

  @Override
  public void init() throws DBException {
    endpoint = Endpoint.of(new BindingProperties(getProperties()));
    channel =
        new RequestChannel<>(endpoint.toString(), () -> connect(endpoint), ErrorLog.standard());
    try {
      channel.open();
    } catch (IOException e) {
      throw new DBException(endpoint + ": " + e.getMessage(), e);
    }
  }

  @Override
  public final long keyCount() throws IOException {
    return ask(this::keyCount);
  }

  @Override
  public final String eviction() throws IOException {
    return ask(this::eviction);
  }

  private interface Question<C, T> {
    T answer(C connection) throws IOException, RefusedException;
  }

  /** Asks on a connection of its own, since requests may be in flight on the other. */
  private <T> T ask(Question<C, T> question) throws IOException {
    try (C connection = connect(endpoint)) {
      return question.answer(connection);
    } catch (RefusedException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Asks for figures over time. */
  protected interface Watch<C> {
    void ask(C connection) throws IOException, RefusedException;
  }

  /** Asks on a connection that stays open for this, in any thread. */
  protected final synchronized void watch(Watch<C> question) throws IOException {
    boolean answered = false;
    try {
      if (watching.isEmpty()) {
        watching = Optional.of(connect(endpoint));
      }
      question.ask(watching.get());
      answered = true;
    } catch (RefusedException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      if (!answered) {
        unwatch();
      }
    }
  }

  private void unwatch() {
    Optional<C> open = watching;
    watching = Optional.empty();
    if (open.isPresent()) {
      try {
        open.get().close();
      } catch (IOException e) {
        // It is not used any more.
      }
    }
  }

  @Override
  public void cleanup() {
    if (channel != null) {
      channel.close();
    }
    unwatch();
  }

  @Override
  public final Status read(byte[] key, ValueBuffer value) {
    sendRead(key);
    return receive(value);
  }

  @Override
  public final Status insert(byte[] key, ByteSource value) {
    sendInsert(key, value);
    return receive(null);
  }

  @Override
  public final Status update(byte[] key, ByteSource value) {
    sendUpdate(key, value);
    return receive(null);
  }

  @Override
  public final Status delete(byte[] key) {
    sendDelete(key);
    return receive(null);
  }

  @Override
  public Status scan(byte[] start, int limit, RecordBuffer records) {
    return Status.NOT_IMPLEMENTED;
  }

  @Override
  public void sendInsert(byte[] key, ByteSource value) {
    sendUpdate(key, value);
  }

  @Override
  public final Status receive(ValueBuffer value) {
    return channel.receive(value);
  }

  @Override
  public final void flush() {
    channel.act(BufferedConnection::flush);
  }

  @Override
  public final Optional<SelectableChannel> channel() {
    return channel.connection().flatMap(BufferedConnection::channel);
  }
}
