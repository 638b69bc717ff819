package kvrank.binding.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address in the form {@code HOST:PORT}.
 *
 * @param host a name, an IPv4 address, or an IPv6 address in brackets
 * @param port from 1 to 65535
 */
public record HostPort(String host, int port) {

  private static final Pattern FORM =
      Pattern.compile(
          "(?<host>(?<ip6>\\[[0-9A-Fa-f:.]+])|\\w(?:[\\w.-]*\\w)?):(?<port>[1-9]\\d{0,4})");

  /** Parses {@code text}; empty if it is not HOST:PORT. The name is not resolved. */
  public static Optional<HostPort> of(String text) {
    Matcher address = FORM.matcher(text);
    if (!address.matches() || Integer.parseInt(address.group("port")) > 65_535) {
      return Optional.empty();
    }
    try {
      // An address in brackets is only parsed.
      if (address.group("ip6") != null) {
        InetAddress.getByName(address.group("ip6"));
      }
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
    return Optional.of(
        new HostPort(address.group("host"), Integer.parseInt(address.group("port"))));
  }
}
