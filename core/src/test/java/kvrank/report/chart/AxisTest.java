package kvrank.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import kvrank.report.chart.Axis.Counting;
import org.junit.jupiter.api.Test;

class AxisTest {

  @Test
  void linearIsLabelledAtRoundNumbers() {
    assertThat(ticks(Axis.linear("", 849_000, Counting.DECIMAL, Double::toString)))
        .containsExactly(0.0, 250_000.0, 500_000.0, 750_000.0);
    assertThat(ticks(Axis.linear("", 3, Counting.DECIMAL, Double::toString)))
        .containsExactly(0.0, 1.0, 2.0, 3.0);
    assertThat(ticks(Axis.linear("", -3.2, 10, Counting.DECIMAL, Double::toString)))
        .containsExactly(0.0, 5.0, 10.0);
    assertThat(ticks(Axis.linear("", -3.2, 4, Counting.DECIMAL, Double::toString)))
        .containsExactly(-2.0, 0.0, 2.0, 4.0);
  }

  @Test
  void bytesAreCountedInPowersOfTwo() {
    double mebi = 1024 * 1024;
    assertThat(ticks(Axis.linear("", 390 * mebi, Counting.BINARY, Double::toString)))
        .containsExactly(0.0, 100 * mebi, 200 * mebi, 300 * mebi);
    assertThat(ticks(Axis.log("", 20 * mebi, 600 * mebi, Counting.BINARY, Double::toString)))
        .containsExactly(32 * mebi, 64 * mebi, 128 * mebi, 256 * mebi, 512 * mebi);
  }

  @Test
  void logarithmicIsLabelledAtPowersOfTen() {
    assertThat(ticks(Axis.log("", 400, 40_000_000, Counting.DECIMAL, Double::toString)))
        .containsExactly(1e3, 1e4, 1e5, 1e6, 1e7);
    assertThat(ticks(Axis.log("", 120, 470, Counting.DECIMAL, Double::toString)))
        .containsExactly(150.0, 200.0, 300.0, 500.0);
  }

  @Test
  void nothingLiesOutside() {
    Axis axis = Axis.log("", 10, 1000, Counting.DECIMAL, Double::toString);
    assertThat(axis.position(0)).isZero();
    assertThat(axis.position(1e9)).isEqualTo(1);
    assertThat(axis.position(100)).isBetween(0.49, 0.51);
  }

  @Test
  void aRatioIsDeeperTheNearerItIsToTheBest() {
    assertThat(Chart.depth(1)).isEqualTo(6);
    assertThat(Chart.depth(0.96)).isEqualTo(6);
    assertThat(Chart.depth(0.6)).isEqualTo(5);
    assertThat(Chart.depth(2)).isEqualTo(5);
    assertThat(Chart.depth(0.0001)).isZero();
    assertThat(Chart.depth(0)).isNegative();
    assertThat(Chart.depth(Double.NaN)).isNegative();
  }

  private static List<Double> ticks(Axis axis) {
    return axis.ticks().stream().map(Axis.Tick::at).toList();
  }
}
