package kvrank.worker.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
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
import org.junit.jupiter.api.io.TempDir;

/** Several requests in flight per thread. */
class PipelineTest {

  private static final Map<Operation, Integer> UPDATES = Map.of(Operation.UPDATE, 1);

  @TempDir private Path folder;

  private Specs specs() {
    return new Specs(folder).load(Distribution.RANDOM, 2, 1);
  }

  private int window() {
    return MemoryBinding.window(folder.toString());
  }

  @Test
  void loadsThroughPipelines() throws Exception {
    Run run = Run.of(new Specs(folder).pipeline(16).load(Distribution.RANDOM, 3, 1));
    run.assertAllOk("load", Operation.INSERT, 1000);
    assertThat(run.result("load").facts().asMap())
        .containsEntry("sample", "1000")
        .containsEntry("engine.size", "1000")
        .containsKeys("client.heapBytes", "client.heapCommittedBytes");
    assertThat(window()).isEqualTo(16);
  }

  @Test
  void countsEachRequestAndVerifiesEachAnswer() throws Exception {
    Map<Operation, Integer> mix =
        Map.of(Operation.READ, 2, Operation.UPDATE, 1, Operation.INSERT, 3, Operation.DELETE, 1);
    Run run = Run.of(specs().pipeline(7).mix(mix, 3, 1, 10_000));
    PhaseResult result = run.result("mix1");
    // A read may meet a record that is deleted at the moment.
    long total = result.operations().values().stream().mapToLong(c -> c.ok() + c.notFound()).sum();
    assertThat(total).isEqualTo(10_000);
    assertThat(result.incorrect()).isZero();
    assertThat(run.count("mix1", Operation.DELETE).notFound()).isZero();
    assertThat(window()).isEqualTo(7);
    assertThat(MemoryBinding.store(folder.toString()))
        .hasSize((int) result.facts().whole(Fact.RECORDS));
  }

  @Test
  void theStreamIsThatOfSingleRequests() throws Exception {
    Map<Operation, Integer> mix = Map.of(Operation.UPDATE, 1, Operation.DELETE, 1);
    Run.of(specs().mix(mix, 1, 1, 3_000));
    Path other = folder.resolve("other");
    Run.of(new Specs(other).load(Distribution.RANDOM, 2, 1).pipeline(16).mix(mix, 1, 1, 3_000));
    assertThat(MemoryBinding.records(other)).isEqualTo(MemoryBinding.records(folder));
  }

  @Test
  void whatCannotBePipelinedGoesAlone() throws Exception {
    Map<Operation, Integer> mix =
        Map.of(
            Operation.READ, 4,
            Operation.RANGE_SCAN, 1,
            Operation.READ_MODIFY_WRITE, 1,
            Operation.PREFIX_SCAN, 1);
    Run run = Run.of(specs().pipeline(8).mix(mix, 2, 1, 5_000));
    PhaseResult result = run.result("mix1");
    assertThat(result.incorrect()).isZero();
    assertThat(result.operations().values().stream().mapToLong(OperationCount::ok).sum())
        .isEqualTo(5_000);
    assertThat(window()).isEqualTo(8);
  }

  @Test
  void deletesAloneAreMadeUpFor() throws Exception {
    Run run = Run.of(specs().pipeline(4).mix(Map.of(Operation.DELETE, 1), 2, 1, 4_001));
    run.assertAllOk("mix1", Operation.DELETE, 4_001);
    assertThat(MemoryBinding.store(folder.toString()))
        .hasSize((int) run.result("mix1").facts().whole(Fact.RECORDS))
        .hasSizeBetween(992, 1_000);
  }

  @Test
  void aDrainEndsInTheMiddleOfAWindow() throws Exception {
    Run run = Run.of(specs().pipeline(16).drain(Map.of(Operation.DELETE, 1), 3, 1));
    run.assertAllOk("drain", Operation.DELETE, 1000);
    assertThat(MemoryBinding.store(folder.toString())).isEmpty();
  }

  @Test
  void anOpenLoopAppliesTheWindowsThatAreDue() throws Exception {
    Run run = Run.of(specs().pipeline(10).timed(UPDATES, 2, 10_000, Duration.ofMillis(100)));
    long counted = run.count("timed", Operation.UPDATE).ok();
    long unsent = run.result("timed").facts().whole(Fact.RATE_UNSENT);
    Map<String, Long> totals = LatencyLog.totals(folder);
    assertThat(counted + unsent).isEqualTo(3_000);
    assertThat(totals)
        .containsEntry("timed/warmup/update", 1_000L)
        .containsEntry("timed/update", 3_000L)
        .containsEntry("timed/update/service", counted)
        .containsEntry("timed/start-delay", 3_000L);
  }

  @Test
  void deletesOfAnOpenLoopArePacedAndWhatMakesUpForThemIsNot() throws Exception {
    Run run =
        Run.of(specs().pipeline(10).timed(Map.of(Operation.DELETE, 1), 1, 1_000, Duration.ZERO));
    long deleted = run.count("timed", Operation.DELETE).ok();
    assertThat(deleted + run.result("timed").facts().whole(Fact.RATE_UNSENT)).isEqualTo(300);
    assertThat(run.result("timed").facts().whole(Fact.COMPENSATION_RECORDS))
        .isBetween(deleted - 10, deleted);
  }

  @Test
  void exceptionsAreErrorsAndTheOthersAreStillAnswered() throws Exception {
    for (String fault : new String[] {"throws", "throws when sending"}) {
      Operation operation = fault.equals("throws") ? Operation.READ : Operation.UPDATE;
      Run run =
          Run.of(
              specs()
                  .binding(FaultyBinding.class)
                  .property("fault", fault)
                  .pipeline(16)
                  .mix(Map.of(operation, 1), 1, 1, 1_000));
      OperationCount count = run.count("mix1", operation);
      assertThat(count.errors()).containsOnlyKeys("EXCEPTION");
      assertThat(count.ok() + count.errorTotal()).isEqualTo(1_000);
      assertThat(count.errorTotal()).isBetween(9L, 21L);
      assertThat(run.result("mix1").incorrect()).isZero();
    }
  }

  @Test
  void anEngineThatDiesEndsThePhase() {
    Specs specs = specs().binding(FaultyBinding.class).property("fault", "dies").pipeline(16);
    assertThatThrownBy(() -> Run.of(specs.mix(Map.of(Operation.READ, 1), 2, 1, 9_000_000)))
        .hasMessageContaining("failed in a row, the last error was SERVICE_UNAVAILABLE of read");
  }

  @Test
  void theNoopEngineIsPipelined() throws Exception {
    Run run = Run.of(specs().binding(NoopBinding.class).pipeline(16).mix(UPDATES, 2, 1, 9_999));
    run.assertAllOk("mix1", Operation.UPDATE, 9_999);
  }

  @Test
  void refusesWhatItCannotDo() {
    assertThatThrownBy(
            () -> Run.of(specs().binding(PlainBinding.class).pipeline(2).mix(UPDATES, 1, 1, 1)))
        .hasMessageContaining("does not offer pipelines");
    assertThatThrownBy(() -> Run.of(specs().pipeline(2).mix(UPDATES, 1, 2, 10)))
        .hasMessageContaining("one must be 1");
  }
}
