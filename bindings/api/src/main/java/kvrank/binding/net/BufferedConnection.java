package kvrank.binding.net;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.util.Optional;
import kvrank.binding.RefusedException;

/**
 * A connection with a buffer for each direction. Requests are collected in {@link #out} and sent in
 * one write, when the first answer is read.
 */
public abstract class BufferedConnection implements RequestChannel.Connection {

  /** The requests to send. */
  protected final SendBuffer out = new SendBuffer();

  /** The answers. Only {@link #receive(Reading)} may read them, since it watches for a timeout. */
  protected final ReceiveBuffer in;

  private final WatchedSocket socket;

  /**
   * Makes a connection over {@code socket}.
   *
   * @param protocol the name of the protocol, for error messages
   */
  protected BufferedConnection(WatchedSocket socket, String protocol) {
    this.socket = socket;
    this.in = new ReceiveBuffer(socket.input(), protocol);
  }

  /**
   * Reads one answer to its end.
   *
   * @param <T> the type of the result
   */
  protected interface Reading<T> {
    /** Reads the answer. */
    T read() throws IOException, RefusedException;
  }

  /** Sends the buffered requests and reads an answer. */
  protected final <T> T receive(Reading<T> reading) throws IOException, RefusedException {
    flush();
    try {
      return reading.read();
    } catch (IOException e) {
      throw socket.explain(e);
    } finally {
      socket.endWait();
    }
  }

  @Override
  public final void requireIdle() throws IOException {
    if (!in.isEmpty()) {
      throw in.protocolError("more answers than requests");
    }
  }

  /** Sends the buffered requests. The timeout of the answer starts now. */
  public final void flush() throws IOException {
    socket.beginWait();
    try {
      socket.send(out);
    } catch (IOException e) {
      throw socket.explain(e);
    }
  }

  /**
   * Returns the channel on which answers arrive; empty if some arrived while requests were sent.
   */
  public final Optional<SelectableChannel> channel() {
    return socket.hasArrived() ? Optional.empty() : Optional.of(socket.channel());
  }

  @Override
  public final void close() throws IOException {
    socket.close();
  }
}
