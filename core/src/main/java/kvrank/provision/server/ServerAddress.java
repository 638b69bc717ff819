package kvrank.provision.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.binding.net.HostPort;
import kvrank.binding.net.Tls;
import kvrank.binding.net.UnixSocket;
import kvrank.engine.EngineDefinition;
import kvrank.engine.Exchange;
import kvrank.provision.host.ProvisionException;
import kvrank.workload.request.Labelled;

/** An address of a server, with the login sent before any question, and TLS if it is used. */
public record ServerAddress(
    String host, int port, Kind kind, Optional<Exchange> login, Optional<Tls> tls) {

  /** Creates an address without password or TLS. */
  public ServerAddress(String host, int port, Kind kind) {
    this(host, port, kind, Optional.empty(), Optional.empty());
  }

  /** The kind of an address; its label is the fact {@code address}. */
  public enum Kind implements Labelled {
    /** A local process on the loopback interface. */
    LOOPBACK,
    /** A local process on an address that other machines reach. */
    INTERFACE,
    /** A local process on a Unix socket. */
    UNIX,
    /** A container's own address, without a proxy. */
    CONTAINER,
    /** A port that Docker forwards, through its proxy or a virtual machine. */
    MAPPED_PORT,
    /** A server that kvrank did not start. */
    EXTERNAL
  }

  /** Returns the login with {@code credentials}; empty without any. */
  public static Optional<Exchange> login(
      SortedMap<String, String> credentials, EngineDefinition engine) throws ProvisionException {
    if (credentials.isEmpty()) {
      return Optional.empty();
    }
    SortedMap<String, String> known = new TreeMap<>();
    for (Map.Entry<String, String> credential : credentials.entrySet()) {
      byte[] bytes = credential.getValue().getBytes(UTF_8);
      known.put(credential.getKey(), new String(bytes, ISO_8859_1));
      known.put(credential.getKey() + "-bytes", Integer.toString(bytes.length));
    }
    if (known.containsKey("user")) {
      int both = Integer.parseInt(known.get("user-bytes")) + 1;
      both += Integer.parseInt(known.get("password-bytes"));
      known.put("user-password-bytes", Integer.toString(both));
    }
    SortedMap<String, Exchange> logins = engine.server().orElseThrow().login();
    Exchange login = logins.get(known.containsKey("user") ? "user" : "password");
    String send = new Placeholders(engine.name(), known).resolve(login.send());
    return Optional.of(new Exchange(send, login.match()));
  }

  /** Returns the Unix socket; empty if this is a port. */
  Optional<Path> socket() {
    return HostPort.socket(host);
  }

  /** Connects within {@code limit}; the name is resolved now. */
  Socket connect(Duration limit) throws IOException {
    if (socket().isPresent()) {
      return UnixSocket.connect(socket().get());
    }
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(host, port), (int) limit.toMillis());
      return socket;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  @Override
  public String toString() {
    return new HostPort(host, port).toString();
  }
}
