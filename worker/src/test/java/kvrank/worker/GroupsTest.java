package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.workload.ClientGroup;
import kvrank.workload.ClientSettings;
import kvrank.workload.pace.ArrivalProcess;
import kvrank.workload.pace.Pacing;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupsTest {

  @TempDir private Path folder;

  private static ClientGroup group(String name, int threads, double rate, Operation... operations) {
    Map<Operation, Integer> mix = new TreeMap<>();
    for (Operation operation : operations) {
      mix.put(operation, 1);
    }
    return new ClientGroup(
        name,
        Specs.mix(mix, Distribution.UNIFORM, false),
        threads,
        new Pacing(rate, ArrivalProcess.CONSTANT));
  }

  private PhaseResult run(Specs specs, Duration warmup, double rate, ClientGroup... groups)
      throws Exception {
    int threads = List.of(groups).stream().mapToInt(ClientGroup::threads).sum();
    Limits limits = new Limits(warmup, Duration.ofMillis(300), 0);
    Pacing pacing = new Pacing(rate, ArrivalProcess.CONSTANT);
    Map<Operation, Integer> all = new TreeMap<>();
    List.of(groups).forEach(group -> group.mix().operations().forEach(each -> all.put(each, 1)));
    Run run =
        Run.of(
            specs
                .load(Distribution.SEQUENTIAL, 2, 1)
                .phase(
                    new WorkerPhase(
                        "mixed",
                        WorkerPhase.Kind.MIX,
                        Specs.mix(all, Distribution.UNIFORM, false),
                        new ClientSettings(threads, 1, 1, 1, pacing, limits),
                        Optional.empty(),
                        List.of(groups))));
    return run.result("mixed");
  }

  @Test
  void aWriterKeepsItsRateBesideReadersWithoutOne() throws Exception {
    for (Duration warmup : List.of(Duration.ZERO, Duration.ofMillis(100))) {
      PhaseResult result =
          run(
              new Specs(folder),
              warmup,
              0,
              group("writers", 1, 200, Operation.UPDATE),
              group("readers", 2, 0, Operation.READ, Operation.RANGE_SCAN));
      assertThat(result.operations())
          .containsOnlyKeys("writers:update", "readers:read", "readers:range-scan");
      // 200 per second for 300 ms; on a busy machine the last ones may not have begun.
      assertThat(result.operations().get("writers:update").ok()).isBetween(1L, 61L);
      assertThat(LatencyLog.totals(folder).get("mixed/writers:update")).isBetween(59L, 61L);
      assertThat(result.operations().get("readers:read").ok()).isGreaterThan(100);
      assertThat(result.operations().values()).allMatch(count -> count.errorTotal() == 0);
      assertThat(result.facts().asMap())
          .containsEntry("group.threads.writers", "1")
          .containsEntry("group.threads.readers", "2")
          .containsEntry("group.rate.writers", "200")
          .containsKey("group.rateAchieved.writers")
          .doesNotContainKey("group.rate.readers")
          .doesNotContainKey("rate.asked");
      assertThat(LatencyLog.totals(folder))
          .containsEntry("mixed/readers:read", result.operations().get("readers:read").ok())
          .containsKeys("mixed/writers:update", "mixed/writers:update/service")
          .doesNotContainKey("mixed/read");
      assertThat(Files.readString(folder.resolve("timeline.csv")))
          .contains(",false,writers:update,", ",false,readers:range-scan,");
    }
  }

  @Test
  void groupsThatAllHaveARateAreAnOpenLoop() throws Exception {
    PhaseResult result =
        run(
            new Specs(folder),
            Duration.ZERO,
            300,
            group("slow", 1, 100, Operation.READ),
            group("fast", 2, 200, Operation.READ));
    assertThat(result.operations().get("slow:read").ok()).isEqualTo(30);
    assertThat(result.operations().get("fast:read").ok()).isEqualTo(60);
    assertThat(result.facts().asMap()).containsEntry("rate.asked", "300");
  }

  /**
   * Requests that were due when the readers had ended would have had the engine to themselves. The
   * stall is longer than the phase and the second in which the group may catch up.
   */
  @Test
  void aGroupThatIsTooSlowEndsWithTheOthers() throws Exception {
    PhaseResult result =
        run(
            new Specs(folder)
                .binding(StallingBinding.class)
                .property("stall.at", "1200")
                .property("stall.nanos", "2000000000"),
            Duration.ZERO,
            0,
            group("writers", 1, 50_000_000, Operation.UPDATE),
            group("readers", 1, 0, Operation.READ));
    OperationCount writes = result.operations().get("writers:update");
    long logged = LatencyLog.totals(folder).get("mixed/writers:update");
    assertThat(logged).isGreaterThan(writes.ok());
  }

  @Test
  void insertsOfGroupsAreDifferentRecords() throws Exception {
    PhaseResult result =
        run(
            new Specs(folder),
            Duration.ZERO,
            0,
            group("inserts", 1, 0, Operation.INSERT),
            group("others", 2, 0, Operation.INSERT, Operation.READ),
            group("deletes", 1, 0, Operation.DELETE));
    assertThat(result.incorrect()).isZero();
    assertThat(result.operations().values()).allMatch(count -> count.errorTotal() == 0);
    long inserted =
        result.operations().get("inserts:insert").ok()
            + result.operations().get("others:insert").ok();
    long records = result.facts().whole(Fact.RECORDS);
    // The last delete may not be compensated.
    assertThat(records).isBetween(999 + inserted, 1000 + inserted);
    assertThat(MemoryBinding.store(folder.toString())).hasSize((int) records);
  }
}
