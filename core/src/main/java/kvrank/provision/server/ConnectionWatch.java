package kvrank.provision.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.machine.Sampling;

/**
 * Samples which connections to a server are others', in the kernel's tables (proc(5)). One that
 * stays can slow a server that refuses each of its commands, and opens nothing that is counted.
 */
public final class ConnectionWatch implements AutoCloseable {

  /** A connection that waits to be accepted has no socket yet. */
  private static final String SYN_RECV = "03";

  /**
   * The states in which a program holds a connection, tcp_states.h: ESTABLISHED, SYN_SENT,
   * SYN_RECV, FIN_WAIT1, FIN_WAIT2 and CLOSE_WAIT. A server still answers one that its client
   * half-closed.
   */
  private static final Set<String> HELD = Set.of("01", "02", SYN_RECV, "04", "05", "08");

  private static final Pattern SPACES = Pattern.compile("\\s+");

  /** A server with many connections has many sockets, so samples cost 0.5 % of a core. */
  private static final int PAUSE_PER_CPU_TIME = 200;

  /** Tables are seldom read, and short phases need several samples, too. */
  private static final int PAUSE_PER_READING = 20;

  /**
   * The tables are read if the server's sockets change, and after this time, as another process may
   * have some: the kernel takes up to 10 ms for them, whatever their length.
   */
  private static final long LONGEST_TRUST_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** One sample may see a client that leaves at once. */
  private static final int FEWEST_SAMPLES = 2;

  /** A server may take a moment to notice that its client has left. */
  private static final long APART_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * What the samples of a phase show.
   *
   * @param share of the samples in which others were connected
   * @param times the number of these samples
   * @param users the user ids of others on this machine; may be empty
   */
  public record Seen(double share, long times, Set<String> users) {}

  private final Path proc;
  private final Optional<String> place;
  private final OptionalLong server;
  private final List<Long> ours;
  private final String user = user();
  private Optional<Sampling> sampling = Optional.empty();
  private Set<String> sockets = Set.of();
  private Set<String> held = Set.of();
  private Map<String, String> last = Map.of();

  /** Clients that were ours. The server may have a connection that its client has closed. */
  private Set<String> were = Set.of();

  /** Held while a sample is taken, which may take long. */
  private final Object tables = new Object();

  private volatile long read;
  private volatile boolean begun;
  private long samples;
  private long times;
  private Set<String> users = new HashSet<>();

  ConnectionWatch(Path proc, Optional<String> place, OptionalLong server, List<Long> ours) {
    this.proc = proc;
    this.place = place;
    this.server = server;
    this.ours = ours;
  }

  /** Returns one that sees nothing, because there is no table with all clients. */
  static ConnectionWatch blind() {
    return new ConnectionWatch(Path.of("/proc"), Optional.empty(), OptionalLong.empty(), List.of());
  }

  /**
   * Starts to watch {@code place} for others than this process, {@code ours} and their children.
   */
  static ConnectionWatch of(ServerAddress place, OptionalLong server, List<Long> ours) {
    ConnectionWatch watch =
        new ConnectionWatch(Path.of("/proc"), KernelAddress.of(place), server, ours);
    if (watch.place.isEmpty() || !Files.isReadable(watch.proc.resolve("net/tcp"))) {
      return blind();
    }
    watch.sampling = Optional.of(Sampling.start("connections", watch::sample));
    return watch;
  }

  /** Returns the users with connections to a server that this process started, as a sentence. */
  static Optional<String> strangers(ServerAddress place) {
    List<String> users = users(place);
    return users.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "other programs, of user %s, have connections to its server (%,d)"
                .formatted(String.join(", ", new TreeSet<>(users)), users.size()));
  }

  /**
   * Returns the user of each connection that other programs of this machine have to a server that
   * this process started.
   */
  static List<String> users(ServerAddress place) {
    Path proc = Path.of("/proc");
    if (place.kind() != ServerAddress.Kind.LOOPBACK
        || place.port() == 0
        || !Files.isReadable(proc.resolve("net/tcp"))) {
      return List.of();
    }
    List<Long> ours = List.of(ProcessHandle.current().pid());
    return new ConnectionWatch(proc, KernelAddress.of(place), OptionalLong.empty(), ours).users();
  }

  /**
   * Returns the user of each connection of others now. Only clients count: the server may have
   * connections that clients of ours have closed.
   */
  List<String> users() {
    try {
      return others().values().stream().filter(user -> !user.isEmpty()).toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Starts a phase. */
  public synchronized void begin() {
    begun = false;
    samples = 0;
    times = 0;
    users = new HashSet<>();
  }

  /**
   * Returns the result since {@link #begin}; empty if it is blind. Takes samples that are missing:
   * with thousands of connections, or on a busy machine, one can take longer than a phase.
   */
  public Optional<Seen> end() {
    try {
      while (place.isPresent() && samples() < FEWEST_SAMPLES) {
        if (sawOthers()) {
          LockSupport.parkNanos(APART_NANOS);
          begun = false;
        }
        look();
      }
    } catch (IOException e) {
      // There are no tables any more.
    }
    synchronized (this) {
      return samples == 0
          ? Optional.empty()
          : Optional.of(new Seen((double) times / samples, times, Set.copyOf(users)));
    }
  }

  private synchronized boolean sawOthers() {
    return times > 0;
  }

  private synchronized long samples() {
    return samples;
  }

  @Override
  public void close() {
    sampling.ifPresent(Sampling::close);
  }

  private long sample() throws IOException {
    long start = Sampling.cpuNanos();
    long before = read;
    look();
    return Sampling.pauseNanos(start, read == before ? PAUSE_PER_CPU_TIME : PAUSE_PER_READING);
  }

  private void look() throws IOException {
    Map<String, String> others;
    synchronized (tables) {
      others = others();
    }
    synchronized (this) {
      samples++;
      if (!others.isEmpty()) {
        times++;
        others.values().stream().filter(user -> !user.isEmpty()).forEach(users::add);
      }
    }
  }

  /** Returns the addresses of clients that are others', with the user id if it is known. */
  Map<String, String> others() throws IOException {
    Set<String> now = new HashSet<>();
    server.ifPresent(pid -> addSockets(pid, now));
    if (begun
        && !now.isEmpty()
        && now.equals(held)
        && System.nanoTime() - read < LONGEST_TRUST_NANOS) {
      return last;
    }
    begun = true;
    held = now;
    read = System.nanoTime();
    last = clients();
    List<String> possible = List.of("", user);
    if (last.values().stream().anyMatch(possible::contains)) {
      sockets = sockets();
      // One of ours, so of this user, may have been opened or closed meanwhile.
      Set<String> still = clients().keySet();
      last.entrySet()
          .removeIf(
              client -> !still.contains(client.getKey()) && possible.contains(client.getValue()));
    }
    return last;
  }

  private Map<String, String> clients() throws IOException {
    Map<String, String> clients = new TreeMap<>();
    Set<String> known = new HashSet<>();
    Set<String> closing = new HashSet<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      Path file = proc.resolve(table);
      if (!Files.isReadable(file)) {
        continue;
      }
      for (String line : new String(Files.readAllBytes(file), ISO_8859_1).split("\n", -1)) {
        if (line.contains(place.orElseThrow())) {
          String[] columns = SPACES.split(line.strip(), 11);
          String local = KernelAddress.plain(columns[1]);
          String remote = KernelAddress.plain(columns[2]);
          boolean held =
              HELD.contains(columns[3]) && (columns[3].equals(SYN_RECV) || !columns[9].equals("0"));
          if (held && local.equals(place.get())) {
            clients.putIfAbsent(remote, "");
            closing.add(remote);
          } else if (held && remote.equals(place.get())) {
            clients.put(local, columns[7]);
            if (sockets.contains(columns[9])) {
              known.add(local);
            }
          }
        }
      }
    }
    closing.retainAll(were);
    known.addAll(closing);
    were = known;
    clients.keySet().removeAll(known);
    return clients;
  }

  /** Returns the numbers of the sockets of our processes. */
  private Set<String> sockets() {
    Set<String> found = new HashSet<>();
    List<Long> pids =
        Stream.concat(
                Stream.of(ProcessHandle.current()),
                ours.stream()
                    .flatMap(pid -> ProcessHandle.of(pid).stream())
                    .flatMap(each -> Stream.concat(Stream.of(each), each.descendants())))
            .map(ProcessHandle::pid)
            .toList();
    pids.forEach(pid -> addSockets(pid, found));
    return found;
  }

  private void addSockets(long pid, Set<String> found) {
    try (DirectoryStream<Path> open = Files.newDirectoryStream(proc.resolve(pid + "/fd"))) {
      for (Path descriptor : open) {
        socket(descriptor).ifPresent(found::add);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // It has ended.
    }
  }

  private static String user() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }

  private static Optional<String> socket(Path descriptor) {
    try {
      String target = Files.readSymbolicLink(descriptor).toString();
      return target.startsWith("socket:[")
          ? Optional.of(target.substring("socket:[".length(), target.length() - 1))
          : Optional.empty();
    } catch (IOException closed) {
      return Optional.empty();
    }
  }
}
