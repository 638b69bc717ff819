package kvrank.provision.server;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import kvrank.engine.Exchange;
import kvrank.engine.ProvisionMethod;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.failure.Failure;
import kvrank.machine.MachineCheck;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.host.TemporaryFolder;

/** A started engine with its process and data; for an embedded engine, its folder. */
public final class Server implements AutoCloseable {

  private static final int LOG_LINES = 20;
  private static final int LOG_BYTES = 16 * 1024;
  private static final int LAST_WORDS = 5;
  private static final Duration SLOTS_LIMIT = Duration.ofSeconds(2);

  private final ServerSpec spec;
  private final ServerStarter starter;
  private final ServerResources resources;
  private final MachineCheck check;
  private volatile Optional<Failure> death = Optional.empty();
  private volatile ReadyServer ready;
  private volatile long heard;

  /** The slots of a cluster's members when it was ready. */
  private volatile SortedMap<String, String> slots = new TreeMap<>();

  private volatile Optional<ConnectionCount> connections = Optional.empty();
  private volatile boolean crowded;

  private Server(ServerSpec spec, ServerStarter starter, ServerResources resources) {
    this.spec = spec;
    this.starter = starter;
    this.resources = resources;
    this.check = new MachineCheck(spec.group());
  }

  /** Starts a server and waits until it is ready; {@code resources} stay open on failure. */
  public static Server start(ServerSpec spec, ServerStarter starter, ServerResources resources)
      throws ProvisionException, InterruptedException {
    Server server = new Server(spec, starter, resources);
    server.start();
    return server;
  }

  private void start() throws ProvisionException, InterruptedException {
    death = Optional.empty();
    crowded = false;
    try {
      Map<String, Long> before = TcpProbe.opened();
      ready = starter.start(spec, resources);
      resources.requireOpen();
      slots = slots();
      connections = started() ? ConnectionCount.of(spec, ready, before) : Optional.empty();
    } catch (ProvisionException e) {
      crowded = e instanceof CrowdedException;
      // While its data folder exists; closing removes it, and is the reason then.
      boolean closed = resources.closed();
      Failure failure = closed ? new Failure(Cause.OUTSIDER, ServerResources.STOPPED) : e.failure();
      boolean taken = e instanceof PortTakenException; // which the log shows without the program
      String message =
          "%s is not ready: %s. %s"
              .formatted(name(), failure.message(), taken ? "" : logTail())
              .strip();
      throw new ProvisionException(
          resources
              .ending()
              .filter(ending -> !closed && !taken)
              .map(ending -> ended(ending.whileStarting(), message))
              .orElseGet(() -> ofMachine(new Failure(failure.cause(), message))),
          e);
    }
  }

  private Failure ended(Ending ending, String message) {
    return ofMachine(check.ofEnd(ending, message));
  }

  /** Returns a failure, blamed on the machine or an outsider if there is evidence for it. */
  public Failure explained(Failure reported) {
    Failure failure = ofMachine(reported);
    if (failure.cause() != Cause.ENGINE || !started()) {
      return failure;
    }
    Optional<String> strangers =
        ready.endpoints().stream()
            .flatMap(endpoint -> ConnectionWatch.strangers(endpoint).stream())
            .findFirst();
    crowded = strangers.isPresent();
    return strangers.map(evidence -> failure.blamedOn(Cause.OUTSIDER, evidence)).orElse(failure);
  }

  /** Returns whether others had connections when the server last failed to start or to answer. */
  public boolean crowded() {
    return crowded;
  }

  private Failure ofMachine(Failure reported) {
    List<Path> folders = new ArrayList<>(resources.data().stream().toList());
    if (resources.process().isPresent() && spec.method() != ProvisionMethod.EXTERNAL) {
      folders.add(spec.log().toAbsolutePath().getParent());
    }
    // Before the check, which writes a file: another user who sees it could free the disk.
    Optional<String> shortage = resources.shortage();
    Failure failure =
        check.ofReport(
            reported,
            folders,
            Optional.of(TemporaryFolder.path()).filter(any -> embedded()),
            resources.process().map(StartedServer::pid).orElse(OptionalLong.empty()),
            spec.boot().isPresent() && resources.data().isPresent());
    return failure.cause() == Cause.ENGINE && shortage.isPresent()
        ? failure.blamedOn(Cause.MACHINE, shortage.get())
        : failure;
  }

  public boolean embedded() {
    return spec.method() == ProvisionMethod.EMBEDDED;
  }

  private boolean started() {
    return !embedded() && spec.method() != ProvisionMethod.EXTERNAL;
  }

  /**
   * Returns the number of connections of others since the last call, if kvrank started the server
   * and it counts them; to an {@link #open} one since its start. {@code workers} have opened that
   * many.
   */
  public OptionalLong othersConnections(long workers) {
    return connections.isEmpty() || workers == 0
        ? OptionalLong.empty()
        : OptionalLong.of(connections.get().others(workers));
  }

  /**
   * Returns the number of connections of workers and others to an {@link #open} server since its
   * start.
   */
  public OptionalLong clients() {
    return connections
        .filter(ConnectionCount::open)
        .map(ConnectionCount::clients)
        .orElse(OptionalLong.empty());
  }

  /**
   * Starts to watch for connections of others to a server that kvrank started, unless the {@code
   * workers} are not on this machine.
   */
  public ConnectionWatch watch(List<Long> workers) {
    if (!started() || workers.isEmpty()) {
      return ConnectionWatch.blind();
    }
    List<Long> ours = new ArrayList<>(workers);
    pid().ifPresent(ours::add);
    return ConnectionWatch.of(ready.endpoints().get(0), pid(), ours);
  }

  /** Returns whether kvrank started the server, and clients need no password. */
  public boolean open() {
    return started() && ready.endpoints().get(0).login().isEmpty();
  }

  private String name() {
    return spec.engine().name();
  }

  /** Throws if an embedded engine is not configured as requested, according to its binding. */
  public void requireFacts(Facts reported) throws ProvisionException {
    if (embedded()) {
      spec.requireExpected(reported.parts(Fact.ENGINE), name());
    }
  }

  private SortedMap<String, String> slots() {
    return ready.endpoints().size() > 1 && spec.definition().cluster().isPresent()
        ? ClusterView.slots(
            new TcpProbe(SLOTS_LIMIT, SLOTS_LIMIT),
            ready.endpoints(),
            spec.definition().cluster().get())
        : new TreeMap<>();
  }

  /** Returns the slots that moved between members of a cluster since it was ready, as text. */
  public Optional<String> moved() {
    return Optional.of(slots)
        .filter(before -> !before.isEmpty())
        .map(before -> ClusterView.moved(before, slots()))
        .filter(text -> !text.isEmpty());
  }

  /** Returns the server's current answers to the {@code reports} of its engine.yaml. */
  public Facts reports() {
    return answers(
        embedded() ? new TreeMap<>() : spec.definition().reports(), answer -> !answer.isEmpty());
  }

  /**
   * Returns the facts that an external server answers otherwise than when it was ready, as text:
   * its owner configured it, or made it a replica.
   */
  public Optional<String> changed() {
    if (spec.method() != ProvisionMethod.EXTERNAL) {
      return Optional.empty();
    }
    SortedMap<String, String> before = ready.facts().parts(Fact.ENGINE);
    List<String> changes = new ArrayList<>();
    answers(spec.definition().facts(), answer -> true)
        .parts(Fact.ENGINE)
        .forEach(
            (name, now) -> {
              String then = before.getOrDefault(name, now);
              if (!then.equals(now)) {
                changes.add("%s was '%s' and is '%s'".formatted(name, then, now));
              }
            });
    return Optional.of(String.join(", ", changes)).filter(text -> !text.isEmpty());
  }

  private Facts answers(SortedMap<String, Exchange> questions, Predicate<String> wanted) {
    Facts answers = new Facts();
    try {
      List<ServerAddress> endpoints = ready.endpoints();
      for (int i = 0; i < endpoints.size(); i++) {
        String member = endpoints.size() == 1 ? "" : "member.%d.".formatted(i + 1);
        TcpProbe.answers(endpoints.get(i), questions)
            .forEach(
                (name, answer) -> {
                  if (wanted.test(answer)) {
                    answers.putReported(member + name, answer);
                  }
                });
      }
    } catch (ProvisionException silent) {
      // It has nothing to report.
    }
    return answers;
  }

  /** Returns whether a server with a ping no longer answers it. */
  public boolean silent() {
    try {
      for (ServerAddress endpoint : ready.endpoints()) {
        Exchange ping = spec.definition().ready();
        if (TcpProbe.answers(endpoint, new TreeMap<>(Map.of("ping", ping))).isEmpty()) {
          return true;
        }
      }
      return false;
    } catch (ProvisionException e) {
      return true;
    }
  }

  /** Returns the addresses, with the login. */
  List<ServerAddress> endpoints() {
    return ready.endpoints();
  }

  /** Returns {@code host}, {@code port}, {@code data}: placeholders of the binding's properties. */
  public SortedMap<String, String> connection() {
    return ready.connection();
  }

  /** Returns the binding's properties for the password of this start; empty without one. */
  public SortedMap<String, String> credentials() {
    return ready.credentials();
  }

  /** Returns method, image digest, pid, address, settings and the server's own reports. */
  public Facts facts() {
    return ready.facts();
  }

  /** Returns the process on this host to watch, if any. */
  public OptionalLong pid() {
    return ready.pid();
  }

  /** Returns the folder of the engine's files on this host, if visible. */
  public Optional<Path> data() {
    return ready.data();
  }

  /** Returns the server's end, with its log's tail and the first known cause, if it ended. */
  public Optional<Failure> death() {
    if (death.isEmpty()) {
      death =
          resources
              .ending()
              .map(ending -> ended(ending, name() + " " + ending.text() + ". " + logTail()));
    }
    return death;
  }

  /** Returns the end of the log, complete if the process has ended. */
  private String logTail() {
    Optional<StartedServer> process = resources.process();
    if (process.isEmpty() || spec.method() == ProvisionMethod.EXTERNAL) {
      return "";
    }
    process.filter(server -> server.ending().isPresent()).ifPresent(StartedServer::settleLog);
    List<String> lines = lastLines(LOG_LINES, 0);
    return lines.isEmpty()
        ? "Its log (" + spec.log() + ") is empty."
        : "The end of its log (" + spec.log() + "):\n  " + String.join("\n  ", lines);
  }

  /** Starts the part of the log that {@link #lastWords} covers. */
  public void listen() {
    heard = spec.log().toFile().length();
  }

  /** Returns the last lines of the log since {@link #listen}; often none. */
  public String lastWords() {
    List<String> lines = lastLines(LAST_WORDS, heard);
    return lines.isEmpty() ? "" : "; the server then logged:\n  " + String.join("\n  ", lines);
  }

  private List<String> lastLines(int most, long from) {
    try (RandomAccessFile file = new RandomAccessFile(spec.log().toFile(), "r")) {
      byte[] end = new byte[(int) Math.max(0, Math.min(LOG_BYTES, file.length() - from))];
      file.seek(file.length() - end.length);
      file.readFully(end);
      List<String> lines = new String(end, StandardCharsets.UTF_8).lines().toList();
      return lines.subList(Math.max(0, lines.size() - most), lines.size());
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Kills the server with SIGKILL, for a {@link #restart}; returns its ending, or throws. */
  public String kill() throws ProvisionException, InterruptedException {
    return kill(() -> {});
  }

  /** Does the same, and runs {@code sent} before it waits for the end. */
  public String kill(Runnable sent) throws ProvisionException, InterruptedException {
    StartedServer running =
        resources
            .process()
            .orElseThrow(
                () -> new ProvisionException(Cause.INPUT, name() + " has no process of its own"));
    try {
      running.kill(sent);
    } catch (ProvisionException e) {
      String message = name() + " was not killed: " + e.getMessage();
      throw new ProvisionException(new Failure(e.failure().cause(), message), e);
    }
    return running.ending().orElseThrow().text();
  }

  /** Restarts the server on its data, with new {@link #facts}; a failure stops it. */
  public void restart() throws ProvisionException, InterruptedException {
    try {
      start();
    } catch (ProvisionException | InterruptedException | RuntimeException e) {
      stop();
      throw e;
    }
  }

  /** Records that keys of {@code run} are on the server, for a later clean-up. */
  public void owe(String run, String prefix) throws ProvisionException {
    String keys = prefix.isEmpty() ? "of " + run : "'%s…' of %s".formatted(prefix, run);
    resources.owe("%s on %s".formatted(keys, spec.subject()));
  }

  public void settle() {
    resources.settle();
  }

  /** Stops the server gracefully and keeps its data. Idempotent. */
  public void stop() {
    resources.stop();
  }

  /** Makes {@link #close} keep the data. */
  public void keep() {
    resources.keep();
  }

  /**
   * Stops the server and removes all but its log, as {@link #close} does, but returns the reason if
   * something remains.
   */
  public Optional<Failure> remove() {
    return resources.remove();
  }

  /** Stops the server and removes all but its log, or throws {@link UncheckedIOException}. */
  @Override
  public void close() {
    resources.close();
  }

  @Override
  public String toString() {
    return name() + " " + connection();
  }
}
