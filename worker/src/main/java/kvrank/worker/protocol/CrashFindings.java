package kvrank.worker.protocol;

import kvrank.fact.Fact;
import kvrank.fact.Facts;

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

  public Facts facts() {
    return new Facts()
        .put(Fact.ACKNOWLEDGED, acknowledged)
        .put(Fact.CHECKED, checked)
        .put(Fact.LOST_INSERTS, lostInserts)
        .put(Fact.LOST_UPDATES, lostUpdates)
        .put(Fact.LOST_DELETES, lostDeletes)
        .put(Fact.WRONG_VALUES, wrongValues)
        .put(Fact.UNEXPECTED_KEYS, unexpectedKeys)
        .put(Fact.EXAMPLE_FINDING, example);
  }

  /**
   * Returns the findings in the facts of a crash check.
   *
   * @throws IllegalArgumentException if a fact is missing
   */
  public static CrashFindings of(PhaseResult result) {
    Facts facts = result.facts();
    return new CrashFindings(
        facts.whole(Fact.ACKNOWLEDGED),
        facts.whole(Fact.CHECKED),
        facts.whole(Fact.LOST_INSERTS),
        facts.whole(Fact.LOST_UPDATES),
        facts.whole(Fact.LOST_DELETES),
        facts.whole(Fact.WRONG_VALUES),
        facts.whole(Fact.UNEXPECTED_KEYS),
        facts.text(Fact.EXAMPLE_FINDING));
  }
}
