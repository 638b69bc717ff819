package kvrank.binding.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WatchedSocketTest {

  private static WatchedSocket connect(ServerSocket server, Duration timeout) throws IOException {
    return WatchedSocket.connect(
        new Endpoint(server.getInetAddress().getHostAddress(), server.getLocalPort(), timeout));
  }

  private static ServerSocket server() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  private static int read(WatchedSocket socket) throws IOException {
    socket.beginWait();
    try {
      return socket.input().read();
    } catch (IOException e) {
      throw socket.explain(e);
    } finally {
      socket.endWait();
    }
  }

  @Test
  void aWaitEndsAfterTheTimeout() throws IOException {
    try (ServerSocket server = server();
        WatchedSocket socket = connect(server, Duration.ofMillis(50));
        Socket silent = server.accept()) {
      assertThatThrownBy(() -> read(socket))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("50 ms");
      assertThat(silent.getInputStream().read()).as("the other end sees it closed").isEqualTo(-1);
    }
  }

  @Test
  void idleTimeAndShortWaitsDoNotTimeOut() throws Exception {
    Duration timeout = Duration.ofSeconds(2);
    try (ServerSocket server = server();
        WatchedSocket socket = connect(server, timeout);
        Socket other = server.accept()) {
      // Longer than the timeout, first without a wait, then with many that are short.
      Thread.sleep(2 * timeout.toMillis());
      for (int i = 0; i < 200; i++) {
        other.getOutputStream().write(i);
        assertThat(read(socket)).isEqualTo(i);
        Thread.sleep(10);
      }
    }
  }

  @Test
  void aClosedConnectionIsNotATimeout() throws IOException {
    try (ServerSocket server = server();
        WatchedSocket socket = connect(server, Duration.ofMinutes(1))) {
      server.accept().close();
      assertThat(read(socket)).isEqualTo(-1);
    }
  }

  @Test
  void aTimeoutOfZeroIsRejected() {
    assertThatThrownBy(() -> new Endpoint("127.0.0.1", 1, Duration.ZERO))
        .hasMessageContaining("timeout");
  }
}
