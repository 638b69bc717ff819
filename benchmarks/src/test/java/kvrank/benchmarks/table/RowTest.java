package kvrank.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

final class RowTest {

  private static final Pacing PACING = new Pacing(3, 1, 1, 0, 5);

  /** Pairs whose ratio and ratio of CPU are 1.1, with these shares of noise. */
  private static Row row(Bar bar, double... noises) {
    List<Pair> pairs =
        DoubleStream.of(noises)
            .mapToObj(
                noise -> new Pair(new Figure(110, 1.1), Optional.of(new Figure(100, 1)), noise))
            .toList();
    PeerBenchmark contest =
        new PeerBenchmark("row", "what", "peer", bar, Optional.empty(), folder -> null);
    return Row.of(contest, pairs, PACING);
  }

  @Test
  void barsAreMetOrMissedByQuietPairs() {
    Row met = row(Bar.ratioAtLeast(1).cpuAtMost(1.2), 0.5, 0.01, 0.02, 0.03);
    assertThat(met.markdown()).contains("3 of 4 | ≥ 1.00 met", "1.10 (≤ 1.20 met)");
    assertThat(met.met()).isTrue();
    assertThat(row(Bar.ratioAtLeast(1.2), 0, 0, 0).markdown()).contains("≥ 1.20 MISSED");
    assertThat(row(Bar.ratioAtLeast(1.2), 0, 0, 0).met()).isFalse();
    assertThat(row(Bar.ratioAtLeast(1).cpuAtMost(1), 0, 0, 0).met()).isFalse();
  }

  @Test
  void tooFewQuietPairsSettleNothing() {
    Row noisy = row(Bar.ratioAtLeast(1).cpuAtMost(1.2), 0.5, 0.01, 0.02);
    assertThat(noisy.met()).isFalse();
    assertThat(noisy.markdown()).doesNotContain(" met").contains("not settled");
  }
}
