package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import kvrank.metric.Direction;
import org.junit.jupiter.api.Test;

class SequentialPlanTest {

  private static final OptionalDouble UNTIL_SEPARATED = OptionalDouble.empty();

  /** Engines whose logarithms are so far apart, with noise of 3 %. */
  private static double[][] logs(long seed, int blocks, double... apart) {
    return Noise.normal(0.03).plus(apart).draw(apart.length, blocks, new SplittableRandom(seed));
  }

  private static SequentialProgress progress(SequentialPlan plan, double[][] logs) {
    return SequentialProgress.of(
        plan.comparisons(Tables.ofLogs(logs)), Direction.HIGHER, UNTIL_SEPARATED);
  }

  private static double[][] first(double[][] logs, int blocks) {
    return Arrays.stream(logs).map(row -> Arrays.copyOf(row, blocks)).toArray(double[][]::new);
  }

  @Test
  void enginesFarApartAreSeparatedAtTheFirstLook() {
    SequentialProgress progress = progress(new SequentialPlan(3, 20), logs(1, 3, 0, -0.7, -1.5));
    assertThat(progress.best()).contains("e00");
    assertThat(progress.questions())
        .allSatisfy(
            question -> {
              assertThat(question.settled()).isTrue();
              assertThat(question.verdict().kind()).isEqualTo(Separation.SEPARATED);
            });
    assertThat(progress.needed()).isEmpty();
  }

  @Test
  void onlyEnginesOfOpenQuestionsGoOn() {
    SequentialProgress progress = progress(new SequentialPlan(3, 20), logs(2, 3, 0, -0.7, -0.02));
    assertThat(progress.needed()).containsExactly("e00", "e02");
  }

  @Test
  void equalEnginesEndAsEqual() {
    double[][] logs = logs(3, 20, 0, 0);
    SequentialPlan plan = new SequentialPlan(3, 20);
    int blocks = 3;
    while (!progress(plan, first(logs, blocks)).needed().isEmpty()) {
      blocks++;
    }
    assertThat(progress(plan, first(logs, blocks)).questions().get(0).verdict().kind())
        .isEqualTo(Separation.EQUAL);
    assertThat(blocks).isBetween(4, 12);
  }

  @Test
  void twoEnginesAreFirstLookedAtAfterFour() {
    SequentialPlan plan = new SequentialPlan(3, 20);
    assertThat(progress(plan, logs(1, 3, 0, -0.7)).needed()).containsExactly("e00", "e01");
    assertThat(progress(plan, logs(1, 4, 0, -0.7)).needed()).isEmpty();
  }

  /** What was separated stays so, with the ratio that separated it, though later values deny it. */
  @Test
  void whatIsSettledStaysSettled() {
    double[][] logs = logs(1, 8, 0, -0.7, -0.7);
    SequentialPlan plan = new SequentialPlan(3, 20);
    PairVerdict early = plan.comparisons(Tables.ofLogs(first(logs, 3))).verdict("e00", "e01");
    for (int b = 4; b < 8; b++) {
      logs[1][b] = 2;
    }
    PairVerdict late = plan.comparisons(Tables.ofLogs(logs)).verdict("e00", "e01");
    assertThat(early.separated()).isTrue();
    assertThat(late.ratio()).isEqualTo(early.ratio());
    assertThat(late.blocks()).isEqualTo(3);
  }

  @Test
  void pairsThatAreSettledNeedNoMoreValues() {
    double[][] logs = logs(2, 6, 0, -0.7, -0.02);
    for (int b = 3; b < 6; b++) {
      logs[1][b] = Double.NaN;
    }
    PairwiseComparisons found = new SequentialPlan(3, 20).comparisons(Tables.ofLogs(logs));
    assertThat(found.verdict("e00", "e01").blocks()).isEqualTo(3);
    assertThat(found.verdict("e00", "e01").separated()).isTrue();
    assertThat(found.verdict("e00", "e02").blocks()).isEqualTo(6);
  }

  /** A look at few blocks is stricter than a table that is looked at once. */
  @Test
  void looksShareTheLevel() {
    PairVerdict once =
        PairwiseComparisons.of(Tables.ofLogs(logs(4, 6, 0, -0.05, 0))).verdict("e00", "e01");
    PairVerdict look =
        new SequentialPlan(3, 20)
            .comparisons(Tables.ofLogs(logs(4, 6, 0, -0.05, 0)))
            .verdict("e00", "e01");
    assertThat(once.needed()).isCloseTo(0.05, within(1e-12));
    assertThat(look.needed()).isLessThan(0.02);
    assertThat(look.ratio().high() - look.ratio().low())
        .isGreaterThan(once.ratio().high() - once.ratio().low());
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
                .comparisons(Tables.ofLogs(logs(4, 7, 0, -0.05, 0)))
                .verdict("e00", "e01")
                .needed())
        .isLessThan(0.005);
    assertThat(plan.extended(10)).isSameAs(plan);
  }

  @Test
  void anIntervalMayBeWantedInstead() {
    PairwiseComparisons comparisons =
        new SequentialPlan(3, 20).comparisons(Tables.ofLogs(logs(1, 5, 0, -0.7, -1.5)));
    assertThat(
            SequentialProgress.of(comparisons, Direction.HIGHER, OptionalDouble.of(0.01)).needed())
        .containsExactly("e00", "e01", "e02");
    assertThat(
            SequentialProgress.of(comparisons, Direction.HIGHER, OptionalDouble.of(0.5)).needed())
        .isEmpty();
  }

  @Test
  void lowerMayBeBetter() {
    PairwiseComparisons comparisons =
        new SequentialPlan(3, 20).comparisons(Tables.ofLogs(logs(1, 3, 0, -0.7, -1.5)));
    assertThat(SequentialProgress.of(comparisons, Direction.LOWER, UNTIL_SEPARATED).best())
        .contains("e02");
  }

  @Test
  void fewerThanThreeAreNoPlan() {
    assertThatThrownBy(() -> new SequentialPlan(2, 20))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SequentialPlan(5, 4)).isInstanceOf(IllegalArgumentException.class);
  }
}
