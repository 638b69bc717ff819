package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.Operation;
import org.junit.jupiter.api.Test;

class ReportTest {

  private static final String NASTY =
      "a\tb\nc\r\\u0041\\ \u0000 é \u4e2d \ud83d\ude00 \ud83d \u2028 ";

  private static List<Report> reports() {
    SortedMap<String, Long> errors = new TreeMap<>(Map.of("ERROR", 3L, NASTY, 4L));
    SortedMap<Operation, OperationCount> counts = new TreeMap<>();
    counts.put(Operation.READ_MODIFY_WRITE, new OperationCount(Long.MAX_VALUE, 2, errors));
    counts.put(Operation.READ, new OperationCount(0, 0, new TreeMap<>()));
    SortedMap<String, String> facts = new TreeMap<>(Map.of(NASTY, NASTY, "empty", ""));
    return List.of(
        new Report.Ready(facts),
        new Report.Ready(new TreeMap<>()),
        new Report.Measuring(NASTY),
        new Report.Progress("set", 1 / 3.0, 12_345_678_901L, 1e7 / 3),
        new Report.Finished(new PhaseResult("get", 10_000_000_001L, counts, 5, facts)),
        new Report.Failed("", NASTY),
        new Report.Failed(NASTY, ""));
  }

  @Test
  void comeBackAsTheyWere() {
    for (Report report : reports()) {
      assertThat(Report.decode(report.encode())).contains(report);
    }
  }

  @Test
  void areOneLineOfAscii() {
    for (Report report : reports()) {
      assertThat(report.encode().lines()).hasSize(1);
      assertThat(report.encode().chars().allMatch(c -> c < 128)).isTrue();
    }
  }

  @Test
  void areNotMistaken() {
    for (String text : List.of("", "ready", "kvrank\tready\t0", "> " + reports().get(0).encode())) {
      assertThat(Report.decode(text)).isEmpty();
    }
  }

  @Test
  void areRefusedIfBroken() {
    String line = new Report.Progress("set", 1, 2, 3).encode();
    assertThatThrownBy(() -> Report.decode(line.substring(0, line.lastIndexOf('\t'))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Report.decode(line.replace("progress", "regress")))
        .hasMessage("unknown report 'regress'");
  }
}
