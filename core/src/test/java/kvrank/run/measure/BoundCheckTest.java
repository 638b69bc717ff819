package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.metric.Latency;
import kvrank.metric.Metrics;
import kvrank.scenario.Sweep;
import kvrank.workload.request.Operation;
import org.junit.jupiter.api.Test;

class BoundCheckTest {

  private static final long MILLI = 1_000_000;

  private static BoundCheck check(String bound, Latency latency) {
    Sweep.Search search =
        new Sweep.Search(Operation.UPDATE, Metrics.LATENCY_P99, Duration.parse("PT" + bound));
    return BoundCheck.of(
        Optional.of(search), 100, 100, latency == null ? Map.of() : Map.of("update", latency));
  }

  /** Of few requests: neither p99 nor what is above it. */
  private static Latency few(long p50, long p95, long max) {
    OptionalLong none = OptionalLong.empty();
    return new Latency(
        142,
        p50,
        9 * MILLI,
        p50,
        OptionalLong.of(p50),
        OptionalLong.of(p95),
        OptionalLong.of(p95),
        none,
        none,
        none,
        max);
  }

  @Test
  void theSlowestOfFewRequestsBelowTheBoundMakesARateGood() {
    BoundCheck check = check("5S", few(MILLI, 2 * MILLI, 13 * MILLI));
    assertThat(check).isEqualTo(new BoundCheck(Math.log(13.0 / 5_000), "max 13 ms"));
    assertThat(check.good()).isTrue();
  }

  @Test
  void aLowerPercentileAboveTheBoundMakesARateBad() {
    assertThat(check("0.005S", few(MILLI, 7 * MILLI, 13 * MILLI)))
        .isEqualTo(new BoundCheck(Math.log(7.0 / 5), "p90 7 ms"));
  }

  @Test
  void tooFewRequestsAreUndetermined() {
    assertThat(check("0.005S", few(MILLI, 2 * MILLI, 13 * MILLI)))
        .isEqualTo(new BoundCheck(Double.NaN, "142 requests, p99 needs 1000"));
    assertThat(check("0.005S", null).undetermined()).isTrue();
  }

  @Test
  void aRateThatIsNotKeptIsBadWhateverTheLatency() {
    Sweep.Search search =
        new Sweep.Search(Operation.UPDATE, Metrics.LATENCY_P99, Duration.ofSeconds(5));

    assertThat(BoundCheck.of(Optional.of(search), 100, 90, Map.of()))
        .isEqualTo(new BoundCheck(Double.POSITIVE_INFINITY, "90 % of the rate were achieved"));
  }
}
