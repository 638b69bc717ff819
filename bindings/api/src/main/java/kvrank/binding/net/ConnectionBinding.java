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
 * A binding to a server, with one connection for each client thread: a plain operation is a request
 * with its response right behind it, a pipeline is several requests first. A subclass says how
 * requests are written and responses read.
 *
 * <p>Its properties are those of {@link Endpoint}.
 *
 * @param <C> a connection to such a server
 */
public abstract class ConnectionBinding<C extends BufferedConnection> extends KeyValueBinding
    implements BatchOperations, Multiplexed, KeyCount {

  private Endpoint endpoint;
  private RequestChannel<C> channel;

  /** Connects. */
  protected abstract C connect(Endpoint endpoint) throws IOException;

  /**
   * Returns how many keys the server holds, as {@link KeyCount} says.
   *
   * @throws RefusedException if it does not say
   */
  protected abstract long keyCount(C connection) throws IOException, RefusedException;

  /**
   * Returns by which rule the server gives up keys, as {@link KeyCount} says.
   *
   * @throws RefusedException if it does not say
   */
  protected String eviction(C connection) throws IOException, RefusedException {
    return "";
  }

  /** Returns the connection's requests and responses. */
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
    return ask(own -> keyCount(own));
  }

  @Override
  public final String eviction() throws IOException {
    return ask(own -> eviction(own));
  }

  /** What is asked of the server as a whole, apart from the requests. */
  private interface Question<C, T> {

    T of(C connection) throws IOException, RefusedException;
  }

  private <T> T ask(Question<C, T> question) throws IOException {
    try (C own = connect(endpoint)) {
      return question.of(own);
    } catch (RefusedException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void cleanup() {
    if (channel != null) {
      channel.close();
    }
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
    return channel.connection().map(BufferedConnection::channel);
  }
}
