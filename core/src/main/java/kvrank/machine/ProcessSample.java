package kvrank.machine;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Linux's counters for a process and its descendants; see proc(5).
 *
 * @param userSeconds CPU time in user mode since its start, ended children included
 * @param systemSeconds CPU time in the kernel since its start, ended children included
 * @param residentBytes current resident memory of all of them together
 * @param anonymousBytes the part of it that belongs to no file, such as heaps and stacks
 * @param childrenBytes the descendants' part of it. Pages that a fork still shares with its parent
 *     count in both
 * @param majorFaults page faults for which it waited for storage since its start, ended children
 *     included
 * @param readBytes bytes fetched from the storage layer since its start; empty if not readable, as
 *     for another user's process
 * @param writtenBytes bytes of the page cache that it caused to be written since its start
 * @param cancelledBytes the part of them that was never written, because the file was removed
 *     before
 */
public record ProcessSample(
    double userSeconds,
    double systemSeconds,
    long residentBytes,
    long anonymousBytes,
    long childrenBytes,
    long majorFaults,
    OptionalLong readBytes,
    OptionalLong writtenBytes,
    OptionalLong cancelledBytes) {

  /** Nothing: the counters of a process that cannot be observed. */
  public static final ProcessSample NONE =
      new ProcessSample(
          0, 0, 0, 0, 0, 0, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

  /** The kernel's unit for CPU times in /proc (USER_HZ), 100 on every Linux that Java runs on. */
  static final double TICKS_PER_SECOND = 100;

  // Fields of /proc/PID/stat, counted from the one after the command's name; some are of
  // children that it has waited for.
  private static final int MAJOR_FAULTS = 9;
  private static final int CHILDREN_MAJOR_FAULTS = 10;
  private static final int USER = 11;
  private static final int SYSTEM = 12;
  private static final int CHILDREN_USER = 13;
  private static final int CHILDREN_SYSTEM = 14;

  /** Returns the counters of only {@code pid}; empty if it does not exist, or without /proc. */
  public static Optional<ProcessSample> of(long pid) {
    Path folder = Path.of("/proc", Long.toString(pid));
    Optional<String> stat = SystemFile.text(folder.resolve("stat"));
    if (stat.isEmpty()) {
      return Optional.empty();
    }
    String[] fields = fields(stat.get());
    String io = SystemFile.text(folder.resolve("io")).orElse("");
    // A process that has ended but was not waited for has no memory, and no such line.
    String status = SystemFile.text(folder.resolve("status")).orElse("");
    return Optional.of(
        new ProcessSample(
            (Long.parseLong(fields[USER]) + Long.parseLong(fields[CHILDREN_USER]))
                / TICKS_PER_SECOND,
            (Long.parseLong(fields[SYSTEM]) + Long.parseLong(fields[CHILDREN_SYSTEM]))
                / TICKS_PER_SECOND,
            bytes(status, "VmRSS"),
            bytes(status, "RssAnon") + bytes(status, "RssShmem"),
            0,
            Long.parseLong(fields[MAJOR_FAULTS]) + Long.parseLong(fields[CHILDREN_MAJOR_FAULTS]),
            SystemFile.number(io, "read_bytes"),
            SystemFile.number(io, "write_bytes"),
            SystemFile.number(io, "cancelled_write_bytes")));
  }

  private static long bytes(String status, String name) {
    return SystemFile.number(status, name).orElse(0) * 1024;
  }

  /** Returns the fields after the command's name, which may hold spaces and parentheses. */
  static String[] fields(String stat) {
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
  }

  /** Returns CPU time in both modes, in seconds. */
  public double cpuSeconds() {
    return userSeconds + systemSeconds;
  }

  /** Returns the sum of this and a child of it. */
  ProcessSample with(ProcessSample child) {
    return plus(child, child.residentBytes);
  }

  /** Returns the sum of this and another process. */
  public ProcessSample and(ProcessSample other) {
    return plus(other, other.childrenBytes);
  }

  private ProcessSample plus(ProcessSample other, long moreOfChildren) {
    return new ProcessSample(
        userSeconds + other.userSeconds,
        systemSeconds + other.systemSeconds,
        residentBytes + other.residentBytes,
        anonymousBytes + other.anonymousBytes,
        childrenBytes + moreOfChildren,
        majorFaults + other.majorFaults,
        sum(readBytes, other.readBytes),
        sum(writtenBytes, other.writtenBytes),
        sum(cancelledBytes, other.cancelledBytes));
  }

  /**
   * Returns this sample with counters since {@code before}, at least 0: those of a child that ended
   * without being waited for are gone.
   */
  public ProcessSample since(ProcessSample before) {
    return new ProcessSample(
        Math.max(0, userSeconds - before.userSeconds),
        Math.max(0, systemSeconds - before.systemSeconds),
        residentBytes,
        anonymousBytes,
        childrenBytes,
        Math.max(0, majorFaults - before.majorFaults),
        growth(readBytes, before.readBytes),
        growth(writtenBytes, before.writtenBytes),
        growth(cancelledBytes, before.cancelledBytes));
  }

  private static OptionalLong sum(OptionalLong one, OptionalLong other) {
    return one.stream().flatMap(a -> other.stream().map(b -> a + b)).findFirst();
  }

  private static OptionalLong growth(OptionalLong now, OptionalLong before) {
    return now.stream().flatMap(a -> before.stream().map(b -> Math.max(0, a - b))).findFirst();
  }
}
