package kvrank.worker.protocol;

/**
 * The effects of a kill on acknowledged writes.
 *
 * @param checked acknowledged writes with an effect that can be checked: all except writes to
 *     records that were deleted afterwards
 * @param lostInserts records whose insert was acknowledged and that do not exist
 * @param lostUpdates acknowledged updates that are not in force
 * @param lostDeletes records that exist although their delete was acknowledged
 * @param wrongValues records with a value that was never written
 * @param unexpectedKeys records that were never written
 * @param example one of the findings; empty if nothing was lost
 */
public record CrashFindings(
    long acknowledged,
    long checked,
    long lostInserts,
    long lostUpdates,
    long lostDeletes,
    long wrongValues,
    long unexpectedKeys,
    String example) {

  public static final CrashFindings NONE = new CrashFindings(0, 0, 0, 0, 0, 0, 0, "");

  public CrashFindings plus(CrashFindings other) {
    return new CrashFindings(
        acknowledged + other.acknowledged,
        checked + other.checked,
        lostInserts + other.lostInserts,
        lostUpdates + other.lostUpdates,
        lostDeletes + other.lostDeletes,
        wrongValues + other.wrongValues,
        unexpectedKeys + other.unexpectedKeys,
        example.isEmpty() ? other.example : example);
  }
}
