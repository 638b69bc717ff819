package kvrank.results;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * What was found after a kill that is not as it was acknowledged.
 *
 * @param checked the acknowledged writes whose effect can be told: all but those to records that
 *     were deleted and are gone, which cannot be told from those never inserted
 * @param lostInserts records whose insert was acknowledged and that are not there
 * @param lostUpdates acknowledged updates that are not in force: an older version is there, or none
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
  @JsonIgnore
  public long lost() {
    return lostInserts + lostUpdates + lostDeletes;
  }

  /**
   * Returns the share of the writes that can be checked, in [0, 1], that was lost; 0 if there are
   * none.
   */
  @JsonIgnore
  public double lostShare() {
    return checked == 0 ? 0 : (double) lost() / checked;
  }
}
