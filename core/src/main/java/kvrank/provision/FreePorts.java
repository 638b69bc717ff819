package kvrank.provision;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.function.IntSupplier;

/** Ports of the loopback interface that nobody listened on a moment ago. */
final class FreePorts implements IntSupplier {

  @Override
  public int getAsInt() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port", e);
    }
  }

  /** Returns whether somebody listens on {@code port}. */
  static boolean taken(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return !socket.isBound();
    } catch (IOException e) {
      return true;
    }
  }
}
