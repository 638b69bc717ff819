package kvrank.provision;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.scenario.EngineDefinition.Exchange;
import kvrank.scenario.ProvisionMethod;

/**
 * One started instance of an engine, with all that it has on this machine, from its data folder on;
 * for an embedded engine, its folder.
 */
public final class Server implements AutoCloseable {

  /** Starts a process. */
  interface Launcher {
    StartedServer launch() throws ProvisionException;
  }

  private static final String STOPPED = "it was stopped while it started";

  /** The end of the log that messages have. */
  private static final int LOG_LINES = 20;

  private static final int LOG_BYTES = 16 * 1024;
  private static final int LAST_WORDS = 5;

  private final ServerSpec spec;
  private final String engine;
  private final Provisioning all;
  private final Reaper reaper;

  // Guarded by this, so that a server that is still being launched is stopped when it is there.
  private Optional<DataFolder> folder = Optional.empty();
  private volatile Optional<StartedServer> started = Optional.empty();
  private boolean stopped;
  private boolean closed;
  private boolean kept;
  private String debt = "";

  private volatile SortedMap<String, String> connection = new TreeMap<>();
  private volatile SortedMap<String, String> facts = new TreeMap<>();
  private volatile long heard;
  private volatile OptionalLong pid = OptionalLong.empty();
  private volatile List<ServerAddress> endpoints = List.of();

  Server(ServerSpec spec, Provisioning all, Reaper reaper) {
    this.spec = spec;
    this.engine = spec.engine().name();
    this.all = all;
    this.reaper = reaper;
  }

  /** Makes it ready, or throws and leaves what was made. */
  void start() throws ProvisionException, InterruptedException {
    try {
      all.make(this, spec);
      if (closed()) {
        throw new ProvisionException(STOPPED);
      }
    } catch (ProvisionException e) {
      // Whatever then goes wrong, a close that takes its folder away is the reason.
      String why = closed() ? STOPPED : e.getMessage();
      throw new ProvisionException(
          "%s is not ready: %s. %s".formatted(engine, why, logTail()).strip(), e);
    }
  }

  /** Returns the folder, made for the first process, with the files that one wants to find. */
  synchronized Path folder(SortedMap<String, String> files) throws ProvisionException {
    refuseIfClosed();
    if (folder.isEmpty()) {
      DataFolder made = DataFolder.create(spec.data());
      folder = Optional.of(made);
      reaper.register(Reaper.Kind.FOLDER, made.path().toString());
    }
    folder.get().write(files, false);
    return folder.get().path();
  }

  /** Starts the process, in the place of one before it. */
  synchronized StartedServer launch(Launcher launcher) throws ProvisionException {
    refuseIfClosed();
    started.ifPresent(StartedServer::stop);
    StartedServer process = launcher.launch();
    started = Optional.of(process);
    stopped = false;
    return process;
  }

  private void refuseIfClosed() throws ProvisionException {
    if (closed) {
      throw new ProvisionException(engine + ": " + STOPPED);
    }
  }

  /** Returns whether it was closed, perhaps before it was ready. */
  synchronized boolean closed() {
    return closed;
  }

  /**
   * It is ready: what clients need, what is known of it, and where it answers questions, each
   * member of a cluster for itself.
   */
  void ready(
      SortedMap<String, String> connection,
      SortedMap<String, String> facts,
      List<ServerAddress> endpoints) {
    this.pid = started.map(StartedServer::pid).orElse(OptionalLong.empty());
    pid.ifPresent(number -> facts.put("pid", Long.toString(number)));
    facts.put("way", spec.method().label());
    data().ifPresent(path -> connection.put("data", path.toString()));
    this.connection = connection;
    this.facts = facts;
    this.endpoints = endpoints;
  }

  /** Throws if an embedded engine, of which its binding tells, is not what it was asked to be. */
  public void requireFacts(SortedMap<String, String> told) throws ProvisionException {
    if (spec.method() == ProvisionMethod.EMBEDDED) {
      Provisioning.check(spec.expected(), told, engine);
    }
  }

  /**
   * Returns what the server says of itself now: its answers to the {@code reports} of its
   * engine.yaml. What it does not say is left out.
   */
  public SortedMap<String, String> reports() {
    SortedMap<String, String> answers = new TreeMap<>();
    try {
      for (ServerAddress each : endpoints) {
        String member =
            endpoints.size() == 1 ? "" : "member.%d.".formatted(endpoints.indexOf(each) + 1);
        TcpProbe.answers(each, spec.engine().server().orElseThrow().reports())
            .forEach((name, answer) -> answers.put(member + name, answer));
      }
      answers.values().removeIf(String::isEmpty);
    } catch (ProvisionException silent) {
      // It has nothing to say.
    }
    return answers;
  }

  /** Returns whether it has a way to be asked and does not answer its own ping any more. */
  public boolean silent() {
    try {
      for (ServerAddress each : endpoints) {
        Exchange ping = spec.engine().server().orElseThrow().ready();
        if (TcpProbe.answers(each, new TreeMap<>(Map.of("ping", ping))).isEmpty()) {
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
    return connection;
  }

  /** Returns way, image digest, pid, address, settings and what the server says of itself. */
  public SortedMap<String, String> facts() {
    return facts;
  }

  /** Returns the process to watch, as this host numbers it, if there is one of ours. */
  public OptionalLong pid() {
    return pid;
  }

  /** Returns the folder on this host that holds the engine's files, if it is ours to see. */
  public synchronized Optional<Path> data() {
    return folder.map(DataFolder::path);
  }

  /** If the server has ended: how, with the tail of its log. Empty while it runs. */
  public Optional<String> death() {
    return started
        .flatMap(StartedServer::ending)
        .map(ending -> engine + " " + ending + ". " + logTail());
  }

  /** Returns the end of the log, once all is in it that an ended process wrote. */
  private String logTail() {
    if (started.isEmpty() || started.get() instanceof StartedServer.External) {
      return "";
    }
    started.filter(each -> each.ending().isPresent()).ifPresent(StartedServer::settleLog);
    List<String> lines = logLines(0);
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
    List<String> lines = logLines(heard);
    lines = lines.subList(Math.max(0, lines.size() - LAST_WORDS), lines.size());
    return lines.isEmpty() ? "" : "; its server then said:\n  " + String.join("\n  ", lines);
  }

  private List<String> logLines(long from) {
    try (RandomAccessFile file = new RandomAccessFile(spec.log().toFile(), "r")) {
      byte[] end = new byte[(int) Math.max(0, Math.min(LOG_BYTES, file.length() - from))];
      file.seek(file.length() - end.length);
      file.readFully(end);
      List<String> lines = new String(end, StandardCharsets.UTF_8).lines().toList();
      return lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size());
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
        started.orElseThrow(() -> new ProvisionException(engine + " has no process of its own"));
    try {
      running.kill();
    } catch (ProvisionException e) {
      throw new ProvisionException(engine + " was not killed: " + e.getMessage(), e);
    }
    return running.ending().orElseThrow();
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
      started.ifPresent(StartedServer::stop);
      throw e;
    }
  }

  /** Notes, for whoever cleans up after this process, that keys of {@code run} are on it. */
  public void owe(String run, String prefix) throws ProvisionException {
    String keys = prefix.isEmpty() ? "of " + run : "'%s…' of %s".formatted(prefix, run);
    debt = "%s on %s".formatted(keys, spec.subject());
    reaper.register(Reaper.Kind.KEYS, debt);
  }

  /** Notes that they are gone. */
  public void settle() {
    reaper.release(Reaper.Kind.KEYS, debt);
  }

  /** Ends the server as its owner would, and leaves its data where it is. Idempotent. */
  public synchronized void stop() {
    if (!stopped) {
      stopped = true;
      started.ifPresent(StartedServer::stop);
    }
  }

  /** Has {@link #close} leave the data where it is. */
  public synchronized void keep() {
    kept = true;
  }

  /**
   * Stops the server, removes its process, container and data, and leaves its log. Idempotent;
   * throws {@link UncheckedIOException} if some of its data is left.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    all.remove(this);
    stop();
    if (folder.isPresent()) {
      try {
        if (!kept) {
          folder.get().delete();
        }
        reaper.release(Reaper.Kind.FOLDER, folder.get().path().toString());
      } catch (IOException e) {
        throw new UncheckedIOException(engine + ": " + e.getMessage(), e);
      }
    }
  }

  @Override
  public String toString() {
    return engine + " " + connection;
  }
}
