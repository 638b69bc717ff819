package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import kvrank.metric.Usage;
import kvrank.results.Durability;
import kvrank.results.OperationRecord;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QualityFlagTest {

  @Test
  void measurementWithHeadroomAtItsRateInSteadyStateHasNone() {
    assertThat(
            QualityFlag.of(
                List.of(
                    phase(
                        Map.of(
                            "harness.ceiling", "2000",
                            "rate.asked", "1000",
                            "rate.achieved", "951",
                            "steady", "yes")),
                    phase(Map.of("steady", "unknown")))))
        .isEmpty();
  }

  @Test
  void harnessThatReachesLessThanTwiceAsMuchIsNamed() {
    assertThat(QualityFlag.of(List.of(phase(Map.of("harness.ceiling", "1999")))))
        .extracting(QualityFlag::label)
        .containsExactly("harness-bound");
  }

  @Test
  void rateThatWasNotKeptIsNamed() {
    assertThat(QualityFlag.of(List.of(phase(Map.of("rate.asked", "1000", "rate.achieved", "949")))))
        .extracting(QualityFlag::label)
        .containsExactly("saturated");
    Map<String, String> unsent =
        Map.of("rate.asked", "1000", "rate.achieved", "960", "rate.unsent", "1");
    assertThat(QualityFlag.of(List.of(phase(unsent))))
        .extracting(QualityFlag::label)
        .containsExactly("saturated");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "others.diskShare; 0.1; 0.95; ' and waited for a disk for 95 % of the time'",
        "others.delayShare; 0.1; 0.95; ', made server or client wait for a CPU for 95 % of the time'",
        "others.memoryShare; 0.1; 0.95; ', held 95 % of the memory, and the rest was too small for the"
            + " engine''s files'",
        // A stranger who read files made LMDB read 11 k/s instead of 527 k/s.
        "others.refaults; 900; 86602; ', made Linux drop 86,602 pages that were read again'",
        // Timers that wake no thread took half of RocksDB's time, which counts as its own.
        "timers.perSecond; 1000; 13000; ', caused 13,000 timer interrupts per second and CPU'",
        "tcp.shortShare; 0.1; 0.95; ', the kernel was short of memory for TCP for 95 % of the time'"
      })
  void whatOthersDidIsNamed(String fact, String little, String much, String named) {
    Map<String, String> quiet = Map.of("others.cpuShare", "0.02", fact, little);
    assertThat(QualityFlag.of(List.of(phase(quiet)))).isEmpty();
    Map<String, String> busy = Map.of("others.cpuShare", "0.02", fact, much);
    assertThat(QualityFlag.of(List.of(phase(busy))))
        .extracting(QualityFlag::label)
        .containsExactly("disturbed");
    assertThat(QualityFlag.disturbance(phase(busy).facts()))
        .isEqualTo("others used 2 % of the machine" + named);
  }

  /** A loop of one second lasted 0.594 s, without a word. */
  @Test
  void aClosedLoopThatWasMeasuredForLessThanItsTimeIsNamed() {
    Map<String, String> facts = Map.of("user.writtenBytes", "0", "records", "5");
    Map<String, String> timed = Map.of("duration", "1s");
    assertThat(QualityFlag.of(List.of(closed(timed, facts), closed(timed, facts))))
        .extracting(QualityFlag::label)
        .containsExactly("short 59 %");
    Map<String, String> deleted = Map.of("user.writtenBytes", "9", "records", "0");
    List<PhaseRecord> whole =
        List.of(
            closed(Map.of("duration", "600ms"), facts),
            closed(Map.of("duration", "1s", "operations", "9"), facts),
            closed(timed, deleted),
            // A trace.
            closed(timed, Map.of("records", "5")));
    assertThat(QualityFlag.of(whole)).isEmpty();
  }

  private static PhaseRecord closed(Map<String, String> settings, Map<String, String> facts) {
    return Runs.phase("get")
        .at(settings)
        .operation("read", 1000.0)
        .elapsedNanos(594_000_000)
        .facts(facts)
        .build();
  }

  /** A late request of a group is not sent when the others have ended, so none must be left. */
  @Test
  void aGroupThatDidNotKeepItsRateIsNamed() {
    Map<String, String> facts = new TreeMap<>();
    facts.put("group.rate.writers", "1000");
    facts.put("group.rateAchieved.writers", "951.0");
    assertThat(QualityFlag.of(List.of(phase(facts)))).isEmpty();
    facts.put("group.rateAchieved.writers", "949.0");
    assertThat(QualityFlag.of(List.of(phase(facts))))
        .extracting(QualityFlag::label)
        .containsExactly("saturated");
  }

  /** An engine that never forgets would look better than one that does. */
  @Test
  void anEngineThatDoesNotForgetIsNamedWithTheShareOfItsReads() {
    Map<String, String> reads = Map.of("reads.hits", "3000", "reads.misses", "245");
    assertThat(QualityFlag.of(List.of(phase(reads, Map.of("stale.reads", "900")))))
        .extracting(QualityFlag::label)
        .containsExactly("stale reads 28 %");
    assertThat(QualityFlag.of(List.of(phase(reads, Map.of("stale.reads", "33")))))
        .extracting(QualityFlag::label)
        .containsExactly("stale reads 1 %");
    assertThat(QualityFlag.of(List.of(phase(reads, Map.of("stale.reads", "32"))))).isEmpty();
    assertThat(QualityFlag.of(List.of(phase(reads, Map.of())))).isEmpty();
  }

  /** A server that has lost its records answers fast. */
  @Test
  void readsThatFindNothingAreNamed() {
    PhaseRecord phase = phase(Map.of());
    OperationRecord misses = new OperationRecord(0, 5, new TreeMap<>(), 0, Optional.empty());
    OperationRecord some = new OperationRecord(1, 5, new TreeMap<>(), 1, Optional.empty());
    assertThat(QualityFlag.of(List.of(Runs.from(phase).operation("range-scan", misses).build())))
        .extracting(QualityFlag::label)
        .containsExactly("nothing found");
    assertThat(QualityFlag.of(List.of(Runs.from(phase).operation("range-scan", some).build())))
        .isEmpty();
    assertThat(QualityFlag.of(List.of(Runs.from(phase).operation("delete", misses).build())))
        .isEmpty();
  }

  /** Of 10,000 requests, which kept the rate nevertheless; fills have no start of their own. */
  @Test
  void aTraceWhoseRequestsBeganLateIsNamedWithTheirShare() {
    Map<String, String> kept = Map.of("rate.asked", "1000", "rate.achieved", "1000");
    assertThat(QualityFlag.of(List.of(trace(kept, 8171))))
        .extracting(QualityFlag::label)
        .containsExactly("late 82 %");
    assertThat(QualityFlag.of(List.of(trace(kept, 1001))))
        .extracting(QualityFlag::label)
        .containsExactly("late 10 %");
    assertThat(QualityFlag.of(List.of(trace(kept, 1000)))).isEmpty();
    assertThat(
            QualityFlag.of(
                List.of(trace(Map.of("rate.asked", "1000", "rate.achieved", "700"), 10_000))))
        .as("late throughout")
        .extracting(QualityFlag::label)
        .containsExactly("saturated");
  }

  private static PhaseRecord trace(Map<String, String> facts, int late) {
    PhaseRecord phase = phase(facts, Map.of("trace.late", Integer.toString(late)));
    return Runs.from(phase).operation("fill", Runs.operation(500, 1e6, Map.of())).build();
  }

  private static PhaseRecord phase(Map<String, String> some, Map<String, String> more) {
    Map<String, String> facts = new HashMap<>(some);
    facts.putAll(more);
    return phase(facts);
  }

  /** Almost nothing was measured, so a share of it would be absurd. */
  @Test
  void aMomentHasNoShares() {
    Map<String, String> facts =
        Map.of("compiler.cpuSeconds", "0.2", "user.writtenBytes", "0", "records", "5");
    PhaseRecord moment =
        Runs.phase("get").at("duration", "10s").elapsedNanos(1_000_000).facts(facts).build();
    assertThat(QualityFlag.of(List.of(moment)))
        .extracting(QualityFlag::label)
        .containsExactly("short", "compiling");
    PhaseRecord longer =
        Runs.phase("get").at("duration", "10s").elapsedNanos(100_000_000).facts(facts).build();
    assertThat(QualityFlag.of(List.of(longer)))
        .extracting(QualityFlag::label)
        .containsExactly("short 1 %", "compiling 100 %");
  }

  /** A compiler takes processor time from the clients, and changes what they run. */
  @Test
  void aPhaseMeasuredWhileTheCompilerWorkedIsNamedWithItsShareOfACore() {
    PhaseRecord quiet = phase(Map.of("compiler.cpuSeconds", "0.5"));
    PhaseRecord busy = phase(Map.of("compiler.cpuSeconds", "2"));
    assertThat(QualityFlag.of(List.of(quiet, busy)))
        .extracting(QualityFlag::label)
        .containsExactly("compiling 20 % 1/2");
    PhaseRecord load = Runs.phase("load").facts(busy.facts().asMap()).build();
    assertThat(QualityFlag.of(List.of(load))).isEmpty();
  }

  @Test
  void labelOfSomeRepetitionsSaysOfHowMany() {
    assertThat(
            QualityFlag.of(
                List.of(
                    phase(Map.of("steady", "no")),
                    phase(Map.of("steady", "yes")),
                    phase(Map.of("steady", "no", "harness.ceiling", "1500")))))
        .extracting(QualityFlag::label)
        .containsExactly("harness-bound 1/3", "not steady 2/3");
  }

  @Test
  void aDriftHasItsDirectionAndSize() {
    assertThat(
            QualityFlag.of(
                List.of(
                    phase(Map.of("steady", "no", "drift", "1.45")),
                    phase(Map.of("steady", "yes", "drift", "1.02")))))
        .extracting(QualityFlag::label)
        .containsExactly("not steady +45 % 1/2");
    assertThat(
            QualityFlag.of(
                List.of(
                    phase(Map.of("steady", "no", "drift", "1.20")),
                    phase(Map.of("steady", "no", "drift", "0.79")))))
        .extracting(QualityFlag::label)
        .containsExactly("not steady −21 %");
  }

  /** The ceiling does not show it: it is far away for an engine behind a socket. */
  /** Redis counts what it allocated, without the gaps between it. */
  @Test
  void aServerWithMoreMemoryThanItsLimitIsNamedWithTheExcess() {
    assertThat(labels(limited("48MiB", 52L << 20))).containsExactly("over maxmemory +8 %");
    assertThat(labels(limited("1GiB", 1100L << 20))).containsExactly("over maxmemory +7 %");
    assertThat(labels(limited("48MiB", 48_400L << 10))).as("within 1 %").isEmpty();
    assertThat(labels(limited("none", 52L << 20))).isEmpty();
    Resources inWorker = Runs.resources(null, anonymous(52L << 20), 0);
    assertThat(
            labels(
                Runs.phase("cache")
                    .at("maxmemory", "48MiB")
                    .operation("read", 1000.0)
                    .resources(inWorker)
                    .build()))
        .as("an embedded engine, whose process has the client, too")
        .isEmpty();
  }

  private static List<String> labels(PhaseRecord phase) {
    return QualityFlag.of(List.of(phase)).stream().map(QualityFlag::label).toList();
  }

  private static PhaseRecord limited(String limit, long bytes) {
    return Runs.phase("cache")
        .at("maxmemory", limit)
        .operation("read", 1000.0)
        .resources(Runs.resources(anonymous(bytes), anonymous(300L << 20), 0))
        .build();
  }

  private static Usage anonymous(long peak) {
    return Runs.usage().resident(peak, peak, peak).build();
  }

  @Test
  void aClientWhoseThreadsHadNoRestIsNamed() {
    assertThat(QualityFlag.of(List.of(busy(9.2, Map.of()))))
        .extracting(QualityFlag::label)
        .containsExactly("harness-bound");
    assertThat(QualityFlag.of(List.of(busy(8.8, Map.of())))).isEmpty();
    assertThat(QualityFlag.of(List.of(busy(9.2, Map.of("rate.asked", "900"))))).isEmpty();
  }

  /** What the client took of CPUs that both share, the server lacked. */
  @Test
  void aClientThatLeavesNoCpuIdleWithTheServerIsNamed() {
    // 12.0 and 6.4 of 20 CPU seconds.
    assertThat(QualityFlag.of(List.of(busy(12.0, Map.of("client.cpus", "2"), 50))))
        .extracting(QualityFlag::label)
        .containsExactly("harness-bound");
    assertThat(
            QualityFlag.of(
                List.of(busy(12.0, Map.of("client.cpus", "2", "rate.asked", "900"), 50))))
        .extracting(QualityFlag::label)
        .containsExactly("harness-bound");
    assertThat(QualityFlag.of(List.of(busy(11.0, Map.of("client.cpus", "2"), 50)))).isEmpty();
    Map<String, String> apart = Map.of("client.cpus", "2", "server.cpus", "2");
    assertThat(QualityFlag.of(List.of(busy(12.0, apart, 50)))).isEmpty();
    assertThat(QualityFlag.of(List.of(busy(18.1, apart, 50))))
        .as("more threads than CPUs")
        .extracting(QualityFlag::label)
        .containsExactly("harness-bound");
  }

  /** One thread over 10 s. */
  private static PhaseRecord busy(double clientSeconds, Map<String, String> facts) {
    return busy(clientSeconds, facts, 1);
  }

  /** Over 10 s, in which the server took 6.4 CPU seconds. */
  private static PhaseRecord busy(double clientSeconds, Map<String, String> facts, int threads) {
    Map<String, String> settings = Map.of("threads", Integer.toString(threads));
    PhaseRecord phase =
        Runs.phase("get").at(settings).operation("read", 1000.0).threads(threads).build();
    return Runs.from(phase)
        .resources(
            Runs.resources(
                Runs.usage().cpuSeconds(6.4, 0).resident(1, 1, 1).build(),
                Runs.usage().cpuSeconds(clientSeconds, 0).resident(1, 1, 1).build(),
                4096))
        .facts(facts)
        .build();
  }

  @Test
  void aWarmUpThatDidNotBecomeSteadyHasNoSize() {
    Map<String, String> facts =
        Map.of("warmup.steady", "no", "steady", "unknown", "drift", "0.997626");
    assertThat(QualityFlag.of(List.of(phase(facts))))
        .extracting(QualityFlag::label)
        .containsExactly("not steady");
  }

  @Test
  void durabilityThatIsNotProvenComesFirst() {
    PhaseRecord drifting = phase(Map.of("steady", "no"));
    PhaseRecord unproven =
        Runs.from(drifting)
            .durability(Runs.durability(Durability.Verdict.NOT_PROVEN, 1, 1000, "1 for 1000"))
            .build();
    assertThat(QualityFlag.of(List.of(unproven)))
        .extracting(QualityFlag::label)
        .containsExactly("not proven", "not steady");
    assertThat(QualityFlag.of(List.of(unproven, drifting)))
        .extracting(QualityFlag::label)
        .containsExactly("not proven 1/2", "not steady");
  }

  @Test
  void aColdPhaseWhoseServerKeptRunningOrWhoseFilesStayedInMemoryIsNamed() {
    PhaseRecord reopened =
        reading(0, 1000, Map.of("cold.reopened", "yes", "cold.cachedBytes", "10"));
    assertThat(QualityFlag.of(List.of(reopened))).isEmpty();
    for (Map<String, String> warm :
        List.of(Map.of("cold.reopened", "no"), Map.of("cold.cachedBytes", "11"))) {
      assertThat(QualityFlag.of(List.of(Runs.from(reopened).facts(warm).build())))
          .extracting(QualityFlag::label)
          .containsExactly("not cold");
    }
  }

  /** An engine that keeps all records in memory reads its log when it is opened. */
  @Test
  void aReopenedEngineThatThenReadNothingFromStorageWasNotCold() {
    Map<String, String> facts =
        Map.of(
            "cold.reopened", "yes",
            "cold.cachedBytes", "0",
            "user.readBytes", "100000",
            "user.liveBytes", "1000");
    assertThat(QualityFlag.of(List.of(reading(9, 1000, facts))))
        .extracting(QualityFlag::label)
        .containsExactly("not cold", "served from memory");
    assertThat(QualityFlag.of(List.of(reading(10, 1000, facts))))
        .as("read once, returned a hundred times")
        .extracting(QualityFlag::label)
        .containsExactly("served from memory");
  }

  @Test
  void workThatWaitedWhenAPhaseBeganIsNamedWithItsShareOfTheData() {
    Map<String, String> data = Map.of("user.liveBytes", "1000");
    assertThat(QualityFlag.of(List.of(phase(data, Map.of("pending.beginBytes", "250")))))
        .extracting(QualityFlag::label)
        .containsExactly("pending 25 %");
    assertThat(QualityFlag.of(List.of(phase(data, Map.of("pending.beginBytes", "100"))))).isEmpty();
    Map<String, String> stated = Map.of("pending.beginBytes", "250", "pending.beginWork", "1");
    assertThat(QualityFlag.of(List.of(phase(data, stated)))).hasSize(1);
    Map<String, String> idle = Map.of("pending.beginBytes", "250", "pending.beginWork", "0");
    assertThat(QualityFlag.of(List.of(phase(data, idle)))).isEmpty();
    // A phase that deletes most records, a phase that adds most, and a load.
    Map<String, String> deletes = Map.of("user.liveBytes", "100", "user.beginBytes", "1000");
    assertThat(QualityFlag.of(List.of(phase(deletes, Map.of("pending.beginBytes", "100")))))
        .isEmpty();
    Map<String, String> inserts = Map.of("user.liveBytes", "9000", "user.beginBytes", "1000");
    assertThat(QualityFlag.of(List.of(phase(inserts, Map.of("pending.beginBytes", "250")))))
        .extracting(QualityFlag::label)
        .containsExactly("pending 25 %");
    Map<String, String> load = Map.of("user.liveBytes", "1000", "user.beginBytes", "0");
    assertThat(QualityFlag.of(List.of(phase(load, Map.of("pending.beginBytes", "250"))))).isEmpty();
    Map<String, String> large = Map.of("user.liveBytes", "10000000", "user.writtenBytes", "0");
    assertThat(QualityFlag.of(List.of(writing(2_500_000, large))))
        .extracting(QualityFlag::label)
        .containsExactly("pending 25 %");
    assertThat(QualityFlag.of(List.of(writing(1_000_000, large)))).isEmpty();
    Map<String, String> updates = Map.of("user.liveBytes", "10000000", "user.writtenBytes", "1");
    assertThat(QualityFlag.of(List.of(writing(2_500_000, updates)))).isEmpty();
    // The worker's own files.
    Map<String, String> small = Map.of("user.liveBytes", "1000", "user.writtenBytes", "0");
    assertThat(QualityFlag.of(List.of(writing(40_000, small)))).isEmpty();
    assertThat(QualityFlag.of(List.of(phase(Map.of("settle.idle", "unknown"))))).isEmpty();
    assertThat(QualityFlag.of(List.of(phase(Map.of("settle.idle", "no")))))
        .extracting(QualityFlag::label)
        .containsExactly("not settled");
  }

  @Test
  void dataThatNeverReachedStorageOrWasNotReadFromItIsNamed() {
    assertThat(QualityFlag.of(List.of(phase(Map.of("engine.flushes", "0")))))
        .extracting(QualityFlag::label)
        .containsExactly("never flushed");
    assertThat(QualityFlag.of(List.of(phase(Map.of("engine.flushes", "0", "reopened", "yes")))))
        .isEmpty();
    Map<String, String> read = Map.of("user.readBytes", "10000", "user.liveBytes", "1000");
    assertThat(QualityFlag.of(List.of(reading(99, 500, read))))
        .extracting(QualityFlag::label)
        .containsExactly("served from memory");
    assertThat(QualityFlag.of(List.of(reading(100, 500, read)))).isEmpty();
    // Without the records in files, there is nothing to read.
    assertThat(QualityFlag.of(List.of(reading(0, 499, read)))).isEmpty();
    assertThat(QualityFlag.of(List.of(reading(0, 500, Map.of("user.readBytes", "0"))))).isEmpty();
  }

  /** Returns a phase of an embedded engine that wrote {@code bytes}. */
  private static PhaseRecord writing(long bytes, Map<String, String> facts) {
    Resources resources =
        new Resources(
            Optional.empty(),
            Optional.of(Runs.usage().readBytes(bytes).writtenBytes(bytes).build()),
            OptionalLong.empty(),
            Optional.empty());
    return Runs.phase("get").operation("read", 1000.0).resources(resources).facts(facts).build();
  }

  /** Returns a phase of an embedded engine with files. */
  private static PhaseRecord reading(long bytes, long footprint, Map<String, String> facts) {
    Usage usage = Runs.usage().readBytes(bytes).build();
    Resources resources =
        new Resources(
            Optional.empty(), Optional.of(usage), OptionalLong.of(footprint), Optional.empty());
    return Runs.phase("get").operation("read", 1000.0).resources(resources).facts(facts).build();
  }

  private static PhaseRecord phase(Map<String, String> facts) {
    return Runs.phase("get").operation("read", 1000.0).facts(facts).build();
  }
}
