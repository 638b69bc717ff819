package kvrank.run.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.Level;
import kvrank.fact.Merging;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.workload.request.Operation;
import org.junit.jupiter.api.Test;

class PhaseMergeTest {

  private static final long SECOND = 1_000_000_000L;

  /** Machine k has its clock k seconds ahead, known to 50 µs. */
  private final Clocks clocks = new Clocks(4);

  private final List<PhaseMerge.Part> parts = new ArrayList<>();

  PhaseMergeTest() {
    clocks.asked(1, 0);
    for (int k = 0; k < 4; k++) {
      clocks.answered(k, new WorkerMessage.Clock(1, 0, k * SECOND + 50_000), 100_000, 0);
    }
  }

  /** Adds a machine that began late by so much. */
  private void machine(long lateNanos, long ok, Map<String, String> facts) {
    int k = parts.size();
    long agreed = 100 * SECOND + k * SECOND + lateNanos;
    Facts all =
        new Facts()
            .put(Fact.GENERATOR_AGREED_NANOS, agreed)
            .put(Fact.GENERATOR_BEGAN_NANOS, agreed)
            .put(Fact.GENERATOR_CLIENTS, 2)
            .put(Fact.GENERATOR_PLANNED_RECORDS, 1000)
            .put(Fact.GENERATOR_TIMED, "true")
            .put(Fact.RECORDS, 1000)
            .putAll(Facts.of(facts));
    SortedMap<String, OperationCount> counts = new TreeMap<>();
    counts.put(
        Operation.READ.label(), new OperationCount(ok, k, new TreeMap<>(Map.of("ERROR", 1L))));
    Facts host = new Facts().put(Fact.GENERATOR_HOST, "n" + k).put(Fact.GENERATOR_CORES, 2);
    PhaseResult result = new PhaseResult("get", 2 * SECOND, counts, 1, all);
    parts.add(new PhaseMerge.Part(k, host, result, clocks));
  }

  @Test
  void countsAreAddedAndTheWorstIsReported() {
    machine(
        0,
        100,
        Map.of(
            "hiccup.maxNanos",
            "9",
            "gc.count",
            "1",
            "steady",
            "yes",
            "drift",
            "1.1",
            "records",
            "1004",
            "client.cpuSeconds",
            "0.5",
            "rate.achieved",
            "10.25"));
    machine(
        1_000_000,
        110,
        Map.of(
            "hiccup.maxNanos",
            "11",
            "gc.count",
            "2",
            "steady",
            "no",
            "drift",
            "0.5",
            "records",
            "998",
            "client.cpuSeconds",
            "3",
            "rate.achieved",
            "20.5"));
    PhaseMerge merge = new PhaseMerge(parts);

    PhaseResult result = merge.result();
    assertThat(merge.problem()).isEmpty();
    assertThat(result.elapsedNanos()).isEqualTo(2 * SECOND + 1_000_000);
    assertThat(result.incorrect()).isEqualTo(2);
    assertThat(result.operations().get(Operation.READ.label()))
        .isEqualTo(new OperationCount(210, 1, new TreeMap<>(Map.of("ERROR", 2L))));
    assertThat(result.facts().asMap())
        .containsEntry("hiccup.maxNanos", "11")
        .containsEntry("gc.count", "3")
        .containsEntry("steady", "no")
        .containsEntry("drift", "0.5")
        .containsEntry("records", "1002")
        .containsEntry("client.cpuSeconds", "3.5")
        .containsEntry("rate.achieved", "30.75")
        .containsEntry("generators.busiest", "0.750")
        .containsEntry("generators.spreadNanos", "1000000")
        .allSatisfy((name, value) -> assertThat(name).doesNotStartWith("generator."));
    assertThat(merge.rows().lines())
        .hasSize(2)
        .element(1)
        .asString()
        .startsWith("get,1,n1,2,2,110,");
  }

  /** The values of the generators differ, so only the declared rule gives the expected one. */
  @Test
  void everyFactOfAPhaseIsMergedByItsRule() {
    for (Fact fact : Fact.values()) {
      if (!fact.at(Level.PHASE)) {
        continue;
      }
      String name = fact == Fact.ENGINE ? fact.named("hits") : fact.label();
      boolean words = fact.merging() == Merging.WORST;
      parts.clear();
      for (String value : words ? List.of("yes", "no", "unknown") : List.of("1002", "7", "995")) {
        machine(0, 100, Map.of(name, value));
      }
      PhaseMerge merge = new PhaseMerge(parts);
      Optional<String> merged =
          switch (fact.merging()) {
            case SUM -> Optional.of("2004");
            case LARGEST, FARTHEST -> Optional.of("1002");
            case WORST -> Optional.of("no");
            case EACH -> Optional.of("1002 and 7 and 995");
            case EXAMPLE -> Optional.of("1002");
            // Each began with 1,000 of them.
            case RECOMPUTED -> Optional.of("4");
            case NONE -> Optional.empty();
          };
      if (merged.isPresent()) {
        assertThat(merge.result().facts().asMap()).containsEntry(name, merged.get());
      } else {
        assertThatThrownBy(merge::result)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("'" + name + "'");
      }
    }
  }

  /** A trace has no 'records'; its only generator may be on another machine. */
  @Test
  void aTraceIsMergedWithoutRecords() {
    machine(0, 100, Map.of("trace.late", "3"));
    PhaseMerge.Part known = parts.remove(0);
    SortedMap<String, String> facts = new TreeMap<>(known.result().facts().asMap());
    facts.remove("records");
    PhaseResult result =
        new PhaseResult("replay", SECOND, known.result().operations(), 0, Facts.of(facts));
    parts.add(new PhaseMerge.Part(0, known.host(), result, clocks));
    assertThat(new PhaseMerge(parts).result().facts().asMap())
        .containsEntry("trace.late", "3")
        .doesNotContainKey("records");
  }

  @Test
  void machinesThatStartApartVoidThePhase() {
    machine(0, 100, Map.of());
    machine(30_000_000, 100, Map.of());
    Failure apart = new PhaseMerge(parts).problem().orElseThrow();
    assertThat(apart.cause()).isEqualTo(Cause.HARNESS);
    assertThat(apart.message()).contains("30.0 ms apart", "a clock uncertainty of 0.1 ms", "2.0 s");
    // What is counted ends when it is done, however late it began.
    parts.clear();
    machine(0, 100, Map.of(Fact.GENERATOR_TIMED.label(), "false"));
    machine(30_000_000, 100, Map.of(Fact.GENERATOR_TIMED.label(), "false"));
    assertThat(new PhaseMerge(parts).problem()).isEmpty();
    assertThat(new PhaseMerge(parts).result().elapsedNanos()).isEqualTo(2 * SECOND + 30_000_000);
  }

  /** It stood still when all began, and had agreed to that moment before. */
  @Test
  void aMachineThatMissesTheStartVoidsItsPhase() {
    machine(0, 100, Map.of());
    String began = Long.toString(101 * SECOND + 250_000_000);
    machine(
        0, 88, Map.of(Fact.GENERATOR_BEGAN_NANOS.label(), began, "hiccup.maxNanos", "248000000"));
    Failure late = new PhaseMerge(parts).problem().orElseThrow();
    assertThat(late.cause()).isEqualTo(Cause.MACHINE);
    assertThat(late.message()).contains("generator 1 (on n1) stood still for 248.0 ms");
    assertThat(new PhaseMerge(parts).rows().lines().toList().get(1)).contains(",250000000,");
    // The engine let its first request wait, which is what is measured.
    parts.clear();
    machine(0, 100, Map.of());
    machine(0, 88, Map.of(Fact.GENERATOR_BEGAN_NANOS.label(), began, "hiccup.maxNanos", "3000000"));
    assertThat(new PhaseMerge(parts).problem()).isEmpty();
  }

  @Test
  void theLeastIsComparedWithTheMedian() {
    machine(0, 100, Map.of());
    machine(0, 104, Map.of());
    machine(0, 40, Map.of());
    machine(0, 100, Map.of());
    assertThat(new PhaseMerge(parts).result().facts().asMap())
        .containsEntry("generators.leastShare", "0.400");
  }
}
