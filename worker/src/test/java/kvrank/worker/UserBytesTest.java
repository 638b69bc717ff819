package kvrank.worker;

import static kvrank.workload.request.Operation.DELETE;
import static kvrank.workload.request.Operation.INSERT;
import static kvrank.workload.request.Operation.ITERATE;
import static kvrank.workload.request.Operation.PREFIX_SCAN;
import static kvrank.workload.request.Operation.RANGE_SCAN;
import static kvrank.workload.request.Operation.READ;
import static kvrank.workload.request.Operation.READ_MISSING;
import static kvrank.workload.request.Operation.READ_MODIFY_WRITE;
import static kvrank.workload.request.Operation.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.workload.ClientSettings;
import kvrank.workload.TransactionPart;
import kvrank.workload.pace.Pacing;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes that amplification is measured against are those that the engine got and returned. */
class UserBytesTest {

  /** The tenth of the records that is requested most is fifty times as long as the others. */
  private static final ValueShape POPULAR_ARE_LONG =
      new ValueShape(
          ValueShape.Kind.RANDOM,
          new ValueSizes(
              ValueSizes.Spread.UNIFORM,
              List.of(),
              List.of(
                  new ValueSizes.Part(0.1, ValueSizes.fixed(1_000)),
                  new ValueSizes.Part(0.9, ValueSizes.fixed(20))),
              false),
          0);

  @TempDir private Path folder;

  /** Runs the load and a phase, without a check; returns the facts of the phase. */
  private Facts facts(String store, UnaryOperator<Specs> phase) throws Exception {
    Specs specs =
        phase.apply(
            new Specs(folder)
                .binding(WeighingBinding.class)
                .property("store", store)
                .values(POPULAR_ARE_LONG, false)
                .load(Distribution.SEQUENTIAL, 2, 1));
    return Run.of(specs).result(specs.spec().phases().get(1).name()).facts();
  }

  private void assertWeighed(UnaryOperator<Specs> phase) throws Exception {
    MemoryBinding.store("loaded").clear();
    MemoryBinding.store("measured").clear();
    long loaded = WeighingBinding.written("loaded");
    long sampled = WeighingBinding.read("loaded");
    // The same load and its sample, but no request.
    Facts nothing = facts("loaded", specs -> specs.mix(Map.of(READ, 1), 1, 1, 1));
    loaded = WeighingBinding.written("loaded") - loaded;
    sampled = WeighingBinding.read("loaded") - sampled - nothing.whole(Fact.USER_READ_BYTES);
    long written = WeighingBinding.written("measured");
    long read = WeighingBinding.read("measured");

    Facts facts = facts("measured", phase);

    assertThat(facts.whole(Fact.USER_WRITTEN_BYTES))
        .isEqualTo(WeighingBinding.written("measured") - written - loaded);
    assertThat(facts.whole(Fact.USER_READ_BYTES))
        .isEqualTo(WeighingBinding.read("measured") - read - sampled);
  }

  /** By the mean of all records, a third of what was written and read. */
  @Test
  void popularRecordsCountWithTheirOwnLength() throws Exception {
    Facts facts = facts("one", specs -> specs.mix(Map.of(READ, 1, UPDATE, 1), 2, 1, 10_000));
    double mean = 9 + 0.1 * 1_000 + 0.9 * 20;
    assertThat(facts.number(Fact.USER_WRITTEN_BYTES)).isGreaterThan(2.5 * 5_000 * mean);
    assertThat(facts.number(Fact.USER_READ_BYTES))
        .isCloseTo(
            facts.number(Fact.USER_WRITTEN_BYTES),
            within(0.1 * facts.number(Fact.USER_WRITTEN_BYTES)));
  }

  @Test
  void singleRequestsCountWhatTheyMove() throws Exception {
    assertWeighed(
        specs ->
            specs.mix(
                Map.of(READ, 4, READ_MISSING, 1, UPDATE, 2, INSERT, 1, READ_MODIFY_WRITE, 1),
                2,
                1,
                3_000));
    assertWeighed(specs -> specs.mix(Map.of(RANGE_SCAN, 1, PREFIX_SCAN, 1), 2, 1, 200));
    assertWeighed(specs -> specs.mix(Map.of(ITERATE, 1), 1, 1, 2));
  }

  @Test
  void batchesAndPipelinesCountWhatTheyMove() throws Exception {
    Map<Operation, Integer> mix = Map.of(READ, 2, UPDATE, 1, INSERT, 1, DELETE, 1);
    assertWeighed(specs -> specs.mix(mix, 2, 4, 4_000));
    assertWeighed(specs -> specs.pipeline(8).mix(mix, 2, 1, 4_000));
  }

  /** The inserts that follow deletes are writes as well. */
  @Test
  void compensatingInsertsCount() throws Exception {
    assertWeighed(specs -> specs.mix(Map.of(READ, 1, DELETE, 1), 2, 1, 2_000));
  }

  @Test
  void partsOfTransactionsCountAndTransactionsDoNot() throws Exception {
    assertWeighed(
        specs ->
            specs.phase(
                new WorkerPhase(
                    "carts",
                    WorkerPhase.Kind.MIX,
                    Specs.mix(Map.of(), Distribution.UNIFORM, false)
                        .with(
                            List.of(
                                new TransactionPart(READ, 3, ""),
                                new TransactionPart(UPDATE, 1, ""))),
                    new ClientSettings(
                        2, 1, 1, 1, Pacing.CLOSED, new Limits(Duration.ZERO, Duration.ZERO, 500)),
                    Optional.empty())));
  }

  /** YCSB's scans return values of unknown length, which nothing may read. */
  @Test
  void scansByYcsbsApiAreNotWeighed() throws Exception {
    Facts reads = ofYcsb("reads", specs -> specs.mix(Map.of(READ, 1, UPDATE, 1), 1, 1, 1_000));
    assertThat(reads.whole(Fact.USER_READ_BYTES) + reads.whole(Fact.USER_WRITTEN_BYTES))
        .isEqualTo(1_000 * (9 + 100));
    Facts scans = ofYcsb("scans", specs -> specs.mix(Map.of(RANGE_SCAN, 1, UPDATE, 1), 1, 1, 100));
    assertThat(scans.has(Fact.USER_READ_BYTES)).isFalse();
    assertThat(scans.whole(Fact.USER_WRITTEN_BYTES)).isPositive();
  }

  private Facts ofYcsb(String store, UnaryOperator<Specs> phase) throws Exception {
    return Run.of(
            phase.apply(
                new Specs(folder)
                    .binding(YcsbMemory.class)
                    .property("store", store)
                    .load(Distribution.SEQUENTIAL, 1, 1)))
        .result("mix1")
        .facts();
  }
}
