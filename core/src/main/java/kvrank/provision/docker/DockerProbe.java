package kvrank.provision.docker;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** Looks for a Docker daemon in milliseconds; Testcontainers takes seconds without one. */
record DockerProbe(Map<String, String> environment, Path home) {

  private static final int CONNECT_MILLIS = 2000;

  /** Returns the reason why no daemon can be used; empty if one listens. */
  Optional<String> absence() {
    List<URI> candidates =
        configuredHost().map(host -> List.of(URI.create(host))).orElse(sockets());
    List<String> failures = new ArrayList<>();
    for (URI candidate : candidates) {
      Optional<String> failure = failure(candidate);
      if (failure.isEmpty()) {
        return failure;
      }
      failures.add("'%s': %s".formatted(candidate, failure.get()));
    }
    return Optional.of(
        failures.isEmpty()
            ? "no Docker daemon listens on this machine"
            : "no Docker daemon answers at " + String.join(", ", failures));
  }

  /** Returns the first of the usual sockets with a listening daemon. */
  Optional<URI> listeningSocket() {
    return sockets().stream().filter(socket -> failure(socket).isEmpty()).findFirst();
  }

  private Optional<String> configuredHost() {
    String host = environment.getOrDefault("DOCKER_HOST", "");
    if (!host.isBlank()) {
      return Optional.of(host);
    }
    Properties properties = new Properties();
    Path file = home.resolve(".testcontainers.properties");
    if (Files.isReadable(file)) {
      try (InputStream in = new FileInputStream(file.toFile())) {
        properties.load(in);
      } catch (IOException e) {
        return Optional.empty();
      }
    }
    return Optional.ofNullable(
        properties.getProperty("tc.host", properties.getProperty("docker.host")));
  }

  private List<URI> sockets() {
    List<Path> paths = new ArrayList<>();
    paths.add(Path.of("/var/run/docker.sock"));
    String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    if (!runtime.isEmpty()) {
      paths.add(Path.of(runtime, "docker.sock"));
    }
    paths.add(home.resolve(".docker/run/docker.sock"));
    paths.add(home.resolve(".docker/desktop/docker.sock"));
    return paths.stream().filter(Files::exists).map(path -> URI.create("unix://" + path)).toList();
  }

  /** Returns the reason why a connection to {@code host} fails; empty if it succeeds. */
  private static Optional<String> failure(URI host) {
    try {
      if ("unix".equals(host.getScheme())) {
        SocketChannel.open(UnixDomainSocketAddress.of(host.getPath())).close();
      } else if (host.getHost() != null && host.getPort() > 0) {
        try (Socket socket = new Socket()) {
          socket.connect(new InetSocketAddress(host.getHost(), host.getPort()), CONNECT_MILLIS);
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
