package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import java.util.stream.Stream;
import kvrank.failure.Cause;
import kvrank.results.Outcome;
import org.junit.jupiter.api.Test;

class AbsenceTest {

  @Test
  void everyOutcomeHasOne() {
    assertThat(
            Stream.of(
                    new Outcome.Completed(),
                    new Outcome.Failed("get", Cause.ENGINE, "gone"),
                    new Outcome.TimedOut("get", Cause.ENGINE, "stuck"),
                    new Outcome.Incorrect("get", "7 values were wrong"),
                    new Outcome.Unavailable("not installed"),
                    new Outcome.Unsupported("no scans"),
                    new Outcome.BoundNotMet("p99 is 2 ms"),
                    new Outcome.Undetermined("142 requests"))
                .map(Absence::of))
        .containsExactly(
            Absence.FAILED,
            Absence.FAILED,
            Absence.TIMED_OUT,
            Absence.INCORRECT,
            Absence.UNAVAILABLE,
            Absence.UNSUPPORTED,
            Absence.BOUND_NOT_MET,
            Absence.UNDETERMINED);
    assertThat(Outcome.class.getAnnotation(JsonSubTypes.class).value()).hasSize(8);
  }
}
