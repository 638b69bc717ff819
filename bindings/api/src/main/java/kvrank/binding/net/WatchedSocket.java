package kvrank.binding.net;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A socket that is closed, which wakes up whoever waits, when a wait takes longer than the
 * endpoint's timeout.
 *
 * <p>A socket's own timeout makes the JDK poll before each read: two more system calls for each
 * request. Here a wait costs two writes to memory, and one thread looks at all sockets.
 */
public final class WatchedSocket implements Closeable {

  /** How often a socket is looked at in the time of its timeout. */
  private static final int LOOKS = 8;

  /** How often a wait looks whether it has been ended. */
  private static final long LOOK_MILLIS = 500;

  private static final VarHandle WAITS;
  private static final ScheduledThreadPoolExecutor WATCH =
      new ScheduledThreadPoolExecutor(1, WatchedSocket::daemon);

  static {
    try {
      WAITS = MethodHandles.lookup().findVarHandle(WatchedSocket.class, "waits", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
    WATCH.setRemoveOnCancelPolicy(true);
  }

  private final SocketChannel channel;
  private final Duration timeout;
  private final ScheduledFuture<?> looking;

  /** Odd while somebody waits. */
  private long waits;

  private long seen;
  private int looks;
  private volatile boolean expired;

  private InputStream input = new Input();
  private OutputStream output = new Output();

  private WatchedSocket(SocketChannel channel, Duration timeout) {
    this.channel = channel;
    this.timeout = timeout;
    long period = Math.max(1, timeout.toNanos() / LOOKS);
    this.looking = WATCH.scheduleWithFixedDelay(this::look, period, period, TimeUnit.NANOSECONDS);
  }

  /** Connects to {@code endpoint}, whose timeout has to be longer than zero. */
  public static WatchedSocket connect(Endpoint endpoint) throws IOException {
    InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
    if (address.isUnresolved()) {
      throw new UnknownHostException("unknown host " + endpoint.host());
    }
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().connect(address, Math.toIntExact(Endpoint.CONNECT_TIMEOUT.toMillis()));
      WatchedSocket socket = new WatchedSocket(channel, endpoint.timeout());
      if (endpoint.tls().isPresent()) {
        socket.secure(endpoint);
      }
      return socket;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private void secure(Endpoint endpoint) throws IOException {
    begin();
    try {
      Socket secure = endpoint.tls().orElseThrow().over(view(), endpoint.host(), endpoint.port());
      input = secure.getInputStream();
      output = secure.getOutputStream();
    } catch (IOException e) {
      close();
      throw reason(e);
    } finally {
      end();
    }
  }

  /** Returns this as libraries want to see it: connected, with two streams. */
  public Socket view() {
    return new View(this, input, output);
  }

  /** The channel itself, which the caller may make non-blocking: the streams block anyway. */
  public SocketChannel channel() {
    return channel;
  }

  /** What arrives; waits are watched between {@link #begin} and {@link #end}. */
  public InputStream input() {
    return input;
  }

  /** What is sent, unbuffered; waits are watched between {@link #begin} and {@link #end}. */
  public OutputStream output() {
    return output;
  }

  /** A wait begins, unless it has begun. */
  public void begin() {
    WAITS.setOpaque(this, waits | 1);
  }

  /** The wait is over. */
  public void end() {
    WAITS.setOpaque(this, (waits | 1) + 1);
  }

  /** {@code failure}, or that the wait took too long if this is behind it. */
  public IOException reason(IOException failure) {
    return expired
        ? new IOException("no answer within %d ms".formatted(timeout.toMillis()), failure)
        : failure;
  }

  @Override
  public void close() throws IOException {
    looking.cancel(false);
    channel.close();
  }

  /** Waits until the channel, which does not block, is ready for {@code operation}. */
  private void await(int operation) throws IOException {
    try (Selector selector = Selector.open()) {
      channel.register(selector, operation);
      while (selector.select(LOOK_MILLIS) == 0 && channel.isOpen()) {
        // Nothing wakes a selector whose channel is closed.
      }
    }
  }

  /** A socket whose timeout is the {@link WatchedSocket}'s own. */
  private static final class View extends Socket {

    private final WatchedSocket socket;
    private final InputStream input;
    private final OutputStream output;

    View(WatchedSocket socket, InputStream input, OutputStream output) {
      this.socket = socket;
      this.input = input;
      this.output = output;
    }

    @Override
    public InputStream getInputStream() {
      return input;
    }

    @Override
    public OutputStream getOutputStream() {
      return output;
    }

    @Override
    public boolean isBound() {
      return true;
    }

    @Override
    public boolean isConnected() {
      return true;
    }

    @Override
    public boolean isClosed() {
      return !socket.channel().isOpen();
    }

    @Override
    public synchronized int getSoTimeout() {
      return 0;
    }

    @Override
    public synchronized void setSoTimeout(int millis) {}

    @Override
    public synchronized void close() throws IOException {
      socket.close();
    }
  }

  private final class Input extends InputStream {

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
      int count = channel.read(buffer);
      while (count == 0 && length > 0) {
        await(SelectionKey.OP_READ);
        count = channel.read(buffer);
      }
      return count;
    }
  }

  private final class Output extends OutputStream {

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
      while (buffer.hasRemaining()) {
        if (channel.write(buffer) == 0) {
          await(SelectionKey.OP_WRITE);
        }
      }
    }
  }

  private void look() {
    long now = (long) WAITS.getOpaque(this);
    boolean waiting = now % 2 == 1;
    looks = waiting && now == seen ? looks + 1 : 0;
    seen = now;
    if (looks >= LOOKS) {
      expired = true;
      try {
        close();
      } catch (IOException e) {
        // Whoever waits finds out by himself.
      }
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "socket-watch");
    thread.setDaemon(true);
    return thread;
  }
}
