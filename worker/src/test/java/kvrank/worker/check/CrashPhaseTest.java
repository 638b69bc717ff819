package kvrank.worker.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import kvrank.worker.FaultyBinding;
import kvrank.worker.MemoryBinding;
import kvrank.worker.MortalBinding;
import kvrank.worker.Run;
import kvrank.worker.Specs;
import kvrank.worker.protocol.CrashFindings;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.workload.ClientSettings;
import kvrank.workload.CrashWrites;
import kvrank.workload.pace.Pacing;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes until the engine is gone, and what is found afterwards. */
class CrashPhaseTest {

  @TempDir private Path folder;

  private int batch = 1;
  private int pipeline = 1;

  private WorkerPhase phase(WorkerPhase.Kind kind, int threads) {
    return new WorkerPhase(
        "crash",
        kind,
        Specs.mix(
            Map.of(Operation.INSERT, 6, Operation.UPDATE, 3, Operation.DELETE, 1),
            Distribution.UNIFORM,
            false),
        new ClientSettings(
            threads,
            1,
            batch,
            pipeline,
            Pacing.CLOSED,
            new Limits(Duration.ZERO, Duration.ZERO, 0)),
        Optional.empty());
  }

  private Specs specs(Class<?> binding, WorkerPhase.Kind kind, int threads) {
    return new Specs(folder).binding(binding).phase(phase(kind, threads));
  }

  /** Applies {@code writes} writes in each thread, and one more that is not acknowledged. */
  private Run write(int threads, long writes, boolean last) throws Exception {
    Specs specs =
        specs(MortalBinding.class, WorkerPhase.Kind.CRASH_WRITES, threads)
            .property("writes", Long.toString(writes));
    return Run.of(last ? specs.property("last", "done") : specs);
  }

  private CrashFindings check(int threads) throws Exception {
    return Run.of(specs(MemoryBinding.class, WorkerPhase.Kind.CRASH_CHECK, threads))
        .report(WorkerMessage.CrashChecked.class)
        .findings();
  }

  private NavigableMap<String, byte[]> store() {
    return MemoryBinding.store(folder.toString());
  }

  private Map<String, List<Optional<byte[]>>> history() {
    return MortalBinding.history(folder.toString());
  }

  /** A key whose acknowledged writes are such. */
  private String key(Predicate<List<Optional<byte[]>>> such) {
    return history().entrySet().stream()
        .filter(entry -> such.test(entry.getValue()))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  private static boolean deleted(List<Optional<byte[]>> writes) {
    return writes.get(writes.size() - 1).isEmpty();
  }

  /** How many writes all threads together were acknowledged. */
  private long written() {
    return history().values().stream().mapToLong(List::size).sum();
  }

  private void assertSound(CrashFindings findings) {
    long acknowledged = written();
    long gone =
        history().values().stream().filter(CrashPhaseTest::deleted).mapToLong(List::size).sum();
    assertThat(findings.acknowledged()).isEqualTo(acknowledged);
    assertThat(findings.example()).isEmpty();
    assertThat(findings)
        .isEqualTo(
            new CrashFindings(
                acknowledged, findings.checked(), 0, 0, 0, 0, 0, "", Optional.empty()));
    // The writes to a record that a write in flight deleted are unknown, too.
    assertThat(findings.checked())
        .isBetween(acknowledged - gone - 20L * batch * pipeline, acknowledged - gone);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "7, 1", "1, 5"})
  void everyPrefixIsRightWhetherOrNotItsNextWriteWasDone(int records, int window) throws Exception {
    batch = records;
    pipeline = window;
    for (int writes = 0; writes < 60; writes++) {
      for (int threads : new int[] {1, 3}) {
        for (boolean last : new boolean[] {false, true}) {
          Files.deleteIfExists(AckCounters.file(folder));
          Files.deleteIfExists(folder.resolve("ledger.times"));
          store().clear();
          history().clear();
          write(threads, writes, last);
          assertThat(written()).isBetween((long) writes - batch + 1, (long) threads * writes);
          assertSound(check(threads));
        }
      }
    }
  }

  @Test
  void saysWhenTheFirstWriteIsAcknowledgedAndWhyTheyEnded() throws Exception {
    Run run = write(2, 100, false);
    assertThat(run.reports()).hasAtLeastOneElementOfType(WorkerMessage.Measuring.class);
    assertThat(run.report(WorkerMessage.WritesEnded.class).reason())
        .matches("(insert|update|delete): ERROR");
    assertThat(AckCounters.of(folder, 2))
        .contains(100L)
        .isEqualTo(run.report(WorkerMessage.WritesEnded.class).acknowledged());
    assertThat(AckCounters.of(folder, 2).stream().mapToLong(Long::longValue).sum())
        .isEqualTo(written());
  }

  /** Batches and pipelines lose what they acknowledged as single writes do. */
  @ParameterizedTest
  @CsvSource({"1, 1", "7, 1", "1, 5"})
  void aRecordIsMissing(int records, int window) throws Exception {
    batch = records;
    pipeline = window;
    write(2, 1_000, false);
    if (pipeline > 1) {
      assertThat(MemoryBinding.window(folder.toString())).isEqualTo(pipeline);
    }
    store().remove(key(writes -> writes.size() == 1 && !deleted(writes)));
    assertThat(check(2))
        .extracting(CrashFindings::lostInserts, CrashFindings::lostUpdates)
        .containsExactly(1L, 0L);
  }

  /** An engine can change a file, but not the commands of the controller. */
  @Test
  void theControllersNumbersCountAndNotThoseOfTheFile() throws Exception {
    Run run = write(2, 1_000, false);
    store().clear();
    Path file = AckCounters.file(folder);
    Files.write(file, new byte[(int) Files.size(file)]);
    WorkerCommand check =
        new WorkerCommand.Check(
            "crash", run.report(WorkerMessage.WritesEnded.class).acknowledged());
    CrashFindings findings =
        Run.commanded(specs(MemoryBinding.class, WorkerPhase.Kind.CRASH_CHECK, 2), check)
            .report(WorkerMessage.CrashChecked.class)
            .findings();
    assertThat(findings.acknowledged()).isEqualTo(written());
    assertThat(findings.lostInserts()).isPositive();
  }

  @Test
  void nothingIsLeft() throws Exception {
    write(2, 1_000, false);
    store().clear();
    CrashFindings findings = check(2);
    long there =
        history().values().stream().filter(writes -> !deleted(writes)).mapToLong(List::size).sum();
    assertThat(findings.lostInserts() + findings.lostUpdates())
        .isEqualTo(findings.checked())
        .isBetween(there - 20, there);
    assertThat(findings.lostInserts()).isPositive().isLessThan(findings.checked());
    assertThat(findings.lostDeletes() + findings.wrongValues() + findings.unexpectedKeys())
        .isZero();
    assertThat(findings.example()).contains("was acknowledged, and it does not exist");
  }

  @Test
  void aRecordIsMissingWithItsUpdates() throws Exception {
    write(2, 1_000, false);
    store().remove(key(writes -> writes.size() == 3 && !deleted(writes)));
    assertThat(check(2))
        .extracting(CrashFindings::lostInserts, CrashFindings::lostUpdates)
        .containsExactly(1L, 2L);
  }

  @Test
  void tellsWhenTheOldestAndTheNewestLostWriteWereAcknowledged() throws Exception {
    long start = System.nanoTime();
    write(2, 1_000, false);
    long end = System.nanoTime();
    store().clear();
    CrashFindings.Span all = check(2).lost().orElseThrow();
    assertThat(all.oldestNanos()).isBetween(start, end);
    assertThat(all.newestNanos()).isBetween(all.oldestNanos(), end);
  }

  @Test
  void countsEachLostWriteOnceWhenItLooksForTheOldest() {
    SortedMap<Operation, Integer> weights =
        new TreeMap<>(Map.of(Operation.INSERT, 6, Operation.UPDATE, 3, Operation.DELETE, 1));
    Random random = new Random(7);
    for (int count = 1; count < 300; count++) {
      CrashWrites[] all = new CrashWrites[3];
      Arrays.setAll(all, i -> new CrashWrites(5, weights, 0, 1, 1_000));
      CrashVerifier verifier = new CrashVerifier(after(all[0], count), after(all[1], count + 1));
      for (int index = 0; index < verifier.records(); index++) {
        long newest = all[0].newest(index);
        // An earlier state of the record, which may have been deleted since.
        verifier.see(index, "key", random.nextInt((int) newest + 2) - 1);
      }
      long lost = 0;
      long oldest = 0;
      long newest = 0;
      for (int number = 1; number <= count; number++) {
        all[2].next(1);
        if (verifier.lost(all[2], 0)) {
          lost++;
          oldest = oldest == 0 ? number : oldest;
          newest = number;
        }
      }
      CrashFindings found = verifier.findings(count, Optional.empty());
      assertThat(lost)
          .as("after %d writes", count)
          .isEqualTo(found.lostInserts() + found.lostUpdates() + found.lostDeletes());
      Optional<long[]> ends = verifier.lost(new CrashWrites(5, weights, 0, 1, 1_000), count, 1);
      assertThat(ends.isPresent()).isEqualTo(lost > 0);
      if (lost > 0) {
        assertThat(ends.get()).containsExactly(oldest, newest);
      }
    }
  }

  private static CrashWrites after(CrashWrites writes, int count) {
    for (int i = 0; i < count; i++) {
      writes.next(1);
    }
    return writes;
  }

  @Test
  void aWriteWasAcknowledgedInItsMillisecond() throws Exception {
    Path file = folder.resolve("ledger");
    AckCounters.Counter counter = AckCounters.create(file, 2).of(1);
    long[] before = new long[50];
    long[] after = new long[before.length];
    for (int i = 0; i < before.length; i++) {
      before[i] = System.nanoTime();
      counter.acknowledged(i + 1L);
      after[i] = System.nanoTime();
      while (i % 7 == 0 && System.nanoTime() < after[i] + 3_000_000) {
        Thread.onSpinWait();
      }
    }
    for (int i = 0; i < before.length; i++) {
      long time = AckCounters.times(file, 1, i + 1L)[0];
      assertThat(time).isBetween(before[i] - 1_000_000, after[i]);
      assertThat(AckCounters.last(folder, 2)).isGreaterThanOrEqualTo(time);
    }
  }

  @Test
  void anOlderVersionIsBack() throws Exception {
    write(2, 1_000, false);
    String key = key(writes -> writes.size() == 3 && !deleted(writes));
    store().put(key, history().get(key).get(0).orElseThrow());
    CrashFindings findings = check(2);
    assertThat(findings)
        .extracting(CrashFindings::lostInserts, CrashFindings::lostUpdates)
        .containsExactly(0L, 2L);
    assertThat(findings.example())
        .isEqualTo(key + ": version 2 was acknowledged, and version 0 exists");
  }

  @Test
  void aDeletedRecordIsBack() throws Exception {
    write(2, 1_000, false);
    String key = key(writes -> writes.size() == 3 && deleted(writes));
    store().put(key, history().get(key).get(0).orElseThrow());
    CrashFindings findings = check(2);
    assertThat(findings)
        .extracting(CrashFindings::lostDeletes, CrashFindings::lostUpdates)
        .containsExactly(1L, 1L);
    assertThat(findings.example())
        .isEqualTo(key + ": its delete was acknowledged, and version 0 exists");
  }

  @Test
  void aValueIsWrong() throws Exception {
    write(2, 1_000, false);
    String key = key(writes -> !deleted(writes));
    byte[] right = store().get(key);
    for (int place : new int[] {0, 50, 99}) {
      byte[] value = right.clone();
      value[place] ^= 1;
      store().put(key, value);
      CrashFindings findings = check(2);
      assertThat(findings.wrongValues()).isEqualTo(1);
      assertThat(findings.lostInserts() + findings.lostUpdates()).isZero();
    }
  }

  @Test
  void aRecordWasNeverWritten() throws Exception {
    write(2, 1_000, false);
    // Two inserts may have been in flight; the keys belong to both threads in turn.
    String newest = store().lastKey();
    String stray = "%09d".formatted(Long.parseLong(newest) + 8);
    store().put(stray, store().get(newest));
    CrashFindings findings = check(2);
    assertThat(findings.unexpectedKeys()).isEqualTo(1);
    assertThat(findings.example()).startsWith(stray + ": it was never written");
  }

  @Test
  void anEngineThatDoesNotAnswerIsNoFinding() throws Exception {
    write(1, 1_000, false);
    assertThatThrownBy(
            () ->
                Run.of(
                    specs(FaultyBinding.class, WorkerPhase.Kind.CRASH_CHECK, 1)
                        .property("fault", "throws")))
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining("after the kill: IllegalStateException: broken");
  }

  @Test
  void aLedgerOfOtherThreadsIsRefused() throws Exception {
    write(2, 10, false);
    assertThatThrownBy(() -> check(3))
        .hasMessageContaining("does not hold the ack counters of 3 threads");
  }
}
