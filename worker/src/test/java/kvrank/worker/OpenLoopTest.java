package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import kvrank.fact.Fact;
import kvrank.worker.client.Wait;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.workload.ClientSettings;
import kvrank.workload.pace.ArrivalProcess;
import kvrank.workload.pace.Pacing;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import org.HdrHistogram.AbstractHistogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rates, over engines that stall at a given moment. */
class OpenLoopTest {

  private static final Map<Operation, Integer> READS = Map.of(Operation.READ, 1);
  private static final double PER_SECOND = 1000;
  private static final long SPACING_NANOS = 1_000_000;

  /** How long after its end a phase sends what was due before. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private static final int ATTEMPTS = 10;

  @TempDir private Path temporary;

  /** The folder of the last run. */
  private Path folder;

  /** Repeats a run while this JVM stood still for half of the grace: requests may stay unsent. */
  private Run run(UnaryOperator<Specs> settings) throws Exception {
    for (int attempt = 1; ; attempt++) {
      folder = temporary.resolve("run" + attempt);
      Run run = Run.of(settings.apply(new Specs(folder)));
      long still = run.result("timed").facts().count(Fact.HICCUP_MAX_NANOS);
      if (still < GRACE.toNanos() / 2 || attempt == ATTEMPTS) {
        return run;
      }
    }
  }

  /** 300 ms at 1,000/s, of which request {@code at} takes {@code stall}. */
  private Run stalled(int at, Duration stall, Duration warmup) throws Exception {
    return run(
        specs ->
            specs
                .binding(StallingBinding.class)
                .property("stall.at", Integer.toString(at))
                .property("stall.nanos", Long.toString(stall.toNanos()))
                .load(Distribution.SEQUENTIAL, 1, 1)
                .timed(READS, 1, PER_SECOND, warmup));
  }

  /**
   * The response times by the engine's own account, in order of size: from the intended starts to
   * the ends that it saw. The start of the phase is taken to be that of the first read, which is
   * not before it, so each is at most what the worker must have recorded.
   */
  private long[] theory(int from, int to) {
    List<StallingBinding.Interval> reads = StallingBinding.reads(folder.toString());
    // The first reads are the sample of the load.
    int first = reads.size() - to;
    long origin = reads.get(first).begin();
    return IntStream.range(from, to)
        .mapToLong(i -> reads.get(first + i).end() - origin - i * SPACING_NANOS)
        .sorted()
        .toArray();
  }

  private static long percentile(long[] sorted, double percent) {
    return sorted[(int) Math.ceil(percent / 100 * sorted.length) - 1];
  }

  private AbstractHistogram latency(String tag) throws Exception {
    return LatencyLog.histograms(folder).get(tag);
  }

  @Test
  void sendsEverythingThatWasDueBeforeTheEnd() throws Exception {
    // The stall is over 100 ms after the end, when 100 requests are due.
    Run run = stalled(1000 + 200, Duration.ofMillis(200), Duration.ZERO);
    run.assertAllOk("timed", Operation.READ, 300);
    assertThat(run.result("timed").facts().asMap()).containsEntry("rate.unsent", "0");
    AbstractHistogram latency = latency("timed/read");
    assertThat(latency.getTotalCount()).isEqualTo(300);
    long[] theory = theory(0, 300);
    assertThat(latency.getMaxValue()).isGreaterThanOrEqualTo(theory[299]);
    for (double percent : new double[] {50, 90, 95, 99}) {
      assertThat(latency.getValueAtPercentile(percent))
          .as("p%s", percent)
          .isGreaterThanOrEqualTo(percentile(theory, percent));
    }
    // What the engine was too slow for shows in the rate: 400 ms for the work of 300.
    assertThat(run.result("timed").facts().number(Fact.RATE_ACHIEVED)).isLessThan(300 / 0.399);
  }

  @Test
  void whatCannotBeSentIsEnteredWithTheTimeItWaited() throws Exception {
    Run run = stalled(1000 + 200, Duration.ofSeconds(2), Duration.ZERO);
    run.assertAllOk("timed", Operation.READ, 201);
    assertThat(run.result("timed").facts().asMap()).containsEntry("rate.unsent", "99");
    AbstractHistogram latency = latency("timed/read");
    assertThat(latency.getTotalCount()).isEqualTo(300);
    assertThat(latency("timed/start-delay").getTotalCount()).isEqualTo(300);
    assertThat(latency("timed/read/service").getTotalCount()).isEqualTo(201);
    assertThat(latency.getCountBetweenValues(GRACE.toNanos(), Long.MAX_VALUE / 2))
        .isGreaterThanOrEqualTo(100);
  }

  @Test
  void theBacklogOfTheWarmUpDoesNotCount() throws Exception {
    Run run = stalled(1000 + 50, Duration.ofMillis(100), Duration.ofMillis(100));
    run.assertAllOk("timed", Operation.READ, 300);
    assertThat(latency("timed/warmup/read").getTotalCount()).isEqualTo(100);
    AbstractHistogram latency = latency("timed/read");
    assertThat(latency.getTotalCount()).isEqualTo(300);
    assertThat(latency.getMaxValue()).isGreaterThanOrEqualTo(theory(100, 400)[299]);
  }

  @Test
  void aRateIsOfThePlannedTime() throws Exception {
    // Twelve requests, the last of which is due 275 ms after the start.
    Run run =
        run(specs -> specs.load(Distribution.SEQUENTIAL, 1, 1).timed(READS, 1, 40, Duration.ZERO));
    run.assertAllOk("timed", Operation.READ, 12);
    assertThat(run.result("timed").elapsedNanos()).isGreaterThanOrEqualTo(300_000_000);
  }

  /** It was as long as the phases that end by time, if these were longer. */
  @Test
  void aLoadAtARateTakesAsLongAsItsRecords() throws Exception {
    ClientSettings settings =
        new ClientSettings(
            1,
            1,
            1,
            1,
            new Pacing(10_000, ArrivalProcess.CONSTANT),
            new Limits(Duration.ZERO, Duration.ofHours(1), 0));
    Run run =
        Run.of(
            new Specs(temporary)
                .phase(
                    new WorkerPhase(
                        "load",
                        WorkerPhase.Kind.LOAD,
                        Specs.mix(Map.of(), Distribution.SEQUENTIAL, false),
                        settings,
                        Optional.empty())));
    run.assertAllOk("load", Operation.INSERT, 1000);
    assertThat(run.result("load").elapsedNanos()).isLessThan(Duration.ofHours(1).toNanos());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void windowsOfRequestsAreEnteredToo(int connections) throws Exception {
    Run run =
        run(
            specs ->
                specs
                    .binding(StallingBinding.class)
                    .property("stall.at", "1060")
                    .property("stall.nanos", "2000000000")
                    .load(Distribution.SEQUENTIAL, 1, 1)
                    .connections(connections)
                    .pipeline(2)
                    .timed(READS, 1, PER_SECOND, Duration.ZERO));
    long sent = run.count("timed", Operation.READ).ok();
    long unsent = run.result("timed").facts().whole(Fact.RATE_UNSENT);
    assertThat(sent + unsent).isEqualTo(300);
    assertThat(unsent).isPositive();
    assertThat(latency("timed/read").getTotalCount()).isEqualTo(300);
  }

  @Test
  void noThreadSpinsWhereCoresAreShared() {
    assertThat(Wait.spins(1, 2)).isFalse();
    assertThat(Wait.spins(2, 4)).isFalse();
    assertThat(Wait.spins(32, 8)).isFalse();
    assertThat(Wait.spins(1, 4)).isTrue();
    assertThat(Wait.spins(4, 16)).isTrue();
  }

  @Test
  void waitsUntilTheMoment() {
    for (boolean spins : new boolean[] {false, true}) {
      long origin = System.nanoTime();
      long[] late =
          IntStream.rangeClosed(1, 50)
              .mapToLong(i -> new Wait(spins).until(i * 300_000L, origin) - i * 300_000L)
              .toArray();
      assertThat(Arrays.stream(late)).allMatch(nanos -> nanos >= 0);
    }
  }
}
