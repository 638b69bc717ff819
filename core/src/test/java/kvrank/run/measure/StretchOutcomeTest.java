package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.Wording;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.Level;
import kvrank.stats.Runs;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StretchOutcomeTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final long SECOND = 1_000_000_000;

  private static OptionalLong standstill(long seconds, double worker, double controller) {
    return standstill(seconds, worker, controller, true);
  }

  private static OptionalLong standstill(
      long seconds, double worker, double controller, boolean embedded) {
    Facts facts = new Facts().put(Fact.HICCUP_MAX_NANOS, Math.round(worker * 1e9));
    return StretchOutcome.standstill(
        new PhaseResult("get", seconds * 1_000_000_000, new TreeMap<>(), 0, facts),
        Math.round(controller * 1e9),
        embedded);
  }

  @Test
  void aSuspensionIsTheMachinesFault() {
    assertThat(standstill(8, 6.1, 6)).hasValue(6_000_000_000L);
    assertThat(standstill(8, 1.1, 1.1)).isPresent();
    assertThat(standstill(8, 3, 0.1, false)).as("a client that holds no engine").isPresent();
  }

  @Test
  void aPauseOfOneOfThemOrAShortOneIsNot() {
    assertThat(standstill(8, 6, 0.1)).as("a JVM that collects an engine's garbage").isEmpty();
    assertThat(standstill(8, 0.002, 6)).as("a controller that was stopped alone").isEmpty();
    assertThat(standstill(8, 0.9, 0.9)).isEmpty();
    assertThat(standstill(60, 5, 5)).as("less than a tenth").isEmpty();
  }

  @Test
  void aStandstillIsBlamedOnThoseWhoUsedTheMachine() {
    Facts busy = new Facts().put(Fact.OTHERS_CPU_SHARE, 0.85).put(Fact.STEAL_CPU_SHARE, 0.05);
    wording.check(StretchOutcome.stoodStill(1_090_000_000, 1_140_000_000, busy));
    Facts quiet = new Facts().put(Fact.OTHERS_CPU_SHARE, 0.02).put(Fact.STEAL_CPU_SHARE, 0.0);
    assertThat(StretchOutcome.stoodStill(6_000_000_000L, 8_000_000_000L, quiet))
        .isEqualTo(StretchOutcome.stoodStill(6_000_000_000L, 8_000_000_000L, new Facts()))
        .endsWith("6.0 s of 8.0 s, as by Ctrl-Z or on a machine that is suspended");
  }

  private static Optional<String> unanswered(Map<String, String> facts) {
    return StretchOutcome.unanswered(
        new PhaseResult("get", 1_000_000_000, new TreeMap<>(), 0, Runs.facts(Level.PHASE, facts)));
  }

  @Test
  void anOpenLoopReportsAnOverlongWarmUp() {
    assertThat(unanswered(Map.of("rate.unsent", "20000")))
        .hasValueSatisfying(
            why -> assertThat(why).contains("behind 'rate'", "none of the 20000 requests"));
    assertThat(unanswered(Map.of("rate.unsent", "3"))).as("few were due").isEmpty();
    wording.check(unanswered(Map.of()).orElseThrow());
  }

  private static String said(long wrong, Map<String, String> facts) {
    return StretchOutcome.incorrect(
            "get",
            new PhaseResult("get", 1, new TreeMap<>(), wrong, Runs.facts(Level.PHASE, facts)))
        .reason();
  }

  @Test
  void wrongAnswersAreReportedByOneExample() {
    wording.check(
        said(1_200, Map.of("incorrect.example", "read 000000042: NOT_FOUND", "records", "5000")));
    // What was not written is not found.
    wording.check(said(2, Map.of("errors.said", "kv holds values of 64 KiB (x300)")));
    wording.check(said(1, Map.of()));
  }

  @Test
  void aFailedTransactionIsReportedByItsRequest() {
    SortedMap<String, OperationCount> counts = new TreeMap<>();
    SortedMap<String, Long> one = new TreeMap<>(Map.of("ERROR", 1L));
    counts.put("carts:read", new OperationCount(2, 0, one));
    counts.put("carts:transaction", new OperationCount(0, 0, one));
    wording.check(
        StretchOutcome.errors(new PhaseResult("cart", SECOND, counts, 0, new Facts()))
            .orElseThrow());
  }
}
