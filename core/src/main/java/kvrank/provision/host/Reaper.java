package kvrank.provision.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvrank.input.Reason;

/**
 * A small shell process that outlives this one for a moment: whatever is registered with it when
 * this process ends, however it ends, is killed and removed. Where there is no {@code sh}, it
 * guards nothing.
 */
public final class Reaper implements AutoCloseable {

  /** What can be registered; the names are the script's, in capitals. */
  public enum Kind {
    PID,
    FOLDER,
    /** The value of a container's label {@code kvrank.run}. */
    CONTAINER,
    /** On a server that is not kvrank's: what is left to that one's owner. */
    KEYS
  }

  private final Executables executables;
  private final Leftovers.Journal journal;
  private Process process;
  private boolean broken;

  public Reaper(Executables executables) {
    this(executables, new Leftovers.Journal(Path.of(System.getProperty("java.io.tmpdir"))));
  }

  Reaper(Executables executables, Leftovers.Journal journal) {
    this.executables = executables;
    this.journal = journal;
  }

  /** Watches over {@code value} from now on, or throws if nobody could clean up after a kill. */
  public void register(Kind kind, String value) throws ProvisionException {
    tell("+", kind, value);
    try {
      journal.add(kind, value);
    } catch (UnsupportedOperationException e) {
      // A system whose files have no numbers: the guard knows it, and our own clean-up.
    } catch (IOException e) {
      throw new ProvisionException(
          "what this run has here cannot be noted in '%s', so a kill would leave it: %s"
              .formatted(journal.temporary(), Reason.of(e)),
          e);
    }
  }

  /** {@code value} is gone, and no longer the guard's business. */
  public void release(Kind kind, String value) {
    try {
      journal.remove(value);
    } catch (IOException e) {
      // Who reads it later finds nothing there.
    }
    tell("-", kind, value);
  }

  private synchronized void tell(String verb, Kind kind, String value) {
    if (broken || value.indexOf('\n') >= 0) {
      return;
    }
    try {
      if (process == null) {
        process = start();
      }
      OutputStream out = process.getOutputStream();
      out.write((verb + kind.name().toLowerCase(Locale.ROOT) + " " + value + "\n").getBytes(UTF_8));
      out.flush();
    } catch (IOException e) {
      // It is a second line of defence: our own clean-up goes on without it.
      broken = true;
    }
  }

  /**
   * Returns what a command begins with to have a session of its own, which signals of the terminal
   * or to this process's group do not reach; nothing where there is no {@code setsid}.
   */
  public List<String> session() {
    return executables.find("setsid").map(Path::toString).stream().toList();
  }

  private Process start() throws IOException {
    List<String> command = new ArrayList<>(session());
    command.addAll(List.of("sh", "-c", script(), "kvrank-guard"));
    return new ProcessBuilder(command)
        .directory(new File("/"))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static String script() {
    try (InputStream in =
        requireNonNull(Reaper.class.getResourceAsStream("guard.sh"), "guard.sh is missing")) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets the guard end; it removes what is still registered. */
  @Override
  public synchronized void close() {
    broken = true;
    try {
      journal.close();
    } catch (IOException e) {
      // It names nothing that is there.
    }
    if (process != null) {
      try {
        process.getOutputStream().close();
      } catch (IOException e) {
        process.destroyForcibly();
      }
    }
  }
}
