package kvrank.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.machine.BlockDevice;
import kvrank.machine.SyncProbe;
import kvrank.results.Durability;
import kvrank.results.Durability.Verdict;
import kvrank.scenario.Fsync;
import org.junit.jupiter.api.Test;

class DurabilityCheckTest {

  private static final double SECONDS = 5;

  /** An idle disk that counts one flush for each fdatasync of 4 ms. */
  private static final SyncProbe IDLE = probe(1, 0, 200);

  private static SyncProbe probe(double idleSeconds, long idleFlushes, long syncFlushes) {
    return new SyncProbe(
        Optional.of(new BlockDevice(Path.of("/sys/block/sda"))),
        idleSeconds,
        OptionalLong.of(idleFlushes),
        200,
        OptionalLong.of(syncFlushes),
        new SyncProbe.Latency(3_000_000, 4_000_000, 5_000_000, 8_000_000, 9_000_000));
  }

  private static Durability judge(Fsync fsync, long flushes, long writes, long inFlight) {
    return judge(fsync, flushes, writes, inFlight, IDLE, 0);
  }

  private static Durability judge(
      Fsync fsync, long flushes, long writes, long inFlight, SyncProbe probe, long writtenBytes) {
    return new DurabilityCheck(
            fsync,
            flushes,
            SECONDS,
            probe,
            writes,
            inFlight,
            OptionalLong.of(100_000),
            writtenBytes)
        .durability();
  }

  @Test
  void oneFlushForEachWriteOfOneThreadIsWhatOnPromises() {
    Durability durability = judge(Fsync.ON, 1251, 1250, 1);
    assertThat(durability.verdict()).isEqualTo(Verdict.PROVEN);
    assertThat(durability.reason())
        .isEqualTo("1,251 flushes for 1,250 writes, one at a time, which need about 1,250");
    assertThat(durability.flushesPerWrite()).hasValue(1251 / 1250.0);
    assertThat(durability.device()).contains("sda");
    assertThat(judge(Fsync.OFF, 1251, 1250, 1).verdict()).isEqualTo(Verdict.NOT_PROVEN);
  }

  @Test
  void aFlushNowAndThenIsNotWhatOnPromises() {
    Durability everysec = judge(Fsync.ON, 12, 50_211, 4);
    assertThat(everysec.verdict()).isEqualTo(Verdict.NOT_PROVEN);
    assertThat(everysec.reason())
        .isEqualTo(
            "12 flushes for 50,211 writes, up to 4 at a time, which need about 12,553;"
                + " the median write took 0.100 ms, an fdatasync of this device 4.000 ms");
    assertThat(judge(Fsync.ON, 1, 50_211, 4).reason()).startsWith("1 flush for 50,211 writes, ");
    Durability off = judge(Fsync.OFF, 12, 50_211, 4);
    assertThat(off.verdict()).isEqualTo(Verdict.PROVEN);
    assertThat(off.reason()).contains("fewer than the 12,553 of one flush for each group");
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
    assertThat(judge(Fsync.ON, 1000, 1000, 1, busy, 0).reason())
        .endsWith("of which others may have made 1,000: too many to tell whose they are");
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

  @Test
  void nothingSeenInAShortTimeIsNotNothing() {
    // None in 0.3 s is up to 11 a second, so up to 55 of the flushes may be those of others.
    SyncProbe brief = probe(0.3, 0, 200);
    assertThat(judge(Fsync.OFF, 60, 100, 1, brief, 0).verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(judge(Fsync.OFF, 60, 100, 1, IDLE, 0).verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(judge(Fsync.OFF, 100, 100, 1, IDLE, 0).verdict()).isEqualTo(Verdict.NOT_PROVEN);
    assertThat(judge(Fsync.OFF, 40, 100, 1, brief, 0).verdict()).isEqualTo(Verdict.PROVEN);
  }

  @Test
  void syncedFilesOfAnEngineAreNoSyncedWrites() {
    // 256 MiB of tables explain up to 1,024 flushes.
    Durability durability = judge(Fsync.OFF, 300, 400, 1, IDLE, 256L << 20);
    assertThat(durability.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(durability.reason()).contains("of which it wrote 256 MiB");
    // A page for each write explains none of its flushes.
    assertThat(judge(Fsync.OFF, 10_000, 10_000, 1, IDLE, 10_000 * 4096L).verdict())
        .isEqualTo(Verdict.NOT_PROVEN);
  }

  @Test
  void aDeviceThatDoesNotShowItsFlushesSaysSo() {
    Durability durability = judge(Fsync.ON, 0, 1000, 1, probe(1, 0, 0), 0);
    assertThat(durability.verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(durability.reason()).contains("counts 0.00 flushes for an fdatasync");
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
  void tooFewWritesTellNothing() {
    assertThat(judge(Fsync.ON, 9, 9, 1).verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(judge(Fsync.OFF, 0, 79, 8).verdict()).isEqualTo(Verdict.NOT_MEASURABLE);
    assertThat(judge(Fsync.OFF, 0, 80, 8).verdict()).isEqualTo(Verdict.PROVEN);
  }

  @Test
  void aPhaseWithoutWritesHasNothingToProve() {
    Durability durability = judge(Fsync.ON, 3, 0, 1);
    assertThat(durability.verdict()).isEqualTo(Verdict.NO_WRITES);
    assertThat(durability.flushesPerWrite()).isEmpty();
    assertThat(durability.flushes()).hasValue(3);
  }
}
