package kvrank.worker.check;

import kvrank.worker.protocol.CrashFindings;
import kvrank.workload.CrashWrites;

/**
 * Judges the records of one thread after a kill: acknowledged writes must be in force; the write in
 * flight may be.
 */
final class CrashVerifier {

  /** The state of a record whose value was never written. */
  static final long WRONG = -2;

  private final CrashWrites acknowledged;
  private final CrashWrites sent;
  private long checked;
  private long lostInserts;
  private long lostUpdates;
  private long lostDeletes;
  private long wrongValues;
  private long unexpectedKeys;
  private String example = "";

  /**
   * @param acknowledged positioned after the last acknowledged write
   * @param sent positioned after the last write that was sent
   */
  CrashVerifier(CrashWrites acknowledged, CrashWrites sent) {
    this.acknowledged = acknowledged;
    this.sent = sent;
  }

  /** Returns the number of records to check: those that were sent, and some beyond. */
  int records() {
    return sent.records() + CrashWrites.BEYOND;
  }

  long newest(int index) {
    return sent.newest(index);
  }

  /**
   * Adds the state of record {@code index}: a version, {@link CrashWrites#ABSENT} or {@link
   * #WRONG}.
   */
  void see(int index, String key, long seen) {
    long expected = acknowledged.state(index);
    boolean right = seen == expected || seen == sent.state(index);
    long newest = acknowledged.newest(index);
    if (!right || seen != CrashWrites.ABSENT) {
      checked += writes(index);
    }
    if (right) {
      return;
    }
    example = "%s: %s, and %s".formatted(key, should(index), is(seen));
    if (index >= sent.records()) {
      unexpectedKeys++;
    } else if (seen == WRONG || seen > newest) {
      wrongValues++;
    } else if (seen == CrashWrites.ABSENT) {
      lostInserts++;
      lostUpdates += newest;
    } else {
      lostDeletes += expected == CrashWrites.ABSENT ? 1 : 0;
      lostUpdates += newest - seen;
    }
  }

  /** Returns the number of acknowledged writes to record {@code index}; versions count updates. */
  private long writes(int index) {
    long newest = acknowledged.newest(index);
    boolean deleted = acknowledged.state(index) != newest;
    return newest + 1 + (deleted ? 1 : 0);
  }

  private String should(int index) {
    long expected = acknowledged.state(index);
    if (expected != CrashWrites.ABSENT) {
      return "version " + expected + " was acknowledged";
    }
    return acknowledged.newest(index) != CrashWrites.ABSENT
        ? "its delete was acknowledged"
        : index < sent.records() ? "its insert was in flight" : "it was never written";
  }

  private static String is(long seen) {
    return seen == CrashWrites.ABSENT
        ? "it does not exist"
        : seen == WRONG ? "it has a value that was never written" : "version " + seen + " exists";
  }

  /**
   * Returns all findings.
   *
   * @param writes the number of acknowledged writes
   */
  CrashFindings findings(long writes) {
    return new CrashFindings(
        writes,
        checked,
        lostInserts,
        lostUpdates,
        lostDeletes,
        wrongValues,
        unexpectedKeys,
        example);
  }
}
