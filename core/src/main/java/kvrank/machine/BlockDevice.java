package kvrank.machine;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;

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

  /** Returns the facts that distinguish this disk from others, as far as the system has them. */
  Facts facts() {
    Facts facts = new Facts();
    joined(BlockDevice::model).ifPresent(it -> facts.put(Fact.STORAGE_MODEL, it));
    joined(disk -> disk.text("device/firmware_rev").or(() -> disk.text("device/rev")))
        .ifPresent(it -> facts.put(Fact.STORAGE_FIRMWARE, it));
    number("size").ifPresent(it -> facts.put(Fact.STORAGE_SIZE_BYTES, it * SECTOR_BYTES));
    number("queue/read_ahead_kb")
        .ifPresent(it -> facts.put(Fact.STORAGE_READ_AHEAD_BYTES, it << 10));
    number("queue/discard_max_bytes").ifPresent(it -> facts.put(Fact.STORAGE_DISCARD, it > 0));
    writeCache().ifPresent(it -> facts.put(Fact.STORAGE_WRITE_CACHE, it));
    scheduler().ifPresent(it -> facts.put(Fact.STORAGE_SCHEDULER, it));
    return facts;
  }

  private Optional<String> model() {
    // All SATA disks have the vendor ATA; that of a virtio disk is a number.
    String vendor =
        text("device/vendor").filter(it -> !it.matches("ATA|0x.*")).map(it -> it + " ").orElse("");
    return text("device/model").map(model -> vendor + model);
  }

  /** Returns the figure of this disk, or those of the disks below a logical volume. */
  private Optional<String> joined(Function<BlockDevice, Optional<String>> figure) {
    return Optional.of(
            disks().flatMap(disk -> figure.apply(disk).stream()).distinct().collect(joining(", ")))
        .filter(text -> !text.isEmpty());
  }

  private Stream<BlockDevice> disks() {
    String[] parts = folder.resolve("slaves").toFile().list();
    return parts == null || parts.length == 0
        ? Stream.of(this)
        : Stream.of(parts).sorted().flatMap(part -> part(part).disks());
  }

  private BlockDevice part(String name) {
    try {
      Path path = folder.resolve("slaves").resolve(name).toRealPath();
      return new BlockDevice(Files.exists(path.resolve("partition")) ? path.getParent() : path);
    } catch (IOException e) {
      return new BlockDevice(folder.resolve("slaves").resolve(name));
    }
  }

  private OptionalLong number(String file) {
    return text(file).filter(it -> it.matches("[0-9]{1,18}")).stream()
        .mapToLong(Long::parseLong)
        .findFirst();
  }

  private Optional<String> text(String file) {
    return SystemFile.text(folder.resolve(file));
  }
}
