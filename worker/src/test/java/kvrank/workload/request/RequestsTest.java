package kvrank.workload.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import kvrank.workload.MixRequests;
import kvrank.workload.OperationMix;
import kvrank.workload.RequestPlan;
import kvrank.workload.TransactionPart;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.value.ValueSizes;
import org.junit.jupiter.api.Test;

class RequestsTest {

  private static RequestPlan plan(
      Map<Operation, Integer> mix, Distribution keys, long records, int threads, int batch) {
    OperationMix choice = new OperationMix(new TreeMap<>(mix), KeyChoice.of(keys), 1, false);
    return new RequestPlan(42, "phase", choice, records, threads, batch);
  }

  private static RequestPlan draining(RequestPlan plan) {
    OperationMix mix = new OperationMix(plan.mix().weights(), plan.mix().keys(), 1, true);
    return new RequestPlan(
        plan.seed(), plan.phase(), mix, plan.records(), plan.threads(), plan.batch());
  }

  private static List<String> first(Requests requests, int count) {
    List<String> described = new ArrayList<>();
    while (described.size() < count && requests.next(Integer.MAX_VALUE)) {
      StringBuilder text = new StringBuilder(requests.operation().label());
      for (int i = 0; i < requests.size(); i++) {
        text.append(' ').append(requests.id(i)).append('@').append(requests.version(i));
      }
      described.add(text.toString());
    }
    return described;
  }

  @Test
  void smallWeightsBesideLargeOnesAreFollowed() {
    RequestPlan plan =
        plan(
            Map.of(Operation.READ, 999_900_000, Operation.UPDATE, 100_000),
            Distribution.UNIFORM,
            100,
            1,
            1);
    MixRequests requests = plan.mix(0);
    int updates = 0;
    for (int i = 0; i < 1_000_000; i++) {
      requests.next(1);
      updates += requests.operation() == Operation.UPDATE ? 1 : 0;
    }
    // 100 of a million, with a standard deviation of 10.
    assertThat(updates).isBetween(60, 140);
  }

  @Test
  void scansHaveTheLengthsOfTheirDistribution() {
    ValueSizes lengths = ValueSizes.between(3, 7, ValueSizes.Spread.UNIFORM);
    OperationMix mix =
        new OperationMix(
            new TreeMap<>(Map.of(Operation.RANGE_SCAN, 1)),
            KeyChoice.of(Distribution.UNIFORM),
            lengths,
            false,
            false);
    MixRequests requests = new RequestPlan(42, "phase", mix, 100, 1, 1).mix(0);
    Map<Integer, Integer> counts = new TreeMap<>();
    for (int i = 0; i < 50_000; i++) {
      requests.next(1);
      assertThat(requests.scanRecords()).isEqualTo(requests.scanRecords());
      counts.merge(requests.scanRecords(), 1, Integer::sum);
    }
    assertThat(counts).containsOnlyKeys(3, 4, 5, 6, 7);
    assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(9_600, 10_400));
  }

  /** With the numbers of all threads, a single writer of four would walk over every fourth. */
  @Test
  void threadsOfAGroupShareItsOrderOfKeysAndInsertTheirOwn() {
    RequestPlan all = plan(Map.of(), Distribution.UNIFORM, 100, 4, 1);
    RequestPlan walk =
        all.of(plan(Map.of(Operation.UPDATE, 1), Distribution.SEQUENTIAL, 100, 4, 1).mix(), 1, 2);
    assertThat(LongStream.of(ids(walk.mix(1), 50))).containsExactlyElementsOf(every(0, 2, 50));
    assertThat(LongStream.of(ids(walk.mix(2), 50))).containsExactlyElementsOf(every(1, 2, 50));
    RequestPlan inserts =
        all.of(plan(Map.of(Operation.INSERT, 1), Distribution.SEQUENTIAL, 100, 4, 1).mix(), 1, 2);
    assertThat(LongStream.of(ids(inserts.mix(1), 50))).containsExactlyElementsOf(every(101, 4, 50));
    assertThat(LongStream.of(ids(inserts.mix(2), 50))).containsExactlyElementsOf(every(102, 4, 50));
  }

  private static RequestPlan transactions(
      Distribution keys, long records, TransactionPart... parts) {
    RequestPlan plan = plan(Map.of(), keys, records, 1, 1);
    return plan.of(plan.mix().with(List.of(parts)), 0, 1);
  }

  @Test
  void transactionsHaveTheirOrderAndNamesShareARecord() {
    MixRequests requests =
        transactions(
                Distribution.SEQUENTIAL,
                100,
                new TransactionPart(Operation.PREFIX_SCAN, 1, "cart"),
                new TransactionPart(Operation.READ, 2, ""),
                new TransactionPart(Operation.UPDATE, 1, "other"),
                new TransactionPart(Operation.UPDATE, 1, "cart"),
                new TransactionPart(Operation.READ, 1, "other"))
            .mix(0);
    assertThat(first(requests, 12).stream().map(each -> each.replaceAll("@.*", "")))
        .containsExactly(
            // No key of the sequence is left out.
            "prefix-scan 0",
            "read 1",
            "read 2",
            "update 3",
            "update 0",
            "read 3",
            "prefix-scan 4",
            "read 5",
            "read 6",
            "update 7",
            "update 4",
            "read 7");
    assertThat(requests.skip()).isEqualTo(Operation.TRANSACTION);
    assertThat(first(requests, 1).get(0)).startsWith("prefix-scan 8@");
  }

  /** A compensating insert in the middle would be sent before the delete that it restores. */
  @Test
  void deletesOfATransactionAreRestoredAfterIt() {
    MixRequests requests =
        transactions(
                Distribution.UNIFORM,
                10,
                new TransactionPart(Operation.DELETE, 2, ""),
                new TransactionPart(Operation.READ, 1, ""))
            .mix(0);
    Model model = new Model(10);
    StringBuilder order = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      assertThat(requests.next(1)).isTrue();
      model.apply(requests);
      order.append(requests.compensating() ? "+" : requests.operation().label().charAt(0));
    }
    assertThat(order.toString()).startsWith("ddr++ddr++").matches("(ddr\\+\\+)+");
    assertThat(model.smallest).isEqualTo(8);
  }

  private static List<Long> every(long first, long step, int count) {
    return LongStream.range(0, count).mapToObj(i -> first + i * step).toList();
  }

  private static long[] ids(Requests requests, int count) {
    return LongStream.range(0, count)
        .map(
            i -> {
              requests.next(1);
              return requests.id(0);
            })
        .toArray();
  }

  /** A store that gets every request and checks it. */
  private static final class Model {
    private final Set<Long> live = new TreeSet<>();
    private final Map<Operation, Integer> counts = new HashMap<>();
    private int smallest = Integer.MAX_VALUE;
    private int largest;

    private Model(long records) {
      LongStream.range(0, records).forEach(live::add);
    }

    private void apply(Requests requests) {
      for (int i = 0; i < requests.size(); i++) {
        long id = requests.id(i);
        counts.merge(requests.operation(), 1, Integer::sum);
        switch (requests.operation()) {
          case DELETE -> assertThat(live.remove(id)).as("%s was live", id).isTrue();
          case INSERT -> assertThat(live.add(id)).as("%s was not there", id).isTrue();
          default -> {}
        }
      }
      smallest = Math.min(smallest, live.size());
      largest = Math.max(largest, live.size());
    }

    private void assertContiguous(long end) {
      assertThat(live).hasSize((int) end);
      assertThat(live).last().isEqualTo(end - 1);
    }
  }

  private static void run(Model model, RequestPlan plan, int[] requestsOfThread) {
    List<MixRequests> threads = new ArrayList<>();
    for (int thread = 0; thread < plan.threads(); thread++) {
      MixRequests requests = plan.mix(thread);
      threads.add(requests);
      for (int i = 0; i < requestsOfThread[thread]; i++) {
        if (!requests.next(Integer.MAX_VALUE)) {
          break;
        }
        model.apply(requests);
      }
    }
    long surplus = threads.stream().mapToLong(MixRequests::surplus).sum();
    assertThat(model.live).hasSize((int) (plan.records() + surplus));
    for (MixRequests requests : threads) {
      for (Requests restoring : requests.restoration(7)) {
        while (restoring.next(Integer.MAX_VALUE)) {
          assertThat(restoring.size()).isBetween(1, 7);
          model.apply(restoring);
        }
      }
    }
    model.assertContiguous(plan.records());
  }

  @Test
  void areAPureFunctionOfSeedPhaseAndThread() {
    Map<Operation, Integer> mix =
        Map.of(
            Operation.READ, 5,
            Operation.UPDATE, 3,
            Operation.INSERT, 1,
            Operation.DELETE, 1,
            Operation.READ_MODIFY_WRITE, 1,
            Operation.PREFIX_SCAN, 1);
    for (Distribution keys : Distribution.values()) {
      RequestPlan plan = plan(mix, keys, 1000, 3, 2);
      List<String> once = first(plan.mix(1), 5000);
      assertThat(first(plan.mix(1), 5000)).isEqualTo(once);
      assertThat(first(plan.mix(2), 5000)).isNotEqualTo(once);
    }
  }

  @Test
  void followTheWeights() {
    RequestPlan plan =
        plan(Map.of(Operation.READ, 95, Operation.UPDATE, 5), Distribution.UNIFORM, 100, 1, 1);
    Map<String, Long> counts =
        first(plan.mix(0), 100_000).stream()
            .collect(Collectors.groupingBy(text -> text.split(" ", 2)[0], Collectors.counting()));
    assertThat(counts.get("read") / 1e5).isCloseTo(0.95, within(0.003));
    assertThat(counts.get("update") / 1e5).isCloseTo(0.05, within(0.003));
  }

  @Test
  void loadsInsertEveryRecordOnce() {
    for (Distribution order : Distribution.values()) {
      for (int threads : new int[] {1, 3, 7}) {
        RequestPlan plan = plan(Map.of(), order, 1001, threads, 10);
        Model model = new Model(0);
        for (int thread = 0; thread < threads; thread++) {
          Requests requests = plan.load(thread);
          while (requests.next(Integer.MAX_VALUE)) {
            model.apply(requests);
          }
        }
        model.assertContiguous(1001);
      }
    }
  }

  @Test
  void moreThreadsThanRecordsDoNoHarm() {
    RequestPlan load = plan(Map.of(), Distribution.SEQUENTIAL, 2, 5, 1);
    assertThat(load.load(4).next(1)).isFalse();
    RequestPlan deletes =
        draining(plan(Map.of(Operation.DELETE, 1), Distribution.UNIFORM, 2, 5, 1));
    assertThat(deletes.mix(4).next(1)).isFalse();
    assertThat(deletes.mix(1).next(1)).isTrue();
  }

  @Test
  void deletesHitLiveRecordsAndAreMadeUpFor() {
    RequestPlan plan =
        plan(Map.of(Operation.DELETE, 1, Operation.READ, 1), Distribution.UNIFORM, 100, 3, 1);
    Model model = new Model(100);
    run(model, plan, new int[] {1000, 1000, 999});
    // One dead at most of each thread at any time.
    assertThat(model.smallest).isGreaterThanOrEqualTo(97);
    assertThat(model.counts.get(Operation.DELETE)).isGreaterThan(600);
    assertThat(model.counts.get(Operation.INSERT)).isEqualTo(model.counts.get(Operation.DELETE));
  }

  @Test
  void batchesOfDeletesAreMadeUpForInBatches() {
    RequestPlan plan = plan(Map.of(Operation.DELETE, 1), Distribution.UNIFORM, 100, 2, 20);
    assertThat(first(plan.mix(0), 4))
        .extracting(text -> text.split(" ", -1).length - 1)
        .containsExactly(20, 20, 20, 20);
    Model model = new Model(100);
    run(model, plan, new int[] {100, 101});
  }

  @Test
  void aDeleteHeavyMixHoldsItsPopulation() {
    for (int inserts : new int[] {40, 20, 60}) {
      Map<Operation, Integer> mix =
          Map.of(Operation.DELETE, 40, Operation.INSERT, inserts, Operation.READ, 20);
      RequestPlan plan = plan(mix, Distribution.ZIPFIAN, 10_000, 2, 1);
      Model model = new Model(10_000);
      run(model, plan, new int[] {100_000, 100_000});
      assertThat(model.smallest).isGreaterThanOrEqualTo(9_900);
      assertThat(model.largest).isLessThanOrEqualTo(10_100);
      // As many of the one as of the other, and neither is made more often than was asked.
      assertThat(model.counts.get(Operation.READ))
          .isBetween(0, 200_000 * 20 / (60 + inserts) * 11 / 10);
    }
  }

  /** All threads as fast as each other, and one after the other: no order leaves the bounds. */
  @Test
  void populationIsHeldForAnyNumberOfThreadsAndAnyLength() {
    Map<Operation, Integer> mix =
        Map.of(Operation.DELETE, 40, Operation.INSERT, 40, Operation.READ, 20);
    long records = 20_000;
    for (int threads : new int[] {1, 8, 50, 200}) {
      for (int batch : new int[] {1, 5}) {
        if ((long) threads * batch > records / 100) {
          continue;
        }
        RequestPlan plan = plan(mix, Distribution.UNIFORM, records, threads, batch);
        List<MixRequests> clients = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
          clients.add(plan.mix(thread));
        }
        for (int request = 0; request < 2_000_000 / threads; request++) {
          long surplus = 0;
          for (MixRequests requests : clients) {
            assertThat(requests.next(Integer.MAX_VALUE)).isTrue();
            assertThat(requests.size()).isEqualTo(batch);
            surplus += requests.surplus();
          }
          if (Math.abs(surplus) > records / 100) {
            assertThat(surplus).as("%d threads", threads).isBetween(-records / 100, records / 100);
          }
        }
        long widest =
            clients.stream()
                .mapToLong(requests -> Math.abs(requests.surplus()))
                .max()
                .orElseThrow();
        assertThat(widest * threads).isLessThanOrEqualTo(records / 100);
      }
    }
  }

  @Test
  void fewRecordsForManyThreadsAreHeldWithinABatchForEach() {
    Map<Operation, Integer> mix = Map.of(Operation.DELETE, 1, Operation.INSERT, 1);
    RequestPlan plan = plan(mix, Distribution.UNIFORM, 1_000, 4, 10);
    Model model = new Model(1_000);
    run(model, plan, new int[] {1_000, 999, 998, 997});
    assertThat(model.smallest).isGreaterThanOrEqualTo(1_000 - 4 * 10);
    assertThat(model.largest).isEqualTo(1_000);
  }

  @Test
  void drainsDeleteEveryRecordAndEnd() {
    RequestPlan plan =
        draining(plan(Map.of(Operation.DELETE, 1), Distribution.UNIFORM, 1001, 4, 8));
    Model model = new Model(1001);
    run(model, plan, new int[] {10_000, 10_000, 10_000, 10_000});
    assertThat(model.smallest).isZero();
    assertThat(model.counts).isEqualTo(Map.of(Operation.DELETE, 1001, Operation.INSERT, 1001));
  }

  @Test
  void whatWasAddedIsTakenBackWhenAllThreadsAreDone() {
    RequestPlan plan =
        plan(Map.of(Operation.INSERT, 1, Operation.READ, 1), Distribution.LATEST, 50, 3, 4);
    Model model = new Model(50);
    run(model, plan, new int[] {5, 200, 31});
    assertThat(model.largest).isGreaterThan(50 + 300);
  }

  @Test
  void onlyRecordsThatAreThereAreRead() {
    for (Distribution keys : Distribution.values()) {
      RequestPlan plan = plan(Map.of(Operation.INSERT, 1, Operation.READ, 9), keys, 50, 4, 1);
      MixRequests requests = plan.mix(2);
      Set<Long> own = new HashSet<>();
      int newer = 0;
      for (int i = 0; i < 10_000; i++) {
        requests.next(1);
        if (requests.operation() == Operation.INSERT) {
          own.add(requests.id(0));
        } else if (requests.id(0) >= 50) {
          newer++;
          assertThat(own).contains(requests.id(0));
        }
      }
      boolean walk =
          Set.of(
                  Distribution.SEQUENTIAL,
                  Distribution.REVERSE,
                  Distribution.RANDOM,
                  Distribution.TIMESTAMP)
              .contains(keys);
      assertThat(newer > 0).as(keys.label()).isNotEqualTo(walk);
    }
  }

  @Test
  void aRequestIsForNoMoreRecordsThanAsked() {
    RequestPlan plan = plan(Map.of(Operation.UPDATE, 1), Distribution.SEQUENTIAL, 100, 1, 10);
    MixRequests requests = plan.mix(0);
    assertThat(requests.next(3)).isTrue();
    assertThat(requests.size()).isEqualTo(3);
    assertThat(requests.next(30)).isTrue();
    assertThat(requests.size()).isEqualTo(10);
    assertThat(requests.id(0)).isEqualTo(3);
  }
}
