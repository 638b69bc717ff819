package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.worker.CacheBinding.Life;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerException;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.key.KeyShape;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Replay;
import kvrank.workload.trace.TraceWriter;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {

  private static final int REQUESTS = 20_000;
  private static final int KEYS = 500;
  private static final ValueShape SIZES =
      new ValueShape(
          ValueShape.Kind.RANDOM, ValueSizes.between(16, 99, ValueSizes.Spread.UNIFORM), 0);

  @TempDir private Path folder;

  /** The length of the value that each key has after the last request; none if it is deleted. */
  private final Map<Long, Integer> last = new TreeMap<>();

  /**
   * All keys are read first, so they are loaded; then read, written and deleted.
   *
   * @param step microseconds from one request to the next
   */
  private Path write(long step) throws IOException {
    Path file = folder.resolve("some.trace");
    SplittableRandom random = new SplittableRandom(3);
    try (TraceWriter out = new TraceWriter(file)) {
      for (int i = 0; i < REQUESTS; i++) {
        boolean first = i < KEYS;
        long id = first ? i : random.nextInt(KEYS);
        int draw = first ? 9 : random.nextInt(10);
        if (draw == 0 && last.containsKey(id)) {
          out.request(i * step, Operation.DELETE, id, 0, 0, 0);
          last.remove(id);
        } else if (draw < 4) {
          int bytes = random.nextInt(16, 100);
          boolean known = last.put(id, bytes) != null;
          out.request(i * step, known ? Operation.UPDATE : Operation.INSERT, id, 0, bytes, 0);
        } else {
          out.request(i * step, Operation.READ, id, first ? 9 : 0, 0, 0);
          if (first) {
            last.put(id, 50);
          }
        }
      }
      for (int id = 0; id < KEYS; id++) {
        out.load(id, 50);
      }
      out.end("test", true, SIZES.sizes());
    }
    return file;
  }

  private Specs specs(Replay replay, int threads) {
    return new Specs(folder).values(SIZES, true).trace(replay, threads);
  }

  private void assertState() {
    KeyFormat keys = new KeyFormat(new KeyShape(9, 10));
    Map<String, Integer> expected = new TreeMap<>();
    last.forEach((id, bytes) -> expected.put(keys.key(id), bytes));
    Map<String, Integer> found = new TreeMap<>();
    MemoryBinding.store(folder.toString()).forEach((key, value) -> found.put(key, value.length));
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void anEngineHasWhatTheTraceLeavesWhateverTheThreads() throws Exception {
    Replay replay = Replay.of(write(1), 0, 1, 1).replay();
    for (int threads : new int[] {1, 4}) {
      MemoryBinding.store(folder.toString()).clear();
      Run run = Run.of(specs(replay, threads));
      run.assertAllOk("load", Operation.INSERT, KEYS);
      assertThat(run.result("load").facts().asMap())
          .containsEntry("records", "500")
          .containsEntry("sample", "500");
      PhaseResult result = run.result("trace");
      assertThat(result.incorrect()).isZero();
      assertThat(result.operations().values().stream().mapToLong(n -> n.ok() + n.notFound()).sum())
          .isEqualTo(REQUESTS);
      assertThat(run.count("trace", Operation.READ).notFound()).isPositive();
      assertThat(result.facts().asMap()).doesNotContainKey("records");
      assertState();
    }
  }

  @Test
  void twoEnginesAreAskedTheSame() throws Exception {
    Replay replay = Replay.of(write(1), 0, 1, 1).replay();
    Run.of(specs(replay, 3).binding(RecordingBinding.class).property("store", "one"));
    Run.of(specs(replay, 3).binding(RecordingBinding.class).property("store", "two"));
    assertThat(RecordingBinding.digests("two"))
        .hasSize(3)
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(RecordingBinding.digests("one"));
    assertThat(StreamDigest.lines(specs(replay, 3).spec(), REQUESTS))
        .hasSize(6)
        .isEqualTo(StreamDigest.lines(specs(replay, 3).spec(), REQUESTS));
  }

  @Test
  void requestsBeginWhenTheyWereRecorded() throws Exception {
    // 20,000 requests of 100 ns each at ten times the speed: 200 ms.
    Replay replay = Replay.of(write(100), 10, 1, 1).replay();
    PhaseResult result = Run.of(specs(replay, 2)).result("trace");
    assertThat(result.elapsedNanos()).isGreaterThanOrEqualTo(199_000_000L);
    assertThat(result.operations().values().stream().mapToLong(n -> n.ok() + n.notFound()).sum())
        .isEqualTo(REQUESTS);
    assertState();
  }

  @Test
  void whatIsLateIsCountedAndNotLeftOut() throws Exception {
    // A request each microsecond, of an engine that stands still for 100 ms.
    Replay replay = Replay.of(write(1), 1, 1, 1).replay();
    Specs stalling =
        specs(replay, 1)
            .binding(StallingBinding.class)
            .property("stall.at", "2000")
            .property("stall.nanos", "100000000");
    PhaseResult result = Run.of(stalling).result("trace");
    assertThat(result.operations().values().stream().mapToLong(n -> n.ok() + n.notFound()).sum())
        .isEqualTo(REQUESTS);
    assertThat(result.facts().asMap()).containsEntry("rate.unsent", "0");
    assertThat(result.facts().whole(Fact.TRACE_LATE)).isBetween(100L, (long) REQUESTS);
  }

  /** Every other key is lost by the load; what is deleted is missed by the next read as well. */
  @Test
  void aMissIsFilledWithTheLengthThatTheRecordHadLast() throws Exception {
    Path file = folder.resolve("fill.trace");
    SplittableRandom random = new SplittableRandom(5);
    Map<Long, Integer> lengths = new TreeMap<>();
    try (TraceWriter out = new TraceWriter(file)) {
      for (int i = 0; i < REQUESTS; i++) {
        boolean ends = i < KEYS || i >= REQUESTS - KEYS;
        long id = ends ? i % KEYS : random.nextInt(KEYS);
        Operation operation =
            ends || i > REQUESTS - 9 * KEYS
                ? Operation.READ
                : random.nextInt(2) == 0 ? Operation.UPDATE : Operation.DELETE;
        int bytes = operation == Operation.UPDATE ? random.nextInt(16, 100) : 0;
        if (bytes > 0) {
          lengths.put(id, bytes);
        }
        out.request(i, operation, id, i < KEYS ? 9 : 0, bytes, 0);
      }
      for (int id = 0; id < KEYS; id++) {
        lengths.putIfAbsent((long) id, 16 + id % 80);
        out.load(id, 16 + id % 80);
      }
      out.end("test", true, SIZES.sizes());
    }
    for (double speed : new double[] {0, 1}) {
      MemoryBinding.store(folder.toString()).clear();
      Replay replay = Replay.of(file, speed, 1, 1).replay();
      Specs specs =
          new Specs(folder)
              .values(SIZES, true)
              .binding(CacheBinding.class)
              .property("loses", "true")
              .evicting()
              .trace(replay, 3, true);
      PhaseResult result = Run.of(specs).result("trace");
      assertThat(result.incorrect()).isZero();
      OperationCount reads = result.operations().get(Operation.READ.label());
      assertThat(reads.notFound()).isGreaterThan(400);
      assertThat(result.operations().get(Operation.FILL.label()).ok()).isEqualTo(reads.notFound());
      last.putAll(lengths);
      assertState();
    }
  }

  /**
   * A key with 10 s to live and one without, each read 500 times in 25 s after they were written:
   * at ten times the speed 1 s of 2.5 s, and a second for the coarsest clock.
   */
  private PhaseResult expiring(String property, boolean lasting) throws Exception {
    Path file = folder.resolve("ttl.trace");
    try (TraceWriter out = new TraceWriter(file)) {
      out.request(0, Operation.INSERT, 0, 9, 50, 10_000);
      out.request(0, Operation.INSERT, 1, 9, 50, 0);
      for (int i = 1; i <= 1_000; i++) {
        out.request(i * 25_000L, Operation.READ, i % 2, 0, 0, 0);
      }
      out.end("test", true, SIZES.sizes());
    }
    Replay replay = Replay.of(file, 10, 1, 1).replay();
    Specs specs = specs(lasting ? replay.lasting() : replay, 1).binding(CacheBinding.class);
    return Run.of(specs.property(property, "true")).result("trace");
  }

  /** The engine sees when the calls reach it, so a JVM that stands still changes nothing here. */
  @Test
  void whatIsWrittenLivesAsLongAsTheTraceSays() throws Exception {
    PhaseResult forgets = expiring("forgets", false);
    OperationCount reads = forgets.operations().get(Operation.READ.label());
    Life life = CacheBinding.life(folder.toString());
    assertThat(life.seconds()).isEqualTo(1);
    assertThat(life.reads()).hasSize(500);
    assertThat(reads.notFound())
        .isEqualTo(life.reads().stream().filter(read -> read > life.end()).count());
    assertThat(reads.ok() + reads.notFound()).isEqualTo(1_000);
    assertThat(forgets.incorrect()).isZero();
    assertThat(forgets.facts().asMap())
        .containsEntry("stale.reads", "0")
        .containsEntry("reads.misses", String.valueOf(reads.notFound()));
    PhaseResult keeps = expiring("knows-no-ttl", false);
    assertThat(keeps.operations().get(Operation.READ.label()).ok()).isEqualTo(1_000);
    assertStale(keeps.facts().whole(Fact.STALE_READS), CacheBinding.life(folder.toString()));
    PhaseResult lasting = expiring("forgets", true);
    assertThat(lasting.operations().get(Operation.READ.label()).ok()).isEqualTo(1_000);
    assertThat(lasting.facts().asMap()).doesNotContainKeys("stale.reads", "reads.misses");
  }

  /**
   * The last reads are stale, from a second after the end of the record's life on. The worker sees
   * the write when the first read begins, and begins a read after the previous one.
   */
  private static void assertStale(long stale, Life life) {
    long second = 1_000_000_000;
    List<Long> reads = life.reads();
    int first = reads.size() - (int) stale;
    long latestEnd = reads.get(0) + second * life.seconds();
    // The worker counts in milliseconds.
    assertThat(reads.get(first - 2)).isLessThan(latestEnd + second + 2_000_000);
    if (stale > 0) {
      assertThat(reads.get(first)).isGreaterThan(life.end() + second);
    }
  }

  @Test
  void anotherTraceInItsPlaceIsRefused() throws Exception {
    Path file = write(1);
    Replay replay = Replay.of(file, 0, 1, 1).replay();
    last.clear();
    write(2);
    assertThatThrownBy(() -> Run.of(specs(replay, 1)))
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining("is another trace than at the start of the run");
    Files.delete(file);
    assertThatThrownBy(() -> Run.of(specs(replay, 1))).isInstanceOf(WorkerException.class);
  }
}
