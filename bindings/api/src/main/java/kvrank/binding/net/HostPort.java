package kvrank.binding.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address in the form {@code HOST:PORT}, or a Unix socket in the form {@code unix:/PATH}.
 *
 * @param host a name, an IPv4 address, an IPv6 address in brackets, or the whole {@code unix:/PATH}
 * @param port from 1 to 65535; 0 of a Unix socket
 */
public record HostPort(String host, int port) {

  /** The start of a host that is the path of a socket of this machine. */
  private static final String UNIX = "unix:";

  private static final Pattern SOCKET = Pattern.compile(UNIX + "/[^,\\p{Cntrl}]+");

  private static final Pattern FORM =
      Pattern.compile(
          "(?<host>(?<ip6>\\[[0-9A-Fa-f:.]+])|\\w(?:[\\w.-]*\\w)?):(?<port>[1-9]\\d{0,4})");

  /** Parses {@code text}; empty if it has neither form. The name is not resolved. */
  public static Optional<HostPort> of(String text) {
    if (SOCKET.matcher(text).matches()) {
      return Optional.of(new HostPort(text, 0));
    }
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

  /** Returns the path of the Unix socket that {@code host} names; empty for other hosts. */
  public static Optional<Path> socket(String host) {
    return host.startsWith(UNIX)
        ? Optional.of(Path.of(host.substring(UNIX.length())))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return socket(host).isPresent() ? host : host + ":" + port;
  }
}
