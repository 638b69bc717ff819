package kvrank.results;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The result of the crash trials of one run: which acknowledged writes an engine had lost when it
 * was killed.
 *
 * @param crashes what came of each crash, in order
 * @param reason why there are none, or no more of them; empty if all were done
 */
public record CrashTrialResult(List<Crash> crashes, String reason) {

  /**
   * One SIGKILL under load, on data of its own, and what was there after a restart.
   *
   * @param ending how the process ended, for example {@code was killed by SIGKILL (exit status
   *     137)}
   * @param acknowledged how many writes were acknowledged before
   * @param restartNanos how long the engine took until it answered again; for an embedded engine
   *     with the start of the JVM that it lives in; empty if it did not come back
   * @param lostWrites what was missing and what was too much; empty if that could not be looked at
   * @param reason why it could not; empty if it could
   */
  public record Crash(
      String ending,
      long acknowledged,
      OptionalLong restartNanos,
      Optional<LostWrites> lostWrites,
      String reason) {}

  /**
   * What was found after a kill that is not as it was acknowledged.
   *
   * @param checked the acknowledged writes whose effect can be told: all but those to records that
   *     were deleted and are gone, which cannot be told from those never inserted
   * @param lostInserts records whose insert was acknowledged and that are not there
   * @param lostUpdates acknowledged updates that are not in force: an older version is there, or
   *     none
   * @param lostDeletes records whose delete was acknowledged and that are there
   * @param wrongValues records whose value is none that was written
   * @param unexpectedKeys records that are there and were never written
   * @param example one of the findings; empty if all is well
   */
  public record LostWrites(
      long checked,
      long lostInserts,
      long lostUpdates,
      long lostDeletes,
      long wrongValues,
      long unexpectedKeys,
      String example) {

    /** Returns the acknowledged writes that are not in force. */
    public long lost() {
      return lostInserts + lostUpdates + lostDeletes;
    }

    /** Returns the share of {@code checked}, in [0, 1], that was lost; 0 if there are none. */
    public double lostShare() {
      return checked == 0 ? 0 : (double) lost() / checked;
    }
  }
}
