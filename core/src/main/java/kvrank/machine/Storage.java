package kvrank.machine;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.engine.Fsync;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.YesNo;
import kvrank.scenario.Medium;

/**
 * The storage of a folder, as far as the system reports it.
 *
 * @param fileSystem the file system's type, for example {@code ext4}
 * @param mountOptions mount options, separated by commas; may be empty
 * @param device the block device's name, for example {@code nvme0n1}; empty if there is none
 * @param kind the kind of medium
 * @param freeBytes the space for new files
 * @param figures further facts of the file system and its disk
 */
public record Storage(
    Path folder,
    String fileSystem,
    String mountOptions,
    Optional<String> device,
    Kind kind,
    long freeBytes,
    Facts figures) {

  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
  // There, an fsync does nothing, or not only for the engine.
  private static final Set<String> NOT_STABLE = Set.of("tmpfs", "ramfs", "overlay", "aufs");

  private static final String VIRTUAL_NAME = "(vd|xvd)[a-z].*";
  private static final String MEMORY_NAME = "(ram|zram)\\d.*";
  // Vendors and models of hypervisors' SCSI disks.
  private static final String VIRTUAL_VENDOR = "(?i).*(QEMU|VMware|VBOX|Msft|Virtual|Google|Xen).*";
  // Options that determine whether a sync empties the disk's cache, and the content of the journal.
  private static final String DEFAULT_OPTION = "(no)?barrier|data=.*";
  private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

  /** A log and the files made from it; other space of an engine is not considered. */
  private static final long SPACE_PER_BYTE = 2;

  /** For logs, histograms and similar files. */
  private static final long SPARE_BYTES = 64L << 20;

  /** The kind of medium, as the system reports it. */
  public enum Kind {
    /** It does not rotate. */
    SSD("ssd"),
    /** It rotates. */
    HDD("hdd"),
    MEMORY("memory"),
    /** A virtual disk; its report on rotation means nothing. */
    VIRTUAL("unknown"),
    UNKNOWN("unknown");

    private final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  /** Returns the storage of {@code folder}, or of its nearest existing ancestor. */
  public static Storage of(Path folder) throws IOException {
    return of(folder, Path.of("/proc"), Path.of("/sys"));
  }

  /** Returns the reason why no native library can be loaded from the folder; empty if it can. */
  public Optional<String> noLibraries() {
    return List.of(mountOptions.split(",", -1)).contains("noexec")
        ? Optional.of(
            "the temporary folder '%s' is mounted noexec, so embedded engines cannot load native libraries from it; use another: JDK_JAVA_OPTIONS=-Djava.io.tmpdir=DIR"
                .formatted(folder))
        : Optional.empty();
  }

  /** One line of {@code mountinfo}: the device is {@code major:minor}. */
  private record Mount(Path point, String device, String type, String source, String options) {

    /** Returns the name of the partition or disk that was mounted, for example {@code sda1}. */
    String node() {
      return String.valueOf(Path.of("/").resolve(source).getFileName());
    }
  }

  /** Returns the same, with replacements for {@code /proc} and {@code /sys}. */
  static Storage of(Path folder, Path proc, Path sys) throws IOException {
    Path existing = folder.toAbsolutePath().normalize();
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    existing = existing.toRealPath();
    FileStore store = Files.getFileStore(existing);
    long free = store.getUsableSpace();
    Facts figures = new Facts();
    if (store.getTotalSpace() > 0) {
      figures.put(
          Fact.STORAGE_USED, 1 - (double) store.getUnallocatedSpace() / store.getTotalSpace());
    }
    Optional<Mount> mount = mount(proc, existing);
    if (mount.isEmpty()) {
      return new Storage(folder, store.type(), "", Optional.empty(), Kind.UNKNOWN, free, figures);
    }
    String type = mount.get().type();
    String options = options(proc, mount.get());
    if (IN_MEMORY.contains(type)) {
      return new Storage(folder, type, options, Optional.empty(), Kind.MEMORY, free, figures);
    }
    Optional<Path> device = device(sys, mount.get());
    Optional<String> name = device.map(path -> path.getFileName().toString());
    Kind kind = device.map(Storage::kind).orElse(Kind.UNKNOWN);
    device.ifPresent(path -> figures.putAll(new BlockDevice(path).facts()));
    return new Storage(folder, type, options, name, kind, free, figures);
  }

  /**
   * Returns the mount of {@code path}: the longest, and the last of equal ones, which is on top.
   */
  private static Optional<Mount> mount(Path proc, Path path) throws IOException {
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

  /** Returns the mount options; ext4 lists its defaults in a separate file. */
  private static String options(Path proc, Mount mount) {
    Stream<String> stated = Stream.of(mount.options().split(","));
    Stream<String> defaults =
        text(proc.resolve("fs").resolve(mount.type()).resolve(mount.node()).resolve("options"))
            .lines()
            .filter(option -> option.matches(DEFAULT_OPTION));
    return Stream.concat(stated, defaults).distinct().collect(Collectors.joining(","));
  }

  /** Returns the whole disk's folder in {@code /sys}, for a partition too. */
  private static Optional<Path> device(Path sys, Mount mount) {
    Path link = sys.resolve("dev/block/" + mount.device());
    if (!Files.exists(link)) {
      // Btrfs and others have device numbers of their own.
      link = sys.resolve("class/block/" + mount.node());
    }
    try {
      Path device = link.toRealPath();
      return Optional.of(Files.exists(device.resolve("partition")) ? device.getParent() : device);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Kind kind(Path device) {
    if (device.getFileName().toString().matches(MEMORY_NAME)) {
      return Kind.MEMORY;
    }
    if (virtual(device)) {
      return Kind.VIRTUAL;
    }
    return switch (text(device.resolve("queue/rotational"))) {
      case "0" -> Kind.SSD;
      case "1" -> Kind.HDD;
      default -> Kind.UNKNOWN;
    };
  }

  // A logical volume reports the values of its parts.
  private static boolean virtual(Path device) {
    if (device.getFileName().toString().matches(VIRTUAL_NAME)
        || text(device.resolve("device/vendor")).matches(VIRTUAL_VENDOR)
        || text(device.resolve("device/model")).matches(VIRTUAL_VENDOR)) {
      return true;
    }
    Path slaves = device.resolve("slaves");
    if (!Files.isDirectory(slaves, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (Stream<Path> parts = Files.list(slaves)) {
      return parts.anyMatch(part -> part.getFileName().toString().matches(VIRTUAL_NAME));
    } catch (IOException e) {
      return false;
    }
  }

  private static String text(Path file) {
    return SystemFile.text(file).orElse("");
  }

  /** Returns the facts of this storage. */
  public Facts facts(Medium medium) {
    Facts facts = new Facts();
    warning(medium).ifPresent(text -> facts.put(Fact.STORAGE_WARNING, text));
    facts.put(Fact.STORAGE_FILE_SYSTEM, fileSystem);
    facts.put(Fact.STORAGE_DEVICE, device.orElse("unknown"));
    if (!mountOptions.isEmpty()) {
      facts.put(Fact.STORAGE_MOUNT_OPTIONS, mountOptions);
    }
    facts.put(Fact.STORAGE_MEDIUM, kind.label);
    if (kind == Kind.SSD || kind == Kind.HDD) {
      facts.put(Fact.STORAGE_ROTATIONAL, kind == Kind.HDD);
    } else if (kind != Kind.MEMORY) {
      facts.put(Fact.STORAGE_ROTATIONAL, YesNo.UNKNOWN);
    }
    facts.put(Fact.STORAGE_FREE_BYTES, freeBytes);
    return facts.putAll(figures);
  }

  /** Returns the reason why this storage does not suit a scenario, with the next step. */
  public Optional<String> problem(Medium medium, Fsync fsync) {
    if (fsync.promises() && NOT_STABLE.contains(fileSystem)) {
      return Optional.of(
          "fsync is %s, but %s is on %s, where it has no effect; choose a folder on a disk"
              .formatted(fsync.label(), folder, fileSystem));
    }
    boolean mismatch =
        switch (medium) {
          case ANY -> false;
          case SSD -> kind == Kind.HDD || kind == Kind.MEMORY;
          case HDD -> kind == Kind.SSD || kind == Kind.MEMORY;
          case MEMORY -> !IN_MEMORY.contains(fileSystem);
        };
    return mismatch ? Optional.of(mismatch(medium)) : Optional.empty();
  }

  private String mismatch(Medium medium) {
    String found =
        switch (kind) {
          case HDD -> "on a rotating disk";
          case SSD -> "on a non-rotating disk";
          case MEMORY -> "in memory";
          case VIRTUAL, UNKNOWN -> "not in memory";
        };
    String instead =
        medium == Medium.MEMORY
            ? "choose a folder on a tmpfs"
            : "choose another folder, or set the medium to 'any'";
    return "the scenario asks for medium '%s', but %s is %s (%s); %s"
        .formatted(medium.label(), folder, found, where(), instead);
  }

  /**
   * Returns the reason why a run that writes {@code bytes} has no room here, with the next step.
   */
  public Optional<String> shortage(long bytes) {
    long needed = SPACE_PER_BYTE * bytes + SPARE_BYTES;
    return freeBytes >= needed
        ? Optional.empty()
        : Optional.of(
            ("%s has %s of free space, but a run needs at least %s (%d times its keys and values of"
                    + " %s); free some space, choose another folder, or use fewer records")
                .formatted(folder, size(freeBytes), size(needed), SPACE_PER_BYTE, size(bytes)));
  }

  private static String size(long bytes) {
    return bytes < 1L << 30
        ? String.format(Locale.ROOT, "%.0f MiB", (double) bytes / (1L << 20))
        : String.format(Locale.ROOT, "%.1f GiB", (double) bytes / (1L << 30));
  }

  /** Returns storage and free space, in one line for a terminal. */
  public String summary() {
    return "%s (%s), %s free".formatted(where(), kind.label, size(freeBytes));
  }

  private String where() {
    return fileSystem + device.map(name -> " on " + name).orElse("");
  }

  /** Returns whether files here are in memory, so that a sync reaches no device. */
  public boolean inMemory() {
    return kind == Kind.MEMORY;
  }

  /** Returns a warning if the medium cannot be verified. */
  public Optional<String> warning(Medium medium) {
    boolean stated = medium == Medium.SSD || medium == Medium.HDD;
    if (!stated || (kind != Kind.VIRTUAL && kind != Kind.UNKNOWN)) {
      return Optional.empty();
    }
    String what =
        kind == Kind.VIRTUAL
            ? "%s is a virtual disk".formatted(device.orElse(fileSystem))
            : "the medium of %s is unknown".formatted(folder);
    return Optional.of(
        "%s: medium '%s' is taken from the scenario".formatted(what, medium.label()));
  }
}
