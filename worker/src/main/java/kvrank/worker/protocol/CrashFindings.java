package kvrank.worker.protocol;

import java.util.Optional;
import java.util.stream.Stream;

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
 * @param lost when the lost writes were acknowledged; empty if nothing was lost
 */
public record CrashFindings(
    long acknowledged,
    long checked,
    long lostInserts,
    long lostUpdates,
    long lostDeletes,
    long wrongValues,
    long unexpectedKeys,
    String example,
    Optional<Span> lost) {

  public static final CrashFindings NONE =
      new CrashFindings(0, 0, 0, 0, 0, 0, 0, "", Optional.empty());

  /** The first and the last of some times, by {@link System#nanoTime}. */
  public record Span(long oldestNanos, long newestNanos) {

    private Span plus(Span other) {
      return new Span(
          Math.min(oldestNanos, other.oldestNanos), Math.max(newestNanos, other.newestNanos));
    }
  }

  public CrashFindings plus(CrashFindings other) {
    return new CrashFindings(
        acknowledged + other.acknowledged,
        checked + other.checked,
        lostInserts + other.lostInserts,
        lostUpdates + other.lostUpdates,
        lostDeletes + other.lostDeletes,
        wrongValues + other.wrongValues,
        unexpectedKeys + other.unexpectedKeys,
        example.isEmpty() ? other.example : example,
        Stream.concat(lost.stream(), other.lost.stream()).reduce(Span::plus));
  }
}
