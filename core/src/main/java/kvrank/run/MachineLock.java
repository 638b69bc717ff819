package kvrank.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps two executions from measuring each other. The operating system releases it when this
 * process ends, however it ends.
 */
final class MachineLock implements AutoCloseable {

  /** The lock that all executions on this machine share. */
  static final Path FILE = Path.of(System.getProperty("java.io.tmpdir"), "kvrank.lock");

  private final FileChannel channel;

  private MachineLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @throws IOException if another execution holds it
   */
  static MachineLock take(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return new MachineLock(channel);
      }
    } catch (OverlappingFileLockException heldByThisProcess) {
      // As if another process had it.
    }
    channel.close();
    throw new IOException(
        "another kvrank is measuring on this machine, and each would disturb the other;"
            + " wait until it ends (lock: %s)".formatted(file));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
