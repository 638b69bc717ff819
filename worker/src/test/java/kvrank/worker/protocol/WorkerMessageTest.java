package kvrank.worker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.workload.request.Operation;
import org.junit.jupiter.api.Test;

class WorkerMessageTest {

  private static final String NASTY =
      "a\tb\nc\r\\u0041\\ \u0000 é \u4e2d \ud83d\ude00 \ud83d \u2028 ";

  private static List<WorkerMessage> reports() {
    SortedMap<String, Long> errors = new TreeMap<>(Map.of("ERROR", 3L, NASTY, 4L));
    SortedMap<String, OperationCount> counts = new TreeMap<>();
    counts.put(Operation.READ_MODIFY_WRITE.label(), new OperationCount(Long.MAX_VALUE, 2, errors));
    counts.put(Operation.READ.label(), new OperationCount(0, 0, new TreeMap<>()));
    Facts facts = Facts.of(Map.of(NASTY, NASTY, "empty", ""));
    return List.of(
        new WorkerMessage.Ready(facts),
        new WorkerMessage.Ready(new Facts()),
        new WorkerMessage.Measuring(NASTY, -7),
        new WorkerMessage.Restored(),
        new WorkerMessage.Looked(facts),
        new WorkerMessage.Arrived(),
        new WorkerMessage.Clock(3, Long.MAX_VALUE, -5),
        new WorkerMessage.Written("timeline.csv", NASTY),
        new WorkerMessage.Progress("set", 1 / 3.0, 12_345_678_901L, 1e7 / 3),
        new WorkerMessage.Finished(new PhaseResult("get", 10_000_000_001L, counts, 5, facts)),
        new WorkerMessage.WritesEnded(NASTY, List.of(0L, Long.MAX_VALUE)),
        new WorkerMessage.CrashChecked(
            new CrashFindings(
                9, 8, 7, 6, 5, 4, 3, NASTY, Optional.of(new CrashFindings.Span(-2, 1)))),
        new WorkerMessage.Failed("", Cause.OUTSIDER, NASTY),
        new WorkerMessage.Failed(NASTY, Cause.INPUT, ""));
  }

  @Test
  void comeBackAsTheyWere() {
    for (WorkerMessage report : reports()) {
      assertThat(WorkerMessage.decode(report.encode())).contains(report);
    }
  }

  @Test
  void areOneLineOfAscii() {
    for (WorkerMessage report : reports()) {
      assertThat(report.encode().lines()).hasSize(1);
      assertThat(report.encode().chars().allMatch(c -> c < 128)).isTrue();
    }
  }

  /** They end in a terminal and in each line of a table. */
  @Test
  void whatAnEngineSaysIsCutAndHasNoControlCharacters() {
    String long200k = "\u001b[31m" + "x".repeat(200_000);
    Facts facts = new Facts().put(Fact.ENGINE_VERSION, long200k);
    PhaseResult result =
        new PhaseResult(
            "get",
            1,
            new TreeMap<>(
                Map.of("read", new OperationCount(0, 0, new TreeMap<>(Map.of(long200k, 1L))))),
            0,
            facts);
    for (WorkerMessage report :
        List.of(
            new WorkerMessage.Ready(facts),
            new WorkerMessage.Finished(result),
            new WorkerMessage.Failed("get", Cause.ENGINE, long200k))) {
      assertThat(report.toString())
          .hasSizeLessThan(5_000)
          .contains(" [31mxxx")
          .doesNotContain("\u001b");
    }
  }

  @Test
  void areNotMistaken() {
    for (String text : List.of("", "ready", "kvrank\tready\t0", "> " + reports().get(0).encode())) {
      assertThat(WorkerMessage.decode(text)).isEmpty();
    }
  }

  @Test
  void areRefusedIfBroken() {
    String line = new WorkerMessage.Progress("set", 1, 2, 3).encode();
    assertThatThrownBy(() -> WorkerMessage.decode(line.substring(0, line.lastIndexOf('\t'))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> WorkerMessage.decode(line.replace("Progress", "Regress")))
        .hasMessage("'Regress' is not a WorkerMessage");
  }
}
