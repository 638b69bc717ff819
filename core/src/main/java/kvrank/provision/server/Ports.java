package kvrank.provision.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.input.Reason;
import kvrank.machine.SystemFile;
import kvrank.provision.host.ProvisionException;

/**
 * Chooses the ports of servers. Another user can take one that is free before the server has it,
 * unless it is reserved: below {@code ip_unprivileged_port_start}, ip(7), only root binds one.
 */
public final class Ports {

  /** As for bindresvport(3); well-known services have most of those below. */
  private static final int FIRST_RESERVED = 600;

  private static final int ATTEMPTS = 20;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Supplier<OptionalInt> reserved;
  private final Source ordinary;

  /**
   * Whether a server, by executable and settings, could bind a reserved port; without an entry it
   * is not known. A server that gives up root cannot.
   */
  private final Map<List<Object>, Boolean> able = new ConcurrentHashMap<>();

  /** Chooses a port that every user may bind, or throws if none is free. */
  public interface Source {
    int port() throws ProvisionException;
  }

  public Ports(Supplier<OptionalInt> reserved, Source ordinary) {
    this.reserved = reserved;
    this.ordinary = ordinary;
  }

  /** Returns those of {@code host}. */
  public static Ports of(String host) {
    return new Ports(() -> reserved(host), () -> ordinary(host));
  }

  int next(ServerSpec spec) throws ProvisionException {
    OptionalInt port = able.getOrDefault(server(spec), true) ? reserved.get() : OptionalInt.empty();
    return port.isPresent() ? port.getAsInt() : ordinary.port();
  }

  /** Records that the server got {@code port}. */
  void got(ServerSpec spec, int port) {
    if (isReserved(port)) {
      able.put(server(spec), true);
    }
  }

  /**
   * Returns whether the server may need another kind of port: it did not start with a reserved one,
   * and never got one before. From now on, it gets ordinary ones.
   */
  boolean giveUp(ServerSpec spec, int port) {
    return isReserved(port) && able.putIfAbsent(server(spec), false) == null;
  }

  private static List<Object> server(ServerSpec spec) {
    return List.of(spec.subject(), spec.settings());
  }

  private static boolean isReserved(int port) {
    return port > 0 && port < start();
  }

  /** Returns a reserved port that is free; empty if this process cannot bind one. */
  private static OptionalInt reserved(String host) {
    int end = start();
    for (int attempt = 0; attempt < ATTEMPTS && end > FIRST_RESERVED; attempt++) {
      int port = RANDOM.nextInt(FIRST_RESERVED, end);
      if (free(host, port)) {
        return OptionalInt.of(port);
      }
    }
    return OptionalInt.empty();
  }

  /** Returns the first port that every user may bind; 0 if there are no others. */
  private static int start() {
    return SystemFile.text(Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start"))
        .map(Integer::parseInt)
        .orElse(0);
  }

  /** Returns whether this process could listen at {@code port} of {@code host} now. */
  static boolean free(String host, int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(host))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns an ordinary port of {@code host} that is free. */
  private static int ordinary(String host) throws ProvisionException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      String message =
          "%s has no free port: %s; end the programs that hold the ports of net.ipv4.ip_local_port_range"
              .formatted(host, Reason.of(e));
      throw new ProvisionException(new Failure(Cause.MACHINE, message), e);
    }
  }
}
