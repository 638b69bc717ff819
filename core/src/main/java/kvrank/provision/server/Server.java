package kvrank.provision.server;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.engine.EngineDefinition.Exchange;
import kvrank.engine.ProvisionMethod;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.failure.Failure;
import kvrank.machine.MachineCheck;
import kvrank.provision.host.ProvisionException;

/**
 * One started instance of an engine, with all that it has on this machine, from its data folder on;
 * for an embedded engine, its folder.
 */
public final class Server implements AutoCloseable {

  /** The lines of the end of the log that messages have. */
  private static final int LOG_LINES = 20;

  private static final int LOG_BYTES = 16 * 1024;
  private static final int LAST_WORDS = 5;

  private final ServerSpec spec;
  private final ServerStarter starter;
  private final ServerResources resources;
  private final MachineCheck check;
  private volatile Optional<Failure> death = Optional.empty();
  private volatile ReadyServer ready;
  private volatile long heard;

  private Server(ServerSpec spec, ServerStarter starter, ServerResources resources) {
    this.spec = spec;
    this.starter = starter;
    this.resources = resources;
    this.check = new MachineCheck(spec.group());
  }

  /**
   * Starts a server and waits until it is ready.
   *
   * @throws ProvisionException if it does not become ready, with the reason and the end of its log;
   *     what was made is still in {@code resources}
   */
  public static Server start(ServerSpec spec, ServerStarter starter, ServerResources resources)
      throws ProvisionException, InterruptedException {
    Server server = new Server(spec, starter, resources);
    server.start();
    return server;
  }

  private void start() throws ProvisionException, InterruptedException {
    death = Optional.empty();
    try {
      ready = starter.start(spec, resources);
      resources.requireOpen();
    } catch (ProvisionException e) {
      // While its data folder still exists; a close removes that and is then the reason.
      boolean closed = resources.closed();
      Failure failure = closed ? new Failure(Cause.OUTSIDER, ServerResources.STOPPED) : e.failure();
      String message =
          "%s is not ready: %s. %s".formatted(name(), failure.message(), logTail()).strip();
      throw new ProvisionException(
          resources
              .ending()
              .filter(ending -> !closed)
              .map(ending -> ended(ending.whileStarting(), message))
              .orElseGet(() -> explained(new Failure(failure.cause(), message))),
          e);
    }
  }

  private Failure ended(Ending ending, String message) {
    return explained(check.ofEnd(ending, message));
  }

  /**
   * Returns {@code reported}, a failure of the engine or its client; blamed on the machine or an
   * outsider if that is evident now.
   */
  public Failure explained(Failure reported) {
    List<Path> folders = new ArrayList<>(resources.data().stream().toList());
    if (resources.process().isPresent() && spec.method() != ProvisionMethod.EXTERNAL) {
      folders.add(spec.log().toAbsolutePath().getParent());
    }
    return check.ofReport(
        reported,
        folders,
        resources.process().map(StartedServer::pid).orElse(OptionalLong.empty()));
  }

  /** Returns whether the engine runs in its client's process. */
  public boolean embedded() {
    return spec.method() == ProvisionMethod.EMBEDDED;
  }

  private String name() {
    return spec.engine().name();
  }

  /** Throws if an embedded engine, of which its binding tells, is not what it was asked to be. */
  public void requireFacts(Facts told) throws ProvisionException {
    if (embedded()) {
      spec.requireExpected(told.parts(Fact.ENGINE), name());
    }
  }

  /**
   * Returns what the server says of itself now: its answers to the {@code reports} of its
   * engine.yaml. What it does not say is left out.
   */
  public Facts reports() {
    Facts answers = new Facts();
    try {
      List<ServerAddress> endpoints = ready.endpoints();
      for (int i = 0; i < endpoints.size(); i++) {
        String member = endpoints.size() == 1 ? "" : "member.%d.".formatted(i + 1);
        TcpProbe.answers(endpoints.get(i), spec.definition().reports())
            .forEach(
                (name, answer) -> {
                  if (!answer.isEmpty()) {
                    answers.put(Fact.ENGINE, member + name, answer);
                  }
                });
      }
    } catch (ProvisionException silent) {
      // It has nothing to say.
    }
    return answers;
  }

  /** Returns whether it has a way to be asked and does not answer its own ping any more. */
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

  /** Returns {@code host}, {@code port}, {@code data}: placeholders of the binding's properties. */
  public SortedMap<String, String> connection() {
    return ready.connection();
  }

  /** Returns way, image digest, pid, address, settings and what the server says of itself. */
  public Facts facts() {
    return ready.facts();
  }

  /** Returns the process to watch, as this host numbers it, if there is one of ours. */
  public OptionalLong pid() {
    return ready.pid();
  }

  /** Returns the folder on this host that holds the engine's files, if it is ours to see. */
  public Optional<Path> data() {
    return ready.data();
  }

  /**
   * Returns how the server ended, with the tail of its log, and who was to blame when that was
   * first noticed; empty while it runs.
   */
  public Optional<Failure> death() {
    if (death.isEmpty()) {
      death =
          resources
              .ending()
              .map(ending -> ended(ending, name() + " " + ending.text() + ". " + logTail()));
    }
    return death;
  }

  /** Returns the end of the log, once all is in it that an ended process wrote. */
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

  /** What the log says from now on is the server's last words, should it fail. */
  public void listen() {
    heard = spec.log().toFile().length();
  }

  /** Returns the last that the server wrote to its log since {@link #listen}; mostly nothing. */
  public String lastWords() {
    List<String> lines = lastLines(LAST_WORDS, heard);
    return lines.isEmpty() ? "" : "; its server then said:\n  " + String.join("\n  ", lines);
  }

  /**
   * Returns the last {@code most} lines, or fewer, of what follows {@code from} bytes of the log.
   */
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

  /**
   * Ends the server's process and those that it started by SIGKILL, as a crash does, and returns
   * how, as in {@code was killed by SIGKILL (exit status 137)}. Its data stays, for {@link
   * #restart}. Throws if it does not end, or has no process of its own, as an embedded engine.
   */
  public String kill() throws ProvisionException, InterruptedException {
    StartedServer running =
        resources
            .process()
            .orElseThrow(
                () -> new ProvisionException(Cause.INPUT, name() + " has no process of its own"));
    try {
      running.kill();
    } catch (ProvisionException e) {
      String message = name() + " was not killed: " + e.getMessage();
      throw new ProvisionException(new Failure(e.failure().cause(), message), e);
    }
    return running.ending().orElseThrow().text();
  }

  /**
   * Starts the server again on the data that {@link #kill} left; {@link #connection}, {@link
   * #facts} and {@link #pid} are then those of the new process. Throws if it does not answer its
   * own ping; its process is ended then, its data stays.
   */
  public void restart() throws ProvisionException, InterruptedException {
    try {
      start();
    } catch (ProvisionException | InterruptedException | RuntimeException e) {
      stop();
      throw e;
    }
  }

  /** Notes, for whoever cleans up after this process, that keys of {@code run} are on it. */
  public void owe(String run, String prefix) throws ProvisionException {
    String keys = prefix.isEmpty() ? "of " + run : "'%s…' of %s".formatted(prefix, run);
    resources.owe("%s on %s".formatted(keys, spec.subject()));
  }

  /** Notes that they are gone. */
  public void settle() {
    resources.settle();
  }

  /** Ends the server as its owner would, and leaves its data where it is. Idempotent. */
  public void stop() {
    resources.stop();
  }

  /** Has {@link #close} leave the data where it is. */
  public void keep() {
    resources.keep();
  }

  /**
   * Stops the server, removes its process, container and data, and leaves its log. Idempotent;
   * throws {@link UncheckedIOException} if some of its data is left.
   */
  @Override
  public void close() {
    resources.close();
  }

  @Override
  public String toString() {
    return name() + " " + connection();
  }
}
