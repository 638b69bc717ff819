package kvrank.results;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What the device says of a phase's durability: whether its writes were flushed as was asked.
 *
 * @param device the disk that was watched; empty if there is none to watch
 * @param flushes the flushes that it completed in the measured stretch, those of others included;
 *     empty if they cannot be counted
 * @param baselinePerSecond its flushes per second while no engine ran, before and after; empty if
 *     they cannot be counted
 * @param writes acknowledged write requests in the measured stretch; a batch is one
 * @param flushesPerWrite the flushes beyond the baseline for each of these; empty if there were no
 *     writes or flushes cannot be counted
 * @param verdict whether that is what {@code fsync} promises
 * @param reason the figures that the verdict goes by, as a sentence without an end
 */
public record Durability(
    Optional<String> device,
    OptionalLong flushes,
    OptionalDouble baselinePerSecond,
    long writes,
    OptionalDouble flushesPerWrite,
    Verdict verdict,
    String reason) {

  /** Returns that nothing could be measured, and why. */
  public static Durability notMeasurable(String reason) {
    return new Durability(
        Optional.empty(),
        OptionalLong.empty(),
        OptionalDouble.empty(),
        0,
        OptionalDouble.empty(),
        Verdict.NOT_MEASURABLE,
        reason);
  }

  /** Whether the durability that was asked for is the one that was measured. */
  public enum Verdict {
    /** With {@code fsync: on} every write waited for a flush, with {@code off} few did. */
    PROVEN,
    /** With {@code fsync: on} some did not wait, with {@code off} as many did as if it were on. */
    NOT_PROVEN,
    /** Flushes cannot be counted here, or say nothing of this engine. */
    NOT_MEASURABLE,
    /** The phase wrote nothing. */
    NO_WRITES;

    /** Returns the words in files and tables. */
    @JsonValue
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }
}
