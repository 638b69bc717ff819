package kvrank.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.scenario.Fsync;
import kvrank.scenario.Medium;

/**
 * What a folder's files are kept on, as far as the system says.
 *
 * @param folder the folder
 * @param fileSystem the file system's type, for example {@code ext4}
 * @param mountOptions what it is mounted with, separated by commas; may be empty
 * @param device the block device's name, for example {@code nvme0n1}; empty if there is none
 * @param kind what sort of medium it is
 * @param freeBytes the space for new files
 */
public record Storage(
    Path folder,
    String fileSystem,
    String mountOptions,
    Optional<String> device,
    Kind kind,
    OptionalLong freeBytes) {

  static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
  // An fsync there is either nothing or not the engine's alone.
  private static final Set<String> NOT_STABLE = Set.of("tmpfs", "ramfs", "overlay", "aufs");

  /** A log and the files that it becomes; what an engine keeps beyond that is its own affair. */
  private static final long SPACE_PER_BYTE = 2;

  /** For logs, histograms and the like. */
  private static final long SPARE_BYTES = 64L << 20;

  /** What the system says that the medium is. */
  public enum Kind {
    /** It does not rotate. */
    SSD("ssd"),
    /** It rotates. */
    HDD("hdd"),
    MEMORY("memory"),
    /** A disk that a hypervisor made: whether it says that it rotates means nothing. */
    VIRTUAL("unknown"),
    UNKNOWN("unknown");

    private final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  /**
   * Looks at what {@code folder}, or the nearest folder above it that exists, is on.
   *
   * @throws IOException if not even that can be read
   */
  public static Storage of(Path folder) throws IOException {
    return new StorageProbe(Path.of("/proc"), Path.of("/sys")).look(folder);
  }

  /**
   * {@code storage.fileSystem}, {@code storage.device} and so on.
   *
   * @param medium what the scenario asks for
   */
  public SortedMap<String, String> facts(Medium medium) {
    SortedMap<String, String> facts = new TreeMap<>();
    warning(medium).ifPresent(text -> facts.put("storage.warning", text));
    facts.put("storage.fileSystem", fileSystem);
    facts.put("storage.device", device.orElse("unknown"));
    if (!mountOptions.isEmpty()) {
      facts.put("storage.mountOptions", mountOptions);
    }
    facts.put("storage.medium", kind.label);
    if (kind == Kind.SSD || kind == Kind.HDD) {
      facts.put("storage.rotational", kind == Kind.HDD ? "yes" : "no");
    } else if (kind != Kind.MEMORY) {
      facts.put("storage.rotational", "unknown");
    }
    freeBytes.ifPresent(bytes -> facts.put("storage.freeBytes", Long.toString(bytes)));
    return facts;
  }

  /**
   * Returns why nothing can be measured here for a scenario that asks for {@code medium} and {@code
   * fsync}.
   *
   * @return the reason and the next step, or empty
   */
  public Optional<String> problem(Medium medium, Fsync fsync) {
    if (fsync.promises() && NOT_STABLE.contains(fileSystem)) {
      return Optional.of(
          "fsync is %s, but %s is on %s, where it makes nothing stable; name a folder on a disk"
              .formatted(fsync.label(), folder, fileSystem));
    }
    return switch (medium) {
      case ANY -> Optional.empty();
      case SSD -> kind == Kind.HDD || kind == Kind.MEMORY ? mismatch(medium) : Optional.empty();
      case HDD -> kind == Kind.SSD || kind == Kind.MEMORY ? mismatch(medium) : Optional.empty();
      case MEMORY -> IN_MEMORY.contains(fileSystem) ? Optional.empty() : mismatch(medium);
    };
  }

  private Optional<String> mismatch(Medium medium) {
    String found =
        switch (kind) {
          case HDD -> "a disk that rotates";
          case SSD -> "a disk that does not rotate";
          case MEMORY -> "memory";
          case VIRTUAL, UNKNOWN -> "no file system in memory";
        };
    String where = fileSystem + device.map(name -> " on " + name).orElse("");
    return Optional.of(
        "the scenario asks for medium '%s', but %s is on %s (%s); %s"
            .formatted(
                medium.label(),
                folder,
                found,
                where,
                medium == Medium.MEMORY
                    ? "name a folder on a tmpfs"
                    : "name another folder, or ask for medium 'any'"));
  }

  /**
   * Returns why {@code bytes} of user data cannot be kept here.
   *
   * @param bytes the keys and values of the largest run
   * @return the reason and the next step, or empty
   */
  public Optional<String> shortage(long bytes) {
    long needed = SPACE_PER_BYTE * bytes + SPARE_BYTES;
    if (freeBytes.isEmpty() || freeBytes.getAsLong() >= needed) {
      return Optional.empty();
    }
    return Optional.of(
        ("%s has %s of space, and a run needs at least %s (%d times its keys and values of %s);"
                + " make room, name another folder, or ask for fewer records")
            .formatted(
                folder, size(freeBytes.getAsLong()), size(needed), SPACE_PER_BYTE, size(bytes)));
  }

  private static String size(long bytes) {
    return bytes < 1L << 30
        ? String.format(Locale.ROOT, "%.0f MiB", (double) bytes / (1L << 20))
        : String.format(Locale.ROOT, "%.1f GiB", (double) bytes / (1L << 30));
  }

  /** Returns what it is and what is free, in one line for a terminal. */
  public String summary() {
    return "%s%s (%s)%s"
        .formatted(
            fileSystem,
            device.map(name -> " on " + name).orElse(""),
            kind.label,
            freeBytes.isPresent() ? ", " + size(freeBytes.getAsLong()) + " free" : "");
  }

  /**
   * Returns whether an engine's files are in memory here: nothing that is synced reaches a device.
   */
  public boolean inMemory() {
    return kind == Kind.MEMORY;
  }

  /**
   * Returns what a reader of the results has to know about the medium; empty if it is what it says.
   */
  public Optional<String> warning(Medium medium) {
    boolean word = medium == Medium.SSD || medium == Medium.HDD;
    if (!word || (kind != Kind.VIRTUAL && kind != Kind.UNKNOWN)) {
      return Optional.empty();
    }
    String what =
        kind == Kind.VIRTUAL
            ? "%s is a virtual disk".formatted(device.orElse(fileSystem))
            : "what %s is kept on is unknown".formatted(folder);
    return Optional.of(
        "%s: that it is of medium '%s' is the scenario's word".formatted(what, medium.label()));
  }
}
