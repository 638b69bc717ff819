package kvrank.binding.net;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import kvrank.binding.RefusedException;

/**
 * A connection whose requests and answers are bytes in order. Keys and values are written once, to
 * the buffer that is sent, in one write, when an answer is asked for.
 */
public abstract class BufferedConnection implements RequestChannel.Connection {

  /** What is to be sent. */
  protected final SendBuffer out = new SendBuffer();

  /** What arrived; to be read by {@link #receive(Reading)} alone, which watches the wait. */
  protected final ReceiveBuffer in;

  private final WatchedSocket socket;

  /**
   * A connection over {@code socket}.
   *
   * @param protocol the name of the protocol, for messages
   */
  protected BufferedConnection(WatchedSocket socket, String protocol) {
    this.socket = socket;
    this.in = new ReceiveBuffer(socket.input(), protocol);
  }

  /**
   * Reads one answer to its end.
   *
   * @param <T> what is made of it
   */
  protected interface Reading<T> {
    /**
     * Reads the answer.
     *
     * @throws RefusedException if it is an error message
     */
    T read() throws IOException, RefusedException;
  }

  /** Sends what is buffered, and reads what is answered. */
  protected final <T> T receive(Reading<T> reading) throws IOException, RefusedException {
    flush();
    try {
      return reading.read();
    } catch (IOException e) {
      throw socket.reason(e);
    } finally {
      socket.end();
    }
  }

  @Override
  public final void requireIdle() throws IOException {
    if (!in.isEmpty()) {
      throw in.other("more answers than requests");
    }
  }

  /** Sends what is buffered; somebody waits for the responses from now on. */
  public final void flush() throws IOException {
    socket.begin();
    try {
      out.sendTo(socket.output());
    } catch (IOException e) {
      throw socket.reason(e);
    }
  }

  /** Returns where responses arrive. */
  public final SelectableChannel channel() {
    return socket.channel();
  }

  @Override
  public final void close() throws IOException {
    socket.close();
  }
}
