package kvrank.binding.net;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import kvrank.binding.OpenedConnections;

/**
 * A socket with a timeout that costs no system calls: one thread watches all sockets and closes
 * those that wait too long, which ends the wait with an exception.
 *
 * <p>With a timeout of its own, a JDK socket polls before each read, which is two more system calls
 * for each request. Here a wait costs two writes to memory.
 */
public final class WatchedSocket implements Closeable {

  /** Number of checks within a timeout. */
  private static final int CHECKS = 8;

  /** What fits into the buffers of both ends, in bytes. */
  private static final int MOST_AT_ONCE = 1 << 16;

  private static final ScheduledThreadPoolExecutor WATCH =
      new ScheduledThreadPoolExecutor(1, WatchedSocket::daemon);

  static {
    WATCH.setRemoveOnCancelPolicy(true);
  }

  private final SocketChannel channel;
  private final Duration timeout;
  private final ScheduledFuture<?> checking;
  private final ChannelStreams streams;

  /** Counts the starts and ends of waits: odd during a wait. */
  private final AtomicLong waits = new AtomicLong();

  /** {@link #waits} at the previous check, and the number of checks since it changed. */
  private long previous;

  private int checks;
  private volatile boolean expired;

  private InputStream input;
  private OutputStream output;

  /** Waits for the channel while it does not block; null before the first such wait. */
  private Selector selector;

  private WatchedSocket(SocketChannel channel, Duration timeout) {
    this.channel = channel;
    this.timeout = timeout;
    this.streams = new ChannelStreams(channel, this::await);
    this.input = streams.input();
    this.output = streams.output();
    long period = Math.max(1, timeout.toNanos() / CHECKS);
    this.checking = WATCH.scheduleWithFixedDelay(this::check, period, period, TimeUnit.NANOSECONDS);
  }

  /** Connects to {@code endpoint}, with TLS if it asks for it. */
  public static WatchedSocket connect(Endpoint endpoint) throws IOException {
    OpenedConnections.add();
    Optional<Path> local = HostPort.socket(endpoint.host());
    SocketChannel channel =
        local.isPresent()
            ? SocketChannel.open(UnixDomainSocketAddress.of(local.get()))
            : SocketChannel.open();
    try {
      if (local.isEmpty()) {
        connect(channel, endpoint);
      }
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

  private static void connect(SocketChannel channel, Endpoint endpoint) throws IOException {
    InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
    if (address.isUnresolved()) {
      throw new UnknownHostException("unknown host " + endpoint.host());
    }
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.socket().connect(address, Math.toIntExact(Endpoint.CONNECT_TIMEOUT.toMillis()));
  }

  private void secure(Endpoint endpoint) throws IOException {
    beginWait();
    try {
      Socket secure =
          endpoint.tls().orElseThrow().over(asSocket(), endpoint.host(), endpoint.port());
      input = secure.getInputStream();
      output = secure.getOutputStream();
    } catch (IOException e) {
      close();
      throw explain(e);
    } catch (RuntimeException e) {
      close();
      throw e;
    } finally {
      endWait();
    }
  }

  /** Returns a connected {@link Socket} over this one, for libraries that need one. */
  public Socket asSocket() {
    return new View();
  }

  /** Returns the channel. It may be made non-blocking; the streams block nevertheless. */
  public SocketChannel channel() {
    return channel;
  }

  /**
   * Sends {@code requests} and empties it. If the other end answers before it reads on, the answers
   * are kept for {@link #input}.
   */
  public void send(SendBuffer requests) throws IOException {
    if (requests.size() <= MOST_AT_ONCE || !channel.isBlocking()) {
      requests.sendTo(output);
      return;
    }
    channel.configureBlocking(false);
    try {
      requests.sendTo(output);
    } finally {
      // A channel that another thread closed has reported it.
      if (channel.isOpen()) {
        channel.configureBlocking(true);
      }
    }
  }

  /** Returns whether bytes have arrived that {@link #channel} does not show any more. */
  boolean hasArrived() {
    return streams.kept();
  }

  /**
   * Returns the bytes that arrive. Waits are watched between {@link #beginWait} and {@link
   * #endWait}.
   */
  public InputStream input() {
    return input;
  }

  /** Returns an unbuffered stream to send with, watched like {@link #input}. */
  public OutputStream output() {
    return output;
  }

  /** Starts a wait, unless one has started. */
  public void beginWait() {
    waits.setOpaque(waits.getPlain() | 1);
  }

  /** Ends the wait. */
  public void endWait() {
    waits.setOpaque((waits.getPlain() | 1) + 1);
  }

  /** Returns {@code failure}, or an exception that names the timeout if it is the cause. */
  public IOException explain(IOException failure) {
    return expired
        ? new IOException("no answer within %d ms".formatted(timeout.toMillis()), failure)
        : failure;
  }

  /** Closes it, in any thread; a wait ends with an exception. */
  @Override
  public synchronized void close() throws IOException {
    checking.cancel(false);
    channel.close();
    if (selector != null) {
      selector.close();
    }
  }

  /**
   * Waits until the non-blocking channel is ready for one of {@code operations}. An interrupt
   * closes it, as it closes a channel that blocks.
   */
  private void await(int operations) throws IOException {
    try {
      Selector ready = selector();
      SelectionKey key = channel.register(ready, operations);
      ready.select();
      // A channel with a key cannot block again.
      key.cancel();
      ready.selectNow();
    } catch (ClosedSelectorException e) {
      throw new AsynchronousCloseException();
    }
    if (Thread.currentThread().isInterrupted()) {
      close();
      throw new ClosedByInterruptException();
    }
  }

  private synchronized Selector selector() throws IOException {
    if (!channel.isOpen()) {
      throw new ClosedChannelException();
    }
    if (selector == null) {
      selector = Selector.open();
    }
    return selector;
  }

  /** A socket that ignores timeouts, since the {@link WatchedSocket} has one. */
  private final class View extends Socket {

    // TLS replaces the streams of the WatchedSocket, and runs over these.
    private final InputStream in = input;
    private final OutputStream out = output;

    @Override
    public InputStream getInputStream() {
      return in;
    }

    @Override
    public OutputStream getOutputStream() {
      return out;
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
      return !channel.isOpen();
    }

    @Override
    public synchronized int getSoTimeout() {
      return 0;
    }

    @Override
    public synchronized void setSoTimeout(int millis) {}

    @Override
    public synchronized void close() throws IOException {
      WatchedSocket.this.close();
    }
  }

  private void check() {
    long now = waits.getOpaque();
    boolean waiting = now % 2 == 1;
    checks = waiting && now == previous ? checks + 1 : 0;
    previous = now;
    if (checks >= CHECKS) {
      expired = true;
      try {
        close();
      } catch (IOException e) {
        // The waiting thread gets an exception, too.
      }
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "socket-watch");
    thread.setDaemon(true);
    return thread;
  }
}
