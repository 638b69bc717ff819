package kvrank.machine;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Watches what engines need of a machine, from its creation on: another user can take all of it
 * while an engine starts or writes, and then give it back.
 */
public final class ShortageWatch implements AutoCloseable {

  /** An engine may add pieces of this size to its files. */
  private static final long LITTLE_BYTES = 16 << 20;

  /** The rest can be taken between two samples. */
  private static final double MOST_THREADS = 0.5;

  /** A sample takes a few microseconds. */
  private static final Duration INTERVAL = Duration.ofMillis(50);

  private final Optional<File> disk;
  private final Path proc;
  private final Sampling sampling;
  private long least = Long.MAX_VALUE;
  private double threads;

  /** Starts to watch threads, and the disk of a folder. */
  public ShortageWatch(Optional<Path> folder) {
    this(folder, Path.of("/proc"));
  }

  ShortageWatch(Optional<Path> folder, Path proc) {
    this.disk = folder.map(Path::toFile);
    this.proc = proc;
    this.sampling = Sampling.start("shortages", this::sample);
  }

  /** Returns a message if there was too little of something at any time, or is now. */
  public synchronized Optional<String> shortage() {
    sample();
    if (least < LITTLE_BYTES) {
      return Optional.of(
          "the disk of '%s' had only %,d KiB left; free some space"
              .formatted(disk.orElseThrow(), least >> 10));
    }
    return threads > MOST_THREADS
        ? Optional.of(
            "%.0f %% of the threads that the kernel allows were in use; end some, or raise kernel.pid_max"
                .formatted(100 * threads))
        : Optional.empty();
  }

  private synchronized long sample() {
    // Both are 0 if the folder was removed.
    disk.filter(folder -> folder.getTotalSpace() > 0)
        .ifPresent(folder -> least = Math.min(least, folder.getUsableSpace()));
    threads = Math.max(threads, threads());
    return INTERVAL.toNanos();
  }

  /** Returns the share of threads that are in use; 0 if it is unknown. */
  private double threads() {
    String[] load = text("loadavg").split("[ /]", -1);
    long most = Math.min(limit("pid_max"), limit("threads-max"));
    return load.length > 4 ? Double.parseDouble(load[4]) / most : 0;
  }

  private long limit(String name) {
    String number = text("sys/kernel/" + name);
    return number.isEmpty() ? Long.MAX_VALUE : Long.parseLong(number);
  }

  private String text(String name) {
    return SystemFile.text(proc.resolve(name)).orElse("");
  }

  @Override
  public void close() {
    sampling.close();
  }
}
