package kvrank.binding.net;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.binding.BindingProperties;
import kvrank.binding.PropertyException;

/**
 * The address of a server and how to connect to it.
 *
 * @param host the property {@code host}: a name, an address or {@code unix:/PATH}
 * @param port the property {@code port}
 * @param timeout the longest wait for an answer, from the property {@code timeout-millis}; 30 s by
 *     default, since a stall is a latency and not an error
 * @param user the property {@code user}
 * @param password the property {@code password}
 * @param tls TLS if the property {@code tls} exists, with the properties {@code authorities}, and
 *     {@code certificate} and {@code key} of the client
 */
public record Endpoint(
    String host,
    int port,
    Duration timeout,
    Optional<String> user,
    Optional<String> password,
    Optional<Tls> tls) {

  /** The longest time to establish a connection. */
  public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Makes an endpoint without authentication and TLS. */
  public Endpoint(String host, int port, Duration timeout) {
    this(host, port, timeout, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public Endpoint {
    if (timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException("timeout is " + timeout + ", must be positive");
    }
  }

  /**
   * Returns the endpoint of a binding's properties.
   *
   * @throws PropertyException if a property is missing, not a number or out of range
   */
  public static Endpoint of(BindingProperties properties) throws PropertyException {
    String host = properties.text("host");
    int port = (int) properties.number("port", 0, 65535);
    long millis = properties.number("timeout-millis", 1, Integer.MAX_VALUE, 30_000);
    Optional<Path> authorities = properties.optional("authorities").map(Path::of);
    Optional<Path> certificate = properties.optional("certificate").map(Path::of);
    Optional<Path> key = properties.optional("key").map(Path::of);
    return new Endpoint(
        host,
        port,
        Duration.ofMillis(millis),
        properties.optional("user"),
        properties.optional("password"),
        properties.optional("tls").map(enabled -> new Tls(authorities, certificate, key)));
  }

  /**
   * Returns the endpoints of a cluster: each {@code HOST:PORT} of the property {@code members},
   * which are separated by commas, with the other properties of {@link #of}.
   *
   * @throws PropertyException as {@link #of}, or if a member is not HOST:PORT
   */
  public static List<Endpoint> members(BindingProperties properties) throws PropertyException {
    Endpoint first = of(properties);
    List<Endpoint> members = new ArrayList<>();
    for (String text : properties.text("members").split(",", -1)) {
      HostPort member =
          HostPort.of(text)
              .orElseThrow(
                  () ->
                      new PropertyException(
                          "the property 'members' has '" + text + "', not HOST:PORT"));
      members.add(first.at(member.host(), member.port()));
    }
    return members;
  }

  /** Returns another server with the same access. */
  public Endpoint at(String otherHost, int otherPort) {
    return new Endpoint(otherHost, otherPort, timeout, user, password, tls);
  }

  @Override
  public String toString() {
    return new HostPort(host, port).toString();
  }
}
