package kvrank.machine;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the file system and the block device of a folder from what Linux says of its mounts.
 *
 * @param proc {@code /proc}, or what stands for it
 * @param sys {@code /sys}, or what stands for it
 */
record StorageProbe(Path proc, Path sys) {

  private static final Pattern VIRTUAL_NAME = Pattern.compile("(vd|xvd)[a-z].*");
  private static final Pattern MEMORY_NAME = Pattern.compile("(ram|zram)\\d.*");
  // What hypervisors call the SCSI disks that they make.
  private static final Pattern VIRTUAL_VENDOR =
      Pattern.compile("(?i).*(QEMU|VMware|VBOX|Msft|Virtual|Google|Xen).*");
  // Whether a sync empties the disk's cache, and what is in the journal.
  private static final Pattern DEFAULT_OPTION = Pattern.compile("(no)?barrier|data=.*");
  private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

  /** One line of {@code mountinfo}: the device is {@code major:minor}. */
  private record Mount(Path point, String device, String type, String source, String options) {

    /** Returns the name of the partition or disk that was mounted, for example {@code sda1}. */
    String node() {
      return String.valueOf(Path.of("/").resolve(source).getFileName());
    }
  }

  Storage look(Path folder) throws IOException {
    Path existing = folder.toAbsolutePath().normalize();
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    existing = existing.toRealPath();
    FileStore store = Files.getFileStore(existing);
    OptionalLong free = OptionalLong.of(store.getUsableSpace());
    Optional<Mount> mount = mount(existing);
    if (mount.isEmpty()) {
      return new Storage(folder, store.type(), "", Optional.empty(), Storage.Kind.UNKNOWN, free);
    }
    String type = mount.get().type();
    String options = options(mount.get());
    if (Storage.IN_MEMORY.contains(type)) {
      return new Storage(folder, type, options, Optional.empty(), Storage.Kind.MEMORY, free);
    }
    Optional<Path> device = device(mount.get());
    Optional<String> name = device.map(path -> path.getFileName().toString());
    Storage.Kind kind = device.map(StorageProbe::kind).orElse(Storage.Kind.UNKNOWN);
    return new Storage(folder, type, options, name, kind, free);
  }

  /**
   * Returns the mount that holds {@code path}: the longest, and of equals the last, which is on
   * top.
   */
  private Optional<Mount> mount(Path path) throws IOException {
    Path table = proc.resolve("self/mountinfo");
    if (!Files.isReadable(table)) {
      return Optional.empty();
    }
    Mount best = null;
    for (String line : Files.readAllLines(table)) {
      Mount mount = parse(line);
      if (mount != null
          && path.startsWith(mount.point())
          && (best == null || mount.point().getNameCount() >= best.point().getNameCount())) {
        best = mount;
      }
    }
    return Optional.ofNullable(best);
  }

  // 36 35 98:0 /root /mnt rw,noatime master:1 - ext4 /dev/sda1 rw: proc_pid_mountinfo(5).
  private static Mount parse(String line) {
    String[] halves = line.split(" - ", 2);
    String[] left = halves[0].split(" ", -1);
    String[] right = halves.length < 2 ? new String[0] : halves[1].split(" ", -1);
    if (left.length < 6 || right.length < 3) {
      return null;
    }
    String options = left[5] + "," + right[2];
    return new Mount(Path.of(unescape(left[4])), left[2], right[0], unescape(right[1]), options);
  }

  private static String unescape(String text) {
    return OCTAL
        .matcher(text)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(Character.toString(Integer.parseInt(found.group(1), 8))));
  }

  /** Returns what it was mounted with; ext4 says in a file of its own what it does by default. */
  private String options(Mount mount) {
    Stream<String> stated = Stream.of(mount.options().split(","));
    Stream<String> defaults =
        text(proc.resolve("fs").resolve(mount.type()).resolve(mount.node()).resolve("options"))
            .lines()
            .filter(option -> DEFAULT_OPTION.matcher(option).matches());
    return Stream.concat(stated, defaults).distinct().collect(Collectors.joining(","));
  }

  /** Returns the whole disk's folder in {@code /sys}, for a partition too. */
  private Optional<Path> device(Mount mount) {
    Path link = sys.resolve("dev/block/" + mount.device());
    if (!Files.exists(link)) {
      // Btrfs and others number their mounts for themselves.
      link = sys.resolve("class/block/" + mount.node());
    }
    try {
      Path device = link.toRealPath();
      return Optional.of(Files.exists(device.resolve("partition")) ? device.getParent() : device);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Storage.Kind kind(Path device) {
    if (MEMORY_NAME.matcher(device.getFileName().toString()).matches()) {
      return Storage.Kind.MEMORY;
    }
    if (virtual(device)) {
      return Storage.Kind.VIRTUAL;
    }
    return switch (text(device.resolve("queue/rotational"))) {
      case "0" -> Storage.Kind.SSD;
      case "1" -> Storage.Kind.HDD;
      default -> Storage.Kind.UNKNOWN;
    };
  }

  // A logical volume says what its parts say.
  private static boolean virtual(Path device) {
    if (VIRTUAL_NAME.matcher(device.getFileName().toString()).matches()
        || VIRTUAL_VENDOR.matcher(text(device.resolve("device/vendor"))).matches()
        || VIRTUAL_VENDOR.matcher(text(device.resolve("device/model"))).matches()) {
      return true;
    }
    Path slaves = device.resolve("slaves");
    if (!Files.isDirectory(slaves, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (Stream<Path> parts = Files.list(slaves)) {
      return parts.anyMatch(part -> VIRTUAL_NAME.matcher(part.getFileName().toString()).matches());
    } catch (IOException e) {
      return false;
    }
  }

  private static String text(Path file) {
    return SystemFile.text(file).orElse("");
  }
}
