package kvrank.provision;

import java.net.InetSocketAddress;

/**
 * Where clients reach a server.
 *
 * @param host a name or an address
 * @param port the port
 * @param kind which of a server's addresses this is, for the record
 */
record ServerAddress(String host, int port, Kind kind) {

  /** Which of a server's addresses an endpoint is. */
  enum Kind {
    /** A local process on the loopback interface. */
    LOOPBACK("loopback"),
    /** A container's own address: no proxy in between. */
    CONTAINER("container"),
    /** A port that Docker forwards, through its proxy or a virtual machine. */
    MAPPED("mapped-port"),
    /** A server that is not ours. */
    EXTERNAL("external");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** Returns the value of the fact {@code address}. */
    String label() {
      return label;
    }
  }

  /** Returns the socket address, looked up now. */
  InetSocketAddress address() {
    return new InetSocketAddress(host, port);
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
