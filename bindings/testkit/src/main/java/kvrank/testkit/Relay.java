package kvrank.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A port that stays the same while the server behind it comes and goes. A server gets a free port
 * when it is started, so that a binding would not find it again after a restart.
 */
final class Relay implements Closeable {

  /** The address of a container that is gone refuses nothing. */
  private static final int CONNECT_MILLIS = 1000;

  private static final Random RANDOM = new Random();

  private final InetSocketAddress address;
  private final List<Closeable> sockets = new ArrayList<>();

  private Relay(InetSocketAddress address) {
    this.address = address;
  }

  /** Returns a relay on a port that does not listen yet, and that no connection gets as its own. */
  static Relay closed() throws IOException {
    while (true) {
      int port = RANDOM.nextInt(10_000, 30_000);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return new Relay(new InetSocketAddress(free.getInetAddress(), port));
      } catch (BindException taken) {
        // The next one.
      }
    }
  }

  /** The connection of a server as it is by way of this relay. */
  SortedMap<String, String> connection(SortedMap<String, String> server) {
    SortedMap<String, String> connection = new TreeMap<>(server);
    connection.putAll(
        Map.of(
            "host", address.getAddress().getHostAddress(),
            "port", Integer.toString(address.getPort())));
    return connection;
  }

  /** Listens, and passes everything on to {@code server}. */
  void open(SortedMap<String, String> server) throws IOException {
    ServerSocket listening = new ServerSocket();
    listening.setReuseAddress(true);
    listening.bind(address);
    keep(listening);
    InetSocketAddress target =
        new InetSocketAddress(server.get("host"), Integer.parseInt(server.get("port")));
    start(() -> accept(listening, target));
  }

  private void accept(ServerSocket listening, InetSocketAddress target) {
    while (!listening.isClosed()) {
      try {
        Socket client = keep(listening.accept());
        Socket server = keep(new Socket());
        try {
          server.connect(target, CONNECT_MILLIS);
          start(() -> pump(client, server));
          start(() -> pump(server, client));
        } catch (IOException e) {
          quietly(client);
        }
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void pump(Socket from, Socket to) {
    try (from;
        to) {
      to.setTcpNoDelay(true);
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
    } catch (IOException e) {
      // One of the two is gone; both are closed now.
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  private <S extends Closeable> S keep(S socket) {
    synchronized (sockets) {
      sockets.add(socket);
    }
    return socket;
  }

  @Override
  public void close() {
    cut();
  }

  /** Cuts every connection and refuses new ones. */
  void cut() {
    synchronized (sockets) {
      sockets.forEach(Relay::quietly);
      sockets.clear();
    }
  }

  private static void quietly(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone, which is what was wanted.
    }
  }
}
