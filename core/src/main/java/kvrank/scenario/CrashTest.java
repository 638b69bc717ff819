package kvrank.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import kvrank.workload.request.Labelled;

/**
 * A test after the phases of each run: an engine that writes is stopped by force, restarted on its
 * data, and its acknowledged writes are checked.
 *
 * @param crashes how often, each time on fresh data
 * @param powerCut whether the disk loses its power, too
 */
public record CrashTest(int crashes, Optional<PowerCut> powerCut) {

  private static final int CRASHES = 3;

  /** A group commit that acknowledges too early shows on a disk that takes its time. */
  private static final Duration SYNC = Duration.ofMillis(1);

  /** The crash test of a file that states nothing else: SIGKILL. */
  public static final CrashTest KILL = new CrashTest(CRASHES, Optional.empty());

  /** The power cut of a file that states nothing else. */
  public static final CrashTest POWER_CUT =
      new CrashTest(
          CRASHES,
          Optional.of(
              new PowerCut(List.of(Keep.values()), 4096, FileSystem.EXT4, SYNC, Optional.empty())));

  public CrashTest times(int count) {
    return new CrashTest(count, powerCut);
  }

  /**
   * A simulated disk with a volatile write cache, and how it loses its power.
   *
   * @param keep what each cut in turn keeps of the writes that were not flushed
   * @param sectorBytes the size of what a disk writes as a whole
   * @param sync how long the disk takes for a flush
   * @param lifetime the time from the first acknowledged write to the cut, varied by a quarter;
   *     empty for 0.5 to 4 s and the interval of the durability level
   */
  public record PowerCut(
      List<Keep> keep,
      int sectorBytes,
      FileSystem fileSystem,
      Duration sync,
      Optional<Duration> lifetime) {

    public PowerCut {
      keep = List.copyOf(keep);
    }
  }

  /** What a disk still has of the writes that were not flushed when it loses its power. */
  public enum Keep implements Labelled {
    /** Nothing. */
    NONE,
    /** Half of their sectors, drawn from the seed. */
    SOME,
    /** Half of their sectors, after the kernel wrote its page cache to the disk. */
    WRITTEN_BACK
  }

  /** The file system on the disk. */
  public enum FileSystem implements Labelled {
    EXT4,
    XFS
  }
}
