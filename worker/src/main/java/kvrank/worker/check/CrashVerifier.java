package kvrank.worker.check;

import java.util.Optional;
import kvrank.worker.protocol.CrashFindings;
import kvrank.workload.CrashWrites;
import kvrank.workload.request.Operation;

/**
 * Judges the records of one thread after a kill: acknowledged writes must be in force; those in
 * flight may be.
 */
final class CrashVerifier {

  /** The state of a record whose value was never written. */
  static final long WRONG = -2;

  private final CrashWrites acknowledged;
  private final CrashWrites sent;
  private final long[] seen;
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
    this.seen = new long[records()];
  }

  /** Returns the number of records to check: those that were sent, and some beyond. */
  final int records() {
    return sent.records() + CrashWrites.BEYOND;
  }

  long newest(int index) {
    return sent.newest(index);
  }

  /**
   * Adds the state of record {@code index}: a version, {@link CrashWrites#ABSENT} or {@link
   * #WRONG}.
   */
  void see(int index, String key, long state) {
    seen[index] = state;
    boolean right = right(index);
    long newest = acknowledged.newest(index);
    if (!right || state != CrashWrites.ABSENT) {
      checked += writes(index);
    }
    if (right) {
      return;
    }
    example = "%s: %s, and %s".formatted(key, should(index), is(state));
    if (index >= sent.records()) {
      unexpectedKeys++;
    } else if (wrong(index)) {
      wrongValues++;
    } else if (state == CrashWrites.ABSENT) {
      lostInserts++;
      lostUpdates += newest;
    } else {
      lostDeletes += acknowledged.state(index) == CrashWrites.ABSENT ? 1 : 0;
      lostUpdates += newest - state;
    }
  }

  private boolean right(int index) {
    long newest = acknowledged.newest(index);
    boolean absent = acknowledged.state(index) == CrashWrites.ABSENT;
    if (seen[index] == CrashWrites.ABSENT) {
      return absent || sent.state(index) == CrashWrites.ABSENT;
    }
    boolean deleted = absent && newest != CrashWrites.ABSENT;
    return !deleted && seen[index] >= newest && seen[index] <= sent.newest(index);
  }

  private boolean wrong(int index) {
    return seen[index] == WRONG || seen[index] > acknowledged.newest(index);
  }

  /**
   * Returns the numbers, from 1, of the oldest and the newest lost write, after all records were
   * {@link #see}n; empty if none was lost.
   *
   * @param writes positioned before the first write
   * @param count the number of acknowledged writes
   * @param batch the largest number of writes in a request
   */
  Optional<long[]> lost(CrashWrites writes, long count, int batch) {
    long oldest = 0;
    long newest = 0;
    long number = 0;
    while (number < count && writes.next(batch)) {
      for (int i = 0; i < writes.size(); i++) {
        number++;
        if (lost(writes, i)) {
          oldest = oldest == 0 ? number : oldest;
          newest = number;
        }
      }
    }
    return oldest == 0 ? Optional.empty() : Optional.of(new long[] {oldest, newest});
  }

  /** Returns whether the {@code i}-th write of the current request is not in force. */
  boolean lost(CrashWrites writes, int i) {
    int index = writes.record(i);
    if (right(index) || wrong(index)) {
      return false;
    }
    if (writes.operation() == Operation.DELETE) {
      return acknowledged.state(index) == CrashWrites.ABSENT;
    }
    return seen[index] == CrashWrites.ABSENT || writes.version(i) > seen[index];
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
   * @param lost when the lost ones were acknowledged
   */
  CrashFindings findings(long writes, Optional<CrashFindings.Span> lost) {
    return new CrashFindings(
        writes,
        checked,
        lostInserts,
        lostUpdates,
        lostDeletes,
        wrongValues,
        unexpectedKeys,
        example,
        lost);
  }
}
