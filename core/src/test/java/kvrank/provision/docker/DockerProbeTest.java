package kvrank.provision.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerProbeTest {

  @TempDir Path home;

  private DockerProbe probe(String... variable) {
    return new DockerProbe(
        variable.length == 0 ? Map.of() : Map.of(variable[0], variable[1]), home);
  }

  @Test
  void looksOnlyAtTheConfiguredHost() throws IOException {
    Path socket = home.resolve("d.sock");
    try (ServerSocketChannel daemon = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      daemon.bind(UnixDomainSocketAddress.of(socket));
      assertThat(probe("DOCKER_HOST", "unix://" + socket).absence()).isEmpty();
      Files.writeString(
          home.resolve(".testcontainers.properties"), "docker.host=unix\\://" + socket + "\n");
      assertThat(probe().absence()).isEmpty();
    }
    assertThat(probe("DOCKER_HOST", "unix://" + socket).absence())
        .hasValueSatisfying(
            text ->
                assertThat(text).startsWith("no Docker daemon answers at 'unix://" + socket + "'"));
  }

  @Test
  void connectsToADaemonOnAPort() throws IOException {
    try (ServerSocket daemon = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String host = "tcp://127.0.0.1:" + daemon.getLocalPort();
      assertThat(probe("DOCKER_HOST", host).absence()).isEmpty();
    }
    try (Socket closed = new Socket()) {
      closed.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String host = "tcp://127.0.0.1:" + closed.getLocalPort();
      assertThat(probe("DOCKER_HOST", host).absence()).isPresent();
    }
  }

  @Test
  void findsTheSocketOfAUsersOwnDaemon() throws IOException {
    Path socket = home.resolve("docker.sock");
    try (ServerSocketChannel daemon = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      daemon.bind(UnixDomainSocketAddress.of(socket));
      // The system's daemon, where there is one, comes first.
      assertThat(probe("XDG_RUNTIME_DIR", home.toString()).listeningSocket())
          .hasValueSatisfying(
              listening ->
                  assertThat(listening)
                      .isIn(
                          URI.create("unix:///var/run/docker.sock"),
                          URI.create("unix://" + socket)));
    }
  }
}
