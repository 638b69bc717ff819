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
    if (timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException("timeout is " + timeout + ", not longer than zero");
    }
  }

  /**
   * Reads a binding's properties.
   *
   * @throws DBException if one of them is missing or not a number, or the timeout not above 0
   */
  public static Endpoint of(Properties properties) throws DBException {
    String host = required(properties, "host");
    int port = number("port", required(properties, "port"));
    int timeout = number("timeout-millis", properties.getProperty("timeout-millis", "30000"));
    if (timeout <= 0) {
      throw new DBException("the property 'timeout-millis' is " + timeout + ", not above 0");
    }
    return new Endpoint(host, port, Duration.ofMillis(timeout));
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
