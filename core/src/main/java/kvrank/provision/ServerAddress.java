package kvrank.provision;

import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Optional;
import kvrank.binding.Tls;
import kvrank.scenario.EngineDefinition.Exchange;

/**
 * Where clients reach a server.
 *
 * @param kind which of a server's addresses this is, for the record
 * @param login what is sent before any question, with the password in it
 * @param tls how it is spoken to in private; empty for in the open
 */
record ServerAddress(
    String host, int port, Kind kind, Optional<Exchange> login, Optional<Tls> tls) {

  /** A server that asks for no password. */
  ServerAddress(String host, int port, Kind kind) {
    this(host, port, kind, Optional.empty(), Optional.empty());
  }

  /** Which of a server's addresses an endpoint is. */
  enum Kind {
    /** A local process on the loopback interface. */
    LOOPBACK,
    /** A local process on an address that other machines reach. */
    INTERFACE,
    /** A container's own address: no proxy in between. */
    CONTAINER,
    /** A port that Docker forwards, through its proxy or a virtual machine. */
    MAPPED_PORT,
    /** A server that is not ours. */
    EXTERNAL;

    /** Returns the value of the fact {@code address}. */
    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
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
