package kvrank.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import kvrank.worker.PhaseResult;
import org.junit.jupiter.api.Test;

class WorkerSessionTest {

  private static String said(long wrong, Map<String, String> facts) {
    return WorkerSession.incorrect(
            "get", new PhaseResult("get", 1, new TreeMap<>(), wrong, new TreeMap<>(facts)))
        .reason();
  }

  @Test
  void wrongAnswersAreSaidByOneOfThemAndNotByAllFacts() {
    assertThat(
            said(
                1_200, Map.of("incorrect.example", "read 000000042: NOT_FOUND", "records", "5000")))
        .isEqualTo(
            "in phase get: 1,200 wrong answers, one of them: read 000000042: NOT_FOUND; the facts of"
                + " the phase in record.json say more");
    assertThat(said(1, Map.of()))
        .isEqualTo("in phase get: 1 wrong answer; the facts of the phase in record.json say more");
  }
}
