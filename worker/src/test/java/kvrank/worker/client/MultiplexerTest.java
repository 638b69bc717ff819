package kvrank.worker.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import kvrank.fact.Fact;
import kvrank.worker.FaultyBinding;
import kvrank.worker.LatencyLog;
import kvrank.worker.MemoryBinding;
import kvrank.worker.PlainBinding;
import kvrank.worker.Run;
import kvrank.worker.Specs;
import kvrank.worker.call.NoopBinding;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.Status;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MultiplexerTest {

  private static final Map<Operation, Integer> UPDATES = Map.of(Operation.UPDATE, 1);

  @TempDir private Path folder;

  private Specs specs() {
    return new Specs(folder).load(Distribution.RANDOM, 2, 1);
  }

  @Test
  void theStreamIsThatOfAThreadForEachConnection() throws Exception {
    // Clients delete and insert records of their own, so their order does not matter.
    Map<Operation, Integer> mix = Map.of(Operation.DELETE, 1, Operation.INSERT, 2);
    Run.of(specs().mix(mix, 6, 1, 3_000));
    Path other = folder.resolve("other");
    Run.of(
        new Specs(other)
            .load(Distribution.RANDOM, 2, 1)
            .connections(3)
            .pipeline(4)
            .mix(mix, 2, 1, 3_000));
    assertThat(MemoryBinding.records(other)).isEqualTo(MemoryBinding.records(folder));
  }

  @Test
  void countsAndVerifiesEachAnswer() throws Exception {
    Map<Operation, Integer> mix = Map.of(Operation.READ, 2, Operation.UPDATE, 1);
    Run run = Run.of(specs().connections(10).mix(mix, 2, 1, 10_001));
    PhaseResult result = run.result("mix1");
    assertThat(result.operations().values().stream().mapToLong(OperationCount::ok).sum())
        .isEqualTo(10_001);
    assertThat(result.incorrect()).isZero();
    assertThat(MemoryBinding.window(folder.toString())).isEqualTo(1);
  }

  @Test
  void loadsAndThenGoesOnWithoutIt() throws Exception {
    Specs specs = new Specs(folder).connections(5).load(Distribution.RANDOM, 2, 1);
    Run run = Run.of(specs.connections(1).mix(UPDATES, 3, 1, 999));
    run.assertAllOk("load", Operation.INSERT, 1000);
    run.assertAllOk("mix1", Operation.UPDATE, 999);
  }

  @Test
  void deletesAloneAreMadeUpFor() throws Exception {
    Run run = Run.of(specs().connections(4).mix(Map.of(Operation.DELETE, 1), 2, 1, 4_001));
    run.assertAllOk("mix1", Operation.DELETE, 4_001);
    assertThat(MemoryBinding.store(folder.toString()))
        .hasSize((int) run.result("mix1").facts().whole(Fact.RECORDS))
        .hasSizeBetween(992, 1_000);
  }

  @Test
  void anOpenLoopAppliesWhatIsDue() throws Exception {
    Run run = Run.of(specs().connections(8).timed(UPDATES, 2, 10_000, Duration.ofMillis(100)));
    long counted = run.count("timed", Operation.UPDATE).ok();
    long unsent = run.result("timed").facts().whole(Fact.RATE_UNSENT);
    Map<String, Long> totals = LatencyLog.totals(folder);
    assertThat(counted + unsent).isEqualTo(3_000);
    assertThat(totals)
        .containsEntry("timed/update", 3_000L)
        .containsEntry("timed/update/service", counted)
        .containsEntry("timed/start-delay", 3_000L);
  }

  @Test
  void anEngineThatDiesEndsThePhase() {
    Specs specs = specs().binding(FaultyBinding.class).property("fault", "dies").connections(16);
    assertThatThrownBy(() -> Run.of(specs.mix(Map.of(Operation.READ, 1), 2, 1, 9_000_000)))
        .hasMessageContaining("failed in a row, the last error was SERVICE_UNAVAILABLE of read");
  }

  @Test
  void populationIsRestoredByTheThreadsOfThePhase() throws Exception {
    Specs specs = specs().binding(NamingBinding.class).connections(8);
    Run.of(specs.mix(Map.of(Operation.INSERT, 1), 2, 1, 1_000).mix(UPDATES, 2, 1, 10));
    assertThat(MemoryBinding.store(folder.toString())).hasSize(1_000);
    assertThat(NamingBinding.DELETING).containsExactlyInAnyOrder("client-0", "client-1");
  }

  /** Collects the names of the threads that delete. */
  public static final class NamingBinding extends MemoryBinding {

    private static final Set<String> DELETING = ConcurrentHashMap.newKeySet();

    @Override
    public Status batchDelete(List<byte[]> keys) {
      DELETING.add(Thread.currentThread().getName());
      return super.batchDelete(keys);
    }
  }

  @Test
  void findsClosedConnectionWhileOthersAreBusy() {
    Specs specs = specs().binding(LosingBinding.class).connections(2);
    assertThatThrownBy(() -> Run.of(specs.timed(UPDATES, 1, 0, Duration.ofSeconds(5))))
        .hasMessageContaining("failed in a row");
  }

  /** One of them loses its connection before its second answer. */
  public static final class LosingBinding extends MemoryBinding {

    private static final AtomicReference<MemoryBinding> LOST = new AtomicReference<>();

    private int flushes;

    @Override
    public void flush() {
      LOST.compareAndSet(null, this);
      if (LOST.get() != this || flushes++ == 0) {
        super.flush();
      } else if (flushes == 2) {
        CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS).execute(this::lose);
      }
    }

    private void lose() {
      try {
        channel().orElseThrow().close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void theNoopEngineHasNothingToWaitFor() throws Exception {
    Specs specs = specs().binding(NoopBinding.class).connections(25);
    Run.of(specs.mix(UPDATES, 2, 1, 9_999)).assertAllOk("mix1", Operation.UPDATE, 9_999);
  }

  @Test
  void refusesWhatItCannotDo() {
    assertThatThrownBy(
            () -> Run.of(specs().binding(PlainBinding.class).connections(2).mix(UPDATES, 1, 1, 1)))
        .hasMessageContaining("does not offer several connections per thread");
    assertThatThrownBy(
            () -> Run.of(specs().connections(2).mix(Map.of(Operation.RANGE_SCAN, 1), 1, 1, 10)))
        .hasMessageContaining("not [RANGE_SCAN]");
    assertThatThrownBy(() -> Run.of(specs().connections(2).mix(UPDATES, 1, 2, 10)))
        .hasMessageContaining("batches of 2");
  }
}
