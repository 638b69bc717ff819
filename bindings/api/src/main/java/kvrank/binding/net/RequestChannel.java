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
 * Requests and their responses, in order, on one connection that is made anew after it failed. Used
 * by one thread.
 *
 * <p>What goes wrong is a response: a request whose connection failed, before or after it was sent,
 * is answered with {@link Status#ERROR}, and the reason goes to the log.
 *
 * @param <C> a connection; an {@link IOException} of it means that it is of no more use
 */
public final class RequestChannel<C extends RequestChannel.Connection> implements Closeable {

  private final String server;
  private final Connector<C> connector;
  private final ErrorLog log;
  private final Queue<Response<C>> inFlight = new ArrayDeque<>();

  /** How many of the oldest requests in flight went down with an earlier connection. */
  private int lost;

  private C connection;

  /**
   * A channel without a connection.
   *
   * @param server who answers, for the log
   */
  public RequestChannel(String server, Connector<C> connector, ErrorLog log) {
    this.server = server;
    this.connector = connector;
    this.log = log;
  }

  /** Connects, if there is no connection. */
  public void open() throws IOException {
    if (connection == null) {
      connection = connector.connect();
    }
  }

  /** Sends a request, to be answered later. */
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
   * Does something with the connection, if there is one, that is no request. If it fails, so have
   * the requests in flight.
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

  /** Returns the connection, while there is one. */
  public Optional<C> connection() {
    return Optional.ofNullable(connection);
  }

  /** Answers a request without asking the engine, when its turn comes. */
  public void answer(Status status) {
    inFlight.add((connected, value) -> status);
  }

  /**
   * Waits for the response to the oldest request.
   *
   * @param value where a value goes, if one was asked for
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
      if (inFlight.isEmpty()) {
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

  /** Closes the connection, if there is one; the next request makes another. */
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

  /** What requests and responses go over. */
  public interface Connection extends Closeable {

    /**
     * Makes sure that nothing more arrived, where no request is in flight.
     *
     * @throws IOException if something did: it would be taken for the answer to a later request
     */
    void requireIdle() throws IOException;
  }

  /** Makes a connection. */
  public interface Connector<C> {
    C connect() throws IOException;
  }

  /** Writes one request, or puts it into the connection's buffer. */
  public interface Request<C> {
    void send(C connection) throws IOException;
  }

  /** Reads the whole response to one request. */
  public interface Response<C> {

    /**
     * Reads the response.
     *
     * @param value where a value goes, if one was asked for
     * @throws RefusedException if the response is an error message, read to its end
     */
    Status receive(C connection, ValueBuffer value) throws IOException, RefusedException;
  }
}
