package kvrank.run.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.Wording;
import kvrank.engine.Fsync;
import kvrank.machine.BlockDevice;
import kvrank.machine.SyncProbe;
import kvrank.results.Durability;
import kvrank.results.Durability.Verdict;
import kvrank.run.durability.WrittenStretch.WriteLatency;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DurabilityCheckTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final double SECONDS = 5;

  /** An idle disk that counts one flush for each fdatasync of 4 ms. */
  private static final SyncProbe IDLE = probe(1, 0, 200);

  /** What an engine that syncs every write shows with one in flight. */
  private static final Optional<Durability> PROVEN =
      Optional.of(single(500, 500, new WriteLatency(3_600_000, 4_100_000), 30_000, IDLE));

  /** What a write takes that waits for the device, and one that does not. */
  private static final WriteLatency WAITED = new WriteLatency(3_600_000, 4_100_000);

  private static final WriteLatency QUICK = new WriteLatency(15_000, 20_000);

  /**
   * @param syncFlushes those of its own 200 calls
   */
  private static SyncProbe probe(double idleSeconds, long idleFlushes, long syncFlushes) {
    return new SyncProbe(
        Optional.of(new BlockDevice(Path.of("/sys/block/sda"))),
        idleSeconds,
        OptionalLong.of(idleFlushes),
        200,
        0.8,
        OptionalLong.of(syncFlushes + Math.round(0.8 * idleFlushes / idleSeconds)),
        new SyncProbe.Latency(3_000_000, 3_500_000, 4_000_000, 5_000_000, 8_000_000, 9_000_000));
  }

  private static Durability judge(Fsync fsync, long flushes, long writes, long inFlight) {
    return judge(fsync, flushes, writes, inFlight, IDLE, 0);
  }

  /** Of writes that waited for the device. */
  private static Durability judge(
      Fsync fsync, long flushes, long writes, long inFlight, SyncProbe probe, long writtenBytes) {
    return check(fsync, stretch(flushes, writes, inFlight, WAITED, writtenBytes), PROVEN, probe);
  }

  private static WrittenStretch stretch(
      long flushes, long writes, long inFlight, WriteLatency latency, long writtenBytes) {
    return new WrittenStretch(
        SECONDS,
        0,
        OptionalLong.of(flushes),
        "",
        writes,
        inFlight,
        Optional.of(latency),
        writtenBytes,
        0);
  }

  private static WrittenStretch stretch(
      double seconds, double missed, long flushes, long writes, long inFlight, WriteLatency nanos) {
    return new WrittenStretch(
        seconds, missed, OptionalLong.of(flushes), "", writes, inFlight, Optional.of(nanos), 0, 0);
  }

  private static Durability check(
      Fsync fsync, WrittenStretch stretch, Optional<Durability> single, SyncProbe... probes) {
    Optional<DeviceProbes> device = Optional.of(new DeviceProbes(List.of(probes)));
    return new DurabilityCheck(fsync, stretch, device, single, OptionalLong.empty()).durability();
  }

  /** With one write in flight, and reads that take {@code answerNanos}. */
  private static Durability single(
      long flushes, long writes, WriteLatency latency, long answerNanos, SyncProbe probe) {
    return new DurabilityCheck(
            Fsync.ON,
            stretch(flushes, writes, 1, latency, 0),
            Optional.of(new DeviceProbes(List.of(probe))),
            Optional.empty(),
            OptionalLong.of(answerNanos))
        .durability();
  }

  @Test
  void oneFlushForEachWriteOfOneThreadIsWhatOnPromises() {
    Durability durability = judge(Fsync.ON, 1251, 1250, 1);
    assertThat(durability.verdict()).isEqualTo(Verdict.PROVEN);
    wording.check(durability.reason());
    assertThat(durability.flushesPerWrite()).hasValue(1251 / 1250.0);
    assertThat(durability.device()).contains("sda");
    assertThat(judge(Fsync.OFF, 1251, 1250, 1).verdict()).isEqualTo(Verdict.NOT_PROVEN);
  }

  @Test
  void occasionalFlushesDoNotProveOn() {
    Durability everysec = check(Fsync.ON, stretch(12, 50_211, 4, QUICK, 0), Optional.empty(), IDLE);
    assertThat(everysec.verdict()).isEqualTo(Verdict.NOT_PROVEN);
    wording.check(everysec.reason());
    wording.check(judge(Fsync.ON, 1, 50_211, 4).reason());
    Durability off = judge(Fsync.OFF, 12, 50_211, 4);
    assertThat(off.verdict()).isEqualTo(Verdict.PROVEN);
    wording.check(off.reason());
  }

  @Test
  void aGroupCanHaveAllRequestsThatAreInFlightAndNoMore() {
    assertThat(judge(Fsync.ON, 1300, 10_000, 8).verdict()).isEqualTo(Verdict.PROVEN);
    assertThat(judge(Fsync.ON, 1300, 10_000, 6).verdict()).isEqualTo(Verdict.NOT_PROVEN);
    assertThat(judge(Fsync.OFF, 1300, 10_000, 8).verdict()).isEqualTo(Verdict.NOT_PROVEN);
    assertThat(judge(Fsync.OFF, 600, 10_000, 8).verdict()).isEqualTo(Verdict.PROVEN);
  }

  @Test
  void flushesOfOthersProveNothing() {
    // 200 a second before the engine ran: about 1,000 in the stretch, and at most 1,119.
    SyncProbe busy = probe(1, 200, 200);
    assertThat(judge(Fsync.ON, 1000, 1000, 1, busy, 0).verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    wording.check(judge(Fsync.ON, 1000, 1000, 1, busy, 0).reason());
    assertThat(judge(Fsync.ON, 2050, 1000, 1, busy, 0).verdict()).isEqualTo(Verdict.PROVEN);
    assertThat(judge(Fsync.ON, 2050, 1000, 1, busy, 0).flushesPerWrite()).hasValue(1.05);
    assertThat(judge(Fsync.OFF, 1000, 1000, 1, busy, 0).verdict())
        .isEqualTo(Verdict.NOT_MEASURABLE);
    // 100 a second may be 628 in the stretch: most of 400 needed ones, and not most of 2,000.
    assertThat(judge(Fsync.ON, 2400, 2000, 1, probe(1, 100, 200), 0).verdict())
        .isEqualTo(Verdict.PROVEN);
    assertThat(judge(Fsync.ON, 700, 400, 1, probe(1, 100, 200), 0).verdict())
        .isEqualTo(Verdict.NOT_MEASURABLE);
    // Too few even if all of them were the engine's, and few even so.
    assertThat(judge(Fsync.ON, 1000, 100_000, 1, busy, 0).verdict()).isEqualTo(Verdict.NOT_PROVEN);
    assertThat(judge(Fsync.OFF, 1000, 100_000, 1, busy, 0).verdict()).isEqualTo(Verdict.PROVEN);
  }

  /** Another user syncs 20 times a second, but not while the disk is probed. */
  @Test
  void flushesThatSlowNoWriteAccuseNoEngine() {
    for (Fsync level : List.of(Fsync.OFF, Fsync.NONE)) {
      Durability quick = check(level, stretch(100, 40, 1, QUICK, 0), Optional.empty(), IDLE);
      assertThat(quick.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
      wording.check(quick.reason());
      assertThat(check(level, stretch(100, 40, 1, WAITED, 0), Optional.empty(), IDLE).verdict())
          .isEqualTo(Verdict.NOT_PROVEN);
    }
    assertThat(timer(Fsync.every(Duration.ofSeconds(1)), 1250, 4000, probe(10, 0, 200)).verdict())
        .isNotEqualTo(Verdict.NOT_PROVEN);
  }

  /** Many clients wait for each other as long as for a flush. */
  @Test
  void flushesWhileOthersWaitForADiskAccuseNoEngine() {
    for (double waited : new double[] {0.05, 0.9}) {
      WrittenStretch several =
          new WrittenStretch(
              SECONDS, 0, OptionalLong.of(1300), "", 10_000, 8, Optional.of(WAITED), 0, waited);
      Durability judged = check(Fsync.OFF, several, Optional.empty(), IDLE);
      assertThat(judged.verdict())
          .as(judged.reason())
          .isEqualTo(waited > 0.1 ? Verdict.NOT_MEASURABLE : Verdict.NOT_PROVEN);
      assertThat(judged.reason().endsWith("others, who waited for a disk for 90 % of the time"))
          .isEqualTo(waited > 0.1);
    }
  }

  @Test
  void aShortProbeWithoutFlushesDoesNotRuleThemOut() {
    // None in 0.3 s is up to 11 a second, so up to 55 of the flushes may be those of others.
    SyncProbe brief = probe(0.3, 0, 200);
    assertThat(judge(Fsync.OFF, 60, 100, 1, brief, 0).verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(judge(Fsync.OFF, 60, 100, 1, IDLE, 0).verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(judge(Fsync.OFF, 100, 100, 1, IDLE, 0).verdict()).isEqualTo(Verdict.NOT_PROVEN);
    assertThat(judge(Fsync.OFF, 40, 100, 1, brief, 0).verdict()).isEqualTo(Verdict.PROVEN);
  }

  @Test
  void syncedFilesOfAnEngineAreNotSyncedWrites() {
    // 256 MiB of tables explain up to 1,024 flushes.
    Durability durability = judge(Fsync.OFF, 300, 400, 1, IDLE, 256L << 20);
    assertThat(durability.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    wording.check(durability.reason());
    // A page for each write explains none of its flushes.
    assertThat(judge(Fsync.OFF, 10_000, 10_000, 1, IDLE, 10_000 * 4096L).verdict())
        .isEqualTo(Verdict.NOT_PROVEN);
  }

  @Test
  void aDeviceWithoutVisibleFlushesIsNotMeasurable() {
    Durability durability = judge(Fsync.ON, 0, 1000, 1, probe(1, 0, 0), 0);
    assertThat(durability.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    wording.check(durability.reason());
    // The kernel makes one flush of several that wait: where the probe saw that, less is enough.
    assertThat(judge(Fsync.ON, 720, 1000, 1, probe(1, 0, 160), 0).verdict())
        .isEqualTo(Verdict.PROVEN);
    assertThat(judge(Fsync.ON, 719, 1000, 1, probe(1, 0, 160), 0).verdict())
        .isEqualTo(Verdict.NOT_PROVEN);
  }

  @Test
  void aShortPhaseOnAnIdleDiskIsEnough() {
    // Nothing in a second may be 17 in five: not most of 40, and most of 20.
    assertThat(judge(Fsync.ON, 40, 40, 1).verdict()).isEqualTo(Verdict.PROVEN);
    assertThat(judge(Fsync.ON, 20, 20, 1).verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
  }

  @Test
  void tooFewWritesProveNothing() {
    WrittenStretch few = stretch(0, 2, 50, WAITED, 0);
    Durability judged = check(Fsync.ON, few, PROVEN, IDLE);
    assertThat(judged.verdict()).isEqualTo(Verdict.PROVEN);
    wording.check(judged.reason());
    assertThat(check(Fsync.ON, few, Optional.empty(), IDLE).verdict())
        .isEqualTo(Verdict.NOT_MEASURABLE);
    Optional<Durability> unknown = Optional.of(Durability.notMeasurable("the disk is busy"));
    wording.check(check(Fsync.ON, few, unknown, IDLE).reason());
    // What is faster than the device is not like what was proven.
    assertThat(check(Fsync.ON, stretch(40, 80, 50, QUICK, 0), PROVEN, IDLE).verdict())
        .isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(judge(Fsync.OFF, 0, 79, 8).verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(judge(Fsync.OFF, 0, 80, 8).verdict()).isEqualTo(Verdict.PROVEN);
  }

  @Test
  void tooFewWritesOfAnEngineThatIsNotDurableAreNotDurable() {
    // Redis everysec with 50 threads at 40 a second, for 3 s.
    Durability single = single(17, 23_162, QUICK, 20_000, IDLE);
    Durability judged = check(Fsync.ON, stretch(30, 120, 50, QUICK, 0), Optional.of(single), IDLE);
    assertThat(judged.verdict()).isEqualTo(Verdict.NOT_PROVEN);
    wording.check(judged.reason());
    assertThat(judge(Fsync.ON, 120, 120, 50).verdict()).isEqualTo(Verdict.PROVEN);
  }

  @Test
  void aTimerHasToSyncOncePerInterval() {
    Fsync second = Fsync.every(Duration.ofSeconds(1));
    SyncProbe watched = probe(10, 0, 200);
    // In five seconds: five syncs, or four where the first and the last are outside.
    assertThat(timer(second, 5, 100_000, watched).verdict()).isEqualTo(Verdict.PROVEN);
    wording.check(timer(second, 4, 100_000, watched).reason());
    assertThat(timer(second, 3, 100_000, watched).verdict()).isEqualTo(Verdict.NOT_PROVEN);
    // Others may have made five in five seconds, if none was seen in one only.
    assertThat(timer(second, 5, 100_000, IDLE).verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(timer(Fsync.every(Duration.ofMillis(100)), 48, 100_000, IDLE).verdict())
        .isEqualTo(Verdict.PROVEN);
    assertThat(timer(Fsync.every(Duration.ofMillis(100)), 5, 100_000, IDLE).verdict())
        .isEqualTo(Verdict.NOT_PROVEN);
    // One for each group of writes is more than was asked for.
    Durability each = judge(second, 1250, 4000, 4, watched, 0);
    wording.check(each.reason());
    assertThat(each.verdict()).isEqualTo(Verdict.NOT_PROVEN);
    wording.check(timer(Fsync.every(Duration.ofSeconds(5)), 4, 100_000, watched).reason());
  }

  /** A neighbour whose syncs come in bursts, of which none was in a time of watching. */
  @Test
  void excessiveFlushesComeFromOthers() {
    Fsync second = Fsync.every(Duration.ofSeconds(1));
    SyncProbe watched = probe(10, 0, 200);
    assertThat(timer(second, 17, 100_000, watched).verdict()).isEqualTo(Verdict.PROVEN);
    Durability burst = timer(second, 576, 142_002, watched);
    assertThat(burst.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    wording.check(burst.reason());
    Durability off = judge(Fsync.OFF, 6_932, 2_012, 1);
    assertThat(off.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    wording.check(off.reason());
    assertThat(judge(Fsync.OFF, 4_024, 2_012, 1).verdict()).isEqualTo(Verdict.NOT_PROVEN);
  }

  private static Durability timer(Fsync level, long flushes, long writes, SyncProbe probe) {
    return check(level, stretch(flushes, writes, 4, QUICK, 0), Optional.empty(), probe);
  }

  @Test
  void aTimerIsProvenByOneWriteInFlightWhereAPhaseIsTooShort() {
    Fsync second = Fsync.every(Duration.ofSeconds(1));
    WrittenStretch rare = stretch(1, 1, 50, QUICK, 0);
    assertThat(check(second, rare, PROVEN, IDLE).verdict()).isEqualTo(Verdict.PROVEN);
    wording.check(check(second, rare, Optional.empty(), IDLE).reason());
    Optional<Durability> never = Optional.of(timer(second, 0, 100_000, IDLE));
    assertThat(check(second, rare, never, IDLE).verdict()).isEqualTo(Verdict.NOT_PROVEN);
  }

  @Test
  void withoutALogNothingIsSyncedAndAsItIsNothingIsPromised() {
    assertThat(judge(Fsync.NONE, 12, 50_211, 4).verdict()).isEqualTo(Verdict.PROVEN);
    assertThat(judge(Fsync.NONE, 1251, 1250, 1).verdict()).isEqualTo(Verdict.NOT_PROVEN);
    assertThat(judge(Fsync.AS_IS, 1251, 1250, 1).verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    wording.check(judge(Fsync.AS_IS, 1251, 1250, 1).reason());
  }

  @Test
  void aPhaseWithoutWritesHasNothingToProve() {
    Durability durability = judge(Fsync.ON, 3, 0, 1);
    assertThat(durability.verdict()).isEqualTo(Verdict.NO_WRITES);
    assertThat(durability.flushesPerWrite()).isEmpty();
    assertThat(durability.flushes()).hasValue(3);
  }

  @Test
  void enoughFlushesForGroupsDoNotProveSingleWrites() {
    assertNoProof("every 2nd write of 2 threads", 1250, 2500, 2);
    assertNoProof("every 16th of 16", 1250, 20_000, 16);
    assertNoProof("every 50th of 50", 1250, 62_500, 50);
    assertNoProof("a timer of 100 ms with 50 threads at 400 a second", 50, 2000, 50);
  }

  private static void assertNoProof(String engine, long flushes, long writes, long inFlight) {
    Durability quick =
        check(Fsync.ON, stretch(flushes, writes, inFlight, QUICK, 0), Optional.empty(), IDLE);
    assertThat(quick.verdict()).as(engine).isEqualTo(Verdict.NOT_PROVEN);

    // Where each waits for another's sync, as in an engine with one thread, the median is slow too.
    WrittenStretch slow = stretch(flushes, writes, inFlight, WAITED, 0);
    assertThat(check(Fsync.ON, slow, Optional.empty(), IDLE).verdict())
        .as(engine)
        .isEqualTo(Verdict.NOT_MEASURABLE);
    long alone = 5 * 60;
    Durability single = single(alone, alone * inFlight, QUICK, 30_000, IDLE);
    assertThat(single.verdict()).as(engine).isEqualTo(Verdict.NOT_PROVEN);
    Durability judged = check(Fsync.ON, slow, Optional.of(single), IDLE);
    assertThat(judged.verdict()).as(engine).isEqualTo(Verdict.NOT_PROVEN);
    assertThat(judged.reason()).startsWith("with one write in flight: 300 flushes for ");
  }

  @Test
  void oneInTenWritesWithoutWaitIsDetected() {
    WriteLatency mostly = new WriteLatency(20_000, 4_000_000);
    assertThat(single(1130, 1250, mostly, 30_000, IDLE).verdict()).isEqualTo(Verdict.NOT_PROVEN);
  }

  @Test
  void aFasterDeviceIsNoEvidenceAgainstTheEngine() {
    Durability alone = single(12_500, 12_500, QUICK, 5_000, IDLE);
    assertThat(alone.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    wording.check(alone.reason());
    assertThat(check(Fsync.ON, stretch(1250, 2500, 2, QUICK, 0), PROVEN, IDLE).verdict())
        .isEqualTo(Verdict.NOT_MEASURABLE);
    // What it was faster in with one write in flight, it may have been faster in with several.
    wording.check(
        check(Fsync.ON, stretch(724, 818, 4, QUICK, 0), Optional.of(alone), IDLE).reason());
  }

  @Test
  void fastWritesAccuseAnEngineThatDidNotFlushForEachOneInFlight() {
    WrittenStretch quick = stretch(20_000, 30_000, 4, QUICK, 0);
    Durability some = single(475, 500, WAITED, 20_000, IDLE);
    assertThat(some.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(check(Fsync.ON, quick, Optional.of(some), IDLE).verdict())
        .isEqualTo(Verdict.NOT_PROVEN);
    SyncProbe beside = probe(1, 4000, 400 - 3200);
    Durability each = single(10_000, 500, WAITED, 20_000, beside);
    assertThat(each.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(check(Fsync.ON, quick, Optional.of(each), beside).verdict())
        .as("others, who make 4,000 a second, slowed the probe")
        .isEqualTo(Verdict.NOT_MEASURABLE);
  }

  @Test
  void aDeviceThatCountsTwoFlushesForEachNeedsTwice() {
    SyncProbe two = probe(1, 0, 400);
    assertThat(single(2500, 2500, QUICK, 30_000, two).verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    Durability half = single(2500, 2500, WAITED, 30_000, two);
    assertThat(half.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    wording.check(half.reason());
    assertThat(single(5000, 2500, WAITED, 30_000, two).verdict()).isEqualTo(Verdict.PROVEN);
  }

  @Test
  void flushesThatOthersBeganToMakeSinceTheFirstRunProveNothing() {
    // Redis everysec with 50 threads at 40 a second: 0.8 groups a second, and others' 10.
    WriteLatency everysec = new WriteLatency(200_000, 270_000);
    WrittenStretch rare = stretch(15, 0, 15 + 150, 600, 50, everysec);
    assertThat(check(Fsync.ON, rare, Optional.empty(), IDLE).verdict())
        .isEqualTo(Verdict.NOT_PROVEN);

    // As many as others make now are theirs, though there were none before the first run.
    WrittenStretch waited = stretch(250, 250, 1, WAITED, 0);
    assertThat(check(Fsync.ON, waited, PROVEN, IDLE).verdict()).isEqualTo(Verdict.PROVEN);
    Durability risen =
        check(Fsync.ON, waited, PROVEN, IDLE, probe(0.3, 0, 200), probe(0.3, 15, 200));
    assertThat(risen.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    wording.check(risen.reason());
    assertThat(risen.baselinePerSecond().orElseThrow()).isEqualTo(15 / 1.6);
  }

  @Test
  void aDeviceAsFastAsTheEngineProvesNothingByLatency() {
    Durability durability = single(1250, 1250, WAITED, 2_100_000, IDLE);
    assertThat(durability.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    wording.check(durability.reason());
    assertThat(check(Fsync.ON, stretch(700, 5000, 8, WAITED, 0), Optional.of(durability), IDLE))
        .extracting(Durability::verdict)
        .isEqualTo(Verdict.NOT_MEASURABLE);
  }

  @Test
  void theFastestSyncAroundTheRunIsWhatAWriteIsComparedWith() {
    SyncProbe slow =
        new SyncProbe(
            IDLE.device(),
            1,
            OptionalLong.of(0),
            50,
            1,
            OptionalLong.of(50),
            new SyncProbe.Latency(9_000_000, 9_000_000, 20_000_000, 0, 0, 0));
    WrittenStretch waited = stretch(1250, 1250, 1, WAITED, 0);
    assertThat(check(Fsync.ON, waited, PROVEN, slow).verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(check(Fsync.ON, waited, PROVEN, slow, IDLE).verdict()).isEqualTo(Verdict.PROVEN);
  }

  /** Like Pogreb, with fewer flushes, on a disk that was busy only while it was probed. */
  @Test
  void aDisturbedProbeAccusesNoEngineThatFlushes() {
    SyncProbe disturbed = slow(150_000, 400);
    WriteLatency waited = new WriteLatency(200_000, 240_000);
    Durability honest = single(1720, 1903, waited, 15_000, disturbed);
    assertThat(honest.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    wording.check(honest.reason());
    assertThat(single(1720, 1903, waited, 15_000, slow(2_000_000, 400)).verdict())
        .as("a disk that is always slow")
        .isEqualTo(Verdict.NOT_PROVEN);
    assertThat(single(1720, 1903, QUICK, 15_000, disturbed).verdict())
        .as("faster than any sync")
        .isEqualTo(Verdict.NOT_PROVEN);
    assertThat(single(60, 1903, waited, 15_000, disturbed).verdict())
        .as("no flush for most writes")
        .isEqualTo(Verdict.NOT_PROVEN);
    assertThat(new DeviceProbes(List.of(disturbed)).disturbed()).isTrue();
    assertThat(new DeviceProbes(List.of(disturbed, IDLE)).disturbed()).isFalse();
    assertThat(probe(1, 0, 1120).disturbed()).as("5.6 flushes for each").isTrue();
    assertThat(probe(1, 0, 400).disturbed()).isFalse();
  }

  /** 200 calls with a median of 2.7 ms. */
  private static SyncProbe slow(long minNanos, long syncFlushes) {
    return new SyncProbe(
        IDLE.device(),
        1,
        OptionalLong.of(0),
        200,
        1,
        OptionalLong.of(syncFlushes),
        new SyncProbe.Latency(minNanos, 2_400_000, 2_700_000, 0, 0, 0));
  }

  @Test
  void groupCommitOfAnEngineThatSyncsEachWriteIsProven() {
    // RocksDB, Kvrocks and Redis with many clients: nearly all that wait share a flush.
    WriteLatency grouped = new WriteLatency(4_000_000, 7_500_000);
    assertThat(check(Fsync.ON, stretch(1300, 62_500, 50, grouped, 0), PROVEN, IDLE).verdict())
        .isEqualTo(Verdict.PROVEN);
    assertThat(check(Fsync.ON, stretch(1300, 9_000, 8, WAITED, 0), PROVEN, IDLE).verdict())
        .isEqualTo(Verdict.PROVEN);
  }

  @Test
  void aProcessThatSyncsAsFastAsItCanHidesNothing() {
    // 4,000 syncs a second while no one else does, and as many as the probe's while it does.
    SyncProbe beside = probe(1, 4000, 400 - 3200);
    Durability everysec = single(20_000, 30_000, QUICK, 20_000, beside);
    assertThat(everysec.verdict()).isEqualTo(Verdict.NOT_PROVEN);
    Durability always = single(10_000, 500, WAITED, 20_000, beside);
    assertThat(always.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    wording.check(always.reason());
    // In a fast spell of the disk.
    assertThat(single(20_000, 10_000, QUICK, 20_000, beside).verdict())
        .isEqualTo(Verdict.NOT_MEASURABLE);
  }

  @Test
  void aLateCountNeedsNoEarlierFlushes() {
    for (double missed : new double[] {0, 0.2}) {
      WrittenStretch late = stretch(4, missed, 1000, 1250, 1, WAITED);
      assertThat(check(Fsync.ON, late, PROVEN, IDLE).verdict())
          .isEqualTo(missed > 0 ? Verdict.PROVEN : Verdict.NOT_PROVEN);
    }
  }

  /** 555 writes of 1.8 ms in the second before the count, and 695 with it. */
  @Test
  void aLateCountMayMissTheFastestWrites() {
    WriteLatency uneven = new WriteLatency(1_800_000, 4_100_000);
    for (long flushes : new long[] {695, 400}) {
      WrittenStretch late = stretch(4, 0.2, flushes, 1250, 1, uneven);
      assertThat(check(Fsync.ON, late, PROVEN, IDLE).verdict())
          .isEqualTo(flushes == 400 ? Verdict.NOT_PROVEN : Verdict.NOT_MEASURABLE);
    }
  }

  /** Others synced only while the probe did, and the device was faster afterwards. */
  @Test
  void flushesOfOthersDuringTheProbeAreNotAskedOfTheEngine() {
    SyncProbe disturbed = probe(1, 0, 240);
    WriteLatency faster = new WriteLatency(1_200_000, 1_500_000);
    assertThat(single(1000, 1000, faster, 30_000, disturbed).verdict())
        .isEqualTo(Verdict.NOT_MEASURABLE);
    // The kernel makes one flush of two at a time: 393 for the 400 of a Redis that syncs always.
    assertThat(single(983, 1000, faster, 30_000, probe(1, 40, 200)).verdict())
        .isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(single(970, 1000, faster, 30_000, probe(1, 40, 200)).verdict())
        .isEqualTo(Verdict.NOT_PROVEN);
    // Others made 100 in one second and up to 400 in the next, that of the probe's own.
    assertThat(
            check(
                    Fsync.ON,
                    stretch(1010, 1000, 1, faster, 0),
                    Optional.empty(),
                    probe(1, 100, 400),
                    probe(1, 400, 200))
                .verdict())
        .isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(single(1000, 1000, faster, 30_000, probe(1, 0, 400)).verdict())
        .as("a device that counts two for each, or others who sync each time")
        .isEqualTo(Verdict.NOT_MEASURABLE);
  }

  /** Redis that syncs always, when another user synced during each probe and in no phase. */
  @Test
  void syncsOfOthersDuringEveryProbeAccuseNoEngine() {
    SyncProbe first = crowded(1, 12, 186, 1336, 900_000, 2_000_000, 8_950_000);
    SyncProbe around = crowded(0.3, 5, 130, 700, 260_000, 272_895, 987_135);
    WriteLatency quick = new WriteLatency(157_055, 235_007);
    Durability one =
        new DurabilityCheck(
                Fsync.ON,
                stretch(2, 0, 2080, 2038, 1, quick),
                Optional.of(new DeviceProbes(List.of(first, around))),
                Optional.empty(),
                OptionalLong.of(22_687))
            .durability();
    assertThat(one.verdict()).as(one.reason()).isEqualTo(Verdict.NOT_MEASURABLE);
    wording.check(one.reason());
    WrittenStretch several = stretch(3, 0, 5587, 7710, 2, new WriteLatency(233_983, 411_135));
    assertThat(check(Fsync.ON, several, Optional.of(one), first, around).verdict())
        .isEqualTo(Verdict.NOT_MEASURABLE);
  }

  private static SyncProbe crowded(
      double idleSeconds,
      long idleFlushes,
      long syncs,
      long syncFlushes,
      long min,
      long p10,
      long p50) {
    return new SyncProbe(
        IDLE.device(),
        idleSeconds,
        OptionalLong.of(idleFlushes),
        syncs,
        1,
        OptionalLong.of(syncFlushes),
        new SyncProbe.Latency(min, p10, p50, 0, 0, 0));
  }

  @Test
  void oneProbeWithoutOthersShowsWhatTheDeviceCounts() {
    WrittenStretch waited = stretch(1251, 1250, 1, WAITED, 0);
    assertThat(check(Fsync.ON, waited, PROVEN, probe(1, 0, 1400), IDLE).verdict())
        .isEqualTo(Verdict.PROVEN);
  }

  @Test
  void uncountableFlushesHaveAReason() {
    WrittenStretch stretch =
        new WrittenStretch(
            SECONDS,
            0,
            OptionalLong.empty(),
            "its files are in memory (tmpfs)",
            100,
            1,
            Optional.of(QUICK),
            0,
            0);
    Durability durability = check(Fsync.ON, stretch, Optional.empty(), IDLE);
    assertThat(durability.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(durability.reason()).isEqualTo("its files are in memory (tmpfs)");
    assertThat(durability.flushesPerWrite()).isEmpty();
  }
}
