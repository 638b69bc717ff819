package kvrank.machine;

import java.io.File;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Watches the free space of a disk from its creation on: another user can fill the disk while an
 * engine writes, and then free it again.
 */
public final class FreeSpace implements AutoCloseable {

  /** An engine may add pieces of this size to its files. */
  private static final long LITTLE_BYTES = 16 << 20;

  /** A sample takes a few microseconds. */
  private static final long INTERVAL_MILLIS = 50;

  private final File folder;
  private final Thread clock = new Thread(this::sampleUntilClosed, "free-space");
  private long least = Long.MAX_VALUE;

  /** Starts to watch the disk of {@code folder}. */
  public FreeSpace(Path folder) {
    this.folder = folder.toFile();
    clock.setDaemon(true);
    clock.start();
  }

  /** Returns a message if there was too little space at any time, or is now. */
  public synchronized Optional<String> shortage() {
    sample();
    return least < LITTLE_BYTES
        ? Optional.of(
            "the disk of '%s' had only %,d KiB left; free some space"
                .formatted(folder, least >> 10))
        : Optional.empty();
  }

  private synchronized void sample() {
    long free = folder.getUsableSpace();
    // Both are 0 if the folder was removed.
    if (folder.getTotalSpace() > 0) {
      least = Math.min(least, free);
    }
  }

  private void sampleUntilClosed() {
    try {
      while (true) {
        sample();
        TimeUnit.MILLISECONDS.sleep(INTERVAL_MILLIS);
      }
    } catch (InterruptedException over) {
      // The server has ended.
    }
  }

  @Override
  public void close() {
    clock.interrupt();
  }
}
