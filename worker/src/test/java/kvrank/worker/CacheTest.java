package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import kvrank.fact.Fact;
import kvrank.workload.ValueSource;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import kvrank.workload.value.Ttl;
import kvrank.workload.value.Value;
import kvrank.workload.value.ValueShape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engines that give up records: misses that are filled, and times to live. */
class CacheTest {

  private static final Limits COUNTED = new Limits(Duration.ZERO, Duration.ZERO, 20_000);

  @TempDir private Path folder;

  private Specs specs(String property) {
    return new Specs(folder)
        .binding(CacheBinding.class)
        .property(property, "true")
        .load(Distribution.RANDOM, 1, 1);
  }

  /** Of 1,000 records half are missing; one client misses each of them once. */
  private static void assertFilledOnce(Run run) {
    assertThat(run.count("filling", Operation.READ).notFound()).isEqualTo(500);
    assertThat(run.count("filling", Operation.READ).ok()).isEqualTo(19_500);
    assertThat(run.count("filling", Operation.FILL).ok()).isEqualTo(500);
    assertThat(run.result("filling").incorrect()).isZero();
    assertThat(run.result("filling").facts().asMap()).containsEntry("records", "1000");
  }

  @Test
  void aMissIsFilledByTheNextRequest() throws Exception {
    assertFilledOnce(Run.of(specs("loses").evicting().filling(1, 1, 0, COUNTED)));
    assertThat(MemoryBinding.store(folder.toString())).hasSize(1_000);
    assertThat(LatencyLog.totals(folder))
        .containsEntry("filling/read", 20_000L)
        .containsEntry("filling/fill", 500L);
  }

  @Test
  void fillsOfAnOpenLoopAreNotDue() throws Exception {
    assertFilledOnce(Run.of(specs("loses").evicting().filling(1, 1, 1e6, COUNTED)));
    assertThat(LatencyLog.totals(folder))
        .containsEntry("filling/start-delay", 20_000L)
        .containsEntry("filling/fill", 500L);
  }

  /** Two reads of a window may miss the same record. */
  @Test
  void missesOfAWindowAreFilledInTheNext() throws Exception {
    Run run = Run.of(specs("loses").evicting().pipeline(16).filling(1, 1, 0, COUNTED));
    long missed = run.count("filling", Operation.READ).notFound();
    assertThat(missed).isBetween(500L, 600L);
    assertThat(run.count("filling", Operation.READ).ok()).isEqualTo(20_000 - missed);
    assertThat(run.count("filling", Operation.FILL).ok()).isBetween(missed - 16, missed);
    assertThat(MemoryBinding.store(folder.toString())).hasSize(1_000);
  }

  @Test
  void missesOfABatchAreFilledInOneRequest() throws Exception {
    Run run = Run.of(specs("loses").evicting().filling(1, 10, 0, COUNTED));
    long missed = run.count("filling", Operation.READ).notFound();
    assertThat(run.count("filling", Operation.FILL).ok()).isBetween(missed - 10, missed);
    assertThat(LatencyLog.totals(folder).get("filling/fill")).isLessThan(missed / 2);
    assertThat(MemoryBinding.store(folder.toString())).hasSize(1_000);
  }

  @Test
  void whatMayBeGivenUpIsNoWrongAnswer() throws Exception {
    assertThat(Run.of(specs("loses").evicting()).result("load").facts().asMap())
        .containsEntry("sample", "500");
    assertThat(Run.of(specs("loses")).result("load").incorrect()).isEqualTo(500);
  }

  @Test
  void aLookFindsWhatIsNotPastItsTimeToLive() throws Exception {
    ValueShape half = ValueShape.fixed(100).with(new Ttl(0.5, 1));
    Limits over = new Limits(Duration.ZERO, Duration.ofMillis(1_200), 0);
    Specs specs = specs("forgets").values(half, false).filling(1, 1, 10, over);
    Run run = Run.looking(specs);
    Value value = new ValueSource(half, specs.spec().seed()).value();
    long lasting =
        LongStream.range(0, 1_000)
            .peek(id -> value.set(id, Value.FIRST_VERSION))
            .filter(id -> value.ttlSeconds() == 0)
            .count();
    long filled = run.count("filling", Operation.FILL).ok();
    assertThat(run.seen(Fact.ALIVE_SAMPLE)).isEqualTo(1_000);
    assertThat(run.seen(Fact.ALIVE_RECORDS)).isBetween(lasting, lasting + filled);
    // The engine holds them all.
    assertThat(MemoryBinding.store(folder.toString())).hasSize(1_000);
  }

  @Test
  void aLookTakesASampleOfManyRecords() throws Exception {
    Run run =
        Run.looking(
            specs("loses").evicting().records(50_000).mix(Map.of(Operation.READ, 1), 1, 1, 1));
    assertThat(run.seen(Fact.ALIVE_SAMPLE)).isEqualTo(20_000);
    assertThat(run.seen(Fact.ALIVE_RECORDS)).isEqualTo(25_000);
  }

  /** Of new and deleted records it knows, too, however far each thread got. */
  @Test
  void aLookFindsNewRecordsAndNotTheDeleted() throws Exception {
    for (Map<Operation, Integer> mix :
        List.of(
            Map.of(Operation.INSERT, 1),
            Map.of(Operation.DELETE, 1),
            Map.of(Operation.INSERT, 1, Operation.DELETE, 1))) {
      Path own = Files.createDirectory(folder.resolve("mix" + mix.hashCode()));
      Specs specs = new Specs(own).evicting().load(Distribution.RANDOM, 1, 1);
      specs.mix(mix, 3, 1, 2_000);
      Run run = Run.looking(specs);
      assertThat(run.seen(Fact.ALIVE_RECORDS))
          .as(mix.toString())
          .isEqualTo(MemoryBinding.store(own.toString()).size());
      assertThat(run.result("mix1").facts().asMap())
          .containsEntry("records", Long.toString(run.seen(Fact.ALIVE_RECORDS)));
    }
  }

  private Run expiring(String property, int bytes) throws Exception {
    ValueShape half = ValueShape.fixed(bytes).with(new Ttl(0.5, 1));
    // A second of life and one for the coarsest clock; then what is found is stale.
    Specs specs = specs(property).values(half, false);
    return Run.of(specs.timed(Map.of(Operation.READ, 1), 2, 10_000, Duration.ofMillis(2_100)));
  }

  @Test
  void aReadAfterTheTimeToLiveIsStale() throws Exception {
    Run run = expiring("knows-no-ttl", 100);
    long stale = run.result("timed").facts().whole(Fact.STALE_READS);
    assertThat(stale).isBetween(1L, run.count("timed", Operation.READ).ok() - 1);
    assertThat(run.result("timed").incorrect()).isZero();
  }

  @Test
  void anEngineThatForgetsHasNoStaleReads() throws Exception {
    Run run = expiring("forgets", 100);
    assertThat(run.result("timed").facts().asMap()).containsEntry("stale.reads", "0");
    assertThat(run.count("timed", Operation.READ).notFound()).isPositive();
  }

  @Test
  void valuesThatDoNotSayWhoseTheyAreTellNothing() throws Exception {
    assertThat(expiring("forgets", 8).result("timed").facts().asMap())
        .doesNotContainKey("stale.reads");
  }
}
