package kvrank.machine;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Watches the free space of a disk from its creation on: another user can fill the disk while an
 * engine writes, and then free it again.
 */
public final class FreeSpace implements AutoCloseable {

  /** An engine may add pieces of this size to its files. */
  private static final long LITTLE_BYTES = 16 << 20;

  /** A sample takes a few microseconds. */
  private static final Duration INTERVAL = Duration.ofMillis(50);

  private final File folder;
  private final Sampling sampling;
  private long least = Long.MAX_VALUE;

  /** Starts to watch the disk of {@code folder}. */
  public FreeSpace(Path folder) {
    this.folder = folder.toFile();
    this.sampling = Sampling.start("free-space", this::sample);
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

  private synchronized long sample() {
    long free = folder.getUsableSpace();
    // Both are 0 if the folder was removed.
    if (folder.getTotalSpace() > 0) {
      least = Math.min(least, free);
    }
    return INTERVAL.toNanos();
  }

  @Override
  public void close() {
    sampling.close();
  }
}
