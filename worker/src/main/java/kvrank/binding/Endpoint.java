package kvrank.binding;

import java.time.Duration;
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
    if (timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException("timeout is " + timeout + ", not longer than zero");
    }
  }

  /**
   * Reads a binding's properties.
   *
   * @throws DBException if one of them is missing or not a number, or the timeout not above 0
   */
  public static Endpoint of(BindingProperties properties) throws DBException {
    String host = properties.text("host");
    int port = (int) properties.number("port", 0, 65535);
    long millis = properties.number("timeout-millis", 1, Integer.MAX_VALUE, 30_000);
    return new Endpoint(host, port, Duration.ofMillis(millis));
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
