package kvrank.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import kvrank.input.Reason;

/** Keeps executions from disturbing each other; {@code file} is the same for all of them. */
public record MachineLock(Path file, Held held) {

  private static final long POLL_MILLIS = 500;
  private static final int LOOKS = 20;
  private static final long LOOK_MILLIS = 20;

  public enum Held {
    REFUSE,
    WAIT,
    FORCE
  }

  public static MachineLock ofMachine(Held held) {
    return new MachineLock(Path.of(System.getProperty("java.io.tmpdir"), "kvrank.lock"), held);
  }

  /** Locks the runs of {@code folder}; throws if another kvrank executes them. */
  static Closeable ofResults(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!locks(channel)) {
      channel.close();
      throw new IOException(
          folder
              + ": another kvrank is executing its runs; wait until it ends, or start a new execution");
    }
    return channel;
  }

  /** Takes the lock and describes its owner in it; throws if it is held and this does not wait. */
  Closeable acquire(String owner, Consumer<String> progress)
      throws IOException, InterruptedException {
    FileChannel channel;
    try {
      channel = open();
    } catch (AccessDeniedException e) {
      String whose = "the lock %s belongs to %s".formatted(file, Files.getOwner(file));
      if (held == Held.FORCE) {
        progress.accept("another kvrank may be measuring: " + whose);
        return () -> {};
      }
      throw new IOException(
          whose + ", and no one else may take it; remove it if no kvrank runs, or use --force");
    } catch (IOException e) {
      throw untaken(e);
    }
    boolean waiting = false;
    while (!locks(channel)) {
      String other = owner();
      if (held != Held.WAIT) {
        return refused(other, channel, progress);
      }
      if (!waiting) {
        progress.accept("waiting until another kvrank has ended: " + other);
        waiting = true;
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((owner + "\n").getBytes(StandardCharsets.UTF_8)));
      return channel;
    } catch (IOException e) {
      channel.close();
      throw untaken(e);
    }
  }

  /** Returns the holder's description, which it writes shortly after taking the lock. */
  private String owner() throws IOException, InterruptedException {
    for (int look = 0; look < LOOKS; look++) {
      String owner = Files.readString(file).strip();
      if (!owner.isEmpty()) {
        return owner;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return "an unknown one";
  }

  private IOException untaken(IOException why) {
    return new IOException(
        "the lock %s cannot be taken: %s; use another temporary folder: JDK_JAVA_OPTIONS=-Djava.io.tmpdir=DIR"
            .formatted(file, Reason.of(why)),
        why);
  }

  private Closeable refused(String other, Closeable opened, Consumer<String> progress)
      throws IOException {
    if (held == Held.FORCE) {
      progress.accept("another kvrank is measuring, and each disturbs the other: " + other);
      return opened;
    }
    opened.close();
    throw new IOException(
        ("another kvrank is measuring on this machine, and each would disturb the other: %s;"
                + " --wait waits until it ends, --force does not (lock: %s)")
            .formatted(other, file));
  }

  /** Opens a file that every user may lock; Linux refuses to create another user's again. */
  private FileChannel open() throws IOException {
    try {
      Files.createFile(file);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    } catch (FileAlreadyExistsException | UnsupportedOperationException e) {
      // From an earlier execution.
    }
    return FileChannel.open(file, StandardOpenOption.WRITE);
  }

  private static boolean locks(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException heldByThisProcess) {
      return false;
    }
  }
}
