package kvrank.binding.net;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import kvrank.binding.ErrorLog;
import kvrank.binding.RefusedException;
import kvrank.binding.ValueBuffer;
import site.ycsb.Status;

/**
 * Sends requests and receives their responses, in order, on a connection that is replaced after it
 * failed. Not thread-safe.
 *
 * <p>A request whose connection failed, before or after it was sent, is answered with {@link
 * Status#ERROR}, and the reason is logged.
 *
 * @param <C> a connection; after an {@link IOException} it is closed
 */
public final class RequestChannel<C extends RequestChannel.Connection> implements Closeable {

  private final String server;
  private final Connector<C> connector;
  private final ErrorLog log;
  private final Queue<Response<C>> inFlight = new ArrayDeque<>();

  /** Number of the oldest requests in flight that were lost with an earlier connection. */
  private int lost;

  private C connection;

  /**
   * Makes a channel without a connection.
   *
   * @param server the name of the server in the log
   */
  public RequestChannel(String server, Connector<C> connector, ErrorLog log) {
    this.server = server;
    this.connector = connector;
    this.log = log;
  }

  /** Connects, unless there is a connection. */
  public void open() throws IOException {
    if (connection == null) {
      connection = connector.connect();
    }
  }

  /** Sends a request, whose response is received later. */
  public void send(Request<C> request, Response<C> response) {
    inFlight.add(response);
    try {
      open();
      request.send(connection);
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  /**
   * Performs an action that is not a request on the connection, if there is one. If it fails, the
   * requests in flight are lost.
   */
  public void act(Request<C> action) {
    if (connection == null) {
      return;
    }
    try {
      action.send(connection);
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  /** Returns the current connection. */
  public Optional<C> connection() {
    return Optional.ofNullable(connection);
  }

  /** Adds a request whose response is {@code status}, without sending anything. */
  public void answer(Status status) {
    inFlight.add((connected, value) -> status);
  }

  /**
   * Waits for the response to the oldest request.
   *
   * @param value receives the value if the request was a read
   * @throws IllegalStateException if no request is in flight
   */
  public Status receive(ValueBuffer value) {
    Response<C> response = inFlight.poll();
    if (response == null) {
      throw new IllegalStateException("no request is in flight");
    }
    if (lost > 0) {
      lost--;
      return Status.ERROR;
    }
    try {
      Status status = response.receive(connection, value);
      if (inFlight.isEmpty() && connection != null) {
        connection.requireIdle();
      }
      return status;
    } catch (RefusedException e) {
      log.report(server + ": " + e.getMessage());
      return Status.ERROR;
    } catch (IOException | RuntimeException e) {
      fail(e);
      return Status.ERROR;
    }
  }

  /** Sends a request and waits for its response. */
  public Status ask(Request<C> request, Response<C> response) {
    send(request, response);
    return receive(null);
  }

  private void fail(Exception e) {
    log.report(server + ": " + (e.getMessage() == null ? e.toString() : e.getMessage()));
    lost = inFlight.size();
    close();
  }

  /** Closes the connection, if there is one. The next request opens another. */
  @Override
  public void close() {
    C closed = connection;
    connection = null;
    if (closed != null) {
      try {
        closed.close();
      } catch (IOException | RuntimeException e) {
        log.report(server + ": closing: " + e.getMessage());
      }
    }
  }

  /** A connection that carries requests and responses. */
  public interface Connection extends Closeable {

    /** Checks that nothing more arrived when no request is in flight. */
    void requireIdle() throws IOException;
  }

  /** Opens a connection. */
  public interface Connector<C> {
    C connect() throws IOException;
  }

  /** Writes one request to the connection or its buffer. */
  public interface Request<C> {
    void send(C connection) throws IOException;
  }

  /** Reads the whole response to one request. */
  public interface Response<C> {

    /**
     * Reads the response.
     *
     * @param value receives the value if the request was a read
     */
    Status receive(C connection, ValueBuffer value) throws IOException, RefusedException;
  }
}
