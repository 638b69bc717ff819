package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WilcoxonSignedRankTest {

  /** Section 3.1.3: R+ = 93, R− = 12; the critical value of 21 is not exceeded. */
  @Test
  void demsarsExample() {
    // In thousandths: as binary fractions, 0.768 − 0.763 and 0.936 − 0.931 are not equal.
    double[] m = thousandths(Demsar.column(1));
    double[] plain = thousandths(Demsar.column(0));
    WilcoxonSignedRank test = WilcoxonSignedRank.of(m, plain);
    assertThat(test.plus()).isEqualTo(93);
    assertThat(test.minus()).isEqualTo(12);
    assertThat(test.different()).isEqualTo(12);
    assertThat(test.p()).isLessThan(0.05);
  }

  private static double[] thousandths(double[] values) {
    return java.util.Arrays.stream(values).map(value -> Math.rint(value * 1000)).toArray();
  }

  /** The two-sided 5 % critical values of every printed table: the largest sum that rejects. */
  @Test
  void criticalValuesAsPublished() {
    int[][] critical = {{6, 0}, {7, 2}, {8, 3}, {9, 5}, {10, 8}, {12, 13}, {14, 21}, {20, 52}};
    for (int[] pair : critical) {
      assertThat(p(pair[0], pair[1])).as("n=" + pair[0]).isLessThanOrEqualTo(0.05);
      assertThat(p(pair[0], pair[1] + 1)).as("n=" + pair[0]).isGreaterThan(0.05);
    }
    assertThat(p(6, 0)).isEqualTo(0.03125);
    assertThat(p(5, 0)).isEqualTo(0.0625);
    assertThat(p(10, 8)).isCloseTo(0.0488, within(5e-5));
  }

  /** The p-value of {@code n} pairs whose smaller rank sum is {@code sum}. */
  private static double p(int n, int sum) {
    double[] first = new double[n];
    int left = sum;
    for (int rank = n; rank >= 1; rank--) {
      boolean taken = rank <= left;
      left -= taken ? rank : 0;
      first[rank - 1] = taken ? -rank : rank;
    }
    return WilcoxonSignedRank.of(first, new double[n]).p();
  }

  @Test
  void doesNotDependOnTheOrderOfThePairsOrTheSides() {
    Random random = new Random(1);
    double[] first = random.doubles(9).toArray();
    double[] second = random.doubles(9).toArray();
    WilcoxonSignedRank test = WilcoxonSignedRank.of(first, second);
    int[] order = {3, 1, 8, 0, 2, 7, 6, 5, 4};
    assertThat(
            WilcoxonSignedRank.of(
                IntStream.of(order).mapToDouble(i -> first[i]).toArray(),
                IntStream.of(order).mapToDouble(i -> second[i]).toArray()))
        .isEqualTo(test);
    WilcoxonSignedRank turned = WilcoxonSignedRank.of(second, first);
    assertThat(turned.p()).isEqualTo(test.p());
    assertThat(turned.plus()).isEqualTo(test.minus());
  }

  @Test
  void equalSeriesAreEqual() {
    assertThat(WilcoxonSignedRank.of(new double[] {1, 2, 3}, new double[] {1, 2, 3}).p())
        .isEqualTo(1);
  }

  @Test
  void fewPairsCannotReachTheLevel() {
    assertThat(WilcoxonSignedRank.smallestP(5)).isEqualTo(0.0625);
    assertThat(WilcoxonSignedRank.smallestP(6)).isEqualTo(0.03125);
  }
}
