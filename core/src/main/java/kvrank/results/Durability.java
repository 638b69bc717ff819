package kvrank.results;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Whether the device flushed a phase's writes as its {@code fsync} setting promises.
 *
 * @param flushes completed in the measured stretch, by any process; empty if they are not counted
 * @param baselinePerSecond flushes per second without an engine
 * @param writes acknowledged write requests in the measured stretch; a batch is one
 * @param flushesPerWrite flushes beyond the baseline per write
 * @param reason the figures behind the verdict, as a sentence without a full stop
 */
public record Durability(
    Optional<String> device,
    OptionalLong flushes,
    OptionalDouble baselinePerSecond,
    long writes,
    OptionalDouble flushesPerWrite,
    Verdict verdict,
    String reason) {

  /** Returns the verdict {@link Verdict#NOT_MEASURABLE} with its reason. */
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

  /** Whether the requested durability is the measured one. */
  public enum Verdict {
    /** With {@code fsync: on}, every write waited for a flush; with {@code off}, few did. */
    PROVEN,
    /** With {@code fsync: on}, some writes did not wait; with {@code off}, too many did. */
    NOT_PROVEN,
    /** Flushes cannot be counted here, or do not depend on this engine. */
    NOT_MEASURABLE,
    NO_WRITES;

    @JsonValue
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }
}
