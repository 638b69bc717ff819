package kvrank.provision.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.failure.Failure;
import kvrank.failure.FailureException;
import kvrank.input.Reason;
import kvrank.machine.ShortageWatch;
import kvrank.provision.host.DataFolder;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.host.Reaper;
import kvrank.provision.host.TemporaryFolder;

/** One server's data folder and process; another thread may close this, even during a launch. */
public final class ServerResources implements AutoCloseable {

  public interface Launcher {
    StartedServer launch() throws ProvisionException;
  }

  /** The longest path of a Unix socket on Linux, without the byte that ends it. */
  private static final int MOST_BYTES = 107;

  private static final String SOCKETS = "kvrank-";

  static final String STOPPED = "it was stopped while it started";

  private final ServerSpec spec;
  private final Reaper reaper;
  private final Consumer<ServerResources> onClose;

  private Optional<DataFolder> folder = Optional.empty();
  private Optional<DataFolder> sockets = Optional.empty();
  private Optional<ShortageWatch> shortages = Optional.empty();
  // Read while another thread launches or stops it.
  private volatile Optional<StartedServer> process = Optional.empty();

  /** How the process had ended before it was stopped. */
  private volatile Optional<Ending> ended = Optional.empty();

  private volatile boolean stopped;
  private boolean closed;
  private boolean kept;
  private String debt = "";

  /** Creates empty resources; {@code onClose} is called once, at the start of closing. */
  public ServerResources(ServerSpec spec, Reaper reaper, Consumer<ServerResources> onClose) {
    this.spec = spec;
    this.reaper = reaper;
    this.onClose = onClose;
  }

  /** Returns the data folder with {@code files}; the first call creates it. */
  public synchronized Path folder(SortedMap<String, String> files) throws ProvisionException {
    requireOpen();
    if (folder.isEmpty()) {
      DataFolder created = DataFolder.create(spec.data());
      folder = Optional.of(created);
      reaper.register(Reaper.Kind.FOLDER, created.path().toString());
      // What fills a simulated disk is the engine itself.
      Optional<Path> disk =
          Optional.of(created.path().getParent()).filter(parent -> spec.boot().isEmpty());
      shortages = Optional.of(new ShortageWatch(disk));
    }
    folder.get().write(files, false);
    return folder.get().path();
  }

  /** Writes private files into the data folder, unless this is closed. */
  public synchronized void hide(SortedMap<String, String> files) throws ProvisionException {
    requireOpen();
    folder.orElseThrow().write(files, true);
  }

  /** Removes the files of {@link #hide}. */
  public synchronized void forget(Set<String> files) throws ProvisionException {
    requireOpen();
    folder.orElseThrow().forget(files);
  }

  /**
   * Returns the path of a Unix socket, which no file has, in a folder that only this user opens.
   */
  synchronized Path socket() throws ProvisionException {
    requireOpen();
    if (sockets.isEmpty()) {
      byte[] name = new byte[8];
      new SecureRandom().nextBytes(name);
      String folderName = SOCKETS + HexFormat.of().formatHex(name);
      DataFolder created = DataFolder.create(TemporaryFolder.path().resolve(folderName));
      sockets = Optional.of(created);
      reaper.register(Reaper.Kind.FOLDER, created.path().toString());
    }
    Path socket = sockets.get().path().resolve("s");
    int bytes = socket.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MOST_BYTES) {
      throw new ProvisionException(
          Cause.MACHINE,
          "the path '%s' has %d bytes, and a Unix socket %d at most; use another folder for temporary files: JDK_JAVA_OPTIONS=-Djava.io.tmpdir=DIR"
              .formatted(socket, bytes, MOST_BYTES));
    }
    // A killed server leaves it.
    sockets.get().forget(Set.of("s"));
    return socket;
  }

  /** Launches the process, after stopping the previous one. */
  public synchronized StartedServer launch(Launcher launcher) throws ProvisionException {
    requireOpen();
    process.ifPresent(StartedServer::stop);
    StartedServer launched = launcher.launch();
    process = Optional.of(launched);
    stopped = false;
    return launched;
  }

  void requireOpen() throws ProvisionException {
    if (closed()) {
      throw new ProvisionException(Cause.OUTSIDER, STOPPED);
    }
  }

  synchronized boolean closed() {
    return closed;
  }

  /** Returns the last launched process; empty if there was none. */
  Optional<StartedServer> process() {
    return process;
  }

  /** Returns the ending of a process that was not stopped; empty while it runs. */
  Optional<Ending> ending() {
    return stopped ? ended : process.flatMap(StartedServer::ending);
  }

  /** Returns a message if the machine has or had too little disk space or threads. */
  synchronized Optional<String> shortage() {
    return shortages.flatMap(ShortageWatch::shortage);
  }

  /** Returns the data folder; empty before it exists. */
  synchronized Optional<Path> data() {
    return folder.map(DataFolder::path);
  }

  void owe(String keys) throws ProvisionException {
    debt = keys;
    reaper.register(Reaper.Kind.KEYS, debt);
  }

  void settle() {
    reaper.release(Reaper.Kind.KEYS, debt);
  }

  synchronized void stop() {
    if (!stopped) {
      ended = ending();
      stopped = true;
      process.ifPresent(StartedServer::stop);
    }
  }

  synchronized void keep() {
    kept = true;
  }

  /** As {@link #remove}, but throws {@link UncheckedIOException} if that returns a failure. */
  @Override
  public void close() {
    Optional<Failure> left = remove();
    if (left.isPresent()) {
      String message = spec.engine().name() + ": " + left.get().message();
      throw new UncheckedIOException(new FailureException(left.get().cause(), message));
    }
  }

  /**
   * Stops the process and removes the data. Returns the reason if something remains, for a caller
   * with an outcome that matters more. A second call does nothing.
   */
  public synchronized Optional<Failure> remove() {
    if (closed) {
      return Optional.empty();
    }
    closed = true;
    onClose.accept(this);
    List<Failure> failures = new ArrayList<>();
    try {
      stop();
    } catch (RuntimeException e) {
      failures.add(new Failure(Cause.of(e), "it could not be stopped: " + Reason.of(e)));
    }
    shortages.ifPresent(ShortageWatch::close);
    sockets.ifPresent(socketFolder -> remove(socketFolder, false, failures));
    folder.ifPresent(data -> remove(data, kept, failures));
    return failures.stream().findFirst();
  }

  private void remove(DataFolder removed, boolean keeping, List<Failure> failures) {
    try {
      if (!keeping) {
        removed.delete();
      }
      reaper.release(Reaper.Kind.FOLDER, removed.path().toString());
    } catch (IOException e) {
      failures.add(new Failure(Cause.of(e), "its data could not be removed: " + Reason.located(e)));
    }
  }
}
