package kvrank.binding;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * Requests and their answers, in order, on one connection that is made anew after it failed. Used
 * by one thread.
 *
 * <p>What goes wrong is an answer: a request whose connection failed, before or after it was sent,
 * is answered with {@link Status#ERROR}, and the reason goes to the log.
 *
 * @param <C> a connection; an {@link IOException} of it means that it is of no more use
 */
public final class Conversation<C extends Closeable> implements Closeable {

  private final String engine;
  private final Opening<C> opening;
  private final ErrorLog log;
  private final Queue<Answer<C>> inFlight = new ArrayDeque<>();

  /** How many of the oldest requests in flight went down with an earlier connection. */
  private int lost;

  private C connection;

  /**
   * A conversation that has not begun: there is no connection yet.
   *
   * @param engine who is talked to, for the log
   */
  public Conversation(String engine, Opening<C> opening, ErrorLog log) {
    this.engine = requireNonNull(engine, "engine is null");
    this.opening = requireNonNull(opening, "opening is null");
    this.log = requireNonNull(log, "log is null");
  }

  /** Connects, if there is no connection. */
  public void open() throws IOException {
    if (connection == null) {
      connection = opening.open();
    }
  }

  /** Sends a request, to be answered later. */
  public void send(Request<C> request, Answer<C> answer) {
    inFlight.add(answer);
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

  /** The connection, while there is one. */
  public Optional<C> connection() {
    return Optional.ofNullable(connection);
  }

  /** Answers a request without asking the engine, when its turn comes. */
  public void answer(Status status) {
    inFlight.add((connected, result) -> status);
  }

  /**
   * Waits for the answer to the oldest request.
   *
   * @throws IllegalStateException if no request is in flight
   */
  public Status receive(Map<String, ByteIterator> result) {
    Answer<C> answer = inFlight.poll();
    if (answer == null) {
      throw new IllegalStateException("no request is in flight");
    }
    if (lost > 0) {
      lost--;
      return Status.ERROR;
    }
    try {
      return answer.receive(connection, result);
    } catch (RefusedException e) {
      log.report(engine + ": " + e.getMessage());
      return Status.ERROR;
    } catch (IOException | RuntimeException e) {
      fail(e);
      return Status.ERROR;
    }
  }

  /** Sends a request and waits for its answer. */
  public Status ask(Request<C> request, Answer<C> answer) {
    send(request, answer);
    return receive(null);
  }

  private void fail(Exception e) {
    log.report(engine + ": " + (e.getMessage() == null ? e.toString() : e.getMessage()));
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
        log.report(engine + ": closing: " + e.getMessage());
      }
    }
  }

  /** Makes a connection. */
  public interface Opening<C> {
    C open() throws IOException;
  }

  /** Writes one request, or puts it into the connection's buffer. */
  public interface Request<C> {
    void send(C connection) throws IOException;
  }

  /** Reads the whole answer to one request. */
  public interface Answer<C> {

    /**
     * Reads the answer.
     *
     * @param result where a record goes, if one was asked for
     * @throws RefusedException if the answer is an error message, read to its end
     */
    Status receive(C connection, Map<String, ByteIterator> result)
        throws IOException, RefusedException;
  }
}
