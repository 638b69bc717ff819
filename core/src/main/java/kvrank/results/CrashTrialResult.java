package kvrank.results;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The acknowledged writes lost in crashes, and the reason for missing trials, if any. */
public record CrashTrialResult(List<Crash> crashes, String reason) {

  /**
   * One SIGKILL under load, with fresh data, and the state after a restart.
   *
   * @param ending for example {@code was killed by SIGKILL (exit status 137)}
   * @param acknowledged the writes acknowledged before the kill
   * @param restartNanos until the engine answered, with its JVM's start if embedded; empty if never
   * @param lostWrites empty if the data could not be checked, for the {@code reason}
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
   * @param checked acknowledged writes with a visible effect, thus not those of deleted records
   * @param lostUpdates those whose record has an older version, or is missing
   * @param lostDeletes those whose record still exists
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
