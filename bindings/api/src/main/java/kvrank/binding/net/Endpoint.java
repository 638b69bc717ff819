package kvrank.binding.net;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.binding.BindingProperties;
import kvrank.binding.PropertyException;

/**
 * Where a server listens, from the properties {@code host} and {@code port}, for how long it may be
 * silent, from {@code timeout-millis}: 30000 if that is not said, since a stall is a latency and
 * not an error, and what it asks of its clients, from {@code user}, {@code password}, {@code tls}
 * and {@code authorities}.
 */
public record Endpoint(
    String host,
    int port,
    Duration timeout,
    Optional<String> user,
    Optional<String> password,
    Optional<Tls> tls) {

  /** How long a connection may take to be made. */
  public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** A server that asks for nothing. */
  public Endpoint(String host, int port, Duration timeout) {
    this(host, port, timeout, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public Endpoint {
    if (timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException("timeout is " + timeout + ", not longer than zero");
    }
  }

  /**
   * Reads a binding's properties.
   *
   * @throws PropertyException if one of them is missing or not a number, or the timeout not above 0
   */
  public static Endpoint of(BindingProperties properties) throws PropertyException {
    String host = properties.text("host");
    int port = (int) properties.number("port", 0, 65535);
    long millis = properties.number("timeout-millis", 1, Integer.MAX_VALUE, 30_000);
    return new Endpoint(
        host,
        port,
        Duration.ofMillis(millis),
        properties.optional("user"),
        properties.optional("password"),
        properties
            .optional("tls")
            .map(yes -> new Tls(properties.optional("authorities").map(Path::of))));
  }

  /**
   * Reads a binding's properties, of a cluster: the property {@code members} has each {@code
   * HOST:PORT}, with commas between them, in place of {@code host} and {@code port}.
   *
   * @throws PropertyException as {@link #of}
   */
  public static List<Endpoint> members(BindingProperties properties) throws PropertyException {
    Endpoint first = of(properties);
    List<Endpoint> members = new ArrayList<>();
    for (String place : properties.text("members").split(",", -1)) {
      HostPort at =
          HostPort.of(place).orElseThrow(() -> new PropertyException("no HOST:PORT: " + place));
      members.add(
          new Endpoint(at.host(), at.port(), first.timeout, first.user, first.password, first.tls));
    }
    return members;
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
