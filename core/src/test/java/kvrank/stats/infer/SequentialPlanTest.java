package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import kvrank.stats.Tables;
import org.junit.jupiter.api.Test;

class SequentialPlanTest {

  /** Engines whose logarithms are so far apart, with noise of 3 %. */
  private static double[][] logs(long seed, int blocks, double... apart) {
    return Noise.normal(0.03).plus(apart).draw(apart.length, blocks, new SplittableRandom(seed));
  }

  /** The engines that need a further block. */
  private static Set<String> needed(SequentialPlan plan, double[][] logs) {
    return Tables.undecided(plan.comparisons(Tables.ofLogs(logs)), plan.atMost() - logs[0].length);
  }

  private static double[][] first(double[][] logs, int blocks) {
    return Arrays.stream(logs).map(row -> Arrays.copyOf(row, blocks)).toArray(double[][]::new);
  }

  @Test
  void enginesFarApartAreSeparatedAtTheFirstLook() {
    double[][] logs = logs(1, 3, 0, -0.7, -1.5);
    PairwiseComparisons found = new SequentialPlan(3, 20).comparisons(Tables.ofLogs(logs));
    assertThat(found.verdict("e00", "e01").separated()).isTrue();
    assertThat(found.verdict("e00", "e02").separated()).isTrue();
    assertThat(Tables.undecided(found, 17)).isEmpty();
  }

  @Test
  void onlyEnginesOfOpenQuestionsGoOn() {
    assertThat(needed(new SequentialPlan(3, 20), logs(2, 3, 0, -0.7, -0.06)))
        .containsExactly("e00", "e02");
  }

  @Test
  void equalEnginesEndAsEqual() {
    double[][] logs = logs(3, 20, 0, 0);
    SequentialPlan plan = new SequentialPlan(3, 20);
    int blocks = 3;
    while (!needed(plan, first(logs, blocks)).isEmpty()) {
      blocks++;
    }
    PairwiseComparisons found = plan.comparisons(Tables.ofLogs(first(logs, blocks)));
    assertThat(found.verdict("e00", "e01").kind()).isEqualTo(Separation.EQUAL);
    assertThat(blocks).isBetween(4, 12);
  }

  /** With three, a machine of two speeds could be fast for one of them and slow for the other. */
  @Test
  void twoEnginesThatAreNotFarApartNeedFour() {
    SequentialPlan plan = new SequentialPlan(3, 20);
    assertThat(needed(plan, logs(1, 3, 0, -0.25))).containsExactly("e00", "e01");
    assertThat(needed(plan, logs(1, 4, 0, -0.25))).isEmpty();
  }

  /** Otherwise the ratio would be the one that was luckiest. */
  @Test
  void laterValuesCorrectAnEarlierVerdict() {
    double[][] logs = logs(1, 8, 0, -0.7, -0.7);
    SequentialPlan plan = new SequentialPlan(3, 20);
    PairVerdict early = plan.comparisons(Tables.ofLogs(first(logs, 4))).verdict("e00", "e01");
    for (int b = 4; b < 8; b++) {
      logs[1][b] = 2;
    }
    PairVerdict late = plan.comparisons(Tables.ofLogs(logs)).verdict("e00", "e01");
    assertThat(early.separated()).isTrue();
    assertThat(late.separated()).isFalse();
    assertThat(late.inference().orElseThrow().blocks()).isEqualTo(8);
  }

  @Test
  void pairsThatAreSettledNeedNoMoreValues() {
    double[][] logs = logs(2, 6, 0, -1.5, -0.02);
    for (int b = 3; b < 6; b++) {
      logs[1][b] = Double.NaN;
    }
    PairwiseComparisons found = new SequentialPlan(3, 20).comparisons(Tables.ofLogs(logs));
    assertThat(found.verdict("e00", "e01").inference().orElseThrow().blocks()).isEqualTo(3);
    assertThat(found.verdict("e00", "e01").separated()).isTrue();
    assertThat(found.verdict("e00", "e02").inference().orElseThrow().blocks()).isEqualTo(6);
  }

  /** A look at few blocks is stricter than a table that is tested once. */
  @Test
  void looksShareTheLevel() {
    PairVerdict once =
        PairwiseComparisons.of(Tables.ofLogs(logs(4, 6, 0, -0.05, 0))).verdict("e00", "e01");
    PairVerdict look =
        new SequentialPlan(3, 20)
            .comparisons(Tables.ofLogs(logs(4, 6, 0, -0.05, 0)))
            .verdict("e00", "e01");
    assertThat(once.needed()).isCloseTo(0.04, within(1e-12));
    assertThat(look.needed()).isLessThan(0.016);
    assertThat(look.ratio().high() - look.ratio().low())
        .isGreaterThan(once.ratio().high() - once.ratio().low());
  }

  @Test
  void levelsAreInterpolated() {
    SequentialPlan plan = new SequentialPlan(3, 20).extended(30);
    SplittableRandom random = new SplittableRandom(20261203);
    for (int i = 0; i < 30; i++) {
      double error = 0.04 * Math.exp(-9 * random.nextDouble());
      double[] exact = plan.levels(error);
      for (int blocks = 3; blocks <= 30; blocks++) {
        double level = exact[blocks - 3];
        assertThat(plan.level(error, blocks)).isCloseTo(level, within(0.001 * level));
      }
    }
  }

  @Test
  void beforeTheFirstLookNothingIsSaid() {
    PairVerdict early =
        new SequentialPlan(4, 20)
            .comparisons(Tables.ofLogs(logs(1, 3, 0, -0.7)))
            .verdict("e00", "e01");
    assertThat(early.kind()).isEqualTo(Separation.NOT_SEPARATED);
    assertThat(early.settled(10)).isFalse();
  }

  /** A second execution that knows only one of two engines gives back no part of the level. */
  @Test
  void mergedExecutionsKeepTheLevelsOfTheirLooks() {
    double[][] logs = logs(4, 6, 0, -0.05, 0);
    List<RepetitionBlock> blocks = new ArrayList<>();
    for (int b = 0; b < 6; b++) {
      blocks.add(new RepetitionBlock(b / 3, b % 3 + 1));
    }
    Arrays.fill(logs[1], 3, 6, Double.NaN);
    BlockTable table = new BlockTable(List.of("e00", "e01", "e02"), blocks, List.of(logs));
    PairwiseComparisons merged = new SequentialPlan(3, 20).comparisons(table);
    assertThat(merged.verdict("e00", "e01").level()).isLessThan(0.005);
    assertThat(PairwiseComparisons.of(table).verdict("e00", "e01").level()).isGreaterThan(0.013);
  }

  @Test
  void theLastLookSpendsWhatIsLeft() {
    double[][] logs = logs(4, 6, 0, -0.05, 0);
    SequentialPlan plan = new SequentialPlan(3, 20);
    double open = plan.comparisons(Tables.ofLogs(logs)).verdict("e00", "e01").needed();
    double over = plan.ended(6).comparisons(Tables.ofLogs(logs)).verdict("e00", "e01").needed();
    assertThat(over).isBetween(3 * open, 0.045);
    SequentialPlan extended = plan.ended(6).extended(30);
    assertThat(extended.atMost()).isEqualTo(30);
    assertThat(extended.comparisons(Tables.ofLogs(logs)).verdict("e00", "e01").needed())
        .isEqualTo(over);
    assertThat(
            extended
                .comparisons(Tables.ofLogs(logs(4, 7, 0, -0.02, 0)))
                .verdict("e00", "e01")
                .needed())
        .isLessThan(0.005);
    assertThat(plan.extended(10)).isSameAs(plan);
  }

  @Test
  void fewerThanThreeAreNoPlan() {
    assertThatThrownBy(() -> new SequentialPlan(2, 20))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SequentialPlan(5, 4)).isInstanceOf(IllegalArgumentException.class);
  }
}
