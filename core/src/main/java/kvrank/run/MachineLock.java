package kvrank.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import kvrank.input.Reason;

/** Keeps executions from disturbing each other; {@code file} is the same for all of them. */
public record MachineLock(Path file, Held held) {

  /** A user who can read a file can also lock it. */
  private static final String PRIVATE = "rw-------";

  private static final long POLL_MILLIS = 500;
  private static final int LOOKS = 20;
  private static final long LOOK_MILLIS = 20;
  private static final int LONGEST = 300;

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
    MachineLock lock = new MachineLock(folder.resolve(".lock"), Held.REFUSE);
    FileChannel channel;
    try {
      channel = lock.open(PRIVATE);
    } catch (IOException e) {
      throw new IOException(
          "the lock %s cannot be taken: %s".formatted(lock.file, Reason.of(e)), e);
    }
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
      channel = open("rw-rw-rw-");
    } catch (IOException e) {
      boolean foreign = e instanceof AccessDeniedException;
      String why =
          foreign
              ? "the lock %s belongs to %s".formatted(file, Files.getOwner(file))
              : untaken(e).getMessage();
      if (held == Held.FORCE) {
        progress.accept("another kvrank may be measuring: " + why);
        return () -> {};
      }
      throw foreign
          ? new IOException(
              why + ", and no one else may take it; remove it if no kvrank runs, or use --force")
          : untaken(e);
    }
    boolean waiting = false;
    while (!locks(channel)) {
      String other = owner(channel);
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
  private static String owner(FileChannel channel) throws IOException, InterruptedException {
    for (int look = 0; look < LOOKS; look++) {
      String owner = description(channel);
      if (!owner.isEmpty()) {
        return owner;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return "an unknown one";
  }

  /** Returns the file's text: any user may have written it. */
  private static String description(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(LONGEST);
    channel.read(text, 0);
    return StandardCharsets.UTF_8
        .decode(text.flip())
        .toString()
        .replaceAll("[\\p{Cc}\\p{Cf}]+", " ")
        .strip();
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

  /**
   * Opens the file, which is created with {@code permissions}; Linux refuses to create another
   * user's again. Any user may have put something else under this name, such as a link to a file of
   * ours or a pipe.
   */
  private FileChannel open(String permissions) throws IOException {
    boolean created = false;
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PRIVATE)));
      created = true;
    } catch (FileAlreadyExistsException e) {
      // From an earlier execution.
    }
    requireOrdinary(file, LinkOption.NOFOLLOW_LINKS);
    // Opening a pipe for writing only would wait for a reader.
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try {
      Path opened = opened();
      requireOrdinary(opened);
      if (created) {
        Files.setPosixFilePermissions(opened, PosixFilePermissions.fromString(permissions));
      }
    } catch (UnsupportedOperationException e) {
      // The file system has no such permissions.
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return channel;
  }

  /** Throws unless {@code path} is a regular file without other names. */
  private static void requireOrdinary(Path path, LinkOption... links) throws IOException {
    if (!Files.isRegularFile(path, links)) {
      throw new IOException("it is not a regular file; remove it");
    }
    try {
      if (!Files.getAttribute(path, "unix:nlink", links).equals(1)) {
        throw new IOException("the file has a second hard link; remove it");
      }
    } catch (UnsupportedOperationException e) {
      // The file system has no such names.
    }
  }

  /** Returns the descriptor of the opened file: another may have its name by now. */
  private Path opened() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return file;
    }
    Path real = file.toAbsolutePath().getParent().toRealPath().resolve(file.getFileName());
    try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
      for (Path each : all) {
        try {
          if (Files.readSymbolicLink(each).equals(real)) {
            return each;
          }
        } catch (NoSuchFileException closed) {
          // The next one may be it.
        }
      }
    }
    throw new IOException("someone replaced it meanwhile");
  }

  private static boolean locks(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException heldByThisProcess) {
      return false;
    }
  }
}
