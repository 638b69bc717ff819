package kvrank.machine;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A whole disk, as Linux tells of it.
 *
 * @param folder its folder in {@code /sys/block}
 */
public record BlockDevice(Path folder) {

  /**
   * The place of "flush requests completed" in {@code stat}, from 0: the kernel's
   * Documentation/block/stat.rst. Kernels before 5.5 have 15 fields or fewer.
   */
  private static final int FLUSHES = 15;

  private static final Pattern CHOSEN = Pattern.compile("\\[([^]]+)]");

  /** Returns the disk of that name, for example {@code nvme0n1}. */
  static BlockDevice named(String name) {
    return new BlockDevice(Path.of("/sys/block").resolve(name));
  }

  /** Its name. */
  public String name() {
    return folder.getFileName().toString();
  }

  /**
   * Flush requests that it completed since the system started; the kernel makes one of several that
   * wait at the same time. Empty if this kernel does not count them.
   */
  public OptionalLong flushes() {
    String[] fields = text("stat").map(text -> text.split("\\s+")).orElse(new String[0]);
    return fields.length > FLUSHES
        ? OptionalLong.of(Long.parseLong(fields[FLUSHES]))
        : OptionalLong.empty();
  }

  /**
   * {@code write back} if it has a volatile cache that a flush empties, else {@code write through}.
   */
  public Optional<String> writeCache() {
    return text("queue/write_cache");
  }

  /** Returns the I/O scheduler in use, for example {@code mq-deadline}. */
  public Optional<String> scheduler() {
    return text("queue/scheduler")
        .map(
            all -> {
              Matcher chosen = CHOSEN.matcher(all);
              return chosen.find() ? chosen.group(1) : all;
            });
  }

  private Optional<String> text(String file) {
    return SystemFile.text(folder.resolve(file));
  }
}
