package kvrank.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A test after the phases of each run: an engine that writes is stopped by force, restarted on its
 * data, and its acknowledged writes are checked.
 *
 * @param crashes how often, each time on fresh data
 * @param powerCut whether the disk loses its power, too
 */
public record CrashTest(int crashes, Optional<PowerCut> powerCut) {

  /** The number of crashes of a file that states none. */
  public static final int DEFAULT_CRASHES = 3;

  /**
   * A simulated disk with a volatile write cache, and how it loses its power.
   *
   * @param keep what each cut in turn keeps of the writes that were not flushed
   * @param sectorBytes the size of what a disk writes as a whole
   * @param sync how long the disk takes for a flush
   * @param lifetime the time from the first acknowledged write to the cut, varied by a quarter;
   *     empty for 0.5 to 1.5 s
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
  public enum Keep {
    /** Nothing. */
    NONE("none"),
    /** Half of their sectors, drawn from the seed. */
    SOME("some"),
    /** Half of their sectors, after the kernel wrote its page cache to the disk. */
    WRITTEN_BACK("written-back");

    private final String label;

    Keep(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }

  /** The file system on the disk. */
  public enum FileSystem {
    EXT4("ext4"),
    XFS("xfs");

    private final String label;

    FileSystem(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }
}
