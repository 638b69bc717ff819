package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FriedmanTest {

  /** Section 3.2.2: mean ranks, χ² = 9.28, F = 3.69, which exceeds the critical 2.85. */
  @Test
  void demsarsExample() {
    List<double[]> blocks = Demsar.AUC.stream().map(FriedmanTest::negated).toList();
    Friedman test = Friedman.of(blocks);
    assertThat(test.meanRanks().get(0)).isCloseTo(3.143, within(5e-4));
    assertThat(test.meanRanks().get(1)).isCloseTo(2.000, within(5e-4));
    assertThat(test.meanRanks().get(2)).isCloseTo(2.893, within(5e-4));
    assertThat(test.meanRanks().get(3)).isCloseTo(1.964, within(5e-4));
    assertThat(test.chiSquared()).isCloseTo(9.28, within(5e-3));
    assertThat(test.f()).isCloseTo(3.69, within(5e-3));
    assertThat(test.exact()).isTrue();
    assertThat(test.p()).isBetween(0.01, 0.025);
  }

  /** Higher is better in the table of the example. */
  private static double[] negated(double[] row) {
    return Arrays.stream(row).map(value -> -value).toArray();
  }

  /** The exact distribution in the tables of Friedman 1937 and of Hollander and Wolfe. */
  @Test
  void exactProbabilitiesAsPublished() {
    assertThat(p(List.of(ranks(1, 2, 3), ranks(1, 2, 3), ranks(1, 2, 3))))
        .isCloseTo(0.028, within(5e-4)); // χ² = 6
    assertThat(p(List.of(ranks(1, 2, 3), ranks(1, 2, 3), ranks(1, 2, 3), ranks(1, 2, 3))))
        .isCloseTo(0.0046, within(5e-5)); // χ² = 8
    assertThat(p(List.of(ranks(1, 2, 3), ranks(1, 2, 3), ranks(1, 2, 3), ranks(1, 3, 2))))
        .isCloseTo(0.042, within(5e-4)); // χ² = 6.5
    assertThat(p(List.of(ranks(1, 2, 3, 4), ranks(1, 2, 3, 4))))
        .isCloseTo(0.042, within(5e-4)); // χ² = 6
  }

  private static double[] ranks(double... values) {
    return values;
  }

  private static double p(List<double[]> blocks) {
    Friedman test = Friedman.of(blocks);
    assertThat(test.exact()).isTrue();
    return test.p();
  }

  @Test
  void doesNotDependOnTheOrderOfTheWorkloads() {
    Random random = new Random(1);
    List<double[]> blocks = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      blocks.add(random.doubles(4).toArray());
    }
    Friedman test = Friedman.of(blocks);
    for (int i = 0; i < 5; i++) {
      Collections.shuffle(blocks, random);
      Friedman other = Friedman.of(blocks);
      assertThat(other.p()).isCloseTo(test.p(), within(1e-12));
      assertThat(other.chiSquared()).isEqualTo(test.chiSquared());
    }
  }

  @Test
  void equalEnginesAreSeldomCalledUnequal() {
    Random random = new Random(2);
    for (int engines : List.of(3, 4, 7)) {
      int found = 0;
      int tables = 1000;
      for (int i = 0; i < tables; i++) {
        List<double[]> blocks = new ArrayList<>();
        for (int workload = 0; workload < 6; workload++) {
          blocks.add(random.doubles(engines).toArray());
        }
        found += Friedman.of(blocks).p() <= 0.05 ? 1 : 0;
      }
      assertThat((double) found / tables).as(engines + " engines").isLessThan(0.07);
    }
  }

  @Test
  void manyEnginesAreApproximated() {
    List<double[]> blocks = Collections.nCopies(3, new double[] {1, 2, 3, 4, 5, 6});
    Friedman test = Friedman.of(blocks);
    assertThat(test.exact()).isFalse();
    assertThat(test.p()).isCloseTo(1.0 / (720 * 720), within(1e-12));
  }

  @Test
  void needsTwoOfBoth() {
    assertThatThrownBy(() -> Friedman.of(List.of(new double[] {1, 2})))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
