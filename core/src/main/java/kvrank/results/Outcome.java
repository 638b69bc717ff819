package kvrank.results;

import static java.util.Locale.ROOT;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Optional;
import kvrank.failure.Cause;
import kvrank.failure.Failure;

/** The outcome of a run or a phase. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "status")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Outcome.Completed.class, name = "completed"),
  @JsonSubTypes.Type(value = Outcome.Failed.class, name = "failed"),
  @JsonSubTypes.Type(value = Outcome.TimedOut.class, name = "timed-out"),
  @JsonSubTypes.Type(value = Outcome.Incorrect.class, name = "incorrect"),
  @JsonSubTypes.Type(value = Outcome.Unavailable.class, name = "unavailable"),
  @JsonSubTypes.Type(value = Outcome.Unsupported.class, name = "unsupported"),
  @JsonSubTypes.Type(value = Outcome.BoundNotMet.class, name = "bound-not-met"),
  @JsonSubTypes.Type(value = Outcome.Undetermined.class, name = "undetermined"),
})
public sealed interface Outcome {

  /** Returns a short label for tables: {@code timed out}. */
  default String label() {
    return getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(ROOT);
  }

  /** Returns the reason; empty only if completed. */
  String reason();

  /** Returns whether the engine failed by its own doing, rather than this machine or a setting. */
  default boolean ofEngine() {
    return this instanceof Incorrect
        || (this instanceof Broken broken && broken.cause() == Cause.ENGINE);
  }

  /** Returns {@code reason}, or a sentence instead of an empty one. */
  private static String stated(String reason) {
    return reason.isBlank() ? "no reason was recorded; the logs of the run may have it" : reason;
  }

  record Completed() implements Outcome {
    @Override
    public String reason() {
      return "";
    }
  }

  /** A problem in {@code phase}, or before any if that is empty. */
  sealed interface InPhase extends Outcome {

    String phase();

    String message();

    @Override
    default String reason() {
      return phase().isEmpty() ? message() : "in phase " + phase() + ": " + message();
    }
  }

  /** {@code phase} did not finish, because of {@link #cause}. */
  sealed interface Broken extends InPhase {

    Cause cause();

    /** Returns a copy with another cause. */
    Broken with(Cause other);
  }

  record Failed(String phase, Cause cause, String message) implements Broken {

    public Failed {
      message = stated(message);
    }

    public Failed(String phase, Failure failure) {
      this(phase, failure.cause(), failure.message());
    }

    /** Reads a record; older records have no cause. */
    @JsonCreator
    static Failed of(
        @JsonProperty("phase") String phase,
        @JsonProperty("cause") @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<Cause> cause,
        @JsonProperty("message") String message) {
      return new Failed(phase, cause.orElse(Cause.ENGINE), message);
    }

    @Override
    public Failed with(Cause other) {
      return new Failed(phase, other, message);
    }
  }

  /** {@code phase} exceeded its time limit. */
  record TimedOut(String phase, Cause cause, String message) implements Broken {

    public TimedOut {
      message = stated(message);
    }

    public TimedOut(String phase, Failure failure) {
      this(phase, failure.cause(), failure.message());
    }

    /** Reads a record; older records have no cause. */
    @JsonCreator
    static TimedOut of(
        @JsonProperty("phase") String phase,
        @JsonProperty("cause") @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<Cause> cause,
        @JsonProperty("message") String message) {
      return new TimedOut(phase, cause.orElse(Cause.ENGINE), message);
    }

    @Override
    public TimedOut with(Cause other) {
      return new TimedOut(phase, other, message);
    }
  }

  /** The engine gave wrong answers. */
  record Incorrect(String phase, String message) implements InPhase {
    public Incorrect {
      message = stated(message);
    }
  }

  /** The engine is not available on this machine. */
  record Unavailable(String reason) implements Outcome {
    public Unavailable {
      reason = stated(reason);
    }
  }

  /** The engine does not support the request on any machine. */
  record Unsupported(String reason) implements Outcome {
    public Unsupported {
      reason = stated(reason);
    }
  }

  /** The engine misses the bound of a search at every rate. */
  record BoundNotMet(String reason) implements Outcome {
    public BoundNotMet {
      reason = stated(reason);
    }
  }

  /** A search had too few requests to find the highest rate within the bound. */
  record Undetermined(String reason) implements Outcome {
    public Undetermined {
      reason = stated(reason);
    }
  }
}
