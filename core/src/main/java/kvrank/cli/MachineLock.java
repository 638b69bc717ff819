package kvrank.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps two executions from measuring each other. The operating system releases it when this
 * process ends, however it ends.
 */
final class MachineLock {

  private MachineLock() {}

  /**
   * Takes the lock for the rest of this process's life.
   *
   * @throws IOException if another kvrank holds it
   */
  static void take() throws IOException {
    Path file = Path.of(System.getProperty("java.io.tmpdir"), "kvrank.lock");
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = channel.tryLock();
    if (lock == null) {
      channel.close();
      throw new IOException(
          "another kvrank is measuring on this machine, and each would disturb the other; "
              + "wait until it ends (lock: "
              + file
              + ")");
    }
  }
}
