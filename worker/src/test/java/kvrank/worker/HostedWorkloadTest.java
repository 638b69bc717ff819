package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Vector;
import java.util.concurrent.ConcurrentSkipListMap;
import kvrank.fact.Fact;
import kvrank.worker.protocol.OperationCount;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueShape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.BasicDB;
import site.ycsb.DB;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.workloads.ConstantOccupancyWorkload;
import site.ycsb.workloads.CoreWorkload;

/** Workloads and bindings of YCSB, as YCSB ships them, without its client and its old jars. */
class HostedWorkloadTest {

  private static final Map<String, String> CORE =
      Map.of(
          "readproportion", "0.4",
          "updateproportion", "0.3",
          "insertproportion", "0.1",
          "scanproportion", "0.1",
          "readmodifywriteproportion", "0.1",
          "requestdistribution", "zipfian",
          "maxscanlength", "20",
          "fieldcount", "3",
          // The scenario's are in force.
          "recordcount", "7",
          "threadcount", "9");

  @TempDir private Path folder;

  private Specs specs(Class<?> workload, Map<String, String> properties) {
    return new Specs(folder)
        .binding(FieldsBinding.class)
        .hosted(workload, properties)
        .load(Distribution.SEQUENTIAL, 3, 1);
  }

  private ConcurrentSkipListMap<String, Map<String, String>> store() {
    return FieldsBinding.store(folder.toString());
  }

  @Test
  void theLoadIsTheWorkloadsOwn() throws Exception {
    Run run = Run.of(specs(CoreWorkload.class, CORE));
    run.assertAllOk("load", Operation.INSERT, 1000);
    assertThat(store()).hasSize(1000);
    assertThat(store().keySet()).allMatch(key -> key.startsWith("user"));
    assertThat(store().values()).allMatch(record -> record.size() == 3);
    assertThat(LatencyLog.totals(folder)).containsEntry("load/insert", 1000L);
  }

  @Test
  void eachCallOfATransactionIsCounted() throws Exception {
    Run run = Run.of(specs(CoreWorkload.class, CORE).mix(Map.of(), 2, 1, 10_000));
    Map<String, OperationCount> counts = run.result("mix1").operations();
    assertThat(counts).containsOnlyKeys("read", "update", "insert", "range-scan");
    // A read-modify-write is a read and an update.
    assertThat((double) counts.get(Operation.READ.label()).ok()).isCloseTo(5_000, within(300.0));
    assertThat((double) counts.get(Operation.UPDATE.label()).ok()).isCloseTo(4_000, within(300.0));
    assertThat(counts.values().stream().mapToLong(OperationCount::ok).sum())
        .isBetween(10_700L, 11_300L);
    assertThat(counts.values()).allMatch(count -> count.notFound() + count.errorTotal() == 0);
    assertThat(store()).hasSize(1000 + (int) counts.get(Operation.INSERT.label()).ok());
    assertThat(LatencyLog.totals(folder))
        .containsEntry("mix1/read", counts.get(Operation.READ.label()).ok());
  }

  @Test
  void aRateIsOfTransactions() throws Exception {
    Map<String, String> pairs =
        Map.of("readproportion", "0", "updateproportion", "0", "readmodifywriteproportion", "1");
    Run run =
        Run.of(specs(CoreWorkload.class, pairs).timed(Map.of(), 2, 1_000, Duration.ofMillis(100)));
    Map<String, OperationCount> counts = run.result("timed").operations();
    Map<String, Long> totals = LatencyLog.totals(folder);
    long unsent = run.result("timed").facts().whole(Fact.RATE_UNSENT);
    assertThat(counts.get(Operation.READ.label()).ok() + unsent).isEqualTo(300);
    assertThat(totals).containsEntry("timed/warmup/read", 100L);
    assertThat(counts.get(Operation.UPDATE.label()).ok())
        .isEqualTo(counts.get(Operation.READ.label()).ok());
    assertThat(totals).containsEntry("timed/read/service", counts.get(Operation.READ.label()).ok());
  }

  @Test
  void aBindingOfYcsbIsUsedAsItIs() throws Exception {
    Run run =
        Run.of(
            new Specs(folder)
                .binding(BasicDB.class)
                .property("basicdb.verbose", "false")
                .values(ValueShape.fixed(100), false)
                .hosted(CoreWorkload.class, Map.of())
                .load(Distribution.SEQUENTIAL, 2, 1)
                .mix(Map.of(), 2, 1, 1_000));
    run.assertAllOk("load", Operation.INSERT, 1_000);
    assertThat(run.count("mix1", Operation.READ).ok() + run.count("mix1", Operation.UPDATE).ok())
        .isEqualTo(1_000);
  }

  @Test
  void otherWorkloadsThanTheCoreOne() throws Exception {
    Map<String, String> properties =
        Map.of("disksize", "1000000", "storageages", "1", "occupancy", "0.5");
    Run run = Run.of(specs(ConstantOccupancyWorkload.class, properties).mix(Map.of(), 1, 1, 500));
    assertThat(run.result("mix1").operations().values())
        .allMatch(count -> count.errorTotal() == 0)
        .anyMatch(count -> count.ok() > 0);
  }

  @Test
  void failuresAreCountedAndDoNotEndTheLoad() throws Exception {
    Run run = Run.of(specs(CoreWorkload.class, CORE).property("fault", "refuses"));
    OperationCount inserts = run.count("load", Operation.INSERT);
    assertThat(inserts.ok() + inserts.errorTotal()).isEqualTo(1_000);
    assertThat(inserts.errors()).containsOnlyKeys("ERROR");
    assertThat(inserts.errorTotal()).isBetween(97L, 100L);
  }

  @Test
  void exceptionsOfTheBindingAreErrors() throws Exception {
    Map<String, String> reads = Map.of("readproportion", "1", "updateproportion", "0");
    Run run =
        Run.of(
            specs(CoreWorkload.class, reads).property("fault", "throws").mix(Map.of(), 1, 1, 999));
    assertThat(run.count("mix1", Operation.READ).errors()).containsOnlyKeys("EXCEPTION");
  }

  @Test
  void anEngineThatDiesEndsThePhase() {
    Map<String, String> reads = Map.of("readproportion", "1", "updateproportion", "0");
    Specs specs = specs(CoreWorkload.class, reads).property("fault", "dies");
    assertThatThrownBy(() -> Run.of(specs.mix(Map.of(), 1, 1, 9_000_000)))
        .hasMessageContaining("failed in a row, the last error was SERVICE_UNAVAILABLE of read");
  }

  /** Says after ten transactions of a thread that there are no more. */
  public static final class Trace extends Workload {

    @Override
    public Object initThread(Properties p, int thread, int threads) {
      return new int[1];
    }

    @Override
    public boolean doInsert(DB db, Object state) {
      return db.insert("t", "k" + Math.random(), new HashMap<>()).isOk();
    }

    @Override
    @SuppressWarnings("JdkObsolete") // YCSB's API
    public boolean doTransaction(DB db, Object state) {
      db.delete("t", "missing");
      db.scan("t", "", 1, null, new Vector<>());
      return ++((int[]) state)[0] < 10;
    }
  }

  @Test
  void aWorkloadMaySayThatItIsDone() throws Exception {
    Specs specs = specs(Trace.class, Map.of());
    Run run = Run.of(specs.mix(Map.of(), 3, 1, 1_000));
    assertThat(run.count("mix1", Operation.RANGE_SCAN).ok()).isEqualTo(30);
  }

  /** Is broken in the way that its property says. */
  public static final class Broken extends Workload {

    @Override
    public void init(Properties p) throws WorkloadException {
      if (p.containsKey("refuse")) {
        throw new WorkloadException("not with these properties");
      }
    }

    @Override
    public boolean doInsert(DB db, Object state) {
      throw new IllegalStateException("no inserts");
    }

    @Override
    public boolean doTransaction(DB db, Object state) {
      return true;
    }
  }

  @Test
  void whatIsWrongWithAWorkloadIsSaid() {
    assertThatThrownBy(() -> Run.of(specs(Broken.class, Map.of("refuse", ""))))
        .hasMessageContaining("Broken: WorkloadException: not with these properties");
    assertThatThrownBy(() -> Run.of(specs(Broken.class, Map.of())))
        .hasMessageContaining("Broken threw IllegalStateException: no inserts");
    assertThatThrownBy(() -> Run.of(specs(String.class, Map.of())))
        .hasMessage("class java.lang.String does not extend site.ycsb.Workload");
    assertThatThrownBy(() -> Run.of(specs(CoreWorkload.class, CORE).mix(Map.of(), 1, 2, 10)))
        .hasMessageContaining("batch, pipeline and connections must be 1");
  }
}
