package kvrank.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The memory that other processes hold on this machine, or in the control groups around kvrank,
 * which have limits in a container. Files in the page cache are not held, since Linux can drop
 * them; but others who read many files make it drop those of an engine.
 */
public final class MemoryOfOthers {

  /** The share of a machine or group in which files fit certainly, beside what the kernel needs. */
  private static final double ROOM = 0.8;

  private static final String REFAULTS = "workingset_refault_file";

  private final Path proc;
  private final List<Path> groups;
  private final boolean unified;
  private final OptionalLong droppedBefore;

  /** Uses the machine's memory and the groups around this process. */
  public MemoryOfOthers() {
    this(Path.of("/proc"), ControlGroups.around("memory"), ControlGroups.unified());
  }

  MemoryOfOthers(Path proc, List<Path> groups, boolean unified) {
    this.proc = proc;
    this.groups = groups;
    this.unified = unified;
    this.droppedBefore = dropped();
  }

  /**
   * A machine or group.
   *
   * @param bytes its memory
   * @param available the part that is free or caches files
   * @param counters a file with its counters
   * @param refaults the name of the one for pages that were read again soon after they were dropped
   */
  private record Place(long bytes, long available, Path counters, String refaults) {

    OptionalLong refaulted() {
      return SystemFile.number(SystemFile.text(counters).orElse(""), refaults);
    }

    /** Returns the number of pages that Linux dropped for lack of memory. */
    OptionalLong dropped() {
      String text = SystemFile.text(counters).orElse("");
      OptionalLong ahead = SystemFile.number(text, "pgsteal_kswapd");
      OptionalLong waiting = SystemFile.number(text, "pgsteal_direct");
      return ahead.isPresent() && waiting.isPresent()
          ? OptionalLong.of(ahead.getAsLong() + waiting.getAsLong())
          : OptionalLong.empty();
    }

    /** Returns the share that neither {@code ours} nor the cache of files takes. */
    double held(long ours) {
      return Math.max(0, (double) (bytes - available - ours) / bytes);
    }
  }

  /**
   * Returns the largest share of a machine or group that others hold where {@code files} do not fit
   * into the rest; 0 if they fit everywhere, empty if nothing is known.
   *
   * @param ours bytes that kvrank, clients and server hold
   * @param files bytes that an engine may want to be cached
   */
  public OptionalDouble crowding(long ours, long files) {
    List<Place> places = places();
    double most =
        places.stream()
            .filter(place -> files > place.available)
            .mapToDouble(place -> place.held(ours))
            .max()
            .orElse(0);
    return places.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(most);
  }

  /** Returns the bytes that an engine and the cache of its files could use without others. */
  public OptionalLong limit() {
    return smallest().stream().mapToLong(Place::bytes).findFirst();
  }

  /** Returns whether {@code files} fit certainly into the memory, beside {@code ours}. */
  public boolean fits(long ours, long files) {
    return smallest().filter(place -> ours + files < ROOM * place.bytes).isPresent();
  }

  /**
   * Returns the number of pages of files, of anyone, that were read again soon after Linux dropped
   * them.
   */
  public OptionalLong refaults() {
    return smallest().map(Place::refaulted).orElse(OptionalLong.empty());
  }

  /**
   * Returns the number of {@link #refaults} after {@code before} of them, but at most the pages
   * that Linux dropped for lack of memory since this was created. It also drops pages that were not
   * used for minutes (DAMON, {@code memory.reclaim}), even if memory is free.
   */
  public OptionalLong refaultsSince(long before) {
    OptionalLong now = refaults();
    OptionalLong dropped = dropped();
    long most =
        dropped.isPresent() && droppedBefore.isPresent()
            ? dropped.getAsLong() - droppedBefore.getAsLong()
            : Long.MAX_VALUE; // an older kernel
    return now.isPresent()
        ? OptionalLong.of(Math.min(now.getAsLong() - before, most))
        : OptionalLong.empty();
  }

  private OptionalLong dropped() {
    return smallest().map(Place::dropped).orElse(OptionalLong.empty());
  }

  private Optional<Place> smallest() {
    return places().stream().min(Comparator.comparingLong(Place::bytes));
  }

  private List<Place> places() {
    List<Place> places = new ArrayList<>();
    String machine = SystemFile.text(proc.resolve("meminfo")).orElse("");
    OptionalLong total = SystemFile.number(machine, "MemTotal");
    OptionalLong available = SystemFile.number(machine, "MemAvailable");
    if (total.isEmpty() || available.isEmpty()) {
      return places;
    }
    places.add(
        new Place(
            total.getAsLong() << 10,
            available.getAsLong() << 10,
            proc.resolve("vmstat"),
            REFAULTS));
    for (Path group : groups) {
      long limit = number(group, unified ? "memory.max" : "memory.limit_in_bytes");
      long used = number(group, unified ? "memory.current" : "memory.usage_in_bytes");
      // Without a limit, it is `max` or larger than the machine.
      if (limit > 0 && used > 0 && limit < total.getAsLong() << 10) {
        String statistics = SystemFile.text(group.resolve("memory.stat")).orElse("");
        String below = unified ? "" : "total_"; // version 1 also has counts without groups below
        long cache =
            SystemFile.number(statistics, below + "active_file").orElse(0)
                + SystemFile.number(statistics, below + "inactive_file").orElse(0)
                + SystemFile.number(statistics, "slab_reclaimable").orElse(0);
        places.add(
            new Place(limit, limit - used + cache, group.resolve("memory.stat"), below + REFAULTS));
      }
    }
    return places;
  }

  /** Returns 0 if the file has no number. */
  private static long number(Path group, String file) {
    return SystemFile.text(group.resolve(file))
        .filter(text -> text.matches("\\d{1,18}"))
        .map(Long::parseLong)
        .orElse(0L);
  }
}
