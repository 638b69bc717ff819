package kvrank.report.section;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import kvrank.results.RunRecord;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;

class FalseAlarmsTest {

  private static final Map<String, String> POINT = Map.of("fsync", "off");

  /**
   * Three rows of redis, the last of which has {@code third} where the others have 100, and {@code
   * others} of rocksdb.
   */
  private static List<String> alarms(boolean said, double third, int others) {
    List<String> rows = new ArrayList<>(List.of("redis-1", "redis-2", "redis-3"));
    IntStream.rangeClosed(1, others).forEach(i -> rows.add("rocksdb-" + i));
    List<RunRecord> runs = new ArrayList<>();
    for (String row : rows) {
      for (int i = 1; i <= 5; i++) {
        double value = (row.equals("redis-3") ? third : 100) * (1 + 0.001 * i);
        RunRecord run =
            Runs.run(row)
                .at(POINT)
                .repetition(i)
                .throughput(value + (row.endsWith("-2") ? 0.01 * i : 0))
                .build();
        Map<String, String> asked = Map.of("asked", row.replaceAll("-\\d", ""));
        runs.add(said ? Runs.from(run).facts(asked).build() : run);
      }
    }
    return FalseAlarms.of(
        RankingIndex.of(
            Runs.results(Runs.manifest(rows).phases("get").repetitions(5).build(), runs)));
  }

  @Test
  void countsWhatIsSeparatedOfRowsThatAreTheSameEngine() {
    // 2 of 3: by Clopper and Pearson (Biometrika 26, 1934), 9.43 % to 99.16 %.
    assertThat(alarms(true, 300, 1))
        .first()
        .isEqualTo("throughput: 2 of 3 comparisons separated, 66.7 % (9.4 … 99.2)");
  }

  /** All of one engine's were separated and none of the other's: these are not 6 draws. */
  @Test
  void whatOneEnginesComparisonsShareMakesTheIntervalWider() {
    // SciPy, for 2 independent ones: beta.ppf(0.025, 2/3, 7/3), beta.ppf(0.975, 5/3, 4/3)
    assertThat(alarms(true, 300, 3))
        .first()
        .isEqualTo("throughput: 2 of 6 comparisons separated, 33.3 % (0.2 … 96.0)");
  }

  @Test
  void aShareOfNothingHasAnInterval() {
    // 1 - 0.025^(1/3)
    assertThat(alarms(true, 100, 1))
        .first()
        .isEqualTo("throughput: 0 of 3 comparisons separated, 0.0 % (0.0 … 70.8)");
  }

  @Test
  void saysNothingWhereNoRowsAreKnownToBeTheSame() {
    assertThat(alarms(false, 300, 1)).isEmpty();
  }
}
