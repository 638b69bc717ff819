package kvrank.binding.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A Unix domain socket as a {@link Socket} with timeouts, which the JDK does not have. */
public final class UnixSocket extends Socket {

  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final ChannelStreams streams;
  private volatile int timeoutMillis;

  private UnixSocket(SocketChannel channel) throws IOException {
    this.channel = channel;
    channel.configureBlocking(false);
    selector = Selector.open();
    key = channel.register(selector, SelectionKey.OP_READ);
    streams = new ChannelStreams(channel, this::await);
  }

  /** Connects to the socket {@code path} of this machine. */
  public static UnixSocket connect(Path path) throws IOException {
    SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
    try {
      return new UnixSocket(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public synchronized void setSoTimeout(int millis) {
    timeoutMillis = millis;
  }

  @Override
  public synchronized int getSoTimeout() {
    return timeoutMillis;
  }

  @Override
  public InputStream getInputStream() {
    return streams.input();
  }

  @Override
  public OutputStream getOutputStream() {
    return streams.output();
  }

  private void await(int operations) throws IOException {
    key.interestOps(operations);
    int ready = selector.select(timeoutMillis);
    selector.selectedKeys().clear();
    if (ready == 0) {
      throw new SocketTimeoutException("no answer within %d ms".formatted(timeoutMillis));
    }
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
  public synchronized void close() throws IOException {
    selector.close();
    channel.close();
  }
}
