package kvrank.binding.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
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

  private static int first(WatchedSocket socket) {
    try {
      return read(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long selectors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(each -> refersTo(each, "eventpoll")).count();
    }
  }

  private static boolean refersTo(Path descriptor, String kind) {
    try {
      return Files.readSymbolicLink(descriptor).toString().contains(kind);
    } catch (IOException e) {
      return false; // the one of the listed folder
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
      Thread.sleep(timeout.toMillis() + 100);
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
  void aChannelThatDoesNotBlockIsAwaitedWithOneSelector() throws Exception {
    long before = selectors();
    try (ServerSocket server = server();
        WatchedSocket socket = connect(server, Duration.ofMinutes(1));
        Socket other = server.accept()) {
      assertThat(selectors()).isEqualTo(before);
      for (int i = 0; i < 3; i++) {
        socket.channel().configureBlocking(false);
        CompletableFuture<Integer> reading = CompletableFuture.supplyAsync(() -> first(socket));
        while (selectors() == before) {
          Thread.sleep(1); // until it waits
        }
        other.getOutputStream().write(i);
        assertThat(reading.get()).isEqualTo(i);
        assertThat(selectors()).isEqualTo(before + 1);
        socket.channel().configureBlocking(true);
      }
    }
    assertThat(selectors()).isEqualTo(before);
  }

  @Test
  void aWaitOnAChannelThatDoesNotBlockEndsAfterTheTimeout() throws IOException {
    try (ServerSocket server = server();
        WatchedSocket socket = connect(server, Duration.ofMillis(50))) {
      socket.channel().configureBlocking(false);
      assertThatThrownBy(() -> read(socket)).hasMessageContaining("50 ms");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatArrivesDuringAWriteIsKept(boolean blocking) throws Exception {
    byte[] sent = new byte[32 << 20];
    new Random(1).nextBytes(sent);
    try (ServerSocket server = server();
        WatchedSocket socket = connect(server, Duration.ofMinutes(5));
        Socket other = server.accept()) {
      CompletableFuture<Void> echo = CompletableFuture.runAsync(() -> echo(other, sent.length));
      socket.channel().configureBlocking(blocking);
      socket.beginWait();
      socket.send(new SendBuffer().add(sent));
      assertThat(socket.hasArrived()).isTrue();
      assertThat(socket.input().readNBytes(sent.length)).isEqualTo(sent);
      assertThat(socket.hasArrived()).isFalse();
      assertThat(socket.channel().isBlocking()).isEqualTo(blocking);
      echo.get();
    }
  }

  /** Sends each piece back before it reads the next. */
  private static void echo(Socket socket, int length) {
    byte[] piece = new byte[1 << 16];
    try {
      for (int done = 0; done < length; ) {
        int count = socket.getInputStream().read(piece);
        socket.getOutputStream().write(piece, 0, count);
        done += count;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anInterruptEndsTheWaitOnAChannelThatDoesNotBlock() throws Exception {
    try (ServerSocket server = server();
        WatchedSocket socket = connect(server, Duration.ofHours(1))) {
      socket.channel().configureBlocking(false);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> read(socket)).isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(socket.channel().isOpen()).isFalse();
    }
  }

  @Test
  void aTimeoutOfZeroIsRejected() {
    assertThatThrownBy(() -> new Endpoint("127.0.0.1", 1, Duration.ZERO))
        .hasMessageContaining("timeout");
  }

  @Test
  void aSocketOfThisMachineHasTimeoutsToo(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("s");
    Endpoint endpoint = new Endpoint("unix:" + path, 0, Duration.ofMillis(50));
    assertThat(endpoint).hasToString("unix:" + path);
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path));
      try (WatchedSocket socket = WatchedSocket.connect(endpoint);
          SocketChannel other = server.accept()) {
        other.write(ByteBuffer.wrap(new byte[] {7}));
        assertThat(read(socket)).isEqualTo(7);
        assertThatThrownBy(() -> read(socket)).hasMessageContaining("50 ms");
      }
      try (Socket socket = UnixSocket.connect(path);
          SocketChannel other = server.accept()) {
        socket.setSoTimeout(50);
        assertThatThrownBy(() -> socket.getInputStream().read())
            .isInstanceOf(SocketTimeoutException.class);
        other.write(ByteBuffer.wrap(new byte[] {8}));
        assertThat(socket.getInputStream().read()).isEqualTo(8);
        other.shutdownOutput();
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      }
    }
  }
}
