package kvrank.binding;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
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

  private WatchedSocket(SocketChannel channel, Duration timeout) {
    this.channel = channel;
    this.timeout = timeout;
    long period = Math.max(1, timeout.toNanos() / LOOKS);
    this.looking = WATCH.scheduleWithFixedDelay(this::look, period, period, TimeUnit.NANOSECONDS);
  }

  /** Connects to {@code endpoint}, whose timeout has to be longer than zero. */
  public static WatchedSocket connect(Endpoint endpoint) throws IOException {
    requireNonNull(endpoint, "endpoint is null");
    InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
    if (address.isUnresolved()) {
      throw new UnknownHostException("unknown host " + endpoint.host());
    }
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().connect(address, Math.toIntExact(Endpoint.CONNECT_TIMEOUT.toMillis()));
      return new WatchedSocket(channel, endpoint.timeout());
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** The socket itself; what is done with it is watched between {@link #begin} and {@link #end}. */
  public Socket socket() {
    return channel.socket();
  }

  /** A wait begins. */
  public void begin() {
    WAITS.setOpaque(this, waits + 1);
  }

  /** The wait is over. */
  public void end() {
    WAITS.setOpaque(this, waits + 1);
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
