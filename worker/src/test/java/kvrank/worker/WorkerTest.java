package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import kvrank.binding.ByteSource;
import kvrank.binding.RecordBuffer;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.worker.call.NoopBinding;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.workload.ClientSettings;
import kvrank.workload.OperationMix;
import kvrank.workload.RequestPlan;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.key.KeyShape;
import kvrank.workload.pace.ArrivalProcess;
import kvrank.workload.pace.ArrivalScheduleTest;
import kvrank.workload.pace.Pacing;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.HistogramLogProcessor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.DB;
import site.ycsb.Status;

class WorkerTest {

  @TempDir private Path folder;

  private Specs specs() {
    return new Specs(folder);
  }

  private ConcurrentSkipListMap<String, byte[]> store() {
    return MemoryBinding.store(folder.toString());
  }

  private void assertStored(long records) {
    KeyFormat keys = new KeyFormat(new KeyShape(9, 10));
    assertThat(store().navigableKeySet())
        .containsExactlyElementsOf(LongStream.range(0, records).mapToObj(keys::key).toList());
  }

  @Test
  void loadsEveryRecordOnce() throws Exception {
    for (Distribution order : Distribution.values()) {
      store().clear();
      Run run = Run.of(specs().load(order, 3, 1));
      run.assertAllOk("load", Operation.INSERT, 1000);
      assertStored(1000);
      assertThat(run.result("load").facts().asMap())
          .containsEntry("records", "1000")
          .containsEntry("sample", "1000");
      assertThat(run.result("load").elapsedNanos()).isPositive();
    }
  }

  @Test
  void loadsInBatches() throws Exception {
    Run run = Run.of(specs().load(Distribution.SEQUENTIAL, 2, 64));
    run.assertAllOk("load", Operation.INSERT, 1000);
    assertStored(1000);
  }

  @Test
  void hashedKeysAreLoadedScannedAndVerified() throws Exception {
    KeyShape shape = KeyShape.hashed(20);
    Map<Operation, Integer> mix =
        Map.of(
            Operation.READ, 5, Operation.UPDATE, 2, Operation.RANGE_SCAN, 2, Operation.INSERT, 1);
    Run run =
        Run.of(
            specs()
                .keys(shape)
                .values(ValueShape.fixed(100), true)
                .load(Distribution.SEQUENTIAL, 2, 1)
                .mix(mix, 2, 1, 2_000));
    run.assertAllOk("load", Operation.INSERT, 1000);
    PhaseResult result = run.result("mix1");
    assertThat(result.incorrect()).isZero();
    assertThat(result.operations().values())
        .allMatch(count -> count.ok() > 100 && count.notFound() + count.errorTotal() == 0);
    KeyFormat keys = new KeyFormat(shape);
    assertThat(store().navigableKeySet())
        .hasSize(1000 + (int) result.operations().get(Operation.INSERT.label()).ok())
        .containsAll(LongStream.range(0, 1000).mapToObj(keys::key).toList());
    assertThat(store().firstKey()).isNotEqualTo(keys.key(0));
  }

  @Test
  void reportsEachStep() throws Exception {
    Run run =
        Run.of(
            specs().load(Distribution.SEQUENTIAL, 2, 1).mix(Map.of(Operation.READ, 1), 1, 1, 10));
    assertThat(run.reports())
        .filteredOn(report -> !(report instanceof WorkerMessage.Progress))
        .extracting(report -> report.getClass().getSimpleName())
        .containsExactly("Ready", "Measuring", "Finished", "Measuring", "Finished");
    assertThat(run.reports().get(0))
        .isEqualTo(new WorkerMessage.Ready(new Facts().put(Fact.ENGINE, "memory.version", "1")));
  }

  @Test
  void splitsACountOverTheThreads() throws Exception {
    Run run =
        Run.of(
            specs()
                .load(Distribution.RANDOM, 1, 1)
                .mix(Map.of(Operation.READ, 1), 3, 1, 10_001)
                .mix(Map.of(Operation.UPDATE, 1), 3, 7, 10_001));
    run.assertAllOk("mix1", Operation.READ, 10_001);
    run.assertAllOk("mix2", Operation.UPDATE, 10_001);
  }

  @Test
  void readsOfMissingKeysSucceedIfNothingIsFound() throws Exception {
    Map<Operation, Integer> mix = Map.of(Operation.READ, 1, Operation.READ_MISSING, 3);
    for (int way = 0; way < 3; way++) {
      store().clear();
      Run run =
          Run.of(
              specs()
                  .keys(way == 0 ? KeyShape.hashed(20) : new KeyShape(9, 10))
                  .load(Distribution.SEQUENTIAL, 1, 1)
                  .pipeline(way == 1 ? 8 : 1)
                  .mix(mix, 2, way == 2 ? 7 : 1, 8_000));
      PhaseResult result = run.result("mix1");
      assertThat(result.incorrect()).isZero();
      assertThat(run.count("mix1", Operation.READ_MISSING).ok()).isBetween(5_500L, 6_500L);
      assertThat(result.operations().values())
          .allMatch(count -> count.notFound() + count.errorTotal() == 0);
      assertThat(result.facts().asMap()).doesNotContainKey("reads.misses");
    }
  }

  private Run reverse(Class<? extends DB> binding) throws Exception {
    OperationMix mix =
        new OperationMix(
            new TreeMap<>(Map.of(Operation.RANGE_SCAN, 1, Operation.PREFIX_SCAN, 1)),
            KeyChoice.of(Distribution.UNIFORM),
            ValueSizes.fixed(10),
            false,
            false,
            true);
    ClientSettings settings =
        new ClientSettings(
            2, 1, 1, 1, Pacing.CLOSED, new Limits(Duration.ZERO, Duration.ZERO, 2_000));
    return Run.of(
        specs()
            .binding(binding)
            .load(Distribution.SEQUENTIAL, 1, 1)
            .phase(new WorkerPhase("back", WorkerPhase.Kind.MIX, mix, settings, Optional.empty())));
  }

  @Test
  void reverseScansAreCheckedInDescendingOrder() throws Exception {
    Run run = reverse(MemoryBinding.class);
    assertThat(run.result("back").incorrect()).isZero();
    assertThat(run.result("back").operations().values())
        .allMatch(count -> count.ok() > 900 && count.errorTotal() == 0);

    PhaseResult ascending = reverse(ForwardBinding.class).result("back");
    assertThat(ascending.incorrect()).isGreaterThan(900);
    assertThat(ascending.facts().text(Fact.INCORRECT_EXAMPLE)).matches(".*: returned \\d+ after.*");

    assertThatThrownBy(() -> reverse(YcsbMemory.class))
        .hasMessageContaining("YcsbMemory does not offer");
  }

  /** Answers a reverse scan of a prefix with the right records in ascending order. */
  public static final class ForwardBinding extends MemoryBinding {
    @Override
    public Status reversePrefixScan(byte[] prefix, int limit, RecordBuffer found) {
      return prefixScan(prefix, limit, found);
    }
  }

  @Test
  void anIterationCountsEveryRecordOnce() throws Exception {
    List<Specs> all =
        List.of(
            specs(),
            specs().binding(YcsbMemory.class),
            specs().keys(KeyShape.hashed(20)),
            specs().values(ValueShape.fixed(20_000), false),
            specs().keys(new KeyShape(12, 10, "app:", false)).values(ValueShape.fixed(100), true));
    for (Specs specs : all) {
      store().clear();
      if (specs == all.get(4)) { // a shared server, with foreign keys before and after the run's
        store().put("aaa", new byte[1]);
        store().put("zzz", new byte[1]);
      }
      Run run =
          Run.of(
              specs.load(Distribution.SEQUENTIAL, 1, 1).mix(Map.of(Operation.ITERATE, 1), 2, 1, 4));
      run.assertAllOk("mix1", Operation.ITERATE, 4_000);
      assertThat(LatencyLog.totals(folder)).containsEntry("mix1/iterate", 4L);
    }
  }

  /** The one that began in the warm-up lasted until the end, so none counted. */
  @Test
  void anIterationThatIsLongerThanItsPhaseIsMeasured() throws Exception {
    Run run =
        Run.of(
            specs()
                .binding(SlowBinding.class)
                .load(Distribution.SEQUENTIAL, 1, 1)
                .records(4_000)
                .timed(Map.of(Operation.ITERATE, 1), 1, 0, Duration.ofMillis(10)));
    run.assertAllOk("timed", Operation.ITERATE, 4_000);
    assertThat(run.result("timed").elapsedNanos()).isGreaterThan(1_600_000_000);
    // The controller ends a phase without progress.
    assertThat(run.reports())
        .anyMatch(
            report ->
                report instanceof WorkerMessage.Progress progress
                    && progress.phase().equals("timed")
                    && progress.operations() > 0
                    && progress.operations() < 4_000
                    && progress.done() < 1);
  }

  /** Takes longer for a scan than a phase lasts. */
  public static final class SlowBinding extends MemoryBinding {
    @Override
    public Status scan(byte[] start, int limit, RecordBuffer found) {
      long end = System.nanoTime() + 400_000_000;
      while (System.nanoTime() < end) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
      return super.scan(start, limit, found);
    }
  }

  /** A wait that began before the measured time is a part of it. */
  @Test
  void aWaitThatBeganInTheWarmUpIsMeasured() throws Exception {
    Duration measured = Duration.ofSeconds(3);
    Limits limits = new Limits(Duration.ofMillis(10), measured, 0);
    Run run =
        Run.of(
            specs()
                .binding(WaitingBinding.class)
                .load(Distribution.SEQUENTIAL, 1, 1)
                .timed(Map.of(Operation.UPDATE, 1), 1, 0, limits));
    assertThat(run.result("timed").elapsedNanos()).isGreaterThanOrEqualTo(measured.toNanos());
  }

  /** Waits two seconds in the first update, which is the first request of the warm-up. */
  public static final class WaitingBinding extends MemoryBinding {
    private boolean waited;

    @Override
    public Status update(byte[] key, ByteSource value) {
      long end = System.nanoTime() + 2_000_000_000;
      while (!waited && System.nanoTime() < end) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
      waited = true;
      return super.update(key, value);
    }
  }

  @Test
  void iterationCountsBillionsOfRecords() throws Exception {
    Specs specs = specs().binding(NoopBinding.class).records(3_000_000_000L);
    Run.of(specs.keys(new KeyShape(16, 10)).mix(Map.of(Operation.ITERATE, 1), 1, 1, 2))
        .assertAllOk("mix0", Operation.ITERATE, 6_000_000_000L);
  }

  @Test
  void batchesOfUpdatesAreNotInserts() throws Exception {
    Specs specs = specs().binding(UpdatingBinding.class).load(Distribution.SEQUENTIAL, 1, 10);
    Run.of(specs.mix(Map.of(Operation.UPDATE, 1), 1, 10, 500))
        .assertAllOk("mix1", Operation.UPDATE, 500);
  }

  /** Refuses batches of inserts of records that exist. */
  public static final class UpdatingBinding extends MemoryBinding {
    @Override
    public Status batchInsert(List<byte[]> keys, List<? extends ByteSource> values) {
      return keys.stream().anyMatch(key -> records().containsKey(text(key)))
          ? Status.ERROR
          : super.batchInsert(keys, values);
    }

    @Override
    public Status batchUpdate(List<byte[]> keys, List<? extends ByteSource> values) {
      return super.batchInsert(keys, values);
    }
  }

  @Test
  void anIterationThatMissesRecordsIsWrong() throws Exception {
    Run run =
        Run.of(
            specs()
                .binding(ForgetfulBinding.class)
                .load(Distribution.SEQUENTIAL, 1, 1)
                .mix(Map.of(Operation.ITERATE, 1), 1, 1, 1));
    assertThat(run.result("mix1").incorrect()).isEqualTo(1);
    assertThat(run.result("mix1").facts().text(Fact.INCORRECT_EXAMPLE))
        .isEqualTo("iterate of all keys: 999 records although there are 1000");
  }

  /** Leaves the first record out of scans. */
  public static final class ForgetfulBinding extends MemoryBinding {
    @Override
    public Status scan(byte[] start, int limit, RecordBuffer found) {
      byte[] next = start.clone();
      next[next.length - 1]++;
      return super.scan(next, limit, found);
    }
  }

  @Test
  void aMissingKeyThatIsFoundIsWrong() throws Exception {
    for (int way = 0; way < 3; way++) {
      store().clear();
      KeyFormat keys = new KeyFormat(new KeyShape(9, 10));
      for (long id = 0; id < 1000; id++) {
        byte[] key = keys.newKey();
        keys.writeMissing(id, key);
        store().put(KeyFormat.text(key), new byte[100]);
      }
      Run run =
          Run.of(
              specs()
                  .load(Distribution.SEQUENTIAL, 1, 1)
                  .pipeline(way == 1 ? 8 : 1)
                  .mix(Map.of(Operation.READ_MISSING, 1), 1, way == 2 ? 7 : 1, 100));
      assertThat(run.result("mix1").incorrect()).isEqualTo(100);
      assertThat(run.result("mix1").facts().text(Fact.INCORRECT_EXAMPLE))
          .matches("read-missing 0*\\d*[a-j]: found although it was never written");
    }
  }

  @Test
  void appliesEveryOperationAndVerifiesWhatItReads() throws Exception {
    Map<Operation, Integer> mix =
        Map.of(
            Operation.READ, 1,
            Operation.UPDATE, 1,
            Operation.READ_MODIFY_WRITE, 1,
            Operation.RANGE_SCAN, 1,
            Operation.PREFIX_SCAN, 1);
    for (ValueShape.Kind kind : ValueShape.Kind.values()) {
      ValueShape values =
          new ValueShape(kind, ValueSizes.between(100, 300, ValueSizes.Spread.ZIPFIAN), 0.5);
      store().clear();
      Run run =
          Run.of(
              specs().values(values, true).load(Distribution.REVERSE, 2, 1).mix(mix, 2, 1, 20_000));
      PhaseResult result = run.result("mix1");
      assertThat(result.incorrect()).isZero();
      assertThat(result.operations().keySet())
          .isEqualTo(mix.keySet().stream().map(Operation::label).collect(Collectors.toSet()));
      assertThat(result.operations().values())
          .allMatch(count -> count.ok() > 3000 && count.notFound() + count.errorTotal() == 0);
    }
  }

  @Test
  void newRecordsAreReadOnlyWhenTheyAreThere() throws Exception {
    Run run =
        Run.of(
            specs()
                .load(Distribution.SEQUENTIAL, 1, 1)
                .timed(Map.of(Operation.READ, 95, Operation.INSERT, 5), 3, 0, Duration.ZERO)
                .mix(Map.of(Operation.READ, 1), 2, 1, 5_000));
    long added = run.count("timed", Operation.INSERT).ok();
    assertThat(added).isPositive();
    assertThat(run.count("timed", Operation.READ).notFound()).isZero();
    run.assertAllOk("mix2", Operation.READ, 5_000);
    assertThat(run.result("timed").facts().asMap())
        .containsEntry("records", Long.toString(1000 + added));
    // What it added was taken back, and that was not counted.
    assertThat(run.result("mix2").facts().asMap()).containsEntry("records", "1000");
    assertStored(1000);
  }

  /** Whatever an engine did in a phase, the next one begins with the records that were loaded. */
  @Test
  void everyPhaseBeginsWithThePlannedRecords() throws Exception {
    for (int batch : new int[] {1, 8}) {
      store().clear();
      Run run =
          Run.of(
              specs()
                  .load(Distribution.SEQUENTIAL, 1, batch)
                  .timed(
                      Map.of(Operation.DELETE, 2, Operation.INSERT, 2, Operation.READ, 1),
                      3,
                      0,
                      Duration.ofMillis(50))
                  .mix(
                      Distribution.LATEST,
                      Map.of(Operation.INSERT, 5, Operation.READ, 95),
                      2,
                      batch,
                      3_000)
                  .drain(Map.of(Operation.DELETE, 1), 2, batch)
                  .mix(Distribution.UNIFORM, Map.of(Operation.READ, 1), 2, batch, 5_000));
      assertThat(run.result("drain").facts().asMap()).containsEntry("records", "0");
      run.assertAllOk("drain", Operation.DELETE, 1000);
      run.assertAllOk("mix4", Operation.READ, 5_000);
      assertThat(run.result("mix4").facts().asMap()).containsEntry("records", "1000");
      assertStored(1000);
    }
  }

  /** It takes the existing records, and the run ends after it, so they are not needed any more. */
  @Test
  void nothingIsBroughtBackForTheProofOfDurability() throws Exception {
    Run run =
        Run.of(
            specs()
                .load(Distribution.SEQUENTIAL, 1, 1)
                .drain(Map.of(Operation.DELETE, 1), 2, 1)
                .proof(500));
    assertThat(run.count("proof", Operation.READ).notFound()).isEqualTo(500);
    assertThat(run.result("proof").incorrect()).isZero();
    assertStored(0);
  }

  @Test
  void deletesHitLiveRecordsAndThePopulationIsHeld() throws Exception {
    Run run =
        Run.of(
            specs()
                .load(Distribution.SEQUENTIAL, 1, 1)
                .mix(Map.of(Operation.DELETE, 1), 3, 1, 9_999)
                .mix(Map.of(Operation.DELETE, 1), 2, 16, 5_000)
                .mix(Map.of(Operation.DELETE, 3, Operation.INSERT, 2), 2, 1, 5_000));
    run.assertAllOk("mix1", Operation.DELETE, 9_999);
    // What makes up for them is not counted as what was asked for.
    assertThat(run.result("mix1").operations()).containsOnlyKeys("delete");
    assertThat(run.result("mix1").facts().whole(Fact.COMPENSATION_RECORDS))
        .isBetween(9_996L, 9_999L);
    assertThat(LatencyLog.totals(folder)).containsKey("mix1/compensation/insert");
    run.assertAllOk("mix2", Operation.DELETE, 5_000);
    assertThat(run.count("mix3", Operation.DELETE).notFound()).isZero();
    assertThat(run.result("mix3").facts().asMap()).doesNotContainKey("compensation.records");
    assertThat(store()).hasSize((int) run.result("mix3").facts().whole(Fact.RECORDS));
    assertThat(store()).hasSizeBetween(990, 1010);
  }

  @Test
  void aDrainEmptiesTheStoreAndEnds() throws Exception {
    for (int batch : new int[] {1, 9}) {
      store().clear();
      Run run =
          Run.of(
              specs()
                  .load(Distribution.SEQUENTIAL, 1, 1)
                  .drain(Map.of(Operation.DELETE, 1), 3, batch));
      run.assertAllOk("drain", Operation.DELETE, 1000);
      assertThat(run.result("drain").facts().asMap()).containsEntry("records", "0");
      assertThat(store()).isEmpty();
    }
  }

  @Test
  void readsOfDeletedRecordsAreNotFound() throws Exception {
    Run run =
        Run.of(
            specs()
                .load(Distribution.SEQUENTIAL, 1, 1)
                .drain(Map.of(Operation.DELETE, 1, Operation.READ, 3), 2, 1));
    OperationCount reads = run.count("drain", Operation.READ);
    assertThat(reads.notFound()).isPositive();
    assertThat(reads.ok()).isPositive();
    assertThat(reads.errorTotal()).isZero();
    assertThat(store()).isEmpty();
  }

  @Test
  void figuresOfTheEngineAreSampledEachSecond() throws Exception {
    Run.of(
        specs()
            .load(Distribution.SEQUENTIAL, 1, 1)
            .timed(Map.of(Operation.READ, 1), 2, 0, Duration.ofMillis(1200)));
    List<String> lines = Files.readAllLines(folder.resolve("counters.csv"));
    assertThat(lines.get(0)).isEqualTo("phase,elapsed_ms,counter,total,value");
    assertThat(lines)
        .filteredOn(line -> line.startsWith("timed,"))
        .hasSizeGreaterThanOrEqualTo(4)
        .anyMatch(line -> line.matches("timed,[1-9]\\d\\d\\d,records,false,[1-9]\\d*\\.0"))
        .anyMatch(line -> line.matches("timed,\\d+,requests,true,7\\.0"));
  }

  @Test
  void anEngineWithoutFiguresHasNoFileOfThem() throws Exception {
    Run.of(
        specs()
            .binding(Silent.class)
            .load(Distribution.SEQUENTIAL, 1, 1)
            .timed(Map.of(Operation.READ, 1), 1, 0, Duration.ofMillis(100)));
    assertThat(folder.resolve("counters.csv")).doesNotExist();
  }

  /** Counts only for some engines that it can open, as the one of all engines in Go. */
  public static final class Silent extends MemoryBinding {
    @Override
    public void addCounters(Figures figures) {}
  }

  @Test
  void warmUpIsKeptApart() throws Exception {
    Run run =
        Run.of(
            specs()
                .load(Distribution.SEQUENTIAL, 1, 1)
                .timed(Map.of(Operation.READ, 1), 2, 0, Duration.ofMillis(1200)));
    long counted = run.count("timed", Operation.READ).ok();
    long warmup = 0;
    long measured = 0;
    for (String line : Files.readAllLines(folder.resolve("timeline.csv"))) {
      String[] cells = line.split(",", -1);
      if (cells[0].equals("timed") && cells[3].equals("true")) {
        warmup += Long.parseLong(cells[5]);
      } else if (cells[0].equals("timed")) {
        measured += Long.parseLong(cells[5]);
      }
    }
    assertThat(measured).isEqualTo(counted).isPositive();
    assertThat(warmup).isPositive();
    Map<String, Long> totals = LatencyLog.totals(folder);
    assertThat(totals).containsEntry("timed/read", counted);
    assertThat(totals).containsEntry("timed/warmup/read", warmup);
  }

  @Test
  void anOpenLoopAppliesWhatIsDue() throws Exception {
    Run run =
        Run.of(
            specs()
                .load(Distribution.SEQUENTIAL, 1, 1)
                .timed(Map.of(Operation.READ, 1), 3, 1000, Duration.ofMillis(100)));
    long counted = run.count("timed", Operation.READ).ok();
    long unsent = run.result("timed").facts().whole(Fact.RATE_UNSENT);
    Map<String, Long> totals = LatencyLog.totals(folder);
    assertThat(counted + unsent).isEqualTo(300);
    assertThat(totals)
        .containsEntry("timed/warmup/read", 100L)
        .containsEntry("timed/read", 300L)
        .containsEntry("timed/read/service", counted)
        .containsEntry("timed/start-delay", 300L);
  }

  @Test
  void poissonArrivalsAreAppliedAsTheyAreDue() throws Exception {
    Specs specs = specs().load(Distribution.SEQUENTIAL, 1, 1).arrivals(ArrivalProcess.POISSON);
    Run run = Run.of(specs.timed(Map.of(Operation.READ, 1), 3, 1000, Duration.ofMillis(100)));
    WorkerPhase phase = specs.spec().phases().get(1);
    RequestPlan plan = new RequestPlan(specs.spec().seed(), "timed", phase.mix(), 1000, 3, 1);
    long due = 0;
    for (int thread = 0; thread < 3; thread++) {
      due +=
          ArrivalScheduleTest.dueBefore(
              plan.arrivalSchedule(phase.settings().pacing(), 1, thread), 400_000_000);
    }
    long unsent = run.result("timed").facts().whole(Fact.RATE_UNSENT);
    long warmup = LatencyLog.totals(folder).get("timed/warmup/read");
    assertThat(run.count("timed", Operation.READ).ok() + warmup + unsent).isEqualTo(due);
  }

  @Test
  void tellsWhatMayHaveDisturbedTheMeasurement() throws Exception {
    Run run =
        Run.of(
            specs()
                .load(Distribution.SEQUENTIAL, 1, 1)
                .timed(Map.of(Operation.READ, 1), 1, 500, Duration.ofMillis(100))
                .mix(Map.of(Operation.READ, 1), 1, 1, 1)
                .mix(Map.of(Operation.READ, 1), 1, 1, 500_000));
    Facts facts = run.result("timed").facts();
    assertThat(facts.asMap())
        .containsKeys(
            "rate.unsent", "gc.count", "gc.pauseMillis", "hiccup.p99Nanos", "hiccup.maxNanos")
        .containsEntry("rate.asked", "500");
    // The clock of a process may tick each 10 ms, which the few reads before do not take.
    assertThat(run.result("mix3").facts().number(Fact.CLIENT_CPU_SECONDS)).isPositive();
    assertThat(facts.number(Fact.RATE_ACHIEVED)).isPositive();
    assertThat(facts.text(Fact.STEADY)).isIn("yes", "no", "unknown");
    assertThat(LatencyLog.totals(folder).get("timed/hiccup")).isPositive();
    assertThat(run.result("mix2").facts().asMap())
        .containsEntry("steady", "unknown")
        .doesNotContainKey("drift");
  }

  /** A window takes 10 ms or more, and 30 of them must be steady. */
  @Test
  void theTimelineShowsTheWindowsOfAWarmUpUntilSteady() throws Exception {
    Limits limits = new Limits(Duration.ofSeconds(3), Duration.ofMillis(50), 0, true);
    PhaseResult result =
        Run.of(
                specs()
                    .load(Distribution.SEQUENTIAL, 1, 1)
                    .phase(
                        new WorkerPhase(
                            "set",
                            WorkerPhase.Kind.MIX,
                            Specs.mix(Map.of(Operation.UPDATE, 1), Distribution.UNIFORM, false),
                            new ClientSettings(1, 1, 1, 1, Pacing.CLOSED, limits),
                            Optional.empty())))
            .result("set");
    assertThat(result.facts().text(Fact.WARMUP_STEADY)).isIn("yes", "no");
    // The records of this warm-up are all alike, so a record is the thousandth of the data.
    double turnover = result.facts().number(Fact.WARMUP_TURNOVER);
    assertThat(turnover).isGreaterThanOrEqualTo(3);
    List<String> windows =
        Files.readAllLines(folder.resolve("counters.csv")).stream()
            .filter(line -> line.startsWith("set,") && line.contains(",throughput-by-window,true,"))
            .toList();
    assertThat(windows.get(0)).isEqualTo("set,0,throughput-by-window,true,0");
    assertThat(windows).hasSizeGreaterThan(2);
    assertThat(windows.stream().mapToLong(line -> Long.parseLong(line.replaceFirst(".*,", ""))))
        .isSorted()
        .allMatch(records -> records <= Math.ceil(1_000 * turnover));
  }

  @Test
  void hdrHistogramReadsCountOverIntervalAsTheThroughput() throws Exception {
    long before = System.currentTimeMillis();
    Run run =
        Run.of(
            specs()
                .load(Distribution.SEQUENTIAL, 1, 1)
                .timed(Map.of(Operation.READ, 1), 1, 0, Duration.ofMillis(200)));
    Map<String, AbstractHistogram> histograms = LatencyLog.histograms(folder);
    AbstractHistogram read = histograms.get("timed/read");
    AbstractHistogram warmup = histograms.get("timed/warmup/read");
    AbstractHistogram hiccup = histograms.get("timed/hiccup");
    PhaseResult result = run.result("timed");
    assertThat(read.getTotalCount()).isEqualTo(run.count("timed", Operation.READ).ok());
    // The file has milliseconds, of the start and of the length.
    assertThat(read.getEndTimeStamp() - read.getStartTimeStamp())
        .isCloseTo(TimeUnit.NANOSECONDS.toMillis(result.elapsedNanos()), within(2L));
    assertThat(warmup.getEndTimeStamp()).isLessThanOrEqualTo(read.getStartTimeStamp() + 2);
    assertThat(warmup.getEndTimeStamp() - warmup.getStartTimeStamp()).isGreaterThan(190);
    // A client may leave the warm-up late, but no hiccup of the warm-up counts.
    assertThat(hiccup.getStartTimeStamp()).isGreaterThan(warmup.getStartTimeStamp() + 190);
    assertThat(warmup.getStartTimeStamp()).isBetween(before - 2, read.getStartTimeStamp() + 2);

    Path processed = folder.resolve("processed");
    Thread processor =
        new HistogramLogProcessor(
            new String[] {
              "-csv",
              "-tag",
              "timed/read",
              "-i",
              LatencyLog.file(folder).toString(),
              "-o",
              processed.toString()
            });
    processor.start();
    processor.join();
    List<String> lines = Files.readAllLines(processed);
    String start = lines.stream().filter(l -> l.contains("[StartTime: ")).findFirst().orElseThrow();
    double epoch = Double.parseDouble(start.replaceFirst(".*StartTime: ([0-9.]+) .*", "$1"));
    assertThat(epoch).isBetween(before / 1e3 - 0.002, read.getStartTimeStamp() / 1e3);
    String[] interval = lines.get(lines.size() - 1).split(",", -1);
    assertThat(interval[1]).isEqualTo(Long.toString(read.getTotalCount()));
    assertThat(epoch + Double.parseDouble(interval[0]))
        .isCloseTo(read.getEndTimeStamp() / 1e3, within(0.003));
  }

  @Test
  void theNoopEngineDoesEverything() throws Exception {
    Map<Operation, Integer> all =
        Map.of(
            Operation.READ, 1,
            Operation.INSERT, 1,
            Operation.UPDATE, 1,
            Operation.READ_MODIFY_WRITE, 1,
            Operation.DELETE, 1,
            Operation.RANGE_SCAN, 1,
            Operation.PREFIX_SCAN, 1);
    Run run =
        Run.of(
            specs()
                .binding(NoopBinding.class)
                .load(Distribution.SEQUENTIAL, 2, 10)
                .mix(all, 2, 1, 7000)
                .mix(all, 2, 10, 7000));
    for (String phase : List.of("mix1", "mix2")) {
      assertThat(run.result(phase).incorrect()).isZero();
      assertThat(run.result(phase).operations().values())
          .allMatch(count -> count.ok() > 0 && count.notFound() + count.errorTotal() == 0);
    }
  }

  @Test
  void refusesWhatItCannotDo() {
    assertFails(specs().binding("kvrank.Missing"), "binding class kvrank.Missing is not on");
    assertFails(specs().binding(String.class), "java.lang.String does not extend site.ycsb.DB");
    assertFails(specs().property("refuse", "no server at all"), "no server at all");
    assertFails(specs().records(0), "records is 0");
    assertFails(specs().keys(new KeyShape(3, 10)).records(1001), "1001 records do not fit");
    assertFails(specs().values(ValueShape.fixed(15), true), "under 16 bytes cannot be verified");
    assertFails(
        specs().load(Distribution.RANDOM, 1, 1).load(Distribution.RANDOM, 1, 1), "two phases");
    assertFails(specs().mix(Map.of(), 1, 1, 1), "no operations");
    assertFails(specs().mix(Map.of(Operation.READ, 1), 1, 1, 0), "neither a duration nor a count");
    assertFails(
        specs().binding(PlainBinding.class).load(Distribution.RANDOM, 1, 2),
        "does not offer batches");
    assertFails(
        specs().binding(PlainBinding.class).mix(Map.of(Operation.PREFIX_SCAN, 1), 1, 1, 1),
        "does not offer prefix scans");
  }

  private static void assertFails(Specs specs, String message) {
    assertThatThrownBy(() -> Run.of(specs))
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining(message);
  }
}
