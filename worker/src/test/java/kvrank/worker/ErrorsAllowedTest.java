package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Operation;
import org.HdrHistogram.AbstractHistogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that fail and are repeated, as through the failover of a server. */
class ErrorsAllowedTest {

  private static final Map<Operation, Integer> READS = Map.of(Operation.READ, 1);

  /** The pauses between that many attempts: 1, 2, 4, and 8 ms each. */
  private static final long AWAY_NANOS =
      Duration.ofMillis(7 + 8L * (FaultyBinding.FAILURES - 3)).toNanos();

  @TempDir private Path folder;

  private PhaseResult run(String fault, Map<Operation, Integer> mix, double rate) throws Exception {
    return Run.of(
            new Specs(folder)
                .binding(FaultyBinding.class)
                .property("fault", fault)
                .load(Distribution.SEQUENTIAL, 1, 1)
                .errorsAllowed()
                .timed(mix, 1, rate, Duration.ZERO))
        .result("timed");
  }

  private AbstractHistogram latency() throws Exception {
    return LatencyLog.histograms(folder).get("timed/read");
  }

  @Test
  void aRequestIsRepeatedUntilItSucceeds() throws Exception {
    PhaseResult result = run("goes away", READS, 0);

    OperationCount reads = result.operations().get(Operation.READ.label());
    assertThat(reads.errors())
        .containsExactly(Map.entry("SERVICE_UNAVAILABLE", (long) FaultyBinding.FAILURES));
    assertThat(latency().getTotalCount()).isEqualTo(reads.ok());
    Facts facts = result.facts();
    assertThat(facts.whole(Fact.REPEATED_RECORDS)).isEqualTo(1);
    assertThat(facts.whole(Fact.UNAVAILABLE_NANOS))
        .isGreaterThanOrEqualTo(AWAY_NANOS)
        .isEqualTo(facts.whole(Fact.UNAVAILABLE_LONGEST_NANOS))
        .isLessThanOrEqualTo(latency().getMaxValue());
  }

  @Test
  void atARateOthersWaitFromTheTimeAtWhichTheyWereDue() throws Exception {
    // It goes away after 100 ms: the sample of the load was as many reads.
    PhaseResult result = run("goes away", READS, 10_000);

    assertThat(result.operations().get(Operation.READ.label()).ok()).isEqualTo(3_000);
    assertThat(result.facts().whole(Fact.REPEATED_RECORDS)).isEqualTo(1);
    long late = latency().getCountBetweenValues(AWAY_NANOS / 2, Long.MAX_VALUE / 2);
    // Each of 10 in a millisecond of the first half of the outage.
    assertThat(late).isGreaterThan(AWAY_NANOS / 2 / 100_000 - 2);
  }

  @Test
  void whatNeverSucceedsCountsUntilTheEnd() throws Exception {
    PhaseResult result = run("dies", READS, 0);

    OperationCount reads = result.operations().get(Operation.READ.label());
    assertThat(reads.errorTotal()).isGreaterThan(1);
    assertThat(result.facts().whole(Fact.REPEATED_RECORDS)).isEqualTo(1);
    // With the time that the last one waited in vain.
    assertThat(latency().getTotalCount()).isEqualTo(reads.ok() + 1);
    assertThat(latency().getMaxValue())
        .isGreaterThanOrEqualTo(result.facts().whole(Fact.UNAVAILABLE_NANOS));
  }

  @Test
  void whatMayHaveFailedMayBeMissing() throws Exception {
    PhaseResult result =
        run("finds nothing to delete", Map.of(Operation.DELETE, 1, Operation.INSERT, 1), 0);

    assertThat(result.operations().get(Operation.DELETE.label()).notFound()).isPositive();
    assertThat(result.incorrect()).isZero();
  }
}
