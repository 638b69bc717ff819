package kvrank.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.metric.Metrics;
import kvrank.stats.Estimate;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import org.junit.jupiter.api.Test;

class AnswersTest {

  private static String sentence(Map<String, List<Double>> samples) {
    TreeMap<String, Estimate> estimates = new TreeMap<>();
    samples.forEach((engine, values) -> estimates.put(engine, Estimate.of(values)));
    Group group =
        new Group(
            "get", "get", Optional.empty(), new TreeMap<>(Map.of("fsync", "off")), new TreeSet<>());
    return Answers.sentence(Ranking.of(Metrics.THROUGHPUT, group, estimates, List.of()));
  }

  @Test
  void nameTheBestAndTheNext() {
    assertThat(
            sentence(
                Map.of(
                    "redis", List.of(210.0, 211.0, 209.0), "rocksdb", List.of(100.0, 101.0, 99.0))))
        .isEqualTo("redis is fastest for get at fsync=off, 2.1x rocksdb (2.0–2.2x)");
  }

  @Test
  void callATieATie() {
    List<Double> wide = List.of(80.0, 100.0, 120.0);
    assertThat(sentence(Map.of("redis", wide, "ignix", wide)))
        .isEqualTo("ignix and redis are tied for get at fsync=off");
    assertThat(sentence(Map.of("a", wide, "b", wide, "c", wide, "d", List.of(1.0, 1.1, 1.2))))
        .isEqualTo("a, b and c are tied as fastest for get at fsync=off");
  }

  @Test
  void sayWhatOneRepetitionCannotTell() {
    assertThat(sentence(Map.of("redis", List.of(200.0), "rocksdb", List.of(100.0))))
        .isEqualTo(
            "redis is fastest for get at fsync=off, 2.0x rocksdb (n=1: a tie cannot be told)");
  }

  @Test
  void claimNothingWithoutARival() {
    assertThat(sentence(Map.of("redis", List.of(200.0))))
        .isEqualTo("redis is the only engine ranked for get at fsync=off");
    assertThat(sentence(Map.of())).isEqualTo("no engine can be ranked for get at fsync=off");
  }

  @Test
  void whatAKillTestFoundComesFirst() {
    List<String> answers = Answers.of(RankingIndex.of(CrashExamples.killed()));
    assertThat(answers.get(0))
        .startsWith("killed at fsync=off, redis")
        .contains("lost no write that was acknowledged; ")
        .contains("redis-no-persistence lost 111,000 of 144,000");
    assertThat(answers.get(1)).startsWith("killed at fsync=on, redis");
    assertThat(answers.get(2)).doesNotContain("killed");
  }
}
