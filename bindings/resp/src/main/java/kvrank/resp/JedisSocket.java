package kvrank.resp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import kvrank.binding.WatchedSocket;

/** A {@link WatchedSocket} as Jedis wants to see it: connected, with two streams. */
final class JedisSocket extends Socket {

  private final WatchedSocket socket;

  JedisSocket(WatchedSocket socket) {
    this.socket = socket;
  }

  @Override
  public InputStream getInputStream() {
    return socket.input();
  }

  @Override
  public OutputStream getOutputStream() {
    return socket.output();
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

  /** Its timeout is the {@link WatchedSocket}'s own. */
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
