package kvrank.binding;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Properties;
import site.ycsb.DBException;

/**
 * Where a server listens, from the properties {@code host} and {@code port}, and for how long it
 * may be silent, from {@code timeout-millis}: 30000 if that is not said, since a stall is a latency
 * and not an error.
 */
public record Endpoint(String host, int port, Duration timeout) {

  /** How long a connection may take to be made. */
  public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  public Endpoint {
    requireNonNull(host, "host is null");
    requireNonNull(timeout, "timeout is null");
  }

  /**
   * Reads a binding's properties.
   *
   * @throws DBException if one of them is missing or not a number
   */
  public static Endpoint of(Properties properties) throws DBException {
    return new Endpoint(
        required(properties, "host"),
        number("port", required(properties, "port")),
        Duration.ofMillis(
            number("timeout-millis", properties.getProperty("timeout-millis", "30000"))));
  }

  private static String required(Properties properties, String name) throws DBException {
    String value = properties.getProperty(name);
    if (value == null) {
      throw new DBException("the property '" + name + "' is missing");
    }
    return value;
  }

  private static int number(String name, String value) throws DBException {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new DBException("the property '" + name + "' is not a number: '" + value + "'", e);
    }
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
