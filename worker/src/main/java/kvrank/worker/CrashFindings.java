package kvrank.worker;

import java.util.SortedMap;
import java.util.TreeMap;

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
  static final CrashFindings NONE = new CrashFindings(0, 0, 0, 0, 0, 0, 0, "");

  /** Those of two threads together. */
  CrashFindings plus(CrashFindings other) {
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
  SortedMap<String, String> facts() {
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put("acknowledged", Long.toString(acknowledged));
    facts.put("checked", Long.toString(checked));
    facts.put("lost.inserts", Long.toString(lostInserts));
    facts.put("lost.updates", Long.toString(lostUpdates));
    facts.put("lost.deletes", Long.toString(lostDeletes));
    facts.put("wrong.values", Long.toString(wrongValues));
    facts.put("unexpected.keys", Long.toString(unexpectedKeys));
    facts.put("example", example);
    return facts;
  }

  /**
   * The findings that the check of a crash test reports.
   *
   * @throws IllegalArgumentException if {@code result} is of another phase
   */
  public static CrashFindings of(PhaseResult result) {
    return new CrashFindings(
        number(result, "acknowledged"),
        number(result, "checked"),
        number(result, "lost.inserts"),
        number(result, "lost.updates"),
        number(result, "lost.deletes"),
        number(result, "wrong.values"),
        number(result, "unexpected.keys"),
        result.facts().getOrDefault("example", ""));
  }

  private static long number(PhaseResult result, String fact) {
    String number = result.facts().get(fact);
    if (number == null) {
      throw new IllegalArgumentException(result.phase() + " has no fact '" + fact + "'");
    }
    return Long.parseLong(number);
  }
}
