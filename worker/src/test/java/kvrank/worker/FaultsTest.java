package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kvrank.fact.Fact;
import kvrank.failure.Cause;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerException;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an engine does wrong is found and told. */
class FaultsTest {

  @TempDir private Path folder;

  private Specs faulty(String fault) {
    MemoryBinding.store(folder.toString()).clear();
    return new Specs(folder)
        .binding(FaultyBinding.class)
        .property("fault", fault)
        .load(Distribution.SEQUENTIAL, 2, 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Disk quota exceeded",
        "No space left on device",
        "Too many open files",
        "Cannot allocate memory",
        "Killed"
      })
  void theWordsOfAnEngineDoNotDecideTheCause(String words) {
    WorkerException failure =
        catchThrowableOfType(
            WorkerException.class,
            () -> Run.of(faulty("refuses all").records(4_000).property("words", words)));
    assertThat(failure.failureCause()).isEqualTo(Cause.ENGINE);
    assertThat(failure.getMessage()).contains(words);
  }

  @Test
  void aWrongPropertyIsTheFaultOfTheInput() {
    WorkerException failure =
        catchThrowableOfType(
            WorkerException.class, () -> Run.of(faulty("").property("limit", "7")));
    assertThat(failure.failureCause()).isEqualTo(Cause.INPUT);
    assertThat(failure)
        .hasMessage(
            "the property 'limit' is 7, not in 0 to 1; properties are in binding.properties of its"
                + " engine.yaml");
  }

  @Test
  void aLoadThatLosesARecordIsIncorrect() throws Exception {
    PhaseResult load = Run.of(faulty("loses a record")).result("load");
    assertThat(load.incorrect()).isEqualTo(1);
    assertThat(load.facts().asMap())
        .containsEntry("incorrect.example", "read 000000042: NOT_FOUND");
  }

  @Test
  void anInsertThatIsNotOkIsAnError() throws Exception {
    OperationCount inserts = Run.of(faulty("refuses a record")).count("load", Operation.INSERT);
    assertThat(inserts.ok()).isEqualTo(999);
    assertThat(inserts.errors()).isEqualTo(Map.of("FORBIDDEN", 1L));
  }

  @Test
  void aChangedByteIsFound() throws Exception {
    Run run = Run.of(faulty("flips a bit").mix(Map.of(Operation.READ, 1), 1, 1, 100));
    assertThat(run.result("load").incorrect()).isEqualTo(1000);
    assertThat(run.result("mix1").incorrect()).isEqualTo(100);
    assertThat(run.result("mix1").facts().text(Fact.INCORRECT_EXAMPLE))
        .startsWith("read ")
        .endsWith(": the value was not written under this key");
  }

  @Test
  void theValueOfAnotherKeyIsFound() throws Exception {
    Run run = Run.of(faulty("reads the wrong record").mix(Map.of(Operation.READ, 1), 1, 1, 100));
    assertThat(run.result("mix1").incorrect()).isGreaterThan(90);
  }

  /** Each second key in order was read after a load of 2,000: none of these. */
  @Test
  void aLoadIsReadWhereNobodyExpectsIt() throws Exception {
    Specs specs = faulty("reads every tenth wrong").records(2_000);
    assertThat(Run.of(specs).result("load").incorrect()).isBetween(40L, 200L);
  }

  @Test
  void wrongPrefixScansAreFound() throws Exception {
    Map<Operation, Integer> scans = Map.of(Operation.PREFIX_SCAN, 1);
    Run little = Run.of(faulty("scans too little").mix(scans, 1, 1, 100));
    assertThat(little.result("mix1").incorrect()).isEqualTo(100);
    assertThat(little.result("mix1").facts().text(Fact.INCORRECT_EXAMPLE))
        .endsWith("9 records although there are 10");
    Run far = Run.of(faulty("scans too far").mix(scans, 1, 1, 100));
    assertThat(far.result("mix1").incorrect()).isGreaterThan(100);
  }

  @Test
  void wrongRangeScansAreFound() throws Exception {
    assertRangeScan("none", "");
    assertRangeScan("scans too little", ": 9 records although there are 10");
    assertRangeScan("scans backwards", " after ");
    assertRangeScan("scans too early", ": returned /");
    assertRangeScan("scans values of another", ": the value was not written");
  }

  private void assertRangeScan(String fault, String example) throws Exception {
    Map<Operation, Integer> scans = Map.of(Operation.RANGE_SCAN, 1);
    PhaseResult result = Run.of(faulty(fault).mix(scans, 1, 1, 100)).result("mix1");
    if (example.isEmpty()) {
      assertThat(result.incorrect()).isZero();
    } else {
      assertThat(result.incorrect()).as(fault).isGreaterThan(90);
      assertThat(result.facts().text(Fact.INCORRECT_EXAMPLE)).as(fault).contains(example);
    }
  }

  @Test
  void prefixesAreNotCountedWhileRecordsComeAndGo() throws Exception {
    Map<Operation, Integer> mix = Map.of(Operation.PREFIX_SCAN, 1, Operation.DELETE, 1);
    Run run = Run.of(faulty("none").mix(mix, 2, 1, 2000));
    assertThat(run.result("mix1").incorrect()).isZero();
  }

  @Test
  void recordsThatNobodyDeletedHaveToBeFound() throws Exception {
    Map<Operation, Integer> mix = Map.of(Operation.READ, 1, Operation.UPDATE, 1);
    PhaseResult lost = Run.of(faulty("loses what it updates").mix(mix, 2, 1, 4000)).result("mix1");
    assertThat(lost.incorrect()).isGreaterThan(100);
    assertThat(lost.facts().text(Fact.INCORRECT_EXAMPLE))
        .matches("read [0-9]+: not found although it was not deleted");
    Map<Operation, Integer> modify = Map.of(Operation.READ_MODIFY_WRITE, 1);
    Run modified = Run.of(faulty("loses what it updates").mix(modify, 2, 1, 4000));
    assertThat(modified.result("mix1").incorrect()).isGreaterThan(100);
    Map<Operation, Integer> reads = Map.of(Operation.READ, 1);
    Run half = Run.of(faulty("reads half of a batch").mix(reads, 1, 10, 1000));
    assertThat(half.result("mix1").incorrect()).isEqualTo(500);
  }

  @Test
  void newRecordsHaveToBeFound() throws Exception {
    Map<Operation, Integer> reads = Map.of(Operation.READ, 3, Operation.INSERT, 1);
    Run lost = Run.of(faulty("loses new records").mix(Distribution.LATEST, reads, 2, 1, 4000));
    assertThat(lost.result("mix1").incorrect()).isGreaterThan(100);
    assertThat(lost.result("mix1").facts().text(Fact.INCORRECT_EXAMPLE))
        .matches("read [0-9]+: not found although it was not deleted");
    Map<Operation, Integer> scans = Map.of(Operation.RANGE_SCAN, 3, Operation.INSERT, 1);
    Run few = Run.of(faulty("scans too little").mix(scans, 2, 1, 4000));
    assertThat(few.result("mix1").incorrect()).isGreaterThan(1000);
    Run none = Run.of(faulty("loses new records").mix(Distribution.LATEST, scans, 2, 1, 4000));
    assertThat(none.result("mix1").facts().text(Fact.INCORRECT_EXAMPLE))
        .matches("range-scan [0-9]+: 0 records although there are 1");
    Map<Operation, Integer> walks = Map.of(Operation.ITERATE, 1, Operation.INSERT, 1);
    Run walked = Run.of(faulty("scans too little").mix(walks, 1, 1, 20));
    assertThat(walked.result("mix1").incorrect()).isPositive();
  }

  @Test
  void engineIsNotWrongAboutNewRecordsThatItRefusedOrMayNotHaveYet() throws Exception {
    Map<Operation, Integer> mix =
        Map.of(Operation.READ, 2, Operation.RANGE_SCAN, 1, Operation.INSERT, 1);
    Run refused = Run.of(faulty("refuses new records").mix(Distribution.LATEST, mix, 2, 1, 2000));
    assertThat(refused.count("mix1", Operation.INSERT).errorTotal()).isPositive();
    assertThat(refused.result("mix1").incorrect()).isZero();
    Specs external = faulty("loses new records").external();
    Run replica = Run.of(external.mix(Distribution.LATEST, mix, 2, 1, 2000));
    assertThat(replica.result("mix1").incorrect()).isZero();
  }

  @Test
  void honestInsertsAreRight() throws Exception {
    Map<Operation, Integer> mix =
        Map.of(
            Operation.READ, 2,
            Operation.RANGE_SCAN, 1,
            Operation.PREFIX_SCAN, 1,
            Operation.ITERATE, 1,
            Operation.INSERT, 2);
    for (Distribution keys : List.of(Distribution.LATEST, Distribution.UNIFORM)) {
      Run run = Run.of(faulty("none").mix(keys, mix, 3, 1, 2000));
      assertThat(run.result("mix1").incorrect()).as(keys.toString()).isZero();
    }
    Map<Operation, Integer> scans = Map.of(Operation.RANGE_SCAN, 1, Operation.INSERT, 1);
    Specs hashed = faulty("none").keys(KeyShape.hashed(9));
    assertThat(Run.of(hashed.mix(scans, 3, 1, 2000)).result("mix1").incorrect()).isZero();
    Map<Operation, Integer> batches = Map.of(Operation.READ, 1, Operation.INSERT, 1);
    Run batched = Run.of(faulty("none").mix(Distribution.LATEST, batches, 3, 7, 3000));
    assertThat(batched.result("mix1").incorrect()).isZero();
    Run piped = Run.of(faulty("none").pipeline(8).mix(Distribution.LATEST, mix, 3, 1, 2000));
    assertThat(piped.result("mix1").incorrect()).isZero();
  }

  @Test
  void whatAPhaseLeftIsReadAfterIt() throws Exception {
    Map<Operation, Integer> updates = Map.of(Operation.UPDATE, 1);
    Map<Operation, Integer> deletes = Map.of(Operation.DELETE, 1);
    String gone = "not found although it was not deleted";
    assertLeft(faulty("loses what it updates").mix(updates, 1, 1, 300), gone);
    assertLeft(faulty("deletes another, too").mix(deletes, 1, 1, 300), gone);
    assertLeft(
        faulty("deletes nothing").records(2000).drain(deletes, 1, 1),
        "found although it was deleted");
    assertLeft(
        faulty("throws once deleted").records(2000).drain(deletes, 1, 1),
        "IllegalStateException: no such record");
  }

  @Test
  void aDeleteOfWhatNobodyElseDeletesHasToFindIt() throws Exception {
    Map<Operation, Integer> mix = Map.of(Operation.DELETE, 1);
    PhaseResult blind =
        Run.of(faulty("finds nothing to delete").mix(mix, 2, 1, 500)).result("mix1");
    assertThat(blind.incorrect()).isEqualTo(500);
    assertThat(blind.facts().text(Fact.INCORRECT_EXAMPLE)).matches("delete [0-9]+: not found.*");
    Run batches = Run.of(faulty("finds nothing to delete").mix(mix, 2, 10, 500));
    assertThat(batches.result("mix1").incorrect()).isEqualTo(50);
  }

  private static void assertLeft(Specs specs, String example) throws Exception {
    Run run = Run.looking(specs);
    assertThat(run.seen(Fact.CHECKED_WRONG)).as(example).isGreaterThan(10);
    assertThat(run.reports().toString()).contains("after the phase, read ", example);
  }

  @Test
  void honestDeletesAndInsertsLeaveWhatTheySay() throws Exception {
    Map<Operation, Integer> mix =
        Map.of(Operation.READ, 1, Operation.INSERT, 1, Operation.DELETE, 1, Operation.UPDATE, 1);
    for (Map<Operation, Integer> each :
        List.of(mix, Map.of(Operation.DELETE, 1), Map.of(Operation.INSERT, 1))) {
      for (int batch : new int[] {1, 7}) {
        Run run = Run.looking(faulty("none").mix(each, 3, batch, 900));
        assertThat(run.seen(Fact.CHECKED_RECORDS)).isGreaterThan(400);
        assertThat(run.reports().toString())
            .as(each + " " + batch)
            .doesNotContain("after the phase");
      }
    }
  }

  @Test
  void exceptionsAreErrors() throws Exception {
    Run run = Run.of(faulty("throws").mix(Map.of(Operation.READ, 1), 1, 1, 1000));
    OperationCount reads = run.count("mix1", Operation.READ);
    assertThat(reads.errors()).containsOnlyKeys("EXCEPTION");
    assertThat(reads.ok() + reads.errorTotal()).isEqualTo(1000);
    assertThat(reads.errorTotal()).isBetween(9L, 11L);
    assertThat(run.result("mix1").facts().asMap())
        .containsEntry(
            "errors.said", "IllegalStateException: broken (x%d)".formatted(reads.errorTotal()));
  }

  @Test
  void errorsOfTheWarmUpAreErrors() throws Exception {
    Duration warmup = Duration.ofMillis(200);
    Run run = Run.of(faulty("throws").timed(Map.of(Operation.READ, 1), 1, 0, warmup));
    assertThat(run.count("timed", Operation.READ).errors()).containsKey("EXCEPTION in the warm-up");
  }

  @Test
  void whatIsOnlyBufferedIsNotOk() {
    assertThatThrownBy(() -> Run.of(faulty("only batches it").records(5000)))
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining("the last error was BATCHED_OK of insert");
  }

  @Test
  void anEngineThatDiesEndsThePhase() {
    assertThatThrownBy(() -> Run.of(faulty("dies").mix(Map.of(Operation.READ, 1), 2, 1, 9_000_000)))
        .isInstanceOf(WorkerException.class)
        .hasMessage(
            "1000 requests of one thread failed in a row, the last error was SERVICE_UNAVAILABLE"
                + " of read")
        .extracting(thrown -> ((WorkerException) thrown).phase())
        .isEqualTo("mix1");
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void aClientThatHangsDoesNotHideTheFailure() {
    assertThatThrownBy(
            () -> Run.of(faulty("dies and hangs").mix(Map.of(Operation.READ, 1), 2, 1, 9_000_000)))
        .hasMessageContaining("the last error was ERROR of read");
  }

  @Test
  void keysThatRunOutEndThePhase() {
    Specs specs = new Specs(folder).keys(new KeyShape(4, 10)).load(Distribution.RANDOM, 1, 1);
    assertThatThrownBy(() -> Run.of(specs.mix(Map.of(Operation.INSERT, 1), 2, 1, 100_000)))
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining("keys of 4 bytes with 10 records per prefix hold 10000 records");
  }

  @Test
  void failedBatchesCountTheirRecords() throws Exception {
    Run run = Run.of(faulty("refuses batches").mix(Map.of(Operation.UPDATE, 1), 1, 10, 100));
    assertThat(run.count("mix1", Operation.UPDATE).errors()).isEqualTo(Map.of("ERROR", 100L));
  }
}
