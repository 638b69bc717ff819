package kvrank.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** A whole disk, by its folder in {@code /sys/block}; see Linux's block/stat.rst. */
public record BlockDevice(Path folder) {

  private static final int SECTOR_BYTES = 512;
  private static final int READ_SECTORS = 2;
  private static final int WRITTEN_SECTORS = 6;

  /** Kernels before 5.5 have 15 fields or fewer. */
  private static final int FLUSHES = 15;

  /** Bytes read and written by all processes since the system started. */
  public record Traffic(long readBytes, long writtenBytes) {}

  /** Returns the disk of that name, for example {@code nvme0n1}. */
  static BlockDevice named(String name) {
    return new BlockDevice(Path.of("/sys/block").resolve(name));
  }

  /** Returns the disk that {@code folder} is on, if it is on one. */
  public static Optional<BlockDevice> of(Path folder) {
    try {
      return Storage.of(folder).device().map(BlockDevice::named);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  public String name() {
    return folder.getFileName().toString();
  }

  /**
   * Flush requests completed since the system started; the kernel merges those that wait at the
   * same time. Empty if this kernel does not count them.
   */
  public OptionalLong flushes() {
    String[] stat = stat();
    return stat.length > FLUSHES
        ? OptionalLong.of(Long.parseLong(stat[FLUSHES]))
        : OptionalLong.empty();
  }

  /** Returns the difference of two counts; empty without one of them. */
  public static OptionalLong between(OptionalLong from, OptionalLong to) {
    return from.stream().flatMap(begin -> to.stream().map(end -> end - begin)).findFirst();
  }

  /** Returns the bytes read and written; empty if the device is gone. */
  public Optional<Traffic> traffic() {
    String[] stat = stat();
    return stat.length > WRITTEN_SECTORS
        ? Optional.of(
            new Traffic(
                Long.parseLong(stat[READ_SECTORS]) * SECTOR_BYTES,
                Long.parseLong(stat[WRITTEN_SECTORS]) * SECTOR_BYTES))
        : Optional.empty();
  }

  private String[] stat() {
    return text("stat").orElse("").split("\\s+", -1);
  }

  /** Returns {@code write back} if a flush empties a volatile cache, else {@code write through}. */
  public Optional<String> writeCache() {
    return text("queue/write_cache");
  }

  /** Returns the I/O scheduler in use, for example {@code mq-deadline}. */
  public Optional<String> scheduler() {
    return text("queue/scheduler").map(all -> all.replaceFirst(".*\\[([^]]+)].*", "$1"));
  }

  private Optional<String> text(String file) {
    return SystemFile.text(folder.resolve(file));
  }
}
