package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import kvrank.stats.infer.ChangePointSimulation.Noise;
import org.junit.jupiter.api.Test;

/** On histories whose changes are known; docs/explanation/validation.md has more of them. */
class ChangePointsTest {

  private final SplittableRandom random = new SplittableRandom(1);

  /** Of 200 at a true 5 %, more than 18 are a chance of 0.5 %. */
  private static final double MOST_ALARMS = 18.0 / 200;

  @Test
  void fewHistoriesWithoutAChangeHaveOneInAnyLine() {
    for (Noise noise :
        List.of(new Noise(0.03, 0.01, 0.05, 0, 0), new Noise(0.03, 0.01, 0, 0.1, 0))) {
      assertThat(ChangePointSimulation.falseAlarms(noise, 4, 40, 200, random))
          .as("%s", noise)
          .isLessThanOrEqualTo(MOST_ALARMS);
    }
  }

  @Test
  void findsAChangeOfFivePercentWhereItIs() {
    ChangePointSimulation.Found found =
        ChangePointSimulation.found(Noise.of(0.03, 0), 0.95, 4, 100, 100, random);

    assertThat(found.near()).isGreaterThanOrEqualTo(0.95);
    assertThat(found.exact()).isGreaterThanOrEqualTo(0.9);
    assertThat(found.covered()).isGreaterThanOrEqualTo(0.88);
    assertThat(found.more()).isLessThanOrEqualTo(0.12);
  }

  @Test
  void findsItAfterThreeExecutionsAndIfItIsUndone() {
    Noise noise = Noise.of(0.03, 0);
    assertThat(
            ChangePointSimulation.foundAfter(
                ChangePointSimulation.KVRANK, noise, 0.95, 3, 100, 100, random))
        .isGreaterThanOrEqualTo(0.9);
    assertThat(
            ChangePointSimulation.foundUndone(
                ChangePointSimulation.KVRANK, noise, 0.95, 10, 100, 100, random))
        .isGreaterThanOrEqualTo(0.9);
  }

  @Test
  void missingValuesMoveNothing() {
    double[] line = new double[30];
    for (int i = 0; i < line.length; i++) {
      line[i] = (i < 17 ? 5 : 4) + 0.01 * random.nextGaussian();
    }
    line[3] = Double.NaN;
    line[17] = Double.NaN;
    double[] none = new double[30];
    Arrays.fill(none, Double.NaN);

    List<List<ChangePoints.Change>> changes = ChangePoints.of(List.of(line, none));

    assertThat(changes.get(1)).isEmpty();
    assertThat(changes.get(0)).hasSize(1);
    ChangePoints.Change change = changes.get(0).get(0);
    assertThat(change.at()).as("the first execution with a value after it").isEqualTo(18);
    assertThat(change.first()).isEqualTo(18);
    assertThat(change.last()).isEqualTo(18);
    assertThat(change.size().difference()).isBetween(-1.02, -0.98);
  }

  @Test
  void oneSlowExecutionIsNotAChange() {
    double[] line = new double[30];
    for (int i = 0; i < line.length; i++) {
      line[i] = 0.01 * random.nextGaussian();
    }
    line[12] -= 1;
    line[29] -= 1;

    assertThat(ChangePoints.of(List.of(line)).get(0)).isEmpty();
  }

  @Test
  void aFewEqualExecutionsHaveNoChange() {
    for (int n = 0; n < 8; n++) {
      assertThat(ChangePoints.of(List.of(new double[n])).get(0)).isEmpty();
    }
    assertThat(ChangePoints.of(List.of())).isEmpty();
  }
}
