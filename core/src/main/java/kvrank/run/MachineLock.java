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

/**
 * Keeps two executions from measuring each other; the operating system releases it when its process
 * ends, however it ends.
 *
 * @param file the same for all executions on this machine; what holds it writes there who it is
 * @param held what to do if another execution holds it
 */
public record MachineLock(Path file, Held held) {

  private static final long POLL_MILLIS = 500;
  private static final int LOOKS = 20;
  private static final long LOOK_MILLIS = 20;

  /** What to do if another execution measures. */
  public enum Held {
    REFUSE,
    WAIT,
    FORCE
  }

  /** Returns the lock that all executions on this machine share. */
  public static MachineLock ofMachine(Held held) {
    return new MachineLock(Path.of(System.getProperty("java.io.tmpdir"), "kvrank.lock"), held);
  }

  /** Keeps others from the runs of {@code folder} until it is closed; throws if one does them. */
  static Closeable ofResults(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!locks(channel)) {
      channel.close();
      throw new IOException(
          folder + ": another kvrank does its runs; wait until it ends, or start a new execution");
    }
    return channel;
  }

  /**
   * Takes the lock, which is given back by a close.
   *
   * @param owner what others are told who want it
   * @param told is told that this waits, or goes on without
   * @throws IOException if another execution holds it and is not to be waited for
   */
  Closeable acquire(String owner, Consumer<String> told) throws IOException, InterruptedException {
    FileChannel channel;
    try {
      channel = open();
    } catch (AccessDeniedException e) {
      String whose = "the lock %s is %s's alone".formatted(file, Files.getOwner(file));
      if (held == Held.FORCE) {
        told.accept("it is not known whether another kvrank measures: " + whose);
        return () -> {};
      }
      throw new IOException(
          whose + ", so nobody else may take it; remove it if no kvrank runs, or take --force");
    } catch (IOException e) {
      throw untaken(e);
    }
    boolean waiting = false;
    while (!locks(channel)) {
      String other = owner();
      if (held != Held.WAIT) {
        return refused(other, channel, told);
      }
      if (!waiting) {
        told.accept("waiting until another kvrank has ended: " + other);
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

  /** Returns who holds the lock, who writes that down a moment after taking it. */
  private String owner() throws IOException, InterruptedException {
    for (int look = 0; look < LOOKS; look++) {
      String owner = Files.readString(file).strip();
      if (!owner.isEmpty()) {
        return owner;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return "one that has not said who it is";
  }

  private IOException untaken(IOException why) {
    return new IOException(
        "the lock %s cannot be held: %s; JDK_JAVA_OPTIONS=-Djava.io.tmpdir=DIR names another temporary folder"
            .formatted(file, Reason.of(why)),
        why);
  }

  private Closeable refused(String other, Closeable opened, Consumer<String> told)
      throws IOException {
    if (held == Held.FORCE) {
      told.accept("another kvrank is measuring, and each disturbs the other: " + other);
      return opened;
    }
    opened.close();
    throw new IOException(
        ("another kvrank is measuring on this machine, and each would disturb the other: %s;"
                + " --wait waits until it ends, --force does not (lock: %s)")
            .formatted(other, file));
  }

  /** Opens a file that every user may lock: one that is there is not made, or Linux refuses it. */
  private FileChannel open() throws IOException {
    try {
      Files.createFile(file);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    } catch (FileAlreadyExistsException | UnsupportedOperationException e) {
      // Of an execution before this one.
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
