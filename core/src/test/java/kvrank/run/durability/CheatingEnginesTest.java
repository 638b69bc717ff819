package kvrank.run.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import kvrank.engine.Fsync;
import kvrank.machine.BlockDevice;
import kvrank.machine.SyncProbe;
import kvrank.results.Durability;
import kvrank.results.Durability.Verdict;
import kvrank.run.durability.WrittenStretch.WriteLatency;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The verdicts on engines that cheat, played on a clock of their own. */
class CheatingEnginesTest {

  private static final long SYNC_NANOS = 4_000_000;
  private static final long ANSWER_NANOS = 400_000;
  private static final long SECOND = 1_000_000_000;
  private static final long LENGTH = 4 * SECOND;

  /** A disk that no one else uses, which does one flush after the other. */
  private static final class Disk {
    private long begins = -1;
    private long ends;
    private long flushes;

    /** Returns when a flush is over that began at {@code now} or later, alone or with others. */
    long group(long now) {
      if (begins < now) {
        flushes++;
        begins = Math.max(now, ends);
        ends = begins + SYNC_NANOS;
      }
      return ends;
    }
  }

  /** Returns when the write is acknowledged that came at {@code now}, as one of {@code clients}. */
  private interface Engine {
    long write(Disk disk, long now, int clients);
  }

  /** Engines are made for each stretch, as they count. */
  private static Engine always() {
    return (disk, now, clients) -> disk.group(now);
  }

  private static Engine never() {
    return (disk, now, clients) -> now + ANSWER_NANOS;
  }

  private static Engine sleeps() {
    return (disk, now, clients) -> now + SYNC_NANOS;
  }

  private static Engine everyNth(int n, Engine other) {
    long[] writes = {0};
    return (disk, now, clients) ->
        ++writes[0] % n == 0 ? disk.group(now) : other.write(disk, now, clients);
  }

  private static Engine allButEveryNth(int n) {
    long[] writes = {0};
    return (disk, now, clients) -> ++writes[0] % n == 0 ? now + ANSWER_NANOS : disk.group(now);
  }

  private static Engine timer(long nanos) {
    long[] next = {0};
    return (disk, now, clients) -> {
      if (now >= next[0]) {
        next[0] = now + nanos;
        disk.group(now);
      }
      return now + ANSWER_NANOS;
    };
  }

  /** Syncs without a pause, and lets no write wait for it. */
  private static Engine beside() {
    return timer(SYNC_NANOS);
  }

  private static Engine honestAlone(Engine other) {
    return (disk, now, clients) -> clients == 1 ? disk.group(now) : other.write(disk, now, clients);
  }

  /** A write waits for the flush that is under way, which may have begun before it. */
  private static Engine joinsTheFlushUnderWay() {
    return (disk, now, clients) -> now < disk.ends ? disk.ends : disk.group(now);
  }

  /**
   * Returns the writes, flushes and latencies.
   *
   * @param perSecond the rate of all clients together; 0 if each goes as fast as it can
   */
  private static WrittenStretch play(Engine engine, int clients, long perSecond) {
    Disk disk = new Disk();
    long[] free = new long[clients];
    long[] nanos = new long[(int) (clients * LENGTH / ANSWER_NANOS) + clients];
    int writes = 0;
    while (true) {
      int client = 0;
      for (int i = 1; i < clients; i++) {
        client = free[i] < free[client] ? i : client;
      }
      long due = perSecond == 0 ? 0 : writes * SECOND / perSecond;
      long now = Math.max(free[client], due);
      if (now >= LENGTH) {
        break;
      }
      free[client] = engine.write(disk, now, clients);
      nanos[writes++] = free[client] - now;
    }
    long[] sorted = Arrays.copyOf(nanos, writes);
    Arrays.sort(sorted);
    return new WrittenStretch(
        LENGTH / 1e9,
        0,
        OptionalLong.of(disk.flushes),
        "",
        writes,
        clients,
        Optional.of(new WriteLatency(sorted[writes / 10], sorted[writes / 2])),
        0,
        0);
  }

  /** Returns the verdict of a phase, after a stretch with one client. */
  private static Verdict verdict(
      Fsync fsync, Function<Integer, Engine> engine, int clients, long perSecond) {
    return verdict(fsync, engine, clients, perSecond, probe(SYNC_NANOS, 200));
  }

  /** Returns a probe of 200 syncs whose fastest took as long as the disk needs. */
  private static SyncProbe probe(long nanos, long flushes) {
    return new SyncProbe(
        Optional.of(new BlockDevice(Path.of("/sys/block/sda"))),
        20,
        OptionalLong.of(0),
        200,
        0.8,
        OptionalLong.of(flushes),
        new SyncProbe.Latency(SYNC_NANOS, nanos, nanos, nanos, nanos, nanos));
  }

  private static Verdict verdict(
      Fsync fsync, Function<Integer, Engine> engine, int clients, long perSecond, SyncProbe probe) {
    Optional<DeviceProbes> device = Optional.of(new DeviceProbes(List.of(probe)));
    Durability single =
        new DurabilityCheck(
                fsync,
                play(engine.apply(1), 1, 0),
                device,
                Optional.empty(),
                OptionalLong.of(ANSWER_NANOS))
            .durability();
    WrittenStretch phase = play(engine.apply(clients), clients, perSecond);
    return new DurabilityCheck(fsync, phase, device, Optional.of(single), OptionalLong.empty())
        .durability()
        .verdict();
  }

  private static void assertAll(
      Fsync fsync, String name, Function<Integer, Engine> engine, Verdict... allowed) {
    SoftAssertions all = new SoftAssertions();
    for (int clients : new int[] {1, 2, 8, 50}) {
      for (long perSecond : new long[] {0, 1, 40, 1000}) {
        all.assertThat(verdict(fsync, engine, clients, perSecond))
            .as("%s, fsync %s, %d clients, %d/s", name, fsync.label(), clients, perSecond)
            .isIn((Object[]) allowed);
      }
    }
    all.assertAll();
  }

  @Test
  void writesThatWaitForAFlushAreProven() {
    assertAll(Fsync.ON, "group commit", clients -> always(), Verdict.PROVEN);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 16, 50})
  void aFlushOfSomeWritesIsNotProven(int n) {
    Function<Integer, Engine> some = clients -> everyNth(n, never());
    assertAll(Fsync.ON, "every write of " + n, some, Verdict.NOT_PROVEN);
    Function<Integer, Engine> slowly = clients -> everyNth(n, sleeps());
    assertAll(Fsync.ON, "every write of " + n + ", slowly", slowly, Verdict.NOT_PROVEN);
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 100, 1000})
  void aFlushAtTimesIsNotProven(long millis) {
    Function<Integer, Engine> timer = clients -> timer(millis * 1_000_000);
    assertAll(Fsync.ON, "timer of " + millis + " ms", timer, Verdict.NOT_PROVEN);
  }

  @Test
  void writesWithoutWaitAreNotProven() {
    assertAll(
        Fsync.ON, "as large as the clients", n -> everyNth(n + 1, sleeps()), Verdict.NOT_PROVEN);
    assertAll(Fsync.ON, "sleeps, and never syncs", clients -> sleeps(), Verdict.NOT_PROVEN);
    assertAll(Fsync.ON, "syncs beside", clients -> beside(), Verdict.NOT_PROVEN);
  }

  /** Others made the disk ten times as slow and doubled its flushes, but only during the probe. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 50})
  void aDisturbedProbeClearsNoneOfThemAndAccusesNoOther(int clients) {
    SyncProbe disturbed = probe(10 * SYNC_NANOS, 400);
    assertThat(verdict(Fsync.ON, n -> always(), clients, 0, disturbed))
        .isNotEqualTo(Verdict.NOT_PROVEN);
    assertThat(List.of(never(), sleeps(), timer(SECOND), everyNth(16, never())))
        .extracting(cheat -> verdict(Fsync.ON, n -> cheat, clients, 0, disturbed))
        .containsOnly(Verdict.NOT_PROVEN);
    assertThat(verdict(Fsync.ON, n -> beside(), clients, 0, disturbed))
        .isNotEqualTo(Verdict.PROVEN);
  }

  @Test
  void oneInTwentyWritesWithoutAFlushIsNotProven() {
    Verdict[] noProof = {Verdict.NOT_PROVEN, Verdict.NOT_MEASURABLE};
    assertAll(Fsync.ON, "19 of 20", clients -> allButEveryNth(20), noProof);
    assertAll(Fsync.ON, "9 of 10", clients -> allButEveryNth(10), noProof);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 0",
    "2, 40",
    "2, 1000",
    "8, 0",
    "8, 40",
    "8, 1000",
    "50, 0",
    "50, 40",
    "50, 1000"
  })
  void anEngineThatOnlyCheatsUnderLoadIsNotProven(int clients, long perSecond) {
    assertThat(List.of(never(), sleeps(), timer(SECOND), beside(), everyNth(clients, never())))
        .extracting(other -> verdict(Fsync.ON, n -> honestAlone(other), clients, perSecond))
        .isSubsetOf(Verdict.NOT_PROVEN, Verdict.NOT_MEASURABLE);
  }

  /** What docs/explanation/durability.md says that a proof cannot show. */
  @Test
  void aWriteThatWaitsForAnEarlierFlushLooksDurable() {
    assertThat(verdict(Fsync.ON, clients -> joinsTheFlushUnderWay(), 8, 0))
        .isEqualTo(Verdict.PROVEN);
    assertThat(verdict(Fsync.ON, n -> honestAlone(everyNth(n, sleeps())), 8, 0))
        .isEqualTo(Verdict.PROVEN);
  }

  @ParameterizedTest
  @ValueSource(longs = {100, 1000})
  void aTimerSyncsAsOftenAsItSays(long millis) {
    Fsync level = Fsync.every(Duration.ofMillis(millis));
    Function<Integer, Engine> kept = clients -> timer(millis * 1_000_000);
    assertThat(verdict(level, kept, 8, 0)).isEqualTo(Verdict.PROVEN);
    Function<Integer, Engine> half = clients -> timer(2 * millis * 1_000_000);
    assertThat(verdict(level, half, 8, 0)).isEqualTo(Verdict.NOT_PROVEN);
    assertAll(level, "never", clients -> never(), Verdict.NOT_PROVEN);
    assertThat(verdict(level, clients -> always(), 8, 0)).isEqualTo(Verdict.NOT_PROVEN);
  }
}
