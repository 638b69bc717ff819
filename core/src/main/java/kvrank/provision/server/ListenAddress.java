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

/** The address of servers started by kvrank, and their {@code password}, if any. */
public record ListenAddress(String host, SortedMap<String, String> credentials) {

  /** Reachable only from this machine, without a password. */
  public static final ListenAddress LOOPBACK = new ListenAddress("127.0.0.1", new TreeMap<>());

  private static final int PASSWORD_BYTES = 32;

  /** Returns an address for other machines, with a random password; throws if it is not ours. */
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
