package kvrank.provision.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.engine.ServerDefinition;

/**
 * The address of servers started by kvrank.
 *
 * @param loopback whether only this machine reaches them, with its other users
 */
public record ListenAddress(String host, boolean loopback) {

  /** The address that only this machine reaches. */
  public static final ListenAddress LOOPBACK = new ListenAddress("127.0.0.1", true);

  private static final int PASSWORD_BYTES = 32;
  private static final String USER = "kvrank";

  /** Returns an address for other machines; throws if this machine does not have it. */
  public static ListenAddress of(String host) throws IOException {
    InetAddress address;
    try {
      address = InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IOException("unknown host", e);
    }
    if (host.isBlank() || address.isAnyLocalAddress()) {
      throw new IOException("that is every address of this machine; name the one to listen on");
    }
    try (ServerSocket socket = new ServerSocket(0, 1, address)) {
      return new ListenAddress(socket.getInetAddress().getHostAddress(), false);
    } catch (IOException e) {
      throw new IOException("this machine has no such address to listen on", e);
    }
  }

  /**
   * Returns new credentials for one start of a server, as properties; empty if it cannot have a
   * password. A program that listens in its stead later gets no password of use.
   */
  public static SortedMap<String, String> credentials(ServerDefinition server) {
    SortedMap<String, String> credentials = new TreeMap<>();
    if (server.password().isPresent()) {
      credentials.put("password", randomPassword());
      if (!server.login().containsKey("password")) {
        credentials.put("user", USER);
      }
    }
    return credentials;
  }

  private static String randomPassword() {
    byte[] password = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(password);
    return HexFormat.of().formatHex(password);
  }

  @Override
  public String toString() {
    return host;
  }
}
