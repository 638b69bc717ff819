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
import java.util.stream.Collectors;
import kvrank.fact.Fact;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.workload.ClientGroup;
import kvrank.workload.ClientSettings;
import kvrank.workload.OperationMix;
import kvrank.workload.TransactionPart;
import kvrank.workload.pace.ArrivalProcess;
import kvrank.workload.pace.Pacing;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import org.HdrHistogram.AbstractHistogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransactionTest {

  private static final OperationMix CART =
      mix(
          new TransactionPart(Operation.PREFIX_SCAN, 1, "cart"),
          new TransactionPart(Operation.READ, 3, ""),
          new TransactionPart(Operation.UPDATE, 1, "cart"));

  @TempDir private Path folder;

  private static OperationMix mix(TransactionPart... parts) {
    return Specs.mix(Map.of(), Distribution.UNIFORM, false).with(List.of(parts));
  }

  private static Limits limits(long millis, long count) {
    return new Limits(Duration.ZERO, Duration.ofMillis(millis), count);
  }

  private Run run(Specs specs, OperationMix mix, int batch, double rate, Limits limits)
      throws Exception {
    Pacing pacing = new Pacing(rate, ArrivalProcess.CONSTANT);
    return Run.looking(
        specs
            .load(Distribution.SEQUENTIAL, 2, 1)
            .phase(
                new WorkerPhase(
                    "carts",
                    WorkerPhase.Kind.MIX,
                    mix,
                    new ClientSettings(2, 1, batch, 1, pacing, limits),
                    Optional.empty())));
  }

  private AbstractHistogram latency(String operation) throws Exception {
    return LatencyLog.histograms(folder).get("carts/" + operation);
  }

  private long over(long nanos, String operation) throws Exception {
    return latency(operation).getCountBetweenValues(nanos, Long.MAX_VALUE / 2);
  }

  private double nanos(String operation) throws Exception {
    return latency(operation).getMean() * latency(operation).getTotalCount();
  }

  private static Map<String, Long> ok(PhaseResult result) {
    return result.operations().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().ok()));
  }

  @Test
  void aCountIsOfTransactionsAndTheirLatencyIsThatOfTheirRequests() throws Exception {
    Run run = run(new Specs(folder), CART, 1, 0, limits(0, 2_001));
    PhaseResult result = run.result("carts");
    assertThat(ok(result))
        .isEqualTo(
            Map.of("transaction", 2_001L, "prefix-scan", 2_001L, "read", 6_003L, "update", 2_001L));
    assertThat(result.incorrect()).isZero();
    for (String operation : result.operations().keySet()) {
      assertThat(latency(operation).getTotalCount())
          .isEqualTo(result.operations().get(operation).ok());
    }
    // One clock reading ends a request and starts the next; histograms have three digits.
    double parts = nanos("prefix-scan") + nanos("read") + nanos("update");
    assertThat(nanos("transaction")).isCloseTo(parts, within(0.002 * parts));
    assertThat(Files.readString(folder.resolve("timeline.csv"))).contains(",false,transaction,");
  }

  @Test
  void progressIsThatOfTransactions() throws Exception {
    Run run = run(new Specs(folder), CART, 1, 0, limits(1_500, 0));
    long transactions = run.count("carts", Operation.TRANSACTION).ok();
    assertThat(run.reports())
        .filteredOn(WorkerMessage.Progress.class::isInstance)
        .map(WorkerMessage.Progress.class::cast)
        .filteredOn(progress -> progress.phase().equals("carts"))
        .isNotEmpty()
        .allMatch(progress -> progress.operations() <= transactions);
  }

  @Test
  void aRateIsOfTransactionsAndLateOnesWaitedSinceTheyWereDue() throws Exception {
    long stall = 100_000_000;
    Run run =
        run(
            new Specs(folder)
                .binding(StallingBinding.class)
                .property("stall.at", "1030")
                .property("stall.nanos", Long.toString(stall)),
            CART,
            1,
            400,
            limits(300, 0));
    PhaseResult result = run.result("carts");
    assertThat(ok(result)).containsEntry("transaction", 120L).containsEntry("read", 360L);
    assertThat(result.facts().asMap()).containsEntry("rate.asked", "400");
    // One is due every 5 ms in the thread that stalls, so 10 wait for over half of the stall.
    long late = over(stall / 2, "transaction");
    assertThat(late).isGreaterThanOrEqualTo(10);
    assertThat(over(stall / 2, "transaction/service")).isBetween(1L, late - 1);
    assertThat(over(stall / 2, "read")).isBetween(1L, late - 1);
    assertThat(latency("start-delay").getTotalCount()).isEqualTo(120);
    assertThat(LatencyLog.totals(folder)).doesNotContainKey("carts/read/service");
  }

  @Test
  void transactionsThatWereNeverSentCountWithTheirWait() throws Exception {
    Run run =
        run(
            new Specs(folder)
                .binding(StallingBinding.class)
                .property("stall.at", "1030")
                .property("stall.nanos", "1500000000"),
            CART,
            1,
            400,
            limits(300, 0));
    OperationCount transactions = run.count("carts", Operation.TRANSACTION);
    long unsent = run.result("carts").facts().whole(Fact.RATE_UNSENT);
    assertThat(unsent).isPositive();
    assertThat(transactions.ok() + unsent).isEqualTo(120);
    assertThat(latency("transaction").getTotalCount()).isEqualTo(120);
  }

  @Test
  void aFailedRequestFailsItsTransactionAndTheRestIsSent() throws Exception {
    Run run =
        run(
            new Specs(folder).binding(FaultyBinding.class).property("fault", "goes away"),
            CART,
            1,
            0,
            limits(0, 2_000));
    PhaseResult result = run.result("carts");
    Map<String, Long> away = Map.of("SERVICE_UNAVAILABLE", (long) FaultyBinding.FAILURES);
    OperationCount whole = result.operations().get("transaction");
    // Each thread fails 8 reads in a row, which are in 3 or 4 transactions.
    assertThat(result.operations().get("read").errorTotal()).isEqualTo(2L * FaultyBinding.FAILURES);
    assertThat(whole.errors()).containsOnlyKeys(away.keySet());
    assertThat(whole.errorTotal()).isBetween(6L, 8L);
    assertThat(whole.ok() + whole.errorTotal()).isEqualTo(2_000);
    assertThat(latency("transaction").getTotalCount()).isEqualTo(whole.ok());
    assertThat(result.operations().get("update").ok()).isEqualTo(2_000);
  }

  @Test
  void deletesAndInsertsKeepThePopulation() throws Exception {
    OperationMix deletes =
        mix(
            new TransactionPart(Operation.READ_MODIFY_WRITE, 1, "one"),
            new TransactionPart(Operation.DELETE, 3, ""));
    OperationMix both =
        mix(
            new TransactionPart(Operation.INSERT, 2, ""),
            new TransactionPart(Operation.RANGE_SCAN, 1, ""),
            new TransactionPart(Operation.DELETE, 2, ""));
    for (OperationMix mix : List.of(deletes, both)) {
      MemoryBinding.store(folder.toString()).clear();
      Run run = run(new Specs(folder), mix, 1, 0, limits(0, 1_000));
      PhaseResult result = run.result("carts");
      assertThat(result.incorrect()).isZero();
      assertThat(result.operations().values()).allMatch(count -> count.errorTotal() == 0);
      assertThat(run.count("carts", Operation.DELETE).notFound()).isZero();
      long deleted = mix.weights().get(Operation.DELETE) * 1_000L;
      assertThat(ok(result)).containsEntry("transaction", 1_000L).containsEntry("delete", deleted);
      assertThat(MemoryBinding.store(folder.toString()))
          .hasSize((int) result.facts().whole(Fact.RECORDS));
      assertThat(run.seen(Fact.CHECKED_WRONG)).isZero();
    }
  }

  @Test
  void aGroupHasTransactionsBesideReaders() throws Exception {
    ClientGroup carts = new ClientGroup("carts", CART, 1, Pacing.CLOSED);
    ClientGroup readers =
        new ClientGroup(
            "readers",
            Specs.mix(Map.of(Operation.READ, 1), Distribution.UNIFORM, false),
            1,
            Pacing.CLOSED);
    OperationMix all =
        Specs.mix(
            Map.of(Operation.READ, 1, Operation.UPDATE, 1, Operation.PREFIX_SCAN, 1),
            Distribution.UNIFORM,
            false);
    PhaseResult result =
        Run.of(
                new Specs(folder)
                    .load(Distribution.SEQUENTIAL, 2, 1)
                    .phase(
                        new WorkerPhase(
                            "mixed",
                            WorkerPhase.Kind.MIX,
                            all,
                            new ClientSettings(2, 1, 1, 1, Pacing.CLOSED, limits(200, 0)),
                            Optional.empty(),
                            List.of(carts, readers))))
            .result("mixed");
    assertThat(result.operations())
        .containsOnlyKeys(
            "carts:prefix-scan", "carts:read", "carts:transaction", "carts:update", "readers:read");
    assertThat(result.operations().get("carts:read").ok())
        .isEqualTo(3 * result.operations().get("carts:transaction").ok());
  }

  @Test
  void requestsOfATransactionAreSingle() {
    assertThatThrownBy(() -> run(new Specs(folder), CART, 2, 0, limits(0, 10)))
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining("a transaction sends single requests");
  }
}
