package kvrank.worker.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import kvrank.worker.Specs;
import kvrank.worker.protocol.MachineBarrier;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.workload.ClientSettings;
import kvrank.workload.OperationMix;
import kvrank.workload.pace.ArrivalProcess;
import kvrank.workload.pace.Pacing;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import org.junit.jupiter.api.Test;

public class PhaseStagesTest {

  private static final double RECORD_BYTES = 116;

  public static PhaseStages stages(Duration warmup, double rate) {
    return stages(warmup, rate, Specs.mix(Map.of(Operation.READ, 1), Distribution.UNIFORM, false));
  }

  private static PhaseStages stages(Duration warmup, double rate, OperationMix mix) {
    return new PhaseStages(
        new WorkerPhase(
            "get",
            WorkerPhase.Kind.MIX,
            mix,
            new ClientSettings(
                1,
                1,
                1,
                1,
                new Pacing(rate, ArrivalProcess.CONSTANT),
                new Limits(warmup, Duration.ofSeconds(1), 0)),
            Optional.empty()),
        1_000,
        RECORD_BYTES);
  }

  /** How often it looked until the warm-up was over, when look i saw {@code done} records. */
  private static int looks(LongUnaryOperator done) {
    return looks(done, i -> 0);
  }

  private static int looks(LongUnaryOperator done, LongUnaryOperator compiled) {
    return looks(Duration.ofMillis(40), done, compiled);
  }

  /** Look i comes 5 ms after the last one, and the compiler has used {@code compiled} by then. */
  private static int looks(Duration warmup, LongUnaryOperator done, LongUnaryOperator compiled) {
    PhaseStages stages = stages(warmup, 0);
    assertThat(stages.measureNanos()).isEqualTo(Long.MAX_VALUE);
    int[] looks = {0};
    stages.watch(
        // It began long ago, so that nothing is waited for.
        System.nanoTime() - Duration.ofMinutes(1).toNanos(),
        () -> {
          int i = ++looks[0];
          long nanos = 5_000_000L * i;
          return new PhaseStages.Look(nanos, done.applyAsLong(i), 0, 0, compiled.applyAsLong(i), 0);
        },
        () -> false,
        MachineBarrier.NONE,
        counts -> false,
        window -> {});
    assertThat(stages.deadlineNanos()).isEqualTo(stages.measureNanos() + 1_000_000_000);
    return looks[0];
  }

  @Test
  void aWarmUpLastsUntilThroughputIsLevel() {
    assertThat(looks(i -> 10_000L * i)).isEqualTo(8);
    // Faster and faster until the twelfth; 12 + 12 after 11 + 12 is level.
    assertThat(looks(i -> 10_000 * (i <= 12 ? i * (i + 1) / 2 : 78 + 12 * (i - 12)))).isEqualTo(14);
  }

  @Test
  void aWarmUpLastsUntilTheCompilerIsQuiet() {
    // Level throughout; 5 % of the two parts are 500 us.
    assertThat(looks(i -> 10_000L * i, i -> 250_000 * i)).isEqualTo(8);
    assertThat(looks(i -> 10_000L * i, i -> 1_000_000 * Math.min(i, 13))).isEqualTo(15);
    assertThat(looks(i -> 10_000L * i, i -> 1_000_000 * Math.min(i, 53))).isEqualTo(55);
  }

  @Test
  void theCompilerIsAwaitedForTenTimesTheLengthOrFiveSeconds() {
    LongUnaryOperator even = i -> 10_000L * i;
    LongUnaryOperator busy = i -> 1_000_000 * i;
    assertThat(looks(even, busy)).isEqualTo(80);
    assertThat(looks(Duration.ofSeconds(1), even, busy)).isEqualTo(40);
    assertThat(looks(Duration.ofSeconds(2), even, busy)).isEqualTo(24);
  }

  @Test
  void aWarmUpIsBounded() {
    assertThat(looks(i -> Math.round(10_000 * Math.pow(1.2, (double) i)))).isEqualTo(24);
  }

  @Test
  void fewRecordsAreLevelAsFarAsChanceLetsThemBe() {
    assertThat(looks(i -> i + (i % 4 < 2 ? 1 : 0))).isEqualTo(8);
    assertThat(looks(i -> 0)).isEqualTo(8);
  }

  /** How often it looked, each time after 1,000 reads, when misses are filled. */
  private static int looks(LongUnaryOperator hits, boolean level) {
    OperationMix mix = Specs.mix(Map.of(Operation.READ, 1), Distribution.UNIFORM, false);
    PhaseStages stages =
        stages(
            Duration.ofMillis(40), 0, new OperationMix(mix.weights(), mix.keys(), 1, false, true));
    int[] looks = {0};
    stages.watch(
        System.nanoTime(),
        () -> {
          long hit = hits.applyAsLong(++looks[0]);
          long done = 100_000L * looks[0];
          return new PhaseStages.Look(0, done, hit, done - hit, 0, 0);
        },
        () -> false,
        MachineBarrier.NONE,
        counts -> false,
        window -> {});
    assertThat(stages.hitRatioLevel()).contains(level);
    return looks[0];
  }

  /**
   * Returns the number of looks at a warm-up until throughput is steady, of questions whether it
   * is, the rate of the first window, the number of windows, ten times the turnover, and the number
   * of windows of the last question. Each look comes 10 ms after the last one, and sees 200 more
   * requests, which wrote {@code bytes}.
   *
   * @param level the number of the question to which the answer is yes; 0 for none
   */
  private static long[] windows(Operation operation, double bytes, Duration most, int level) {
    Limits limits = new Limits(most, Duration.ofSeconds(1), 0, true);
    PhaseStages stages =
        new PhaseStages(
            new WorkerPhase(
                "set",
                WorkerPhase.Kind.MIX,
                Specs.mix(Map.of(operation, 1), Distribution.UNIFORM, false),
                new ClientSettings(1, 1, 1, 1, Pacing.CLOSED, limits),
                Optional.empty()),
            1_000,
            RECORD_BYTES);
    long origin = System.nanoTime();
    int[] looks = {0};
    List<long[]> asked = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    stages.watch(
        origin,
        () -> {
          int i = ++looks[0];
          return new PhaseStages.Look(
              origin + 10_000_000L * i, 200L * i, 0, 0, 0, Math.round(bytes * i));
        },
        () -> false,
        MachineBarrier.NONE,
        counts -> {
          asked.add(counts);
          return asked.size() == level;
        },
        window -> ends.add(window.nanos() - origin));
    assertThat(ends).startsWith(0L).isSorted();
    assertThat(stages.steady().orElseThrow().reached()).isEqualTo(level > 0);
    assertThat(stages.measureNanos()).isPositive();
    return LongStream.of(
            looks[0],
            asked.size(),
            asked.isEmpty() ? 0 : asked.get(0)[0],
            ends.size() - 1,
            Math.round(10 * stages.steady().orElseThrow().turnover()),
            asked.isEmpty() ? 0 : asked.get(asked.size() - 1).length)
        .toArray();
  }

  @Test
  void aWindowIsAThirtiethOfTheDataInBytesThatWereWritten() {
    // 1,000 records, and 90 windows come first. Popular records may be longer than the mean.
    Duration most = Duration.ofMinutes(1);
    assertThat(windows(Operation.UPDATE, 20 * RECORD_BYTES, most, 5))
        .containsExactly(2 * 94, 5, 20_000, 94, 38, 90);
    assertThat(windows(Operation.UPDATE, 100 * RECORD_BYTES, most, 5))
        .containsExactly(94, 5, 20_000, 94, 94, 90);
    // An insert follows each delete.
    assertThat(windows(Operation.DELETE, 20 * RECORD_BYTES, most, 5)[0]).isEqualTo(2 * 94);
  }

  @Test
  void withoutWritesAWindowIsAThirtiethOfTheRecordsThatWereRequested() {
    assertThat(windows(Operation.READ, 0, Duration.ofMinutes(1), 5))
        .containsExactly(94, 5, 20_000, 94, 188, 90);
  }

  /** From 200 windows on, the question comes after every second one. */
  @Test
  void ofALongWarmUpTwoThirdsMustBeSteady() {
    assertThat(windows(Operation.UPDATE, 100 * RECORD_BYTES, Duration.ofMinutes(1), 112))
        .containsExactly(202, 112, 20_000, 202, 202, 134);
  }

  @Test
  void aWarmUpThatNeverBecomesSteadyEnds() {
    assertThat(windows(Operation.UPDATE, 50 * RECORD_BYTES, Duration.ofMillis(100), 0)[1]).isZero();
  }

  @Test
  void aWarmUpThatFillsLastsUntilTheHitRatioIsLevel() {
    assertThat(looks(i -> 50_000L * i, true)).isEqualTo(8);
    // Two points more at each look up to the thirtieth: of 12 looks after the 26th the first three
    // have 6, 4 and 2 points less than the 12 after those, a point on average.
    assertThat(looks(i -> 1_000 * (i <= 30 ? i * (i + 1) : 930 + 60 * (i - 30)), true))
        .isEqualTo(50);
    assertThat(looks(i -> 600L * i * (i + 1), false)).isEqualTo(80);
  }

  @Test
  void itsTimeIsOverAtTheDeadlineAndNotBefore() {
    // Three times 40 ms of warm-up are the most.
    assertThat(stages(Duration.ofMillis(40), 0).over(560_000_000)).isEqualTo(0.5);
    PhaseStages open = stages(Duration.ofMillis(40), 100);
    assertThat(open.over(520_000_000)).isEqualTo(0.5);
    assertThat(open.over(1_040_000_000)).isEqualTo(1);
    assertThat(open.over(2_000_000_000)).isEqualTo(1);
  }

  /** What is due is due at times of its own, however fast the engine is. */
  @Test
  void anOpenLoopsWarmUpIsAsLongAsWasAsked() {
    assertThat(stages(Duration.ofMillis(40), 100).measureNanos()).isEqualTo(40_000_000);
    assertThat(stages(Duration.ZERO, 0).measureNanos()).isZero();
  }
}
