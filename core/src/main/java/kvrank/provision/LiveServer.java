package kvrank.provision;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** One server with all that it has on this machine, from its data folder on. */
final class LiveServer implements Server {

  /** Starts the process, given the folder. */
  interface Launcher {
    StartedServer launch(DataFolder folder) throws ProvisionException;
  }

  /** Makes what a server needs and waits until it is ready. */
  interface Making {
    void make(LiveServer server) throws ProvisionException, InterruptedException;
  }

  private static final String STOPPED = "it was stopped while it started";

  private final String engine;
  private final Optional<Path> log;
  private final LiveServers live;
  private final Reaper reaper;
  private final Making again;

  // Guarded by this, so that a server that is still being launched is stopped when it is there.
  private Optional<DataFolder> folder = Optional.empty();
  private Optional<StartedServer> started = Optional.empty();
  private boolean stopped;
  private boolean closed;

  private volatile SortedMap<String, String> connection = new TreeMap<>();
  private volatile SortedMap<String, String> facts = new TreeMap<>();
  private volatile OptionalLong pid = OptionalLong.empty();
  private volatile ServerFacts.Interview reports = () -> new TreeMap<>();

  /**
   * @param again makes it ready once more, on the data that is there
   */
  LiveServer(String engine, Optional<Path> log, LiveServers live, Reaper reaper, Making again) {
    this.engine = engine;
    this.log = log;
    this.live = live;
    this.reaper = reaper;
    this.again = again;
  }

  /**
   * Makes it ready.
   *
   * @throws ProvisionException if it does not become so; what was made is left
   */
  void start(Making making) throws ProvisionException, InterruptedException {
    try {
      making.make(this);
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

  /**
   * Returns the data folder: made for the first process, and the same for those after it.
   *
   * @param files the files that the process wants to find in it, by their names
   */
  synchronized DataFolder folder(Path path, SortedMap<String, String> files)
      throws ProvisionException {
    refuseIfClosed();
    if (folder.isEmpty()) {
      DataFolder made = DataFolder.create(path);
      folder = Optional.of(made);
      reaper.register(Reaper.Kind.FOLDER, made.path().toString());
    }
    folder.get().write(files);
    return folder.get();
  }

  /** Starts the process on the data folder that was made, in the place of one before it. */
  synchronized StartedServer launch(Launcher launcher) throws ProvisionException {
    refuseIfClosed();
    started.ifPresent(StartedServer::stop);
    StartedServer process = launcher.launch(folder.orElseThrow());
    started = Optional.of(process);
    stopped = false;
    return process;
  }

  /** Uses a server that runs already. */
  synchronized void adopt(StartedServer process) throws ProvisionException {
    refuseIfClosed();
    started = Optional.of(process);
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

  /** It is ready: what clients need and what is known of it. */
  void ready(SortedMap<String, String> connection, SortedMap<String, String> facts) {
    this.pid = process().map(StartedServer::pid).orElse(OptionalLong.empty());
    SortedMap<String, String> all = new TreeMap<>(facts);
    pid.ifPresent(number -> all.put("pid", Long.toString(number)));
    this.connection = Collections.unmodifiableSortedMap(new TreeMap<>(connection));
    this.facts = Collections.unmodifiableSortedMap(all);
  }

  /** What it is asked after each phase. */
  void reports(ServerFacts.Interview interview) {
    reports = interview;
  }

  @Override
  public SortedMap<String, String> reports() {
    try {
      SortedMap<String, String> answers = new TreeMap<>(reports.answers());
      answers.values().removeIf(String::isEmpty);
      return answers;
    } catch (ProvisionException e) {
      return new TreeMap<>();
    }
  }

  private synchronized Optional<StartedServer> process() {
    return started;
  }

  @Override
  public SortedMap<String, String> connection() {
    return connection;
  }

  @Override
  public SortedMap<String, String> facts() {
    return facts;
  }

  @Override
  public OptionalLong pid() {
    return pid;
  }

  @Override
  public synchronized Optional<Path> data() {
    return folder.map(DataFolder::path);
  }

  @Override
  public Optional<String> death() {
    return process()
        .flatMap(StartedServer::ending)
        .map(ending -> engine + " " + ending + ". " + logTail());
  }

  /**
   * Returns the end of the log, once all is in it that an ended process wrote; empty without one.
   */
  String logTail() {
    if (process().isEmpty()) {
      return "";
    }
    process().filter(each -> each.ending().isPresent()).ifPresent(StartedServer::settleLog);
    return log.map(file -> new LogTail(file).text()).orElse("");
  }

  @Override
  public String kill() throws ProvisionException, InterruptedException {
    StartedServer running =
        process().orElseThrow(() -> new ProvisionException(engine + " has no process of its own"));
    try {
      running.kill();
    } catch (ProvisionException e) {
      throw new ProvisionException(engine + " was not killed: " + e.getMessage(), e);
    }
    return running.ending().orElseThrow();
  }

  @Override
  public void restart() throws ProvisionException, InterruptedException {
    try {
      start(again);
    } catch (ProvisionException | InterruptedException | RuntimeException e) {
      process().ifPresent(StartedServer::stop);
      throw e;
    }
  }

  @Override
  public synchronized void stop() {
    if (!stopped) {
      stopped = true;
      started.ifPresent(StartedServer::stop);
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    live.remove(this);
    stop();
    if (folder.isPresent()) {
      try {
        folder.get().delete();
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
