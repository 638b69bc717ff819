package kvrank.provision.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where the servers that kvrank starts listen, and what they ask of whoever connects there.
 *
 * @param credentials the property {@code password} of a binding, if a server asks for one
 */
public record ListenAddress(String host, SortedMap<String, String> credentials) {

  /** This machine's own clients alone reach a server, which asks for nothing. */
  public static final ListenAddress LOOPBACK = new ListenAddress("127.0.0.1", new TreeMap<>());

  private static final int PASSWORD_BYTES = 32;

  /**
   * Returns an address of this machine that others reach, with a new random password, which is kept
   * in memory alone.
   *
   * @param host a name or an address
   * @throws IOException if it is no single address of this machine; the message says so of it
   */
  public static ListenAddress of(String host) throws IOException {
    InetAddress address;
    try {
      address = InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IOException("no host of that name is known", e);
    }
    if (host.isBlank() || address.isAnyLocalAddress()) {
      throw new IOException("that is every address of this machine; name the one to listen on");
    }
    try (ServerSocket socket = new ServerSocket(0, 1, address)) {
      byte[] password = new byte[PASSWORD_BYTES];
      new SecureRandom().nextBytes(password);
      return new ListenAddress(
          socket.getInetAddress().getHostAddress(),
          new TreeMap<>(Map.of("password", HexFormat.of().formatHex(password))));
    } catch (IOException e) {
      throw new IOException("this machine has no such address to listen on", e);
    }
  }

  public boolean loopback() {
    return credentials.isEmpty();
  }

  @Override
  public String toString() {
    return host;
  }
}
