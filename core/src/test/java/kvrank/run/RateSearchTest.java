package kvrank.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RateSearchTest {

  private static final int LIMIT = 9;

  @Test
  void comesWithinFivePercentOfTheHighestGoodRate() {
    for (double knee : new double[] {250, 500, 20_000, 47_000, 70_000, 99_000}) {
      RateSearch search = new RateSearch(100_000, 20);
      drive(search, knee);

      assertThat(search.best().orElseThrow()).as("knee " + knee).isBetween(knee / 1.05, knee);
    }
  }

  @Test
  void findsThatTheEngineKeepsTheBoundUpToItsLimit() {
    RateSearch search = new RateSearch(100_000, LIMIT);
    drive(search, Double.MAX_VALUE);

    assertThat(search.best().orElseThrow()).isGreaterThan(99_000);
  }

  @Test
  void endsWithoutARateWhereNoneIsGood() {
    RateSearch search = new RateSearch(100_000, LIMIT);
    int steps = drive(search, 0);

    assertThat(steps).as("it gives up at a thousandth of the limit").isEqualTo(5);
    assertThat(search.best()).isEmpty();
  }

  @Test
  void neverTriesMoreRatesThanAllowed() {
    RateSearch search = new RateSearch(100_000, 3);

    assertThat(drive(search, 60_000)).isEqualTo(3);
    assertThat(search.best()).isPresent();
  }

  private static int drive(RateSearch search, double knee) {
    int steps = 0;
    OptionalDouble next = search.next();
    while (next.isPresent()) {
      search.tried(next.getAsDouble() <= knee);
      steps++;
      next = search.next();
    }
    return steps;
  }
}
