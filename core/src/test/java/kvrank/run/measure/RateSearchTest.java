package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import kvrank.run.measure.SearchSimulation.Engine;
import org.junit.jupiter.api.Test;

class RateSearchTest {

  private final List<Double> rates = new ArrayList<>();

  @Test
  void comesWithinFourPercentOfAWall() {
    for (double wall : new double[] {250, 500, 20_000, 47_000, 70_000, 99_000}) {
      assertThat(found(100_000, rate -> rate <= wall ? -0.5 : 3))
          .as("wall at " + wall)
          .isCloseTo(wall, within(0.04 * wall));
    }
  }

  @Test
  void comesWithinOnePercentOnACurve() {
    for (double slope : new double[] {1, 3, 10}) {
      assertThat(found(100_000, rate -> slope * Math.log(rate / 60_000)))
          .as("slope " + slope)
          .isCloseTo(60_000, within(600.0));
    }
  }

  @Test
  void findsThatTheEngineKeepsTheBoundUpToItsLimit() {
    double found = found(100_000, rate -> rate < 105_000 ? -5 : Double.POSITIVE_INFINITY);

    assertThat(found).isCloseTo(105_000, within(2_000.0));
  }

  @Test
  void findsNoRateIfNoneIsGood() {
    assertThat(found(100_000, rate -> 0.1)).isZero();

    assertThat(rates).as("it gives up at a thousandth of the limit").hasSize(8);
  }

  /** It took ten times as long at each lower rate, down to 7 requests a second. */
  @Test
  void givesUpWhereNoStepHasEnoughRequests() {
    RateSearch search = new RateSearch(100_000, 0);
    int looks = 0;
    for (OptionalDouble rate = search.next(); rate.isPresent(); rate = search.next()) {
      looks++;
      search.tried(0.1, rate.getAsDouble() < 50_000);
    }
    assertThat(looks).isEqualTo(5);
    assertThat(search.found()).isEmpty();

    RateSearch low = new RateSearch(100_000, 0);
    for (OptionalDouble rate = low.next(); rate.isPresent(); rate = low.next()) {
      low.tried(rate.getAsDouble() <= 40_000 ? -0.5 : 3, rate.getAsDouble() < 50_000);
    }
    assertThat(low.found().orElseThrow()).as("within reach").isCloseTo(40_000, within(1600.0));
  }

  @Test
  void endsIfEveryRateIsGood() {
    assertThat(found(100_000, rate -> -1)).isPositive();

    assertThat(rates).hasSize(20);
  }

  /** Two engines, or two repetitions, whose throughput without a rate differs by chance. */
  @Test
  void theRatesDoNotHangOnTheRateWithoutALimit() {
    for (double reached = 80_000; reached < 120_000; reached += 500) {
      found(reached, rate -> Math.log(rate / 60_000));
    }
    assertThat(rates)
        .allSatisfy(
            rate -> {
              double cells = 64 * Math.log(rate) / Math.log(2) - 0.3;
              assertThat(cells).isCloseTo(Math.rint(cells), within(1e-6));
            });
    assertThat(rates.stream().distinct()).hasSizeLessThan(30);
  }

  @Test
  void oneWrongLookIsCorrectedEitherWay() {
    DoubleUnaryOperator curve = rate -> 3 * Math.log(rate / 80_000);
    double right = found(100_000, curve);
    for (int wrong = 0; wrong < 4; wrong++) {
      rates.clear();
      int number = wrong;
      double found =
          found(
              100_000,
              rate ->
                  rates.size() - 1 == number
                      ? -curve.applyAsDouble(rate)
                      : curve.applyAsDouble(rate));
      assertThat(found).as("look %d is wrong", wrong).isCloseTo(right, within(0.09 * right));
    }
  }

  @Test
  void goesUpFromAnUndeterminedRate() {
    RateSearch search = new RateSearch(100_000, 0);
    search.tried(1);
    double low = search.next().orElseThrow();
    search.tried(Double.NaN);

    assertThat(search.next().orElseThrow()).isGreaterThan(low);
    assertThat(search.found()).isEmpty();
  }

  /** Bisection that repeated bad looks only gave +4 % at 40 % of noise. */
  @Test
  void noiseIsNotRewarded() {
    SplittableRandom random = new SplittableRandom(20261127);
    for (double utilization : new double[] {0.8, 0.9, 0.97}) {
      for (double noise : new double[] {0.05, 0.4}) {
        assertThat(SearchSimulation.bias(Engine.queue(utilization, noise), 1_000, random))
            .as("crossing at %s, noise %s", utilization, noise)
            .isCloseTo(0, within(0.01));
      }
    }
  }

  /** It separated equal engines in 12 to 85 % of these tables. */
  @Test
  void equalEnginesAreSeldomSeparated() {
    SplittableRandom random = new SplittableRandom(20261128);
    Engine steady = Engine.queue(0.9, 0.05);
    Engine wall = Engine.wall(0.83, 0.05);
    for (int repetitions : new int[] {3, 5, 10}) {
      seldomSeparated(steady, Engine.queue(0.9, 0.4), repetitions, random);
      seldomSeparated(steady, steady.faster(), repetitions, random);
      seldomSeparated(wall, wall.faster(), repetitions, random);
      seldomSeparated(wall, Engine.wall(0.83, 0.4), repetitions, random);
    }
  }

  private static void seldomSeparated(
      Engine one, Engine other, int repetitions, SplittableRandom random) {
    int tables = 200;
    assertThat(SearchSimulation.separated(one, other, repetitions, tables, random))
        .as("%s, %s, n=%d", one, other, repetitions)
        .isLessThanOrEqualTo(0.05 + 3 * Math.sqrt(0.05 * 0.95 / tables));
  }

  /** Returns the result for an engine without noise; 0 for none. */
  private double found(double reached, DoubleUnaryOperator excess) {
    RateSearch search = new RateSearch(reached, 0.3);
    for (OptionalDouble next = search.next(); next.isPresent(); next = search.next()) {
      rates.add(next.getAsDouble());
      search.tried(excess.applyAsDouble(next.getAsDouble()));
    }
    return search.found().orElse(0);
  }
}
