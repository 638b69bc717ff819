package kvrank.provision.server;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** Addresses of TCP as {@code /proc/net/tcp} and {@code tcp6} have them, proc(5). */
final class KernelAddress {

  /** An IPv4 address as one of IPv6, which sockets of Java have. */
  private static final String MAPPED = "0000000000000000FFFF0000";

  private static final int DIGITS_OF_IPV4 = 8;
  private static final int DIGITS_OF_IPV6 = 32;

  private KernelAddress() {}

  /**
   * Returns a place in groups of four bytes, the last byte first; empty if it is not a port, or its
   * host is unknown.
   */
  static Optional<String> of(ServerAddress place) {
    if (place.port() == 0) {
      return Optional.empty();
    }
    try {
      byte[] address = InetAddress.getByName(place.host()).getAddress();
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < address.length; i++) {
        text.append("%02X".formatted(address[i / 4 * 4 + 3 - i % 4]));
      }
      return Optional.of(text + port(place));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the addresses whose listener answers at {@code place}, the first of them that exist.
   */
  static List<String> listening(ServerAddress place) {
    String exact = of(place).orElse("");
    String all = "0".repeat(DIGITS_OF_IPV6) + port(place);
    return exact.length() == DIGITS_OF_IPV4 + port(place).length()
        ? List.of(exact, MAPPED + exact, "0".repeat(DIGITS_OF_IPV4) + port(place), all)
        : List.of(exact, all);
  }

  /** Returns an address without the prefix of one that is mapped to IPv6. */
  static String plain(String address) {
    return address.startsWith(MAPPED) ? address.substring(MAPPED.length()) : address;
  }

  private static String port(ServerAddress place) {
    return ":%04X".formatted(place.port());
  }
}
