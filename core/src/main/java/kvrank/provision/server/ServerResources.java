package kvrank.provision.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.provision.host.DataFolder;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.host.Reaper;

/**
 * What one server has on this machine, its data folder and its process, from before they exist
 * until they are removed. Another thread may close this at any moment: a process that is being
 * launched then ends as soon as it is there, and no other one is launched.
 */
public final class ServerResources implements AutoCloseable {

  /** Launches a process. */
  public interface Launcher {
    StartedServer launch() throws ProvisionException;
  }

  static final String STOPPED = "it was stopped while it started";

  private final ServerSpec spec;
  private final Reaper reaper;
  private final Consumer<ServerResources> onClose;

  private Optional<DataFolder> folder = Optional.empty();
  // Read while another thread launches or stops it.
  private volatile Optional<StartedServer> process = Optional.empty();

  /** How the process had ended when it was stopped. */
  private volatile Optional<Ending> ended = Optional.empty();

  private volatile boolean stopped;
  private boolean closed;
  private boolean kept;
  private String debt = "";

  /**
   * @param onClose is called once, when these resources begin to be closed
   */
  public ServerResources(ServerSpec spec, Reaper reaper, Consumer<ServerResources> onClose) {
    this.spec = spec;
    this.reaper = reaper;
    this.onClose = onClose;
  }

  /** Returns the data folder, made for the first process, with {@code files} written into it. */
  public synchronized Path folder(SortedMap<String, String> files) throws ProvisionException {
    requireOpen();
    if (folder.isEmpty()) {
      DataFolder created = DataFolder.create(spec.data());
      folder = Optional.of(created);
      reaper.register(Reaper.Kind.FOLDER, created.path().toString());
    }
    folder.get().write(files, false);
    return folder.get().path();
  }

  /** Launches the process; one that was launched before is stopped first. */
  public synchronized StartedServer launch(Launcher launcher) throws ProvisionException {
    requireOpen();
    process.ifPresent(StartedServer::stop);
    StartedServer launched = launcher.launch();
    process = Optional.of(launched);
    stopped = false;
    return launched;
  }

  /** Throws if this is closed. */
  void requireOpen() throws ProvisionException {
    if (closed()) {
      throw new ProvisionException(Cause.OUTSIDER, STOPPED);
    }
  }

  synchronized boolean closed() {
    return closed;
  }

  /** Returns the process that was launched last; empty if there was none. */
  Optional<StartedServer> process() {
    return process;
  }

  /** Returns how the process ended without being stopped; empty while it runs. */
  Optional<Ending> ending() {
    return stopped ? ended : process.flatMap(StartedServer::ending);
  }

  /** Returns the data folder, once it exists. */
  synchronized Optional<Path> data() {
    return folder.map(DataFolder::path);
  }

  /** Notes keys on a server of others, for whoever cleans up after this process. */
  void owe(String keys) throws ProvisionException {
    debt = keys;
    reaper.register(Reaper.Kind.KEYS, debt);
  }

  /** Notes that those keys are gone. */
  void settle() {
    reaper.release(Reaper.Kind.KEYS, debt);
  }

  /** Ends the process as its owner would, and leaves the data where it is. Idempotent. */
  synchronized void stop() {
    if (!stopped) {
      ended = ending();
      stopped = true;
      process.ifPresent(StartedServer::stop);
    }
  }

  /** Has {@link #close} leave the data where it is. */
  synchronized void keep() {
    kept = true;
  }

  /**
   * Stops the process and removes the data. Idempotent; throws {@link UncheckedIOException} if some
   * of the data is left.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    onClose.accept(this);
    stop();
    if (folder.isPresent()) {
      try {
        if (!kept) {
          folder.get().delete();
        }
        reaper.release(Reaper.Kind.FOLDER, folder.get().path().toString());
      } catch (IOException e) {
        throw new UncheckedIOException(spec.engine().name() + ": " + e.getMessage(), e);
      }
    }
  }
}
