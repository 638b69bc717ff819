package kvrank.machine;

import java.util.OptionalLong;

/**
 * What Linux counts for a process and those that it started; see proc(5).
 *
 * @param userSeconds CPU time in user mode since its start, ended children included
 * @param systemSeconds CPU time in the kernel since its start, ended children included
 * @param residentBytes resident memory now of all of them together
 * @param childrenBytes the part of it that is not the process's own. Pages that a fork still shares
 *     with its parent count in both
 * @param readBytes bytes fetched from the storage layer since its start; empty where that is not
 *     for us to see, as of another user's process
 * @param writtenBytes bytes of the page cache that it made to be written since its start
 * @param cancelledBytes the part of them that never was, as the file was removed before
 */
public record ProcessSample(
    double userSeconds,
    double systemSeconds,
    long residentBytes,
    long childrenBytes,
    OptionalLong readBytes,
    OptionalLong writtenBytes,
    OptionalLong cancelledBytes) {

  static final ProcessSample NONE =
      new ProcessSample(0, 0, 0, 0, OptionalLong.of(0), OptionalLong.of(0), OptionalLong.of(0));

  /** CPU time in both modes, in seconds. */
  public double cpuSeconds() {
    return userSeconds + systemSeconds;
  }

  /** This and a child of it. */
  ProcessSample with(ProcessSample child) {
    return new ProcessSample(
        userSeconds + child.userSeconds,
        systemSeconds + child.systemSeconds,
        residentBytes + child.residentBytes,
        childrenBytes + child.residentBytes,
        sum(readBytes, child.readBytes),
        sum(writtenBytes, child.writtenBytes),
        sum(cancelledBytes, child.cancelledBytes));
  }

  private static OptionalLong sum(OptionalLong one, OptionalLong other) {
    return one.isPresent() && other.isPresent()
        ? OptionalLong.of(one.getAsLong() + other.getAsLong())
        : OptionalLong.empty();
  }
}
