package kvrank.worker.protocol;

import kvrank.fact.Fact;
import kvrank.fact.Facts;

/**
 * What a kill left of the writes that were acknowledged before it.
 *
 * @param acknowledged the writes that were acknowledged
 * @param checked those of them whose effect can be told: all but the writes to records that were
 *     deleted and are gone, which look as if they had never been
 * @param lostInserts records whose insert was acknowledged and that are not there
 * @param lostUpdates acknowledged updates that are not in force: an older version is there, or none
 * @param lostDeletes records whose delete was acknowledged and that are there
 * @param wrongValues records whose value is none that was written
 * @param unexpectedKeys records that are there and were never written
 * @param example one of the findings; empty if all is well
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

  /** Nothing was written. */
  public static final CrashFindings NONE = new CrashFindings(0, 0, 0, 0, 0, 0, 0, "");

  /** Those of two threads together. */
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

  /** These as facts of a {@link PhaseResult}. */
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
   * The findings that the check of a crash test reports.
   *
   * @throws IllegalArgumentException if {@code result} is of another phase
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
