package kvrank.provision.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvrank.input.Reason;

/** A shell process that outlives this one, and kills and removes everything registered. */
public final class Reaper implements AutoCloseable {

  /** Kinds of registered things; the script uses their names in lower case. */
  public enum Kind {
    PID,
    FOLDER,
    /** The value of a container's label {@code kvrank.run}. */
    CONTAINER,
    /** On an external server: only its owner may remove them. */
    KEYS
  }

  private final Executables executables;
  private final Leftovers.Journal journal;
  private Process process;
  private boolean broken;

  public Reaper(Executables executables) {
    this(executables, new Leftovers.Journal(TemporaryFolder.path()));
  }

  Reaper(Executables executables, Leftovers.Journal journal) {
    this.executables = executables;
    this.journal = journal;
  }

  /** Guards {@code value} from now on; throws if nothing could clean up after a kill. */
  public void register(Kind kind, String value) throws ProvisionException {
    send("+", kind, value);
    try {
      journal.add(kind, value);
    } catch (UnsupportedOperationException e) {
      // The file system has no inode numbers; the guard and our own clean-up remain.
    } catch (IOException e) {
      throw new ProvisionException(
          "the journal in '%s' cannot be written, so a kill would leave files behind: %s"
              .formatted(journal.temporary(), Reason.of(e)),
          e);
    }
  }

  /** Stops guarding {@code value}, which is gone. */
  public void release(Kind kind, String value) {
    try {
      journal.remove(value);
    } catch (IOException e) {
      // A later reader finds nothing to remove.
    }
    send("-", kind, value);
  }

  private synchronized void send(String verb, Kind kind, String value) {
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
      // The guard is a second line of defence; our own clean-up continues without it.
      broken = true;
    }
  }

  /** Returns the prefix for a session without our terminal; empty without {@code setsid}. */
  public List<String> session() {
    return executables.find("setsid").map(Path::toString).stream().toList();
  }

  private Process start() throws IOException {
    List<String> command = new ArrayList<>(session());
    command.addAll(
        List.of(
            "sh",
            "-c",
            Script.text(Reaper.class, "guard.sh"),
            "kvrank-guard",
            Owner.self().mark()));
    return new ProcessBuilder(command)
        .directory(new File("/"))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Ends the guard, which removes what is still registered. */
  @Override
  public synchronized void close() {
    broken = true;
    try {
      journal.close();
    } catch (IOException e) {
      // Everything that it names is gone.
    }
    if (process != null) {
      try (OutputStream out = process.getOutputStream()) {
        out.write("closed\n".getBytes(UTF_8));
      } catch (IOException e) {
        process.destroyForcibly();
      }
    }
  }
}
