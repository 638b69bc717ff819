package kvrank.results;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The crash trials of one run: which acknowledged writes the engine lost when it was killed.
 *
 * @param reason why trials are missing; empty if all were done
 */
public record CrashTrialResult(List<Crash> crashes, String reason) {

  /**
   * One SIGKILL under load, with fresh data, and the state after a restart.
   *
   * @param ending for example {@code was killed by SIGKILL (exit status 137)}
   * @param acknowledged the writes acknowledged before the kill
   * @param restartNanos the time until the engine answered again, with the JVM's start if it is
   *     embedded; empty if it did not come back
   * @param lostWrites empty if the data could not be checked
   * @param reason why the check failed; empty if it did not
   */
  public record Crash(
      String ending,
      long acknowledged,
      OptionalLong restartNanos,
      Optional<LostWrites> lostWrites,
      String reason) {}

  /**
   * How the data after a kill differs from the acknowledged writes.
   *
   * @param checked acknowledged writes with a visible effect: a deleted record that is gone looks
   *     like one never inserted, so these do not count
   * @param lostInserts records whose insert was acknowledged, and that are missing
   * @param lostUpdates acknowledged updates whose record has an older version, or is missing
   * @param lostDeletes records whose delete was acknowledged, and that still exist
   * @param wrongValues records with a value that was never written
   * @param unexpectedKeys records that were never written
   * @param example one of these; empty if nothing differs
   */
  public record LostWrites(
      long checked,
      long lostInserts,
      long lostUpdates,
      long lostDeletes,
      long wrongValues,
      long unexpectedKeys,
      String example) {

    /** Returns the acknowledged writes that have no effect. */
    public long lost() {
      return lostInserts + lostUpdates + lostDeletes;
    }

    /** Returns the lost share of {@code checked}, in [0, 1]. */
    public double lostShare() {
      return checked == 0 ? 0 : (double) lost() / checked;
    }
  }
}
