package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import kvrank.run.measure.BoundCheck.Verdict;
import org.junit.jupiter.api.Test;

class RateSearchTest {

  private static final int LIMIT = 9;

  private final List<Double> rates = new ArrayList<>();

  @Test
  void comesWithinFivePercentOfTheHighestGoodRate() {
    for (double knee : new double[] {250, 500, 20_000, 47_000, 70_000, 99_000}) {
      assertThat(best(new RateSearch(100_000, 20), knee))
          .as("knee " + knee)
          .isBetween(knee / 1.05, knee);
    }
  }

  @Test
  void findsThatTheEngineKeepsTheBoundUpToItsLimit() {
    assertThat(best(new RateSearch(100_000, LIMIT), Double.MAX_VALUE)).isGreaterThan(99_000);
  }

  @Test
  void endsWithoutARateIfNoneIsGood() {
    assertThat(best(new RateSearch(100_000, LIMIT), 0)).isZero();

    assertThat(rates).as("it gives up at a thousandth of the limit").hasSize(5);
  }

  @Test
  void neverTriesMoreRatesThanAllowed() {
    assertThat(best(new RateSearch(100_000, 3), 60_000)).isPositive();

    assertThat(rates).hasSize(3);
  }

  @Test
  void goesUpFromAnUndeterminedRate() {
    RateSearch search = new RateSearch(100_000, LIMIT);
    search.tried(Verdict.BAD);
    search.tried(Verdict.UNDETERMINED);

    assertThat(search.next().orElseThrow()).isBetween(12_500.0, 50_000.0);
  }

  private double best(RateSearch search, double knee) {
    double best = 0;
    for (OptionalDouble next = search.next(); next.isPresent(); next = search.next()) {
      rates.add(next.getAsDouble());
      boolean good = next.getAsDouble() <= knee;
      best = good ? Math.max(best, next.getAsDouble()) : best;
      search.tried(good ? Verdict.GOOD : Verdict.BAD);
    }
    return best;
  }
}
